"""The text engine against Loro, on recorded histories; both count the processor's time of one thread."""

import math
import os
import subprocess
import sys

from measuring import HERE, PEERS, TEXT_BENCH, row, show

FRIENDS_LIMIT = 0.05


def figures(command):
    """The lines `name TAB number` that a program prints; times in seconds."""
    lines = subprocess.check_output(command, text=True).splitlines()
    pairs = (line.split("\t") for line in lines)
    return {name: float(number) if name == "bytes" else float(number) / 1000 for name, number in pairs}


def against_loro():
    """A long text typed in, stored and loaded, in the same minute."""
    ours = figures([TEXT_BENCH, "typing", "automerge-paper"])
    theirs = figures([os.path.join(PEERS, "python"), os.path.join(HERE, "loro_text.py"), "automerge-paper"])
    for name, what in [("typed", "260,000 keystrokes as local edits"), ("loaded", "loading and merging their history")]:
        row(what, show(ours[name]), "loro", show(theirs[name]), f"{ours[name] / theirs[name]:.2f} times",
            "at most 1 time", ours[name] <= theirs[name])
    row("their history, stored", f"{ours['bytes']:,.0f} B", "loro", f"{theirs['bytes']:,.0f} B",
        f"{ours['bytes'] / theirs['bytes']:.2f} times", "at most 1 time", ours["bytes"] <= theirs["bytes"])
    merged = figures([TEXT_BENCH, "merging", "friendsforever"])["merged"]
    row("two authors at once, merged from nothing", show(merged), "-", "-", show(merged),
        f"under {FRIENDS_LIMIT * 1000:.0f} ms", merged < FRIENDS_LIMIT)


def long_branches():
    """Twice the length costs little more than twice as much."""
    times = list(figures([TEXT_BENCH, "branches"]).values())
    growth = (times[-1] / times[0]) ** (1 / (len(times) - 1))
    sizes = [math.log(2) * number for number in range(len(times))]
    order = sum(size * math.log(time / times[0]) for size, time in zip(sizes, times)) / sum(size * size for size in sizes)
    row("two branches of 128,000 edits each", show(times[-1]), "-", "-", f"{growth:.2f} times for twice the length",
        "under 3 times", growth < 3)
    print(f"  growth of merging: n^{order:.2f}", file=sys.stderr)
