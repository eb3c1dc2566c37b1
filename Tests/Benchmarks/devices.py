"""Contacts served to devices beside Radicale and xandikos, each with the same book."""

import base64
import http.client
import os
import re
import shutil
import statistics
import subprocess
import time

import cards
from measuring import HUB, PEERS, Failure, free_port, hub_folders, measure, megabytes, output, rate, row, size, stop, wait_for
from sync import vdirsyncer

COUNT = size(10_000, 20)
NEW = size(100, 2)
# How often each server is asked: a peer takes minutes.
RUNS = {"hub": size(5, 1), "xandikos": size(2, 1), "Radicale": 1}
LISTED = "<propfind xmlns='DAV:'><prop><getetag/><resourcetype/><getcontenttype/></prop></propfind>"
STATE = """<propfind xmlns='DAV:' xmlns:CS='http://calendarserver.org/ns/'><prop><CS:getctag/><sync-token/></prop></propfind>"""
CHANGES = """<sync-collection xmlns='DAV:'><sync-token>{}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>"""
CARDS = """<C:addressbook-multiget xmlns='DAV:' xmlns:C='urn:ietf:params:xml:ns:carddav'><prop><getetag/><C:address-data/></prop>{}
</C:addressbook-multiget>"""
SEARCH = """<C:addressbook-query xmlns='DAV:' xmlns:C='urn:ietf:params:xml:ns:carddav'><prop><getetag/></prop><C:filter>
<C:prop-filter name='EMAIL'><C:text-match collation='i;unicode-casemap' match-type='contains'>user77</C:text-match></C:prop-filter>
</C:filter></C:addressbook-query>"""


