"""What `hub-bench score` measures, with Python's sqlite3 on the instances of a store: sqlite_score.py FILE prints milliseconds."""

import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1])
task, = database.execute("SELECT id FROM mintee_task LIMIT 1").fetchone()
best = float("inf")
for _ in range(20):
    start = time.perf_counter()
    score, streak, longest = 0.0, 0, 0
    for completion, in database.execute("SELECT completion FROM mintee_instance WHERE task = ? ORDER BY day", (task,)):
        is_reached = completion >= 1
        score += (is_reached - score) * 0.05
        streak = streak + 1 if is_reached else 0
        longest = max(longest, streak)
    best = min(best, time.perf_counter() - start)
print(f"score\t{best * 1000}")
