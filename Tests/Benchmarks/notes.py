"""Notes: writing one down against changing a contact, and a mirrored folder of ten thousand files."""

import os

from measuring import HUB, hub_folders, measure, row, show

FILES = 10_000


def capture(folder):
    """`hub notes new -m` against `hub contacts set`, both with a text that is not there yet."""
    environment = hub_folders(f"{folder}/capture")
    measure([HUB, "contacts", "new", "Ada Lovelace"], environment)
    ours, theirs = [], []
    for number in range(40):
        ours.append(measure([HUB, "notes", "new", "-m", f"buy milk {number}"], environment)[0])
        theirs.append(measure([HUB, "contacts", "set", "ada", f"note=buy milk {number}"], environment)[0])
    row("notes new -m", show(min(ours)), "contacts set", show(min(theirs)), f"{min(ours) / min(theirs):.2f} times",
        "at most 1 time", min(ours) <= min(theirs))


def mirror(folder):
    """A folder of Markdown files that becomes notes, a second folder that is written of them, and a sync without changes."""
    environment = hub_folders(f"{folder}/mirror")
    source = f"{folder}/markdown"
    for number in range(FILES):
        path = f"{source}/f{number % 100}"
        os.makedirs(path, exist_ok=True)
        with open(f"{path}/Note {number}.md", "w") as file:
            file.write(f"# Note {number}\n\nSome words of note {number}, and a [[Note {number - 1}]].\n")
    read = measure([HUB, "notes", "mirror", source], environment)[0]
    row("10 000 Markdown files, first mirror", show(read), "-", "-", f"{read / FILES * 1000:.2f} ms a file", "-", True)
    pause = min(measure([HUB, "notes", "mirror"], environment)[0] for _ in range(10))
    row("10 000 mirrored files, unchanged", show(pause), "-", "-", show(pause), "under 150 ms", pause < 0.15)
    measure([HUB, "notes", "mirror", "--off"], environment)
    written = measure([HUB, "notes", "mirror", f"{folder}/written"], environment)[0]
    row("10 000 notes, written as files", show(written), "-", "-", f"{written / FILES * 1000:.2f} ms a file", "-", True)
