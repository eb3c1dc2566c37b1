"""What the measurements share: running programs in turn, and the table of ratios."""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HUB = os.path.join(ROOT, ".build/release/hub")
BENCH = os.path.join(ROOT, ".build/release/hub-bench")
TEXT_BENCH = os.path.join(ROOT, ".build/release/text-bench")
PEERS = os.path.join(ROOT, ".build/peers/bin")
QUIET = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
         (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
         (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
rows = []


def row(what, ours, peer, theirs, result, goal, is_met):
    """Adds a row; a goal of `-` is none, and then nothing is met or missed."""
    rows.append((what, ours, peer, theirs, result, goal, "-" if goal == "-" else "yes" if is_met else "NO"))
    print(f"  {what}: {result} (goal {goal})", file=sys.stderr)


def show(seconds):
    return f"{seconds * 1000:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def measure(command, environment=os.environ):
    """Runs `command` once: seconds of the whole process, and its peak resident memory in MB."""
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=QUIET)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss / 1024


def in_turn(ours, theirs, runs, environment, rounds_of_theirs=1):
    """The fastest run of two commands, run alternately, and the most memory that ours took."""
    first, second = [], []
    for number in range(runs):
        first.append(measure(ours, environment))
        if number < runs * rounds_of_theirs:
            second.append(measure(theirs, environment))
    return min(first)[0], min(second)[0], max(memory for _, memory in first)


def hub_folders(folder):
    """The environment of a hub that keeps everything below `folder`."""
    environment = dict(os.environ, HUB_DATA=f"{folder}/data", LC_ALL="C.UTF-8")
    for kind in ["CONFIG_HOME", "RUNTIME_DIR", "CACHE_HOME", "STATE_HOME"]:
        environment[f"XDG_{kind}"] = f"{folder}/{kind.lower()}"
    os.makedirs(environment["XDG_RUNTIME_DIR"], mode=0o700)
    return environment


def table():
    """All rows so far, in columns."""
    lines = [("WHAT", "HUB", "PEER", "PEER'S", "RESULT", "GOAL", "MET")] + rows
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
