"""The text engine beside Loro, on recorded histories; both count the processor's time of one thread."""

import os

from measuring import HERE, IS_SMALLEST, PEERS, TEXT_BENCH, figures, row, size

# The smallest size takes the beginning of a history.
EDITS, COMMITS, BRANCH = size(10**9, 300), size(10**9, 100), size(32_000, 1000)


def pairs(*words):
    """What both print, one after the other."""
    peer = [os.path.join(PEERS, "python"), "-B", os.path.join(HERE, "loro_text.py")]
    runs = [(figures([TEXT_BENCH, *words]), figures([*peer, *words])) for _ in range(size(3, 1))]
    return lambda name: ([ours[name] for ours, _ in runs], [theirs[name] for _, theirs in runs])


def seconds(lists):
    return [[number / 1000 for number in numbers] for numbers in lists]


def typing(_):
    """A long text typed in, stored and loaded."""
    values = pairs("typing", "automerge-paper", str(EDITS))
    for name, what, bounds in [
        ("typed", "260,000 keystrokes as local edits", "Finding the place of each edit in the tree of runs."),
        ("loaded", "loading and merging their history", "Decoding the columns and making the runs again."),
    ]:
        ours, theirs = seconds(values(name))
        row(what, ours, "Loro", theirs, bounds, at_most=1)
    ours, theirs = values("bytes")
    row("their history, stored", ours, "Loro", theirs, "The text itself; the rest is what was deleted and where runs begin.", at_most=1,
        show=lambda number: f"{number:,.0f} B")


def merging(_):
    """Two authors at once, merged from nothing."""
    ours, theirs = seconds(pairs("merging", "friendsforever", str(COMMITS))("merged"))
    row("two authors at once, merged from nothing", ours, "Loro", theirs, "Going back and forth between the two branches 2,258 times.", at_most=1)


def long_branches(_):
    """Two branches that know nothing of each other."""
    values = pairs("branches", str(BRANCH))
    ours, theirs = seconds(values(f"branches {BRANCH}"))
    half = values(f"branches {BRANCH // 2}")[0]
    growth = min(ours) * 1000 / min(half)
    row(f"two branches of {BRANCH:,} edits each", ours, "Loro", theirs, "Each insertion is at a random place: a search of the tree for it.",
        at_most=1, limit=("under 3 times for twice the length", IS_SMALLEST or growth < 3), note=f", {growth:.1f} times the half")


STEPS = [typing, merging, long_branches]
