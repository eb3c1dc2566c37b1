"""Nothing is lost, doubled or mixed on a server of NoteApp: two machines and a phone write one note there.

The server is the one in Tests/NoteAppServer, which runs on Express and ws with their defaults. The phone does what the app does: it reads
the note again after each message of its WebSocket, and PUTs it whole. First both machines sync with `hub notes sync`, then with `hub serve`
in the background. Each word is typed once. A word of the phone is lost if a PUT replaces it that a machine had begun before it read the
word: the server says of each text who has written and read it.

    HUB=.build/debug/hub HUB_LEDGER_ROUNDS=200 .build/peers/bin/python Tests/EndToEndTests/NotesServer/noteapp.py

HUB_LEDGER_ROUNDS is the number of rounds, HUB_TEST_SEED draws others. At the end the counts are printed.
"""

import atexit
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from websockets.sync.client import connect

HUB = os.environ["HUB"]
# The machine may be busy.
PATIENCE = 300
ROUNDS = int(os.environ.get("HUB_LEDGER_ROUNDS", 4))
SEED = int(os.environ.get("HUB_TEST_SEED", 11))
COMMON = ["buy", "call", "the", "a", "meeting", "milk"]
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(HERE + "/../..")

from loopback import free_port  # noqa: E402


class Server:
    """The server of NoteApp, as a process."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["node", HERE + "/../../NoteAppServer/noteapp.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"NODE_PATH": "/usr/share/nodejs", "NODE_ENV": "test"})
        atexit.register(self.process.kill)
        self.port = json.loads(self.process.stdout.readline())["port"]
        self.url = f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/{path}", data, {"Content-Type": "application/json", "User-Agent": "NoteApp"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


class Phone:
    """The original app on a phone, which has one note open."""

    def __init__(self, server):
        self.server = server
        self.lock = threading.Lock()
        self.note = {"title": "List", "content": "start here", "access": ["bob", "ada", "eve"], "owner": "bob"}
        self.id = server.ask("POST", "api/notes", self.note)["insertedId"]
        self.socket = connect(f"ws://127.0.0.1:{server.port + 1}/")
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for message in self.socket:
            if json.loads(message)["method"] == "update":
                self.read()

    def read(self):
        with self.lock:
            self.note = self.server.ask("GET", f"api/notes/{self.id}")

    def type(self, change):
        with self.lock:
            self.note["content"] = change(self.note["content"])
            self.server.ask("PUT", f"api/notes/{self.id}", self.note)


class Machine:
    """A machine with a store of its own."""

    def __init__(self, server, name, host):
        self.home = tempfile.TemporaryDirectory()
        self.environment = {
            "HOME": self.home.name, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HUB_NO_INPUT": "1", "NO_COLOR": "1",
            "XDG_RUNTIME_DIR": self.home.name, "HUB_WEB_LISTEN": f"127.0.0.1:{free_port()}"}
        self.daemon = None
        # The server tells the machines apart by the name that they use.
        self.run("servers", "add", "home", f"http://{host}:{server.port}", "--user", name, "--token-command", "echo x")

    def run(self, *words):
        run = subprocess.run(
            [HUB, "notes", *words], capture_output=True, text=True, timeout=PATIENCE, env=self.environment)
        # 75: the note keeps changing; the next sync goes on.
        assert run.returncode in (0, 2, 75), (words, run.returncode, run.stdout, run.stderr)
        return run.stdout

    @property
    def text(self):
        return json.loads(self.run("show", "list", "--json=content"))["content"]

    def serve(self):
        self.daemon = subprocess.Popen(
            [HUB, "serve"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.daemon.kill)

    def stop(self):
        if self.daemon:
            self.daemon.terminate()
            assert self.daemon.wait(PATIENCE) == 0


class Ledger:
    """What was typed, by whom."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.words = {"start": "phone", "here": "phone"}

    def word(self, who):
        word = f"w{len(self.words)}{self.chance.choice('abcdefghijklmnopqrstuvwxyz')}"
        self.words[word] = who
        return word

    def line(self, who):
        start = [self.chance.choice(COMMON) for _ in range(self.chance.randrange(3))]
        return " ".join(["-", *start, *(self.word(who) for _ in range(self.chance.randint(1, 3)))])

    def change(self, text):
        """Returns a text as the person at the phone changes it: with a new line, or a word between two."""
        gaps = [place for place, sign in enumerate(text) if sign == " "]
        if self.chance.random() < 0.5 or not gaps:
            return text + "\n" + self.line("phone")
        gap = self.chance.choice(gaps)
        return text[:gap] + " " + self.word("phone") + text[gap:]


def was_unread(word, history):
    """Whether someone replaced a text with a word that they had not read."""
    readers = set()
    for (text, words), (next_text, next_words) in zip(history, history[1:]):
        if word in words:
            readers |= {text["writer"], *text["readers"]}
            if word not in next_words and next_text["writer"] not in readers:
                return True
    return False


def play(in_background):
    """Plays all rounds and returns the counts."""
    server, ledger = Server(), Ledger(SEED)
    phone = Phone(server)
    machines = [Machine(server, "ada", "127.0.0.1"), Machine(server, "eve", "localhost")]
    for machine in machines:
        machine.run("sync")
        if in_background:
            machine.serve()
    for _ in range(ROUNDS):
        steps = [("type", None), ("append", machines[0]), ("append", machines[1])]
        if not in_background:
            steps += [("sync", machines[0]), ("sync", machines[1])]
        ledger.chance.shuffle(steps)
        for step, machine in steps:
            if step == "type":
                phone.type(ledger.change)
            elif step == "append":
                machine.run("append", "list", ledger.line("machine"))
            else:
                machine.run("sync")
    end = time.monotonic() + PATIENCE
    while True:
        if not in_background:
            for machine in machines:
                machine.run("sync")
        phone.read()
        texts = [phone.note["content"], *(machine.text for machine in machines)]
        words = [collections.Counter(text.split()) for text in texts]
        missing = [word for word in ledger.words if any(not count[word] for count in words)]
        history = [(text, set(text["content"].split())) for text in server.ask("GET", "_control/texts")]
        lost = [word for word in missing if ledger.words[word] != "phone" or not was_unread(word, history)]
        if (len(set(texts)) == 1 and not lost) or time.monotonic() > end:
            break
    for machine in machines:
        machine.stop()
    doubled = [word for word in ledger.words if any(count[word] > 1 for count in words)]
    mixed = sorted({word for count in words for word in count} - set(ledger.words) - set(COMMON) - {"-"})
    counts = {
        "words": len(ledger.words), "lost": {word: ledger.words[word] for word in lost}, "doubled": doubled, "mixed": mixed, "unread": len(missing) - len(lost),
        "same": len(set(texts)) == 1}
    print("background" if in_background else "runs", json.dumps(counts))
    phone.socket.close()
    server.process.stdin.close()
    return not (lost or doubled or mixed) and counts["same"]


if not all([play(False), play(True)]):
    sys.exit(f"HUB_TEST_SEED={SEED}")
