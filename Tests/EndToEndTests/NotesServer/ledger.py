"""No keystroke is lost: one note that many write at once, while connections drop and every process is killed.

Three machines of hub write it, one with `hub serve` and a mirrored folder, one with `hub notes watch`, one by commands alone; beside them
two clients of NoteApp, each a process with a loopback address of its own, and an editor of the mirrored file. All reach the server
through a proxy that delays bytes, cuts connections, and leaves some of these half open first. The server is frozen, and it is killed between a GET of a legacy client and its PUT, and so is each
other process at any point. Each participant types only its own alphabet, so each sign that is lost, doubled or comes back is
seen. What a process was about to type when it was killed may be there or not, but not twice.

With HUB_TEST_STORE=postgres two servers share a database: each connection reaches any of them, theirs to the database are delayed and cut
too, and the database is stopped at once and started again, or is away for a while.

HUB_LEDGER_ROUNDS is the number of rounds, HUB_TEST_SEED draws others. At the end the counts are printed.
"""

import atexit
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

from ledger_editor import apply
from postgres import DatabaseProxy
from proxy import Proxy
from server import HUB, PATIENCE, Server, database, elsewhere, invite

HERE = os.path.dirname(__file__)
ROUNDS = int(os.environ.get("HUB_LEDGER_ROUNDS", 4))
SEED = int(os.environ.get("HUB_TEST_SEED", 11))
chance = random.Random(SEED)


class Alphabet:
    """The signs of one participant, none typed twice, and what is known of each."""

    size = 0x1000

    def __init__(self, number):
        self.first = 0x4E00 + number * self.size
        self.next = self.first
        self.typed, self.deleted, self.maybe = set(), set(), set()

    def plan(self):
        """What to do with a text: signs to type, or none to delete an own one, and a number for the place."""
        signs = ""
        if chance.random() > 0.25:
            signs = "".join(chr(self.next + index) for index in range(chance.randint(1, 4)))
            self.next += len(signs)
            assert self.next < self.first + self.size, "the alphabet is used up"
        return {"signs": signs, "place": chance.random(), "first": self.first, "size": self.size}

    def done(self, change, is_sure=True):
        """Records what was typed and deleted; where it is not sure, it may be so or not."""
        if change is None:
            return
        typed, deleted = set(change["typed"]), set(change["deleted"])
        if is_sure:
            self.typed |= typed
            self.deleted |= deleted
        else:
            self.maybe |= typed | deleted
            self.typed |= typed


def killed():
    """The time until a process is killed; None for most."""
    return chance.uniform(0, 0.6) if chance.random() < 0.2 else None


kills = 0
processes = []
servers = []


@atexit.register
def end():
    """Leaves no process behind, also after a failure."""
    for process in processes + [server.process for server in servers]:
        if process.poll() is None:
            process.kill()



def finish(process, delay):
    """Waits for the end of a process, or kills it; whether it ended well."""
    global kills
    try:
        return process.wait(delay if delay is not None else PATIENCE) == 0
    except subprocess.TimeoutExpired:
        assert delay is not None, f"{process.args} did not end"
        process.kill()
        process.wait(PATIENCE)
        kills += 1
        return False


