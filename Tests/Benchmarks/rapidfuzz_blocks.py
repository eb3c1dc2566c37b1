"""Compares the names of blocks with rapidfuzz: rapidfuzz_blocks.py FILE

A line of the file is a block, its names separated by tabs and sorted. Each name is compared with as many of the next as hub compares.
"""

import sys

from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import extract

WINDOW = 200
CUTOFF = 0.9


def main():
    found = 0
    with open(sys.argv[1]) as file:
        for line in file:
            names = line.rstrip("\n").split("\t")
            for place, name in enumerate(names[:-1]):
                found += len(extract(name, names[place + 1:place + 1 + WINDOW], scorer=JaroWinkler.similarity, score_cutoff=CUTOFF, limit=None))
    print(found)


main()
