"""The results as a table, as JSON, and as the page docs/performance.md."""

import dataclasses
import datetime
import json
import os
import subprocess

from measuring import PEERS, ROOT, Row

INTRODUCTION = """# Performance

How fast hub is beside programs that people use for the same. Every figure is measured by `make bench` and can be measured again; this page is
written by it.
"""
# What a person notices first, with the row that says it: the part, and the beginning of what was measured.
NOTICED = [
    ("Find a contact among 100,000, on the command line", "contacts", "contacts search, 100,000"),
    ("Complete an address in a mail program, 10,000 contacts", "contacts", "contacts query, 10,000"),
    ("Import 100,000 cards", "contacts", "import of"),
    ("Search as you type in the page, 100,000 contacts", "search", "a key press"),
    ("Open the page of contacts", "chromium", "first paint of /contacts"),
    ("Sync 1,000 cards for the first time", "sync", "first sync"),
    ("Sync when nothing has changed", "sync", "sync without news"),
    ("Give a phone the list of 10,000 contacts", "devices", "PROPFIND of"),
    ("Show today's tasks, with ten years of history", "tasks", "mintee today"),
    ("Show the first 50 of 5,000 tokens", "prices", "first 50"),
    ("Sync 10,000 notes with their folder of Markdown files", "notes", "10,000 mirrored files"),
]
READING = """## How to read the tables

- hub is always the release build. A *peer* is another program or, as a lower limit, the least that a task needs, such as a C program that
  prints one line.
- Both sides of a row run in the same minute on the same machine, alternately where they are whole processes; the median counts. Seconds
  differ from machine to machine and from day to day. The ratio is what stays: hub is so many times *as fast* as the peer, or takes so many
  *times* what the peer takes. In brackets is where the middle half of the single ratios lay, if they differed.
- Rows without a goal show what something costs. A goal that is missed is listed with what bounds it.
"""
AGAIN = """## Run it again

```sh
make bench                                              # everything, about {minutes} minutes
make bench ONLY='contacts sync'                         # some parts; Tests/Benchmarks/run --list names them
make bench OPTIONS='--json FILE --document docs/performance.md'   # and write the results and this page
```

It installs the peers (`.ci/setup bench`), builds the release and uses folders of its own. On a busy machine the seconds grow on both sides;
the ratios hold roughly. A part that cannot be measured becomes a row that says why.
"""
TITLES = {
    "startup": "Start", "contacts": "Contacts", "search": "Search as you type", "chromium": "Pages in the browser", "sync": "Sync", "devices": "Devices",
    "machines": "Two machines", "events": "Events", "tasks": "Tasks and habits", "prices": "Prices", "notes": "Notes", "noteserver": "Notes server",
    "busynote": "One busy note", "servers": "Several notes servers", "records": "Voice records", "text": "Text engine",
}
# The programs that are measured with hub: the word of a row that names one, and its package of Debian or PyPI.
PROGRAMS = [
    ("bleak", "pypi", "bleak"), ("C,", "debian", "gcc"), ("C program", "debian", "gcc"), ("dateutil", "pypi", "python-dateutil"),
    ("D-Bus", "debian", "dbus"), ("Evolution Data Server", "debian", "evolution-data-server"), ("express", "debian", "node-express"),
    ("git", "debian", "git"), ("khard", "pypi", "khard"), ("libebook-contacts", "debian", "libebook-contacts-1.2-4"), ("Loro", "pypi", "loro"),
    ("node-ws", "debian", "node-ws"), ("pycoingecko", "pypi", "pycoingecko"), ("Python", "debian", "python3"), ("Radicale", "pypi", "radicale"),
    ("rapidfuzz", "pypi", "rapidfuzz"), ("sox", "debian", "sox"), ("sqlite3", "debian", "sqlite3"), ("SQLite", "debian", "libsqlite3-0"),
    ("task next", "debian", "taskwarrior"), ("vdirsyncer", "pypi", "vdirsyncer"), ("vobject", "pypi", "vobject"),
    # Servers and tools of both sides.
    ("xandikos", "pypi", "xandikos"), ("requests of the notes server", "debian", "wrk"),
    ("the browser", "debian", "chromium-headless-shell"),
]
HEADER = ["| what | hub | peer | peer's | hub is | goal | met |", "|---|---|---|---|---|---|---|"]


@dataclasses.dataclass
class Results:
    """What a run measured, where, and how long its parts took."""

    machine: dict
    rows: list
    durations: dict


def machine():
    """What the figures depend on."""
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / (1 << 20)
    with open("/etc/os-release") as file:
        system = dict(line.rstrip().split("=", 1) for line in file if "=" in line)["PRETTY_NAME"].strip('"')
    commit = lines("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD")
    return {"date": str(datetime.date.today()), "commit": commit[0] if commit else "unknown", "cores": os.cpu_count(),
            "cpu": models[0] if models else "unknown", "memory": f"{memory:.0f} GB", "system": system,
            "load": os.getloadavg()[0], "versions": versions()}


