"""Tasks with long histories against taskwarrior, and against the times that the upstream app recorded."""

import json
import os
import subprocess

import habits
from measuring import BENCH, HUB, hub_folders, in_turn, measure, row, show

TASKS = 1000


def long_schedule(folder):
    """25 years of three overlapping target sets."""
    output = subprocess.check_output([BENCH, "schedule", f"{folder}/schedule"], text=True)
    times = {name: float(time) / 1000 for name, time in (line.split("\t") for line in output.splitlines())}
    for name, what, goal in [
        ("generate", "25 years of three target sets: naming the days", 0.005),
        ("delta", "what an edit of them would drop", 0.005),
        ("stored", "storing that task", 0.06),
        ("edited", "editing it with every day filled", 0.06),
    ]:
        row(what, show(times[name]), "-", "-", show(times[name]), f"under {goal * 1000:.0f} ms", times[name] < goal)


def ten_years(folder):
    """A thousand tasks with ten years of history each, two million instances."""
    environment = hub_folders(f"{folder}/habits")
    measure([HUB, "mintee", "list"], environment)
    data = environment["HUB_DATA"]
    habits.fill(os.path.join(data, "hub.db"), TASKS)
    measure([HUB, "mintee", "analyses", "new", "All", "--tag", "all", "--days", "365"], environment)
    pending = taskwarrior(f"{folder}/taskwarrior")
    environment.update(pending)
    ours, theirs, _ = in_turn([HUB, "mintee", "today"], ["/usr/bin/task", "next"], 40, environment)
    row("mintee today, 1 000 tasks, ten years", show(ours), "task next", show(theirs), f"{ours / theirs:.2f} times",
        "at most 1 time", ours <= theirs)
    box = min(measure([HUB, "mintee", "analyses", "show", "All"], environment)[0] for _ in range(20))
    row("a year's Box over all of them", show(box), "-", "-", show(box), "under 100 ms", box < 0.1)
    score = float(subprocess.check_output([BENCH, "score", data], text=True).split("\t")[1]) / 1000
    row("the score of one of them", show(score), "-", "-", show(score), "under 5 ms", score < 0.005)


def taskwarrior(folder):
    """The environment of a taskwarrior with a thousand pending tasks and no history."""
    os.makedirs(folder)
    environment = {"TASKRC": f"{folder}/taskrc", "TASKDATA": folder}
    with open(environment["TASKRC"], "w") as file:
        file.write(f"data.location={folder}\nconfirmation=no\n")
    tasks = [{"description": f"Habit {number}", "tags": ["all"], "status": "pending"} for number in range(TASKS)]
    subprocess.run(["/usr/bin/task", "import", "-"], input=json.dumps(tasks), text=True, check=True,
                   env=dict(os.environ, **environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return environment
