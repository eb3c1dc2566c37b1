"""Contacts beside khard, vobject, Evolution Data Server, the sqlite3 program and rapidfuzz."""

import os
import statistics
import subprocess
import threading

import books
import cards
from measuring import (
    BENCH, HERE, HUB, IS_SMALLEST, PEERS, SYSTEM_PYTHON, alternate, figures, hub_folders, measure, megabytes, output, rate, row, show, size)

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
        fast, slow, _ = alternate([HUB, "contacts", command, NAME], khard + theirs + [NAME], size(40, 1), environment, every=10)
        row(f"contacts {command}, {SMALL:,} cards", fast, "khard", slow,
            "The start of the process and opening the store. khard reads and parses every card at each start.", at_least=300)


def parsing(folder):
    """Cards a second of processor time."""
    book, program = f"{folder}/parse.vcf", f"{folder}/vcards"
    cards.write(size(5_000, 20), book)
    libraries = ["-l:libebook-contacts-1.2.so.4", "-l:libgobject-2.0.so.0"]
    subprocess.run(["gcc", "-O2", "-o", program, f"{HERE}/vcards.c", *libraries], check=True)
    script = ("import sys, time, vobject\ntext = open(sys.argv[1], newline='').read()\nstart = time.process_time()\n"
              "count = sum(1 for _ in vobject.readComponents(text))\nprint(count / (time.process_time() - start))")
    ours, evolution, vobject = [], [], []
    for _ in range(size(5, 1)):
        ours.append(figures([BENCH, "parse", book])["details"])
        evolution.append(float(output([program, book])))
        vobject.append(float(output([f"{PEERS}/python", "-c", script, book])))
    for peer, theirs, goal in [("libebook-contacts, in C", evolution, 2), ("vobject", vobject, 100)]:
        row("parsing vCards", ours, peer, theirs, PARSING[peer], at_least=goal, show=rate("cards"), is_more_better=True)


PARSING = {
    "libebook-contacts, in C": "Making the strings of the details, of which a card has about 25. The peer makes the lines and the name.",
    "vobject": "The same; vobject makes an object of each line.",
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
    row("import, cards a second", [books.COUNT / seconds for seconds in ours], "Evolution Data Server", alone["rate"], IMPORTING["evolution"],
        at_least=10, show=rate("cards"), is_more_better=True)


IMPORTING = {
    "sqlite3": "The FTS index of words and of trigrams, and writing the pages. The peer parses nothing, compares nothing with what is there, "
               "and could not undo it.",
    "evolution": "The same; the peer stores each card in a table and its fields in others, and sends it over D-Bus.",
}


def writing_beside(folder):
    """A write of another process while an import runs."""
    book = books.file(folder)
    count, median, longest = writes_beside_import(book, hub_folders(f"{folder}/writer"))
    other = evolution(folder, "beside")
    row("a write beside an import, median", median / 1000, "Evolution Data Server", other["median"], BESIDE, at_most=1)
    row("the longest such write", longest / 1000, "Evolution Data Server", other["longest"], BESIDE, limit=("under 100 ms", longest < 100),
        note=f", of {count:.0f}")
    times = commands_beside_import(book, hub_folders(f"{folder}/commands"))
    khard = [f"{PEERS}/khard", "-c", f"{folder}/khard-new.conf", "new", "-i", f"{folder}/new.yaml"]
    os.makedirs(f"{folder}/new")
    with open(f"{folder}/khard-new.conf", "w") as file:
        file.write(f"[addressbooks]\n[[book]]\npath = {folder}/new/\n[general]\neditor = /bin/true\n")
    with open(f"{folder}/new.yaml", "w") as file:
        file.write("First name: Grace\nLast name: Hopper\n")
    theirs = [measure(khard)[0] for _ in range(size(5, 1))]
    row("hub contacts new beside an import, whole process", times, "khard new, alone", theirs, BESIDE, at_most=1,
        note=f", {max(times) * 1000:.0f} ms at most of {len(times)}")


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
    times = [measure(new, environment)[0]] if IS_SMALLEST else []
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
        times.append(measure(new, environment)[0])
    importer.join()
    if problems:
        raise problems[0]
    return times


def finding(folder):
    """Commands on a large book beside the start of the same program."""
    environment = books.store(folder)
    for what, word, limit in [("query", NAME, "100"), ("search", size("lukasz", NAME), "50")]:
        command = [HUB, "contacts", what, word]
        ours, theirs, memory = alternate(command + ["--limit", limit], [HUB, "--version"], size(60, 1), environment)
        row(f"contacts {what}, {books.COUNT:,} cards, as a terminal shows it", ours, "hub --version", theirs,
            "The rows of the FTS index, sorting them, and reading the cards that are shown.", at_most=4, limit=("60 MB", memory < 60),
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
    for what, option in [("duplicates", []), ("duplicates --all", ["--all"])]:
        ours, theirs, memory = alternate([HUB, "contacts", "duplicates", "--json", *option], peer, size(3, 1), environment)
        row(f"{what}, {books.COUNT:,} contacts", ours, "rapidfuzz, names of the same blocks", theirs, DUPLICATES, at_most=2,
            note=f", {memory:.0f} MB")


DUPLICATES = ("Comparing names in blocks, and reading each card of a block. The peer gets the names in blocks and reads no card, no number "
              "and no address.")
STEPS = [commands, parsing, importing, writing_beside, finding, duplicates]
