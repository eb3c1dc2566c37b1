"""A client of NoteApp for the ledger: REST with requests, messages with websockets, from an address of its own.

`get` reads the note; where that fails it keeps what it has, as NoteApp does. `put PLAN` edits what it has, tells what it
types, and writes it until the server has answered.
"""

import json
import sys
import time

import requests
from requests.adapters import HTTPAdapter
from websockets.sync.client import connect

from ledger_editor import apply

rest, sockets, address = sys.argv[1:]


class Source(HTTPAdapter):
    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=(address, 0), **options)


session = requests.Session()
session.trust_env = False
session.mount("http://", Source())
note, socket = None, None


def listen():
    """Takes the messages that wait; each is one that the server alone may send."""
    global socket
    try:
        socket = socket or connect(
            f"ws://{sockets}/", proxy=None, source_address=(address, 0), open_timeout=5).__enter__()
        while True:
            message = json.loads(socket.recv(timeout=0))
            assert message["method"] in ("insertOne", "update", "delete", "accessRequest"), message
    except TimeoutError:
        pass
    except AssertionError:
        raise
    except Exception:
        socket = None


for line in sys.stdin:
    words = json.loads(line)
    if words[0] == "get":
        listen()
        try:
            answer = session.get(f"http://{rest}/api/notes", timeout=60)
            answer.raise_for_status()
            note = answer.json()[0]
            print('"got"', flush=True)
        except (requests.RequestException, ValueError):
            print('"failed"', flush=True)
    else:
        change, note["content"] = apply(words[1], note["content"], 0)
        print(json.dumps(change), flush=True)
        while True:
            try:
                if session.put(f"http://{rest}/api/notes/{note['_id']}", json=note, timeout=60).status_code == 200:
                    break
            except requests.RequestException:
                pass
            time.sleep(0.05)
        print('"done"', flush=True)
