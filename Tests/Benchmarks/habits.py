#!/usr/bin/env python3
"""Fills a store with tasks that have ten years of history each, about two thousand instances: habits.py HUB.DB"""

import datetime
import random
import sqlite3
import sys

DAYS = 3652
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LEGEND = '{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[]}'
# A byte for each day as `mintee_year` holds it: reached with 1, under with 0, due and open, not due.
REACHED, UNDER, OPEN, NOT_DUE = 0xA1, 0xC2, 0x02, 0x00


def fill(database, count, seed=7):
    chance = random.Random(seed)
    today = datetime.date.today()
    store = sqlite3.connect(database)
    store.execute("PRAGMA foreign_keys = OFF")
    store.execute("INSERT INTO mintee_tag VALUES ('all', 'all') ON CONFLICT DO NOTHING")
    for number in range(count):
        task = chance.choice(ALPHABET[:10]) + chance.choice(ALPHABET[10:]) + "".join(chance.choices(ALPHABET, k=18))
        add(store, task, f"Habit {number}", chance, today - datetime.timedelta(days=DAYS), today)
    store.commit()
    store.close()


def add(store, task, name, chance, start, today):
    """A task that is due on four days of the week, with an entry on each such day up to `today`."""
    weekdays = chance.sample(range(7), 4)  # Monday is 0
    bits = sum(1 << ((day + 1) % 7 + 1) for day in weekdays)
    store.execute(
        "INSERT INTO mintee_task (id, name, kind, start_day, end_day, open_end, notes, revision, created_at, changed_at)"
        " VALUES (?, ?, 0, ?, ?, 1, '', 1, 0, 0)", (task, name, str(start), str(today)))
    store.execute(
        "INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator,"
        " max_operator, min, max) VALUES (?, 0, 1, ?, 0, 0, 2, 0, 1, 0)", (task, bits))
    store.execute("INSERT INTO mintee_summary (task, type, date_range, legend) VALUES (?, 0, 365, ?)", (task, LEGEND))
    store.execute("INSERT INTO mintee_task_tag VALUES (?, 'all')", (task,))
    years, begun, streak = {}, {}, 0
    for day in days(start, datetime.date(today.year, 12, 31)):
        if day.year not in years:
            years[day.year] = bytearray([NOT_DUE]) * days_in(day.year)
            begun[day.year] = streak
        if day.weekday() not in weekdays:
            continue
        place = day.timetuple().tm_yday - 1
        if day > today:
            years[day.year][place] = OPEN
            continue
        is_reached = chance.random() < 0.8
        years[day.year][place] = REACHED if is_reached else UNDER
        streak = streak + 1 if is_reached else 0
        store.execute("INSERT INTO mintee_instance (task, day, completion, entered) VALUES (?, ?, ?, 1)",
                      (task, str(day), float(is_reached)))
    for year, states in years.items():
        store.execute("INSERT INTO mintee_year VALUES (?, ?, ?, ?)", (year, task, begun[year], bytes(states)))


def days(first, last):
    return (first + datetime.timedelta(days=number) for number in range((last - first).days + 1))


def days_in(year):
    return (datetime.date(year + 1, 1, 1) - datetime.date(year, 1, 1)).days


if __name__ == "__main__":
    fill(sys.argv[1], 1000)
