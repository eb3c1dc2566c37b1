"""Python's json and sqlite3 on an export of tasks: sqlite_import.py EXPORT.JSON FILE stores its entries as rows."""

import json
import sqlite3
import sys

database = sqlite3.connect(sys.argv[2])
database.execute("CREATE TABLE instance (task TEXT, day TEXT, completion REAL, PRIMARY KEY (task, day)) WITHOUT ROWID")
with open(sys.argv[1]) as file:
    tasks = json.load(file)["tasks"]
database.executemany("INSERT INTO instance VALUES (?, ?, ?)",
                     ((task["name"], entry["date"], entry["completion"]) for task in tasks for entry in task["instances"]))
database.commit()
