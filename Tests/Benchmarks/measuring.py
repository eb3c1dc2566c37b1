"""What the measurements share: their size, running programs alternately, and the rows of results."""

import atexit
import dataclasses
import functools
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "Tests"))

from loopback import free_port  # noqa: E402 For the measurements.

# The folder with the programs that are measured.
BUILD = os.path.join(ROOT, os.environ.get("HUB_BENCH_BUILD", ".build/release"))
HUB = os.path.join(BUILD, "hub")
BENCH = os.path.join(BUILD, "hub-bench")
TEXT_BENCH = os.path.join(BUILD, "text-bench")
PEERS = os.path.join(ROOT, ".build/peers/bin")
# That of the system has the modules of Debian's packages, and audioop, which left with 3.13.
SYSTEM_PYTHON = "/usr/bin/python3"
# The smallest size shows that each comparison works; its figures mean nothing.
IS_SMALLEST = os.environ.get("HUB_BENCH_SIZE") == "smallest"


class Failure(Exception):
    """A program of a measurement did not do what it should."""


@dataclasses.dataclass
class Row:
    """A comparison, in words and, where it is one number, as a ratio."""

    part: str
    what: str
    hub: str = ""
    peer: str = ""
    peer_figure: str = ""
    result: str = ""
    ratio: float | None = None
    goal: str = "-"
    # None without a goal, and at the smallest size.
    is_met: bool | None = None
    bounds: str = ""
    has_failed: bool = False


rows = []
# The seconds that each part took.
durations = {}
# The part that is running.
part = ""


def size(full, smallest):
    """How large or how often something is measured."""
    return smallest if IS_SMALLEST else full


# Figures in words

def show(seconds):
    return f"{seconds * 1000:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def megabytes(number):
    return f"{number:.0f} MB"


def rate(unit):
    """How a number of things in a second is shown."""
    return lambda number: f"{number:,.0f} {unit}/s"


def times(ratio):
    """A ratio with two significant digits, or all of its whole ones."""
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}" if ratio >= 0.95 else f"{ratio:.2f}"


# Rows

def row(what, ours, peer, theirs, bounds, *, at_least=None, at_most=None, show=show, is_more_better=False, limit=None, note=""):
    """Adds the row of a comparison: `bounds` says what limits hub's figure.

    `ours` and `theirs` are figures or the lists of them that alternate runs gave, of which the medians count. A goal is that hub is
    `at_least` so many times as fast, or takes `at_most` so many times as much; the ratio of a row without either is as for `at_most`.
    `limit` is a second goal, in words and whether it is met.
    """
    first, second = middle(ours), middle(theirs)

    def ratio_of(one, other):
        return other / one if at_least is not None and not is_more_better else one / other

    ratio = ratio_of(first, second)
    result = f"{times(ratio)} times" + (" as fast" if at_least is not None else "")
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs) > 2:
        pairs = sorted(ratio_of(one, other) for one, other in zip(ours, theirs))
        if len(pairs) > 4:
            pairs = statistics.quantiles(pairs, n=4)
        if times(pairs[0]) != times(pairs[-1]):
            result += f" ({times(pairs[0])} to {times(pairs[-1])})"
    goals = [f"{words} {number} time{'' if number == 1 else 's'}" for words, number in [("at least", at_least), ("at most", at_most)] if number]
    is_met = (at_least is None or ratio >= at_least) and (at_most is None or ratio <= at_most)
    if limit:
        goals.append(limit[0])
        is_met = is_met and limit[1]
    add(Row(part, what, show(first) + note, peer, show(second), result, ratio, ", ".join(goals) or "-",
            is_met if goals and not IS_SMALLEST else None, bounds))


def add(row):
    rows.append(row)
    print(f"  {row.what}: {row.result or row.hub}" + (f" (goal {row.goal})" if row.goal != "-" else ""), file=sys.stderr, flush=True)


def failed(step, error):
    """Adds the row of a step that could not be measured."""
    rows.append(Row(part, step, "failed", result=reason(error), is_met=False, has_failed=True))
    print(f"  {part}, {step}: failed: {reason(error)}", file=sys.stderr, flush=True)


def reason(error):
    """What went wrong, in a few words."""
    words = str(error).strip().splitlines()
    if not isinstance(error, Failure):
        words[:1] = [f"{type(error).__name__}: {words[0]}" if words else type(error).__name__]
    return " ".join(words[0].replace(ROOT + "/", "").split())[:160] if words else "for an unknown reason"


def middle(figure):
    return statistics.median(figure) if isinstance(figure, list) else figure


# Programs

@functools.cache
def compiled(name, *libraries):
    """The program of a C file beside this one."""
    folder = tempfile.mkdtemp(prefix="hub-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(["gcc", "-O2", "-o", f"{folder}/{name}", f"{HERE}/{name}.c", *libraries], check=True)
    return f"{folder}/{name}"


def measure(command, environment=os.environ, directory=None):
    """Runs `command` once: seconds of the whole process, and its peak resident memory in MB."""
    seconds, kilobytes, status = output([compiled("measure"), *command], environment, directory=directory).split()
    if int(status) != 0:
        raise Failure(f"{short(command)} ended with {os.waitstatus_to_exitcode(int(status))}")
    return float(seconds), int(kilobytes) / 1024


def alternate(ours, theirs, runs, environment, every=1):
    """The seconds of two commands that run alternately, ours each time and theirs in each `every`th, and the most memory that ours took."""
    first, second, memory = [], [], 0
    for number in range(runs):
        seconds, used = measure(ours, environment)
        first.append(seconds)
        memory = max(memory, used)
        if number % every == 0:
            second.append(measure(theirs, environment)[0])
    return first, second, memory


def output(command, environment=None, input=None, directory=None):
    """What a program prints."""
    done = subprocess.run(command, env=environment, input=input, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        raise Failure(f"{short(command)} ended with {done.returncode}" + (f": {last}" if last else ""))
    return done.stdout


def figures(command, environment=None):
    """The lines `name TAB number` that a program prints."""
    pairs = (line.split("\t") for line in output(command, environment).splitlines())
    return {name: float(number) for name, number, *_ in pairs}


def short(command):
    """A command line as a message shows it."""
    return " ".join(os.path.basename(word) if "/" in word else word for word in command[:5])


def hub_folders(folder):
    """The environment of a hub that keeps everything below `folder`."""
    environment = dict(os.environ, HUB_DATA=f"{folder}/data", LC_ALL="C.UTF-8", HOME=folder)
    for kind in ["DATA_HOME", "CONFIG_HOME", "RUNTIME_DIR", "CACHE_HOME", "STATE_HOME"]:
        environment[f"XDG_{kind}"] = f"{folder}/{kind.lower()}"
    os.makedirs(environment["XDG_RUNTIME_DIR"], mode=0o700, exist_ok=True)
    return environment


def wait_for(process, port):
    """Waits until a server takes connections."""
    while True:
        if process.poll() is not None:
            raise Failure(f"{short(process.args)} ended with {process.returncode}")
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)


def stop(process):
    process.terminate()
    process.wait()
