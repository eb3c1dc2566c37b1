"""The sync of contacts against vdirsyncer, both with one xandikos."""

import base64
import http.client
import os
import subprocess
import time

import cards
from measuring import HUB, PEERS, hub_folders, measure, row, show

BOOK = "/user/contacts/addressbook/"
PORT = 24821
COUNT = 1000


def against_vdirsyncer(folder):
    """A first sync of a book with 1 000 cards, and one that finds nothing new."""
    server = subprocess.Popen(
        [f"{PEERS}/xandikos", "serve", "-d", f"{folder}/xandikos", "--defaults", "-l", "127.0.0.1", "-p", str(PORT)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        fill(folder)
        hubs, pairs = [], []
        for number in range(3):
            environment = hub_folders(f"{folder}/sync-{number}")
            with open(os.open(f"{folder}/password", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write("none\n")
            subprocess.run(
                [HUB, "contacts", "accounts", "add", "peer", f"http://127.0.0.1:{PORT}/", "--user", "user",
                 "--password-file", f"{folder}/password"], env=environment, check=True, stdout=subprocess.DEVNULL)
            hubs.append(([HUB, "contacts", "sync"], environment))
            pairs.append((["vdirsyncer", "-c", pair(f"{folder}/pair-{number}"), "sync"], os.environ))
            pairs[-1][0][0] = f"{PEERS}/vdirsyncer"
        compare("first sync of 1 000 cards", hubs, pairs, 5)
        compare("sync without news", hubs, pairs, 10)
    finally:
        server.terminate()
        server.wait()


def compare(what, hubs, pairs, goal):
    ours, theirs = [], []
    for (hub, environment), (peer, other) in zip(hubs, pairs):
        ours.append(measure(hub, environment)[0])
        theirs.append(measure(peer, other)[0])
    fast, slow = min(ours), min(theirs)
    row(what, show(fast), "vdirsyncer", show(slow), f"{slow / fast:.1f} times faster", f"{goal} times faster",
        slow / fast >= goal)


def pair(folder):
    """The configuration of a vdirsyncer that keeps the book in a folder."""
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
url = "http://127.0.0.1:{PORT}{BOOK}"
username = "user"
password = "none"
""")
    subprocess.run([f"{PEERS}/vdirsyncer", "-c", path, "discover"], input="y\n", text=True, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def fill(folder):
    """Puts the cards into the server's book, once it answers."""
    cards.write(COUNT, f"{folder}/sync/")
    headers = {"Content-Type": "text/vcard; charset=utf-8",
               "Authorization": "Basic " + base64.b64encode(b"user:none").decode()}
    while True:
        try:
            link = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
            link.connect()
            break
        except OSError:
            time.sleep(0.05)
    for name in sorted(os.listdir(f"{folder}/sync")):
        with open(f"{folder}/sync/{name}", "rb") as file:
            link.request("PUT", BOOK + name, file.read(), headers)
        answer = link.getresponse()
        answer.read()
        if answer.status != 201:
            raise SystemExit(f"xandikos answered {answer.status} to {name}")
    link.close()
