"""How many rows a second Python's sqlite3 commits one by one, as durably as hub does: sqlite_commits.py FILE COUNT"""

import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = FULL")
database.execute("CREATE TABLE event (number INTEGER PRIMARY KEY, time INTEGER, topic TEXT, subject TEXT)")
count = int(sys.argv[2])
start = time.perf_counter()
for number in range(count):
    database.execute("INSERT INTO event (time, topic, subject) VALUES (?, 'app.bench/made', ?)", (time.time_ns(), str(number)))
print(count / (time.perf_counter() - start))