def versions():
    """The versions of the packages of `PROGRAMS` that are installed."""
    format = r"${Package} ${Version}\n"
    debian = lines("dpkg-query", "-W", "-f", format, *(package for _, kind, package in PROGRAMS if kind == "debian"))
    script = "from importlib.metadata import distributions\nfor found in distributions(): print(found.metadata['Name'].lower(), found.version)"
    pypi = lines(f"{PEERS}/python", "-c", script)
    return {kind + " " + name: version for kind, found in [("debian", debian), ("pypi", pypi)]
            for name, version in (line.split(" ", 1) for line in found)}


def lines(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip().splitlines()
    except OSError:
        return []


def table(rows):
    """All rows in columns."""
    lines = [("WHAT", "HUB", "PEER", "PEER'S", "RESULT", "GOAL", "MET")]
    lines += [(row.what, row.hub, row.peer, row.peer_figure, row.result, row.goal, met(row)) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]


def met(row):
    return "-" if row.is_met is None else "yes" if row.is_met else "NO"


def write_json(path, results):
    with open(path, "w") as file:
        json.dump(dataclasses.asdict(results), file, ensure_ascii=False, indent=2)
        file.write("\n")


def read_json(path):
    """The results of a run before."""
    with open(path) as file:
        content = json.load(file)
    return Results(content["machine"], [Row(**row) for row in content["rows"]], content.get("durations", {}))


def joined(runs):
    """Several runs as one, each part from the last run that has it."""
    rows, durations = {}, {}
    for run in runs:
        rows |= {part: [row for row in run.rows if row.part == part] for part in dict.fromkeys(row.part for row in run.rows)}
        durations |= run.durations
    commits = dict.fromkeys(run.machine["commit"] for run in runs)
    machine = runs[-1].machine | {"commit": "`, `".join(commits), "load": max(run.machine.get("load", 0) for run in runs)}
    return Results(machine, [row for part in TITLES for row in rows.get(part, [])], durations)


def write_document(path, results):
    """Writes the page."""
    with open(path, "w") as file:
        file.write("\n".join(document(results)) + "\n")


def document(results):
    rows, minutes = results.rows, max(1, round(sum(results.durations.values()) / 60))
    goals = [row for row in rows if row.is_met is not None]
    missed = [row for row in goals if not row.is_met]
    yield INTRODUCTION
    yield from noticed(rows)
    yield f"## Goals\n\nOf {len(goals)} goals, {len(goals) - len(missed)} are met." + (" Missed:" if missed else "")
    yield ""
    for row in missed:
        part = TITLES.get(row.part, row.part)
        yield f"- **{row.what}** ({part}): {row.result or row.hub} beside {row.peer or 'no peer'}, goal {row.goal}. {row.bounds}".rstrip()
    yield ("\n" if missed else "") + READING
    yield from place(results.machine, minutes)
    for part in dict.fromkeys(row.part for row in rows):
        yield from section(part, [row for row in rows if row.part == part])
    yield from programs(results)
    yield AGAIN.format(minutes=minutes).rstrip()


def noticed(rows):
    """The rows that a person notices, in their words."""
    found = [(words, row) for words, part, beginning in NOTICED for row in rows if row.part == part and row.what.startswith(beginning)]
    first = {words: row for words, row in reversed(found)}
    if first:
        yield "| what you do | hub takes | compared with |\n|---|---|---|"
        for words, _, _ in NOTICED:
            if words in first:
                row = first[words]
                yield f"| {words} | {cell(row.hub.partition(', ')[0])} | {cell(row.peer)}: {cell(row.peer_figure)} |"
        yield ""


def place(machine, minutes):
    yield "## Machine\n"
    yield ("Measured on {date} at {commits} `{commit}`: {cores} cores of {cpu}, {memory}, {system}.".format(
               commits="the commits" if "," in machine["commit"] else "commit", **machine)
           + f" The run took {minutes} minutes." + (" The machine was busy with other work." if machine.get("load", 0) > machine["cores"] else ""))


def section(part, rows):
    """A table of a part, and under it what bounds its figures."""
    yield f"\n## {TITLES.get(part, part)}\n"
    yield from HEADER
    for row in rows:
        yield "| " + " | ".join(map(cell, (row.what, row.hub, row.peer, row.peer_figure, row.result, row.goal, met(row).lower()))) + " |"
    bounds = {}
    for row in rows:
        if row.bounds:
            bounds.setdefault(row.bounds, []).append(row.what)
    if bounds:
        yield "\nBounded by:\n"
    for words, measured in bounds.items():
        yield f"- *{'; '.join(dict.fromkeys(measured))}*: {words}"


def programs(results):
    """The versions of the peers in the rows."""
    named = " ".join(f"{row.peer};" for row in results.rows)
    versions = results.machine.get("versions", {})
    yield "\n## Peers\n\n| program | version | package |\n|---|---|---|"
    for word, kind, package in PROGRAMS:
        version = versions.get(f"{kind} {package}")
        if version and (word in named or word.startswith(("the ", "requests "))):
            yield f"| {word.rstrip(',')} | {version} | {package} of {'Debian' if kind == 'debian' else 'PyPI'} |"
    yield ""


def cell(text):
    return text.replace("|", "\\|")
