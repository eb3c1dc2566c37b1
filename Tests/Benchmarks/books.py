"""The address book that several parts measure: 100,000 cards, in hub and in a database of the sqlite3 program."""

import csv
import functools
import time

import cards
from measuring import HUB, hub_folders, measure, output, size

COUNT = size(100_000, 60)
# What a book needs to be searched as in hub: its cards, an index, words and their beginnings, and parts of words.
SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE contact (uid TEXT PRIMARY KEY, name TEXT, reach TEXT, card TEXT);
CREATE INDEX contact_name ON contact(name);
CREATE VIRTUAL TABLE words USING fts5(name, reach, content='contact', prefix='1 2');
CREATE VIRTUAL TABLE grams USING fts5(name, reach, content='contact', tokenize='trigram', detail='none');
"""


@functools.cache
def file(folder):
    """The file with the cards."""
    cards.write(COUNT, f"{folder}/large.vcf")
    return f"{folder}/large.vcf"


@functools.cache
def store(folder):
    """The environment of a hub that has the cards."""
    environment = hub_folders(f"{folder}/large")
    measure([HUB, "contacts", "import", file(folder)], environment)
    return environment


@functools.cache
def table(folder):
    """A CSV file with uid, name, phone numbers and addresses, and card of each."""
    path = f"{folder}/large.csv"
    with open(file(folder), newline="") as source, open(path, "w", newline="") as target:
        writer = csv.writer(target)
        for card in cards_of(source):
            lines = [line.partition(":") for line in card.replace("\r\n ", "").split("\r\n")]
            values = {name: value for name, _, value in lines}
            reach = [value for name, _, value in lines if name.split(";")[0].endswith(("TEL", "EMAIL"))]
            writer.writerow([values["UID"], values["FN"], "\n".join(reach), card])
    return path


def cards_of(source):
    """The cards of a file, one after another."""
    card = ""
    for line in source:
        card += line
        if line == "END:VCARD\r\n":
            yield card
            card = ""


def database(path, folder):
    """Seconds in which the sqlite3 program reads the CSV file into a new database with the same indexes as hub has."""
    source, start = table(folder), time.perf_counter()
    output(["/usr/bin/sqlite3", path], input=f"""{SCHEMA}
.import --csv {source} contact
INSERT INTO words (rowid, name, reach) SELECT rowid, name, reach FROM contact;
INSERT INTO grams (rowid, name, reach) SELECT rowid, name, reach FROM contact;
""")
    return time.perf_counter() - start