class Machine:
    """A client of hub with a home of its own."""

    def __init__(self, number, url, token):
        self.alphabet = Alphabet(number)
        self.home = os.path.join(os.environ["HOME"], f"machine{number}")
        self.environment = os.environ | {"EDITOR": f"{sys.executable} -S -E {HERE}/ledger_editor.py"}
        for name in ("DATA", "CONFIG", "STATE", "CACHE"):
            self.environment[f"XDG_{name}_HOME"] = f"{self.home}/{name.lower()}"
        self.environment |= {"HOME": self.home, "XDG_RUNTIME_DIR": f"{self.home}/run"}
        os.makedirs(f"{self.home}/run", 0o700)
        self.daemon = None
        self.daemon_words = None
        with open(f"{self.home}/token", "w") as file:
            file.write(token + "\n")
        os.chmod(f"{self.home}/token", 0o600)
        self.hub("notes", "servers", "add", "home", url, "--user", "ada", "--token-file", f"{self.home}/token")

    def start(self, *words, **environment):
        with open(f"{self.home}/output", "a") as output:
            process = subprocess.Popen(
                [HUB, *words], env=self.environment | environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT)
        processes.append(process)
        return process

    def hub(self, *words, codes=(0,)):
        run = subprocess.run(
            [HUB, *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert run.returncode in codes, (words, run.returncode, run.stdout, run.stderr)
        return run.stdout

    def text(self):
        return json.loads(self.hub("notes", "show", "ledger", "--json=content"))["content"]

    def edit(self):
        """Edits the note in an editor; it may be killed at any point."""
        plan, report = self.alphabet.plan(), f"{self.home}/edit.json"
        if os.path.exists(report):
            os.remove(report)
        process = self.start("notes", "edit", "ledger", LEDGER_PLAN=json.dumps(plan), LEDGER_REPORT=report)
        is_sure = finish(process, killed())
        # Without a report the editor has saved nothing.
        if os.path.exists(report):
            with open(report) as file:
                self.alphabet.done(json.load(file), is_sure)

    def sync(self):
        finish(self.start("notes", "sync"), killed())

    def serve(self, *words):
        self.daemon_words = words
        self.daemon = self.start(*words)

    def kill_daemon(self):
        global kills
        if self.daemon and chance.random() < 0.2:
            self.daemon.kill()
            self.daemon.wait(PATIENCE)
            kills += 1
            self.daemon = self.start(*self.daemon_words)

    def end(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait(PATIENCE)


class Folder:
    """The editor of a file in the mirrored folder of a machine."""

    def __init__(self, machine):
        self.machine, self.alphabet, self.path = machine, Alphabet(5), f"{machine.home}/mirror"

    def edit(self):
        path = f"{self.path}/Ledger.md"
        # As an editor that sees that the file has changed meanwhile, it does not save an older text over a newer one.
        self.machine.daemon.send_signal(signal.SIGSTOP)
        try:
            if os.path.exists(path):
                with open(path) as file:
                    text = file.read()
                change, text = apply(self.alphabet.plan(), text, text.index("---\n", 4) + 4 if text.startswith("---\n") else 0)
                with open(f"{self.path}/.new", "w") as file:
                    file.write(text)
                os.rename(f"{self.path}/.new", path)
                self.alphabet.done(change)
        finally:
            self.machine.daemon.send_signal(signal.SIGCONT)


class Legacy:
    """A client of NoteApp, as a process."""

    def __init__(self, number, proxy):
        self.alphabet, self.proxy, self.address = Alphabet(number), proxy, f"127.0.0.{10 + number}"
        self.process = None
        self.has_read = False
        self.lost_answers = 0

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-B", f"{HERE}/ledger_client.py", self.proxy.rest, self.proxy.sockets, self.address],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        processes.append(self.process)

    def tell(self, *words):
        print(json.dumps(words), file=self.process.stdin, flush=True)

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def get(self):
        if not self.process:
            self.start()
        self.tell("get")
        answer = self.answer()
        assert answer is not None, "the client of NoteApp ended"
        self.has_read = self.has_read or answer == "got"
        self.lost_answers += answer != "got"

    def put(self):
        global kills
        if not self.has_read:
            return
        self.tell("put", self.alphabet.plan())
        change = self.answer()
        assert change is not None, "the client of NoteApp ended"
        delay = killed()
        if delay is not None:
            time.sleep(delay)
            self.process.kill()
            kills += 1
        is_done = self.answer() == "done"
        self.alphabet.done(change, is_done)
        if delay is not None:
            self.process.wait(PATIENCE)
            self.proxy.drain(self.address)
            self.process, self.has_read = None, False
        else:
            assert is_done

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait(PATIENCE)


def thaw(process):
    try:
        process.send_signal(signal.SIGCONT)
    except ProcessLookupError:
        pass


class Ground:
    """The servers, and what is under them."""

    def __init__(self):
        addresses = ["127.0.0.1", "127.0.0.3"] if database else ["127.0.0.1"]
        self.proxy = Proxy(random.Random(SEED), addresses)
        self.under = DatabaseProxy(database, random.Random(SEED)) if database else None
        self.restarts = self.outages = self.freezes = 0
        self.machines = [os.environ] + [elsewhere(address) for address in addresses[1:]]
        store = f'store = "{self.under.url}"\n' if database else ""
        self.settings = [
            f'address = "{address}"\nwithout_account = "open"\nnames = ["{self.proxy.address}"]\n{store}' for address in addresses]
        for number in range(len(addresses)):
            servers.append(self.start(number))

    def start(self, number):
        return Server(self.settings[number], self.proxy.ports, environment=self.machines[number])

    def set_hostile(self, is_hostile):
        self.proxy.is_hostile = is_hostile
        if self.under:
            self.under.is_hostile = is_hostile

    def shake(self):
        """Kills a server, freezes one, or takes the database away, or nothing of these."""
        global kills
        if chance.random() < 0.2:
            # It holds its connections and locks, and answers nobody; now and then for longer than its database waits.
            frozen = chance.choice(servers).process
            frozen.send_signal(signal.SIGSTOP)
            self.freezes += 1
            threading.Timer(chance.choice([0.2, 0.5, 1, 2, 2, 12]), thaw, [frozen]).start()
        if chance.random() < 0.3:
            number = chance.randrange(len(servers))
            servers[number].kill()
            kills += 1
            self.restarts += 1
            if self.under:
                # One that begins is not disturbed: it would end, as a service manager sees it.
                self.under.is_hostile = False
            servers[number] = self.start(number)
            if self.under:
                self.under.is_hostile = self.proxy.is_hostile
        if self.under and chance.random() < 0.2:
            self.outages += 1
            database.tell("stop")
            time.sleep(chance.choice([0, 0, 0.5, 2]))
            database.tell("start")


ground = Ground()
proxy = ground.proxy
token = invite("ada")
machines = [Machine(number, f"http://{proxy.rest}", token) for number in range(3)]
legacy = [Legacy(number, proxy) for number in (3, 4)]
machines[0].hub("notes", "new", "Ledger", "-m", "start")
for machine in machines:
    machine.hub("notes", "sync")
folder = Folder(machines[0])
machines[0].hub("notes", "mirror", folder.path)
machines[0].serve("serve", "--only", "events", "--only", "notes")
machines[1].serve("notes", "watch")
edits = 0
ground.set_hostile(True)
for number in range(ROUNDS):
    for machine in machines:
        machine.edit()
        machine.kill_daemon()
    folder.edit()
    for client in legacy:
        client.get()
    ground.shake()
    chance.choice(machines).sync()
    for client in legacy:
        client.put()
    edits += 6
    if number % 20 == 19:
        print(f"ledger: round {number + 1}", flush=True)
ground.set_hostile(False)
for process in legacy + machines:
    process.end()
machines[0].hub("notes", "mirror")
for _ in range(3):
    for machine in machines:
        machine.hub("notes", "sync")
machines[0].hub("notes", "mirror")
texts = [machine.text() for machine in machines]
with open(f"{folder.path}/Ledger.md") as file:
    texts.append(file.read().split("---\n")[-1])
texts += [json.loads(server.ask("GET", "/api/notes")[1])[0]["content"] for server in servers]
signs = [sign for sign in texts[0] if ord(sign) >= 0x4E00]
everyone = [participant.alphabet for participant in machines + legacy + [folder]]
typed = set().union(*(alphabet.typed for alphabet in everyone))
deleted = set().union(*(alphabet.deleted for alphabet in everyone))
maybe = set().union(*(alphabet.maybe for alphabet in everyone))
lost_answers = sum(client.lost_answers for client in legacy)
lost = typed - deleted - maybe - set(signs)
doubled = len(signs) - len(set(signs))
back = (deleted - maybe) & set(signs)
print(
    f"ledger: seed {SEED}, {ROUNDS} rounds, {edits} edits, {kills} kills, {ground.restarts} restarts and {ground.freezes} freezes of the server, "
    f"{proxy.cuts} cut connections, {proxy.swallowed} of them half open, "
    + (f"{ground.outages} outages of the database, {ground.under.cuts} cut connections to it, {ground.under.swallowed} of them half open, "
       if database else "")
    + f"{len(typed)} signs typed, {len(deleted)} deleted, {len(maybe)} unsure, {len(signs)} in the text; "
    f"{len(lost)} lost, {doubled} doubled, {len(back)} came back ({lost_answers} lost answers), "
    f"{len(set(map(str.rstrip, texts)))} different replicas", flush=True)
assert not lost, sorted(lost)
assert not doubled, sorted(sign for sign in set(signs) if signs.count(sign) > 1)
# What others have deleted comes back with the PUT of a client that did not get the answer without it: the text could as well
# have been typed again. In a round each participant deletes at most one sign.
assert len(back) <= lost_answers * len(everyone), sorted(back)
assert not set(signs) - typed
assert len(set(map(str.rstrip, texts))) == 1, texts
for server in servers:
    server.stop()
