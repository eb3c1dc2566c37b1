"""Contacts beside khard, vobject, Evolution Data Server, the sqlite3 program and rapidfuzz."""

import functools
import os
import sqlite3
import statistics
import subprocess
import threading
import time

import books
import cards
from measuring import (
    BENCH, HERE, HUB, IS_SMALLEST, PEERS, SYSTEM_PYTHON, alternate, compiled, figures, hub_folders, measure, output, rate, row, show, size, times)

SMALL = size(10_000, 20)
# Of some of them.
NAME = size("lovelace", "user1")
# Evolution Data Server takes no longer for a card of a larger book.
EVOLUTION = size(10_000, 20)


def commands(folder):
    """Two commands of a mail program and a person, as whole processes."""
    environment = hub_folders(f"{folder}/small")
    cards.write(SMALL, f"{folder}/book/")
    cards.write(SMALL, f"{folder}/small.vcf")
    measure([HUB, "contacts", "import", f"{folder}/small.vcf"], environment)
    with open(f"{folder}/khard.conf", "w") as file:
        file.write(f"[addressbooks]\n[[book]]\npath = {folder}/book/\n")
    khard = [f"{PEERS}/khard", "-c", f"{folder}/khard.conf"]
    for command, theirs in [("query", ["email", "--parsable"]), ("search", ["list"])]:
        fast, slow, _ = alternate([HUB, "contacts", command, NAME], khard + theirs + [NAME], size(30, 1), environment, every=10)
        row(f"contacts {command}, {SMALL:,} cards", fast, "khard", slow,
            "The start of the process and opening the store. khard reads and parses every card at each start.", at_least=300)


@functools.cache
def few(folder):
    """A file with as many cards as show how fast they are parsed."""
    cards.write(size(5_000, 20), f"{folder}/parse.vcf")
    return f"{folder}/parse.vcf"


def parsing(folder):
    """Cards a second of processor time."""
    book = few(folder)
    program = compiled("vcards", "-l:libebook-contacts-1.2.so.4", "-l:libgobject-2.0.so.0")
    script = ("import sys, time, vobject\ntext = open(sys.argv[1], newline='').read()\nstart = time.process_time()\n"
              "count = sum(1 for _ in vobject.readComponents(text))\nprint(count / (time.process_time() - start))")
    stages, evolution, vobject = [], [], []
    for _ in range(size(5, 1)):
        stages.append(figures([BENCH, "parse", book]))
        evolution.append(float(output([program, book])))
        vobject.append(float(output([f"{PEERS}/python", "-c", script, book])))
    ours, index = [stage["details"] for stage in stages], statistics.median(stage["index"] for stage in stages)
    whole = 1e6 / statistics.median(ours)
    bounds = (f"Of {whole:.1f} µs for a card, finding its lines takes {1e6 / index:.1f}; the rest makes the strings of its details, about 25, and "
              "the lists that hold them. ")
    for peer, theirs, goal in [("libebook-contacts, in C", evolution, 2), ("vobject", vobject, 100)]:
        row("parsing vCards", ours, peer, theirs, bounds + PARSING[peer], at_least=goal, show=rate("cards"), is_more_better=True)


PARSING = {
    "libebook-contacts, in C": "The peer makes the lines and the name.",
    "vobject": "The peer makes an object of each line.",
}


def importing(folder):
    """The import of a large book beside the least that SQLite needs for its rows, and beside the desktop's address book."""
    book, ours, theirs, memory = books.file(folder), [], [], 0
    books.table(folder)
    for number in range(size(3, 1)):
        seconds, used = measure([HUB, "contacts", "import", book], hub_folders(f"{folder}/alone-{number}"))
        ours.append(seconds)
        memory = max(memory, used)
        theirs.append(books.database(f"{folder}/alone-{number}.db", folder))
    row(f"import of {books.COUNT:,} cards", ours, "sqlite3, .import of their rows", theirs, IMPORTING["sqlite3"], at_most=2,
        note=f", {memory:.0f} MB")
    alone = evolution(folder, "import")
    limit = books.COUNT / statistics.median(theirs) / alone["rate"]
    row("import, cards a second", [books.COUNT / seconds for seconds in ours], "Evolution Data Server", alone["rate"],
        IMPORTING["evolution"].format(times(limit)),
        at_least=10, show=rate("cards"), is_more_better=True)


IMPORTING = {
    "sqlite3": "The FTS index of words and of trigrams, and writing the pages. The peer parses nothing, compares nothing with what is there, "
               "and could not undo it.",
    "evolution": "The same: the sqlite3 program, which only puts the rows, is {} times as fast as the peer. The peer stores each card in a table "
                 "and its fields in others, and sends it over D-Bus.",
}


