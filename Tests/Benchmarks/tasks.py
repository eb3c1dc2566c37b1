"""Tasks with long histories beside dateutil, sqlite3 and taskwarrior."""

import json
import os

import habits
from measuring import BENCH, HERE, HUB, PEERS, SYSTEM_PYTHON, Failure, alternate, figures, hub_folders, measure, middle, output, rate, row, size

TASKS = size(1000, 3)


def long_schedule(folder):
    """25 years of three overlapping target sets, and a task with them."""
    ours, theirs = [], []
    for number in range(size(5, 1)):
        ours.append(figures([BENCH, "schedule", f"{folder}/schedule-{number}"]))
        theirs.append(figures([f"{PEERS}/python", "-B", f"{HERE}/dateutil_schedule.py", f"{folder}/schedule-{number}.db"]))
    if ours[0]["days"] != theirs[0]["days"]:
        raise Failure(f"hub names {ours[0]['days']:.0f} days, dateutil {theirs[0]['days']:.0f}")
    for name, what, peer, goal, bounds in SCHEDULE:
        row(what, [figure[name] / 1000 for figure in ours], peer, [figure[name] / 1000 for figure in theirs], bounds, at_least=goal)


SCHEDULE = [
    ("generate", "25 years of three target sets: naming the days", "dateutil", 20,
     "Asking each of the 9,131 days which set applies."),
    ("delta", "what an edit of them would drop", "dateutil", 20, "Naming the days of the edited sets."),
    ("stored", "storing that task", "dateutil, sqlite3", 1,
     "The state of each day, one blob for each year, and one fsync. The peer names the days and stores them as rows."),
    ("edited", "editing it with every day filled", "dateutil, sqlite3", 1,
     "The entries that are dropped, recorded for undo. The peer deletes the rows and keeps no way back."),
]


def ten_years(folder):
    """Tasks with ten years of history each, two thousand instances."""
    environment = hub_folders(f"{folder}/habits")
    measure([HUB, "mintee", "list"], environment)
    data = environment["HUB_DATA"]
    store = os.path.join(data, "hub.db")
    habits.fill(store, TASKS)
    measure([HUB, "mintee", "analyses", "new", "All", "--tag", "all", "--days", "365"], environment)
    environment.update(taskwarrior(f"{folder}/taskwarrior"))
    ours, theirs, _ = alternate([HUB, "mintee", "today"], ["/usr/bin/task", "next"], size(40, 1), environment)
    row(f"mintee today, {TASKS:,} tasks, ten years", ours, "task next, without history", theirs,
        "A third is the start of the program, whose pages are touched for the first time. Reading the tasks and their years takes 13%, SQLite's "
        "log, which each command creates and removes, 12%, drawing 11%. hub draws all tasks that are due, the peer the first 17.", at_most=0.8)
    ours, theirs, _ = alternate([HUB, "mintee", "today"], ["/usr/bin/task", "rc.defaultheight=0", "next", "limit:"], size(40, 1), environment)
    row("the same, beside a peer that draws all", ours, "task next limit:, without history", theirs, "As above.")
    query = ["/usr/bin/sqlite3", store, """SELECT day, count(*), sum(completion >= 1) FROM mintee_instance
        WHERE day > date('now', '-365 day') GROUP BY day"""]
    ours, theirs, _ = alternate([HUB, "mintee", "analyses", "show", "All"], query, size(20, 1), environment)
    row("a year's Box over all of them", ours, "sqlite3, GROUP BY day", theirs,
        "Adding the states of each task for 365 days. The peer scans the instances by their index and counts them.", at_most=1)
    scores = [(figures([BENCH, "score", data])["score"] / 1000, figures([SYSTEM_PYTHON, "-B", f"{HERE}/sqlite_score.py", store])["score"] / 1000)
              for _ in range(size(5, 1))]
    row("the score of one of them", [ours for ours, _ in scores], "Python, sqlite3", [theirs for _, theirs in scores],
        "Reading its ten years of states and going through the days. The peer reads the rows of its instances.", at_most=1)
    undo(environment)
    import_export(folder)


def undo(environment):
    """A value of today, set and taken back, among all entries of the tasks."""
    task = output([HUB, "mintee", "today", "--plain=id"], environment).split()[0]
    change = [HUB, "mintee", "set", task, "3"]
    measure(change, environment)
    ours, theirs, _ = alternate([HUB, "undo"], change, size(20, 1), environment)
    row(f"undo of one value, {TASKS:,} tasks, ten years", ours, "hub mintee set", theirs,
        "The start of the process, one fsync, and the rows that the value touched.", at_most=2)


def import_export(folder):
    """Tasks with ten years of history each, exported by one hub and imported by another."""
    source, file = hub_folders(f"{folder}/exported"), f"{folder}/tasks.json"
    measure([HUB, "mintee", "list"], source)
    habits.fill(os.path.join(source["HUB_DATA"], "hub.db"), size(100, 2))
    with open(file, "w") as sink:
        sink.write(output([HUB, "mintee", "export", "--as", "json"], source))
    with open(file) as text:
        entries = text.read().count('"entered":true')
    ours, theirs = [], []
    for number in range(size(3, 1)):
        ours.append(entries / measure([HUB, "mintee", "import", file], hub_folders(f"{folder}/imported-{number}"))[0])
        theirs.append(entries / measure([SYSTEM_PYTHON, "-B", f"{HERE}/sqlite_import.py", file, f"{folder}/import-{number}.db"])[0])
    row(f"importing {entries:,} entries of JSON", ours, "Python's json, sqlite3", theirs,
        "Checking each entry, recording it for undo, and storing it and the states of its years. The peer stores rows alone.",
        show=rate("entries"), is_more_better=True, limit=("at least 50,000 entries a second", middle(ours) >= 50000))


def taskwarrior(folder):
    """The environment of a taskwarrior with as many pending tasks and no history."""
    os.makedirs(folder)
    environment = {"TASKRC": f"{folder}/taskrc", "TASKDATA": folder}
    with open(environment["TASKRC"], "w") as file:
        file.write(f"data.location={folder}\nconfirmation=no\n")
    tasks = [{"description": f"Habit {number}", "tags": ["all"], "status": "pending"} for number in range(TASKS)]
    output(["/usr/bin/task", "import", "-"], dict(os.environ, **environment), json.dumps(tasks))
    return environment


STEPS = [long_schedule, ten_years]
