"""Notes: writing one down beside changing a contact, and a mirrored folder beside git, which keeps the same files."""

import os

from measuring import HUB, Failure, hub_folders, measure, row, size

FILES = size(10_000, 20)


def capture(folder):
    """`hub notes new -m` beside `hub contacts set`, both with a text that is not there yet."""
    environment = hub_folders(f"{folder}/capture")
    measure([HUB, "contacts", "new", "Ada Lovelace"], environment)
    ours, theirs = [], []
    for number in range(size(40, 1)):
        ours.append(measure([HUB, "notes", "new", "-m", f"buy milk {number}"], environment)[0])
        theirs.append(measure([HUB, "contacts", "set", "ada", f"note=buy milk {number}"], environment)[0])
    row("notes new -m", ours, "hub contacts set", theirs, "The start of the process and one fsync.", at_most=1.2)


def mirror(folder):
    """A folder of Markdown files that becomes notes, a sync without changes, and a second folder that is written of them."""
    environment = dict(hub_folders(f"{folder}/mirror"), GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    source, copy = f"{folder}/markdown", f"{folder}/git"
    for number in range(FILES):
        for top in [source, copy]:
            path = f"{top}/f{number % 100}"
            os.makedirs(path, exist_ok=True)
            with open(f"{path}/Note {number}.md", "w") as file:
                file.write(f"# Note {number}\n\nSome words of note {number}, and a [[Note {number - 1}]].\n")
    git = ["/usr/bin/git", "-C", copy, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
    measure([*git, "init", "--quiet"], environment)
    row(f"{FILES:,} Markdown files, first mirror", measure([HUB, "notes", "mirror", source], environment)[0], "git add, git commit",
        measure([*git, "add", "."], environment)[0] + measure([*git, "commit", "--quiet", "-m", "notes"], environment)[0],
        "Parsing each note, its links, and its row of the search. The peer compresses each file and indexes nothing.", at_most=3)
    pairs = [(measure([HUB, "notes", "mirror"], environment)[0], measure([*git, "status", "--short"], environment)[0]) for _ in range(size(10, 1))]
    row(f"{FILES:,} mirrored files, unchanged", [ours for ours, _ in pairs], "git status", [theirs for _, theirs in pairs],
        "One lstat for each file.", at_most=3)
    measure([HUB, "notes", "mirror", "--off"], environment)
    written = measure([HUB, "notes", "mirror", f"{folder}/written"], environment)[0]
    # With a work tree that holds the prefix, git writes nothing and says nothing.
    checkout = measure([*git, "checkout-index", "--all", f"--prefix={folder}/checkout/"], environment)[0]
    for top in ["written", "checkout"]:
        if (count := sum(name.endswith(".md") for _, _, names in os.walk(f"{folder}/{top}") for name in names)) != FILES:
            raise Failure(f"{count} of {FILES} files are in {top}")
    row(f"{FILES:,} notes, written as files", written, "git checkout-index", checkout,
        "Creating each file and renaming it to its name. All are synced in between, so that no half file is ever there. The peer writes in place.", at_most=5)


STEPS = [capture, mirror]
