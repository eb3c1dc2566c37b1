#!/usr/bin/env python3
"""What a number of people needs of the notes server on PostgreSQL, on paper: prints the tables of docs/scale.md.

The constants are measured (see the document); commits that share a flush are simulated, since how many edits come together depends on how
many wait.

    python3 Tests/Benchmarks/capacity.py
"""

import heapq
import random

# Shares of people at the busiest time, and what each does.
CONNECTED, TYPING, EDITS_A_SECOND = 0.10, 0.01, 2
READERS, BUSY_HOURS = 2, 4
# Measured: bytes of WAL for an edit in a busy and in a quiet database, bytes of its rows and after packing, times of a flush in seconds.
WAL, ROWS, PACKED = (570, 700), 290, 2
FLUSH, EDIT = 0.0017, 0.000070
# What one process, and one database with its WAL, bear.
SOCKETS, WAL_STREAM = 10_000, 100e6


def commits(rate, servers, seconds=20, seed=1):
    """Lets edits arrive at random at servers that write one transaction at a time, all of which follow each other for the last flush.

    Returns the transactions a second, the edits in each, and the time that 99 of 100 edits wait, in milliseconds; None when they queue up.
    """
    chance = random.Random(seed)
    events, now = [], 0.0
    while now < seconds:
        now += chance.expovariate(rate)
        heapq.heappush(events, (now, chance.randrange(servers)))
    queues, free, database, waits, count = [[] for _ in range(servers)], [0.0] * servers, 0.0, [], 0
    while events:
        now, server = heapq.heappop(events)
        queues[server].append(now)
        # A server takes what waits as soon as it is free.
        begin = max(now, free[server])
        if events and events[0][0] < begin:
            continue
        for index in range(servers):
            if queues[index] and free[index] <= begin:
                batch, queues[index] = queues[index], []
                database = max(begin, database) + FLUSH + EDIT * len(batch)
                free[index] = database
                waits += [database - arrival for arrival in batch]
                count += 1
    waits.sort()
    p99 = waits[int(len(waits) * 0.99)]
    return (count / seconds, len(waits) / max(1, count), p99 * 1000) if p99 < 2 else None


def main():
    print("| people | connections | edits/s | transactions/s | edits in each | wait p99 | WAL | rows a day, then packed | frames/s |")
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for people in (1_000, 100_000, 10_000_000):
        sockets, edits = people * CONNECTED, people * TYPING * EDITS_A_SECOND
        servers = max(2, -(-int(sockets) // SOCKETS) + 1)
        found = commits(edits, min(servers, 8)) if edits <= 20_000 else None
        told = f"{found[0]:,.0f} | {found[1]:.1f} | {found[2]:.0f} ms" if found else "| | not with one database"
        a_day = edits * BUSY_HOURS * 3600
        print(
            f"| {people:,} | {sockets:,.0f} | {edits:,.0f} | {told} | {edits * WAL[0] / 1e6:.2f}–{edits * WAL[1] / 1e6:.2f} MB/s | "
            f"{a_day * ROWS / 1e9:.1f} GB, {a_day * PACKED / 1e6:,.0f} MB | {edits * READERS:,.0f} |")
    print()
    for servers in (1, 2, 3):
        most = max((rate for rate in range(1000, 14_001, 1000) if (found := commits(rate, servers, 5)) and found[2] < 100), default=0)
        print(f"{servers} server(s): {most:,} edits/s with a p99 below 100 ms")
    print(f"one WAL stream: {WAL_STREAM / WAL[1]:,.0f} edits/s")


main()
