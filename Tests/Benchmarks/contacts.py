"""Contacts against khard and vobject, and with 100 000 cards."""

import os
import statistics
import subprocess
import threading

import cards
from measuring import BENCH, HUB, PEERS, hub_folders, in_turn, measure, row, show


def against_khard(folder):
    environment = hub_folders(f"{folder}/small")
    cards.write(10_000, f"{folder}/book/")
    cards.write(10_000, f"{folder}/10k.vcf")
    measure([HUB, "contacts", "import", f"{folder}/10k.vcf"], environment)
    with open(f"{folder}/khard.conf", "w") as file:
        file.write(f"[addressbooks]\n[[book]]\npath = {folder}/book/\n")
    khard = [f"{PEERS}/khard", "-c", f"{folder}/khard.conf"]
    for ours, theirs in [("query", ["email", "--parsable"]), ("search", ["list"])]:
        fast, slow, _ = in_turn([HUB, "contacts", ours, "lovelace"], khard + theirs + ["lovelace"], 40, environment,
                                rounds_of_theirs=0.1)
        row(f"contacts {ours}, 10 000 cards", show(fast), "khard", show(slow), f"{slow / fast:.0f} times faster",
            "300 times faster", slow / fast >= 300)


def parsing(folder):
    book = f"{folder}/parse.vcf"
    cards.write(5_000, book)
    program = ("import sys, time, vobject\ntext = open(sys.argv[1], newline='').read()\nstart = time.process_time()\n"
               "count = sum(1 for _ in vobject.readComponents(text))\nprint(count / (time.process_time() - start))")
    theirs = max(float(subprocess.check_output([f"{PEERS}/python", "-c", program, book])) for _ in range(3))
    stages = dict(line.split("\t") for line in subprocess.check_output([BENCH, "parse", book], text=True).splitlines())
    ours = float(stages["details"])
    row("parsing vCards", f"{ours:,.0f} cards/s", "vobject", f"{theirs:,.0f} cards/s", f"{ours / theirs:.0f} times faster",
        "50 times faster", ours / theirs >= 50)


def importing(folder):
    """Imports 100 000 cards; returns the environment of a hub that has them."""
    book = f"{folder}/100k.vcf"
    cards.write(100_000, book)
    folders = [hub_folders(f"{folder}/alone-{number}") for number in range(3)]
    alone = [measure([HUB, "contacts", "import", book], environment) for environment in folders]
    seconds, memory = min(alone)[0], max(memory for _, memory in alone)
    row("import of 100 000 cards", show(seconds), "-", "-", f"{100_000 / seconds:,.0f} cards/s, {memory:.0f} MB",
        "25,000 cards/s", 100_000 / seconds >= 25_000)
    waits = writes_beside_import(book, hub_folders(f"{folder}/writer"))
    row("a write beside that import", f"{waits[1]:.2f} ms median", "-", "-",
        f"{waits[2]:.0f} ms at most of {waits[0]:.0f}", "100 ms at most", waits[2] < 100)
    times = commands_beside_import(book, hub_folders(f"{folder}/commands"))
    row("hub contacts new beside it, whole process", show(statistics.median(times)), "-", "-",
        f"{max(times) * 1000:.0f} ms at most of {len(times)}", "-", True)
    return folders[0]


def writes_beside_import(book, environment):
    """How often another process wrote, and its median and longest wait in milliseconds."""
    measure([HUB, "contacts", "new", "name=First"], environment)
    writer = subprocess.Popen([BENCH, "writer", environment["HUB_DATA"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    measure([HUB, "contacts", "import", book], environment)
    return [float(figure) for figure in writer.communicate()[0].split()]


def commands_beside_import(book, environment):
    """How long each of the commands took that wrote meanwhile."""
    new = [HUB, "contacts", "new", "name=Somebody Else"]
    measure(new, environment)
    done = threading.Event()
    importer = threading.Thread(
        target=lambda: (measure([HUB, "contacts", "import", book], environment), done.set()))
    importer.start()
    times = []
    while not done.wait(0.02):
        times.append(measure(new, environment)[0])
    importer.join()
    return times


def hundred_thousand(environment):
    for what, word, limit in [("query", "lovelace", "100"), ("search", "lukasz", "50")]:
        command = [HUB, "contacts", what, word]
        ours, theirs, memory = in_turn(command + ["--limit", limit], [HUB, "--version"], 60, environment)
        row(f"contacts {what}, 100 000 cards, as a terminal shows it", show(ours), "hub --version", show(theirs),
            f"{ours / theirs:.1f} times, {memory:.0f} MB", "under 4 times, 60 MB", ours / theirs < 4 and memory < 60)
        ours, theirs, memory = in_turn(command, [HUB, "--version"], 15, environment)
        row("all its matches, as a pipe gets them", show(ours), "hub --version", show(theirs),
            f"{ours / theirs:.1f} times, {memory:.0f} MB", "-", True)
    for what, option in [("duplicates", []), ("duplicates --all", ["--all"])]:
        runs = [measure([HUB, "contacts", "duplicates", "--json"] + option, environment) for _ in range(3)]
        seconds, memory = min(runs)[0], max(memory for _, memory in runs)
        row(f"{what} over 100 000 contacts", show(seconds), "-", "-", f"{show(seconds)}, {memory:.0f} MB", "under 5 s",
            seconds < 5)
