"""The results as a table, as JSON, and as the page docs/performance.md."""

import dataclasses
import datetime
import json
import os
import subprocess

from measuring import ROOT, Row

INTRODUCTION = """# Performance

How fast hub is beside programs that people use for the same, measured by `make bench`. Both sides of a row run in the same minute on the
same machine, alternately where they are whole processes, and the median counts. Seconds differ from machine to machine and from day to day;
the ratio is what stays: hub is so many times *as fast* as the peer, or takes so many *times* what the peer takes. In brackets is where the
middle half of the single ratios lay, if they differed.

hub is always the release build. A peer is another program, or for a lower limit the least that the task needs, such as a C program that
prints one line. *Bounded by* says where hub's time goes, and what a peer leaves out.
"""


def machine():
    """What the figures depend on."""
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / (1 << 20)
    with open("/etc/os-release") as file:
        system = dict(line.rstrip().split("=", 1) for line in file if "=" in line)["PRETTY_NAME"].strip('"')
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], stdout=subprocess.PIPE, text=True).stdout.strip()
    return {"date": str(datetime.date.today()), "commit": commit, "cores": os.cpu_count(), "cpu": models[0] if models else "unknown",
            "memory": f"{memory:.0f} GB", "system": system}


def table(rows):
    """All rows in columns."""
    lines = [("WHAT", "HUB", "PEER", "PEER'S", "RESULT", "GOAL", "MET")]
    lines += [(row.what, row.hub, row.peer, row.peer_figure, row.result, row.goal, met(row)) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]


def met(row):
    return "-" if row.is_met is None else "yes" if row.is_met else "NO"


def write_json(path, rows):
    with open(path, "w") as file:
        json.dump({"machine": machine(), "rows": [dataclasses.asdict(row) for row in rows]}, file, ensure_ascii=False, indent=2)
        file.write("\n")


def read_json(path):
    """The machine and the rows of a run before."""
    with open(path) as file:
        content = json.load(file)
    return content["machine"], [Row(**row) for row in content["rows"]]


def write_document(path, machine, rows):
    """Writes the page; each part is a table."""
    lines = [INTRODUCTION, "Measured on {date} at commit `{commit}`: {cores} cores of {cpu}, {memory}, {system}.".format(**machine)]
    for part in dict.fromkeys(row.part for row in rows):
        lines += ["", f"## {part}", "", "| what | hub | peer | peer's | hub is | goal | met | bounded by |", "|---|---|---|---|---|---|---|---|"]
        for row in rows:
            if row.part == part:
                cells = row.what, row.hub, row.peer, row.peer_figure, row.result, row.goal, met(row).lower(), row.bounds
                lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
