"""Durable events beside rows that sqlite3 commits, and their way to another process beside a signal of D-Bus."""

from measuring import BENCH, HERE, SYSTEM_PYTHON, output, rate, row, size


def durable(folder):
    """Events a second of many writers, and the way to a handler."""
    count, median, late = map(float, output([BENCH, "events", f"{folder}/events"]).split())
    script = f"{HERE}/sqlite_commits.py"
    theirs = float(output([SYSTEM_PYTHON, "-B", script, f"{folder}/commits.db", str(size(5000, 20))]))
    row("durable events", count, "sqlite3, a commit for each row", theirs,
        "The writer's statements: waiting writers share a commit, and so one fsync. The peer waits for one fsync each.",
        at_least=3, show=rate("events"), is_more_better=True)
    pings = str(size(2000, 100))
    other, other_late = map(float, output(["dbus-run-session", "--", SYSTEM_PYTHON, "-B", f"{HERE}/dbus_signals.py", pings]).split())
    peer = "a signal of D-Bus, PyGObject"
    bounds = "The wake-up of the other process by the kernel, and reading the event from the store. The peer's signals are not durable."
    row("from a commit to the handler of another process", median / 1000, peer, other / 1000, bounds, at_most=2)
    row("99 of 100 of these", late / 1000, peer, other_late / 1000, bounds, at_most=2)


STEPS = [durable]