def writing_beside(folder):
    """A write of another process while an import runs."""
    book = books.file(folder)
    count, median, longest = writes_beside_import(book, hub_folders(f"{folder}/writer"))
    other = evolution(folder, "beside")
    row("a write beside an import, median", median / 1000, "Evolution Data Server", other["median"], BESIDE, at_most=1)
    row("the longest such write", longest / 1000, "Evolution Data Server", other["longest"], BESIDE, limit=("under 100 ms", longest < 100),
        note=f", of {count:.0f}")
    ours = commands_beside_import(book, hub_folders(f"{folder}/commands"))
    khard = [f"{PEERS}/khard", "-c", f"{folder}/khard-new.conf", "new", "-i", f"{folder}/new.yaml"]
    os.makedirs(f"{folder}/new")
    with open(f"{folder}/khard-new.conf", "w") as file:
        file.write(f"[addressbooks]\n[[book]]\npath = {folder}/new/\n[general]\neditor = /bin/true\n")
    with open(f"{folder}/new.yaml", "w") as file:
        file.write("First name: Grace\nLast name: Hopper\n")
    theirs = [measure(khard)[0] for _ in range(size(5, 1))]
    row("hub contacts new beside an import, whole process", ours, "khard new, alone", theirs, BESIDE, at_most=1,
        note=f", {max(ours) * 1000:.0f} ms at most of {len(ours)}")


BESIDE = "The wait until the import commits the batch that it is writing; batches are made so large that this takes about 20 ms."


def evolution(folder, what):
    """What eds_book.py prints, with a bus and folders of its own."""
    book = f"{folder}/evolution-{what}.vcf"
    cards.write(EVOLUTION, book)
    environment = dict(hub_folders(f"{folder}/evolution-{what}"), GSETTINGS_BACKEND="memory", GIO_USE_VFS="local")
    return figures(["/usr/bin/dbus-run-session", "--", SYSTEM_PYTHON, "-B", f"{HERE}/eds_book.py", what, book], environment)


def writes_beside_import(book, environment):
    """How often another process wrote, and its median and longest wait in milliseconds."""
    measure([HUB, "contacts", "new", "name=First"], environment)
    writer = subprocess.Popen([BENCH, "writer", environment["HUB_DATA"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    measure([HUB, "contacts", "import", book], environment)
    return [float(figure) for figure in writer.communicate()[0].split()]


def commands_beside_import(book, environment):
    """How long each of the commands took that wrote meanwhile."""
    new = [HUB, "contacts", "new", "name=Grace Hopper"]
    seconds = [measure(new, environment)[0]] if IS_SMALLEST else []
    done, problems = threading.Event(), []

    def run():
        try:
            measure([HUB, "contacts", "import", book], environment)
        except Exception as problem:
            problems.append(problem)
        done.set()

    importer = threading.Thread(target=run)
    importer.start()
    while not done.wait(0.02):
        seconds.append(measure(new, environment)[0])
    importer.join()
    if problems:
        raise problems[0]
    return seconds


def finding(folder):
    """Commands on a large book beside the start of the same program."""
    environment = books.store(folder)
    for what, word, limit in [("query", NAME, "100"), ("search", size("lukasz", NAME), "50")]:
        command = [HUB, "contacts", what, word]
        ours, theirs, memory = alternate(command + ["--limit", limit], [HUB, "--version"], size(60, 1), environment)
        row(f"contacts {what}, {books.COUNT:,} cards, as a terminal shows it", ours, "hub --version", theirs,
            "The rows of the FTS index, sorting them, and reading the cards that are shown.", at_most=4, limit=("under 60 MB", memory < 60),
            note=f", {memory:.0f} MB")
        ours, theirs, memory = alternate(command, [HUB, "--version"], size(15, 1), environment)
        row("all its matches, as a pipe gets them", ours, "hub --version", theirs, "Reading and parsing each card that is shown.",
            note=f", {memory:.0f} MB")


def duplicates(folder):
    """Finding duplicates beside rapidfuzz, which compares the names of the same blocks and does nothing else."""
    environment = books.store(folder)
    blocks = f"{folder}/blocks"
    with open(blocks, "w") as file:
        file.write(output([BENCH, "blocks", environment["HUB_DATA"]]))
    peer = [f"{PEERS}/python", "-B", f"{HERE}/rapidfuzz_blocks.py", blocks]
    bounds = DUPLICATES.format(show(reading(environment)), show(books.COUNT / figures([BENCH, "parse", few(folder)])["details"]))
    for what, option in [("duplicates", []), ("duplicates --all", ["--all"])]:
        ours, theirs, memory = alternate([HUB, "contacts", "duplicates", "--json", *option], peer, size(3, 1), environment)
        row(f"{what}, {books.COUNT:,} contacts", ours, "rapidfuzz, names of the same blocks", theirs, bounds, at_most=2,
            note=f", {memory:.0f} MB")


def reading(environment):
    """Seconds in which Python's sqlite3 reads all cards."""
    with sqlite3.connect(f"file:{environment['HUB_DATA']}/hub.db?mode=ro", uri=True) as store:
        start = time.perf_counter()
        for _ in store.execute("SELECT id, card FROM contacts_contact"):
            pass
        return time.perf_counter() - start


DUPLICATES = ("Reading each card of a block: SQLite takes {} for all cards, and parsing them {}; then their numbers, addresses and organizations "
              "in the form that is compared. The peer gets the names in blocks and reads no card, no number and no address.")
STEPS = [commands, parsing, importing, writing_beside, finding, duplicates]
