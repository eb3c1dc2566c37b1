"""What `text-bench` measures, by Loro; prints milliseconds and bytes, the best of some rounds.

    loro_text.py typing TRACE EDITS       types a recorded history, stores it, and loads it into another document
    loro_text.py merging TRACE COMMITS    merges a history of several authors from nothing
    loro_text.py branches EDITS           merges two branches of random insertions, and two of half the length
"""

import gzip
import json
import os
import random
import sys
import time

import loro

ROUNDS = 5
TRACES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "TextCRDTTests/Traces")


def read(name):
    """The commits of a history, each with its author, its parents and its edits."""
    commits = []
    with gzip.open(f"{TRACES}/{name}.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            kind, *parts = line.rstrip("\n").split("\t")
            if kind == "commit":
                commits.append((parts[0], [int(number) for number in parts[1].split(",") if number], []))
            elif kind == "edit":
                if not commits:
                    commits.append(("one", [], []))
                commits[-1][2].append((int(parts[0]), int(parts[1]), json.loads(f'"{parts[2]}"')))
    return commits


def best(work):
    """The shortest of some rounds, in milliseconds, and the last result."""
    least, result = float("inf"), None
    for _ in range(ROUNDS):
        start = time.process_time()
        result = work()
        least = min(least, time.process_time() - start)
    return least * 1000, result


def apply(document, edits):
    text = document.get_text("text")
    for position, deleted, inserted in edits:
        if deleted:
            text.delete(position, deleted)
        if inserted:
            text.insert(position, inserted)
    document.commit()


def typing(edits):
    def typed():
        document = loro.LoroDoc()
        apply(document, edits)
        return document

    milliseconds, document = best(typed)
    print(f"typed\t{milliseconds}")
    print(f"bytes\t{len(document.export(loro.ExportMode.Snapshot()))}")
    # A snapshot is not read before its history is needed; updates are merged as those of a peer.
    updates = document.export(loro.ExportMode.Updates(loro.VersionVector()))
    milliseconds, text = best(lambda: merged(updates))
    assert text == document.get_text("text").to_string()
    print(f"loaded\t{milliseconds}")


def merged(updates):
    other = loro.LoroDoc()
    other.import_(updates)
    return other.get_text("text").to_string()


def merging(commits):
    """Replays the history with a document for each author, which imports what the parents of its next commit have."""
    documents, seen, updates, known = {}, {}, [], []
    for number, (agent, parents, edits) in enumerate(commits):
        if agent not in documents:
            documents[agent], seen[agent] = loro.LoroDoc(), set()
        document = documents[agent]
        # From the parents back to what the author has.
        missing, waiting = [], list(parents)
        while waiting:
            parent = waiting.pop()
            if parent not in seen[agent]:
                seen[agent].add(parent)
                missing.append(parent)
                waiting += commits[parent][1]
        for parent in sorted(missing):
            document.import_(updates[parent])
        before = document.oplog_vv
        apply(document, edits)
        updates.append(document.export(loro.ExportMode.Updates(before)))
        seen[agent].add(number)
    whole = loro.LoroDoc()
    for update in updates:
        whole.import_(update)
    history = whole.export(loro.ExportMode.Updates(loro.VersionVector()))
    print(f"merged\t{best(lambda: merged(history))[0]}")


def branches(count):
    chance = random.Random(1)
    for length in [count // 2, count]:
        updates = []
        for letter in "ab":
            document = loro.LoroDoc()
            apply(document, ((chance.randrange(number + 1), 0, letter) for number in range(length)))
            updates.append(document.export(loro.ExportMode.Updates(loro.VersionVector())))
        least = float("inf")
        for _ in range(ROUNDS):
            # The document of the first author, which imports the branch of the second.
            first = loro.LoroDoc()
            first.import_(updates[0])
            text = first.get_text("text")
            text.to_string()
            start = time.process_time()
            first.import_(updates[1])
            text.to_string()
            least = min(least, time.process_time() - start)
        assert text.len_unicode == 2 * length
        print(f"branches {length}\t{least * 1000}")


def main():
    what, *words = sys.argv[1:]
    limit = int(words[-1])
    if what == "typing":
        typing(read(words[0])[0][2][:limit])
    elif what == "merging":
        merging(read(words[0])[:limit])
    else:
        branches(limit)


main()