class Server:
    """A server that runs, with the address of its book and a connection of one client."""

    def __init__(self, name, command, port, user, password, book, environment=os.environ):
        self.name, self.port, self.user, self.password, self.book = name, port, user, password, book
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.process, port)
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.headers = {"Authorization": f"Basic {credentials}", "Content-Type": "application/xml; charset=utf-8"}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=900)

    def ask(self, method, body, path=None, status=207, **headers):
        """The answer to one request, and the seconds until it was read."""
        start = time.perf_counter()
        self.connection.request(method, path or self.book, body.encode(), self.headers | headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status != status:
            raise Failure(f"{self.name} answered {response.status} to {method}")
        return answer, time.perf_counter() - start

    @property
    def memory(self):
        """The most memory that the server has used, in MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024

    def stop(self):
        self.connection.close()
        stop(self.process)


def against_servers(folder):
    """What a phone asks for: the state, the list, what is new, the cards, and a place for new ones."""
    vdir = f"{folder}/cards/"
    cards.write(COUNT, vdir)
    servers = []
    try:
        for start in [hub, xandikos, radicale]:
            servers.append(start(f"{folder}/{start.__name__}", vdir))
        figures = [asked(server) for server in servers]
        for name, what, goal, unit, bounds in ROWS:
            # The better of the peers.
            best = min(range(1, len(servers)), key=lambda index: statistics.median(figures[index][name]))
            ours, theirs = figures[0][name], figures[best][name]
            if unit:
                ours, theirs = [[unit / seconds for seconds in times] for times in (ours, theirs)]
                row(what, ours, servers[best].name, theirs, bounds, at_least=goal, show=rate("items"), is_more_better=True)
            else:
                row(what, ours, servers[best].name, theirs, bounds, at_least=goal)
        best = min(servers[1:], key=lambda server: server.memory)
        row("the most memory of the server in all of this", servers[0].memory, best.name, best.memory,
            "hub serves all plugins, and streams what it answers.", show=megabytes)
        first_sync(folder, servers)
    finally:
        for server in servers:
            server.stop()


ROWS = [
    ("state", f"the state of a book of {COUNT:,} cards", 1, None, "One row of the store, and the check of the password."),
    ("listed", f"PROPFIND of {COUNT:,} cards", 10, COUNT, "Writing 3 MB of XML; the tag of each card is stored with it."),
    ("initial", f"sync-collection, all of {COUNT:,} cards", 1, None, "Writing their addresses and tags."),
    ("unchanged", "sync-collection without news", 5, None, "One look into an index, and the check of the password."),
    ("cards", f"all {COUNT:,} cards, 100 in a request", 5, COUNT, "Reading and escaping each card."),
    ("search", "addressbook-query for a part of an address", 10, None, "Looking through the addresses of all cards."),
    ("put", f"a new card in a book of {COUNT:,}", 10, None, "One transaction with its fsync, the index of the search, and what undo needs."),
    ("changed", f"sync-collection after {NEW} new cards", 1, None, "The rows after the number of the token."),
]


def asked(server):
    """The seconds of each request."""
    times = {name: [] for name, *_ in ROWS}
    hrefs = []
    # The first time may fill a cache, which Radicale does for a minute.
    server.ask("PROPFIND", LISTED, Depth="1")
    for _ in range(RUNS[server.name]):
        times["state"].append(server.ask("PROPFIND", STATE, Depth="0")[1])
        answer, seconds = server.ask("PROPFIND", LISTED, Depth="1")
        times["listed"].append(seconds)
        hrefs = [href for href in re.findall(rb"href>([^<]+)<", answer) if href.endswith(b".vcf")]
        if len(hrefs) != COUNT:
            raise Failure(f"{server.name} listed {len(hrefs)} cards")
        answer, seconds = server.ask("REPORT", CHANGES.format(""), Depth="0")
        times["initial"].append(seconds)
        token = re.search(rb"sync-token>([^<]+)<", answer)[1].decode()
        times["unchanged"].append(server.ask("REPORT", CHANGES.format(token), Depth="0")[1])
        seconds = 0
        for first in range(0, COUNT, 100):
            some = "".join(f"<href>{href.decode()}</href>" for href in hrefs[first:first + 100])
            answer, taken = server.ask("REPORT", CARDS.format(some), Depth="1")
            if answer.count(b"BEGIN:VCARD") != len(hrefs[first:first + 100]):
                raise Failure(f"{server.name} left out cards")
            seconds += taken
        times["cards"].append(seconds)
        times["search"].append(server.ask("REPORT", SEARCH, Depth="1")[1])
    chance = cards.random.Random(7)
    # A peer that takes more than a second for each gets few.
    for number in range(NEW if server.name == "hub" else min(NEW, 5)):
        card = cards.card(1_000_000 + number, chance)
        answer, seconds = server.ask("PUT", card, f"{server.book}new-{number}.vcf", 201, **{"Content-Type": "text/vcard; charset=utf-8"})
        times["put"].append(seconds)
    times["changed"].append(server.ask("REPORT", CHANGES.format(token), Depth="0")[1])
    return times


def first_sync(folder, servers):
    """A first sync by vdirsyncer, and one without news."""
    times = {}
    for server in servers[:2]:
        path = vdirsyncer(f"{folder}/pair-{server.name}", f"http://127.0.0.1:{server.port}{server.book}", server.user, server.password)
        command = [f"{PEERS}/vdirsyncer", "-c", path, "sync"]
        times[server.name] = [measure(command)[0] for _ in range(2)]
    for index, what in enumerate([f"vdirsyncer, a first sync of {COUNT:,} cards", "vdirsyncer, a sync without news"]):
        row(what, times["hub"][index], "xandikos", times["xandikos"][index],
            "vdirsyncer itself: it writes a file for each card. Radicale takes minutes.", at_least=1)


# Servers

def hub(folder, vdir):
    environment = hub_folders(folder)
    port = free_port()
    output([HUB, "contacts", "import", vdir], environment)
    output([HUB, "config", "set", "hub.dav.listen", f"127.0.0.1:{port}"], environment)
    added = output([HUB, "devices", "add", "bench"], environment)
    password = re.search(r"password\s+(\S+)", added)[1]
    return Server("hub", [HUB, "serve"], port, "bench", password, "/contacts/all/", environment)


def xandikos(folder, vdir):
    port = free_port()
    command = [f"{PEERS}/xandikos", "serve", "-d", folder, "--defaults", "-l", "127.0.0.1", "-p", str(port)]
    Server("xandikos", command, port, "user", "none", "/").stop()
    # By git: putting as many cards takes an hour.
    book = f"{folder}/user/contacts/addressbook"
    for name in os.listdir(vdir):
        shutil.copy(vdir + name, book)
    git = ["git", "-C", book, "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    output([*git, "add", "."])
    output([*git, "commit", "-q", "-m", "cards"])
    return Server("xandikos", command, port, "user", "none", "/user/contacts/addressbook/")


def radicale(folder, vdir):
    port = free_port()
    book = f"{folder}/collections/collection-root/user/book"
    shutil.copytree(vdir, book)
    with open(f"{book}/.Radicale.props", "w") as file:
        file.write('{"tag": "VADDRESSBOOK"}')
    with open(f"{folder}/config", "w") as file:
        file.write(f"[server]\nhosts = 127.0.0.1:{port}\ntimeout = 900\nmax_content_length = 100000000\n[auth]\ntype = none\n[storage]\n"
                   f"filesystem_folder = {folder}/collections\n")
    return Server("Radicale", [f"{PEERS}/radicale", "--config", f"{folder}/config"], port, "user", "none", "/user/book/")


STEPS = [against_servers]
