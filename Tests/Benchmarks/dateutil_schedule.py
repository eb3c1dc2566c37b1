"""What `hub-bench schedule` measures, with dateutil and sqlite3: dateutil_schedule.py FILE prints milliseconds."""

import datetime
import sqlite3
import sys
import time

from dateutil.rrule import MO, MONTHLY, TU, FR, SU, WE, WEEKLY, rrule, rruleset

RANGE = {"dtstart": datetime.datetime(2000, 1, 1), "until": datetime.datetime(2024, 12, 31)}


def sets():
    return [rrule(WEEKLY, byweekday=(SU, MO, TU, FR), **RANGE),
            rrule(MONTHLY, byweekday=[day(place) for day in (MO, WE) for place in (1, 3, -1)], **RANGE),
            rrule(MONTHLY, bymonthday=[*range(1, 11), -1], **RANGE)]


def days(rules):
    union = rruleset()
    for rule in rules:
        union.rrule(rule)
    return list(union)


def timed(name, work):
    start = time.perf_counter()
    result = work()
    print(f"{name}\t{(time.perf_counter() - start) * 1000}")
    return result


def store(database, task, rows):
    with database:
        database.execute("INSERT INTO task VALUES (?, 'Long')", (task,))
        database.executemany("INSERT INTO day VALUES (?, ?, NULL)", ((task, str(day.date())) for day in rows))


def drop(database, task, rows):
    with database:
        database.executemany("DELETE FROM day WHERE task = ? AND day = ?", ((task, str(day.date())) for day in rows))


def main():
    all_days = timed("generate", lambda: days(sets()))
    lost = timed("delta", lambda: sorted(set(all_days) - set(days(sets()[1:]))))
    print(f"days\t{len(all_days)}")
    database = sqlite3.connect(sys.argv[1])
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE task (id TEXT PRIMARY KEY, name TEXT)")
    database.execute("CREATE TABLE day (task TEXT, day TEXT, completion REAL, PRIMARY KEY (task, day)) WITHOUT ROWID")
    timed("stored", lambda: store(database, "a", days(sets())))
    database.execute("UPDATE day SET completion = 1.5")
    database.commit()
    timed("edited", lambda: drop(database, "a", lost))


main()
