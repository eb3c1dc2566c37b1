"""Makes a vault of Markdown files, and says where each of its links leads by the rules of Obsidian, from its paths alone.

The rules as observed in Obsidian 1.13 (getFirstLinkpathDest): the file with exactly this path from the top wins; else one in the folder
of the note; else the shortest path. Case and Unicode form do not matter. Besides, a title in front matter and an alias name a note that
no path names.
"""

import json
import os
import random
import sys
import unicodedata
from urllib.parse import quote, unquote

folder, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)

FOLDERS = ["", "a", "b", "a/deep", "a/deep/er", "Projekte", "Projekte/Übersicht", "zz/zz", "mixed Case"]
WORDS = ["Plan", "Note", "Über uns", "café", "Reise (2026)", "C++ notes", "v1.2 notes", "Łódź", "index", "README", "日本", "a & b",
         "Meeting, Monday", "50% done", "it's", "naïve idea", "Ångström", "todo"]


def nfc(text):
    return unicodedata.normalize("NFC", text)


def folded(text):
    return nfc(text).lower()


notes = {}  # path without .md -> {"title", "aliases"}
taken = set()
for number in range(260):
    name = rng.choice(WORDS)
    if rng.random() < 0.6:
        name += f" {number}"
    form = rng.choice(["NFC", "NFC", "NFC", "NFD"])
    path = "/".join(filter(None, [rng.choice(FOLDERS), unicodedata.normalize(form, name)]))
    if folded(path) in taken:
        continue
    taken.add(folded(path))
    aliases = [f"alias {number}", f"Ältere Form {number}"] if rng.random() < 0.3 else []
    title = f"Title of {number}" if rng.random() < 0.15 else None
    notes[path] = {"title": title, "aliases": aliases}


def parent(path):
    return path.rpartition("/")[0]


def joined(base, relative):
    parts = base.split("/") if base else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def resolve(source, target, is_markdown):
    """The path of the note that a target in the note at `source` leads to."""
    target = folded(target)
    if target.endswith(".md"):
        target = target[:-3]
    here = folded(parent(source))
    known = {folded(path): path for path in notes}
    if target.startswith(("./", "../")):
        return known.get(joined(here, target))
    if target.startswith("/"):
        return known.get(target[1:])
    beside = joined(here, target)
    if is_markdown and beside in known:
        return known[beside]
    if target in known:
        return known[target]
    found = [path for path in known if path.endswith("/" + target)]
    if beside in found:
        return known[beside]
    if found:
        return known[min(found, key=lambda path: (len(parent(known[path])), parent(path)))]
    for key in ("title", "aliases"):
        for path, note in notes.items():
            names = [note["title"]] if key == "title" else note["aliases"]
            if target in [folded(name) for name in names if name]:
                return path
    return None


def recased(text):
    return rng.choice([text, text, text.lower(), text.upper() if "ß" not in text else text])


def relative(source, path):
    return os.path.relpath("/" + path, "/" + parent(source))


expected = []
for path in list(notes):
    lines = []
    for _ in range(8):
        goal = rng.choice(list(notes))
        name = goal.rpartition("/")[2]
        choice = rng.randrange(13)
        heading = rng.choice(["", "", "#Head", "#One#Two", "#^b1"])
        label = rng.choice(["", "", "|shown"])
        embed = rng.choice(["", "", "!"])
        is_markdown = choice >= 9
        if choice == 0:
            target = name
        elif choice == 1:
            target = recased(name)
        elif choice == 2:
            target = unicodedata.normalize(rng.choice(["NFC", "NFD"]), name)
        elif choice == 3:
            target = "/".join(goal.split("/")[-2:])
        elif choice == 4:
            target = goal + rng.choice(["", ".md"])
        elif choice == 5:
            target = "/" + goal
        elif choice == 6:
            target = relative(path, goal)
            target = target if target.startswith("../") else "./" + target
        elif choice == 7:
            names = notes[goal]["aliases"] + [notes[goal]["title"] or name]
            target = recased(rng.choice(names))
        elif choice == 8:
            target = f"absent {rng.randrange(1000)}"
        elif choice in (9, 10):
            target = relative(path, goal) + ".md"
        elif choice == 11:
            target = "/" + goal + ".md"
        else:
            target = name + ".md"
        if is_markdown:
            escaped = quote(target, safe="/") if rng.random() < 0.7 or "(" in target else f"<{target}>"
            text = f"{embed}[words]({escaped}{quote(heading, safe='#^')})"
        else:
            text = f"{embed}[[{target}{heading}{label}]]"
        lines.append(rng.choice([f"see {text} here", f"- {text}", f"| {text.replace('|', chr(92) + '|')} | x |"]))
        expected.append([path, target, is_markdown, resolve(path, target, is_markdown)])
    lines += ["`[[not a link]]`", "", "```", "[[nor this]]", "```", f"[ref {len(lines)}]: https://example.org/x.md"]
    note = notes[path]
    head = ""
    if note["title"] or note["aliases"]:
        head = "---\n" + (f"title: {note['title']}\n" if note["title"] else "")
        style = rng.randrange(3)
        if note["aliases"] and style == 0:
            head += "aliases: [" + ", ".join(note["aliases"]) + "]\n"
        elif note["aliases"] and style == 1:
            head += "aliases:\n" + "".join(f"  - {alias}\n" for alias in note["aliases"])
        elif note["aliases"]:
            head += 'aliases: "' + ", ".join(note["aliases"]) + '"\n'
        head += "---\n"
    file = os.path.join(folder, path + ".md")
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as out:
        out.write(head + "\n".join(lines) + "\n")

for row in expected:
    print(json.dumps(row))
