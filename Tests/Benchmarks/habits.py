#!/usr/bin/env python3
"""Fills a store with 1 000 tasks and ten years of history (about two million entries): habits.py HUB.DB"""
import datetime, random, sqlite3, sys

random.seed(7)
today = datetime.date.today()
start = today - datetime.timedelta(days=3652)
alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
legend = '{"categorizedEntries":[{"category":1,"color":"09B300FF"}],"completionEntries":[]}'

store = sqlite3.connect(sys.argv[1])
store.execute("PRAGMA foreign_keys = OFF")
for number in range(1000):
    id = random.choice(alphabet[:10]) + random.choice(alphabet[10:]) + "".join(random.choices(alphabet, k=18))
    days = random.sample(range(7), 4)  # Monday is 0
    bits = sum(1 << ((day + 1) % 7 + 1) for day in days)
    store.execute(
        "INSERT INTO mintee_task (id, name, kind, start_day, end_day, open_end, notes, revision, created_at, changed_at)"
        " VALUES (?, ?, 0, ?, ?, 1, '', 1, 0, 0)", (id, f"Habit {number}", str(start), str(today)))
    store.execute("INSERT INTO mintee_target_set VALUES (?, 0, 1, ?, 0, 0, 2, 0, 1, 0)", (id, bits))
    store.execute("INSERT INTO mintee_summary VALUES (?, 0, NULL, NULL, 365, ?)", (id, legend))
    store.execute("INSERT INTO mintee_tag VALUES ('all', 'all') ON CONFLICT DO NOTHING")
    store.execute("INSERT INTO mintee_task_tag VALUES (?, 'all')", (id,))
    years, streak, begun = {}, 0, {}
    for offset in range(3653):
        day = start + datetime.timedelta(days=offset)
        if day.year not in years:
            length = (datetime.date(day.year + 1, 1, 1) - datetime.date(day.year, 1, 1)).days
            years[day.year], begun[day.year] = bytearray(length), streak
        if day.weekday() not in days:
            continue
        value = random.random() < 0.8
        years[day.year][day.timetuple().tm_yday - 1] = 0x81 if value else 0x82
        streak = streak + 1 if value else 0
        store.execute("INSERT INTO mintee_instance VALUES (?, ?, ?, 1, NULL, NULL)", (id, str(day), float(value)))
    rest = datetime.date(today.year, 12, 31)
    for offset in range(1, (rest - today).days + 1):
        day = today + datetime.timedelta(days=offset)
        if day.weekday() in days:
            years[day.year][day.timetuple().tm_yday - 1] = 0x02
    for year, states in years.items():
        store.execute("INSERT INTO mintee_year VALUES (?, ?, ?, ?)", (year, id, begun[year], bytes(states)))
store.commit()
