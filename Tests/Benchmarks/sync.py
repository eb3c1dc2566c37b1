"""The sync of contacts beside vdirsyncer, both with one xandikos."""

import base64
import http.client
import os
import statistics
import subprocess
import time

import cards
from measuring import HUB, PEERS, Failure, free_port, hub_folders, measure, output, row, show, size, stop, wait_for

BOOK = "/user/contacts/addressbook/"
HEADERS = {"Authorization": "Basic " + base64.b64encode(b"user:none").decode()}
COUNT = size(1000, 5)
# The hubs and the peers that sync for the first time.
PAIRS = size(5, 1)


def against_vdirsyncer(folder):
    """A first sync of a book, and one that finds nothing new."""
    port = free_port()
    server = subprocess.Popen(
        [f"{PEERS}/xandikos", "serve", "-d", f"{folder}/xandikos", "--defaults", "-l", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(server, port)
        fill(folder, port)
        with open(os.open(f"{folder}/password", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write("none\n")
        listing, reading = zip(*(server_alone(port) for _ in range(PAIRS)))
        hubs = [hub(f"{folder}/sync-{number}", port, f"{folder}/password") for number in range(PAIRS)]
        peers = [vdirsyncer(f"{folder}/pair-{number}", f"http://127.0.0.1:{port}{BOOK}", "user", "none") for number in range(PAIRS)]
        alone = [first + second for first, second in zip(listing, reading)]
        first = compare(f"first sync of {COUNT:,} cards", hubs, peers, 10,
                        FIRST.format(show(statistics.median(listing)), show(statistics.median(reading))))
        row("that first sync", first, "Python's http.client, the two large answers", alone,
            "The answers, which the peer reads and forgets. hub also finds the book, parses, folds, indexes and stores the cards.", at_most=2)
        compare("sync without news", hubs, peers, 10, "The start of the process, three requests, and the answers of the server to them.")
    finally:
        stop(server)


FIRST = ("xandikos, the server of both, takes {} for the list of the cards and {} for the cards, whichever client asks; the rest is the start of the "
         "process, loading ICU for names beyond Latin, and folding, indexing and storing the cards in transactions of some hundred.")
LIST = """<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>"""
CARDS = """<C:addressbook-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><prop><getetag/><C:address-data/></prop>
<C:filter/></C:addressbook-query>"""


def server_alone(port):
    """Seconds in which the server answers for the list of the cards, and for all cards."""
    times = []
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for depth, body in [("0", LIST), ("1", CARDS)]:
        start = time.perf_counter()
        connection.request("REPORT", BOOK, body, HEADERS | {"Content-Type": "application/xml; charset=utf-8", "Depth": depth})
        response = connection.getresponse()
        if response.read().count(b":response>") < COUNT or response.status != 207:
            raise Failure(f"xandikos answered {response.status} to a report")
        times.append(time.perf_counter() - start)
    connection.close()
    return times


def compare(what, hubs, peers, goal, bounds):
    ours, theirs = [], []
    for environment, configuration in zip(hubs, peers):
        ours.append(measure([HUB, "contacts", "sync"], environment)[0])
        theirs.append(measure([f"{PEERS}/vdirsyncer", "-c", configuration, "sync"])[0])
    row(what, ours, "vdirsyncer", theirs, bounds, at_least=goal)
    return ours


def hub(folder, port, password):
    """The environment of a hub that has an account at the server."""
    environment = hub_folders(folder)
    measure([HUB, "contacts", "accounts", "add", "peer", f"http://127.0.0.1:{port}/", "--user", "user", "--password-file", password], environment)
    return environment


def vdirsyncer(folder, book, user, password):
    """The configuration of a vdirsyncer that keeps the book at an address in a folder."""
    os.makedirs(f"{folder}/book")
    path = f"{folder}/config"
    with open(path, "w") as file:
        file.write(f"""[general]
status_path = "{folder}/status"
[pair book]
a = "here"
b = "there"
collections = null
[storage here]
type = "filesystem"
path = "{folder}/book"
fileext = ".vcf"
[storage there]
type = "carddav"
url = "{book}"
username = "{user}"
password = "{password}"
""")
    output([f"{PEERS}/vdirsyncer", "-c", path, "discover"], input="y\n")
    return path


def fill(folder, port):
    """Puts the cards into the server's book."""
    cards.write(COUNT, f"{folder}/sync/")
    headers = HEADERS | {"Content-Type": "text/vcard; charset=utf-8"}
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for name in sorted(os.listdir(f"{folder}/sync")):
        with open(f"{folder}/sync/{name}", "rb") as file:
            connection.request("PUT", BOOK + name, file.read(), headers)
        response = connection.getresponse()
        response.read()
        if response.status != 201:
            raise Failure(f"xandikos answered {response.status} to {name}")
    connection.close()


STEPS = [against_vdirsyncer]
