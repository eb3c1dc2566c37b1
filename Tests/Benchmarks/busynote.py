"""Many people in one note of `hub notes serve`, beside a server over Debian's node-ws that passes each message on and stores nothing.

Each writer inserts a letter that no other edit has, so that each delivery is known by what is in it. hub stores each edit durably before it
acknowledges it, merges it at the version that its writer knew, and checks the access of each reader.
"""

import heapq
import json
import os
import random
import select
import socket
import statistics
import subprocess
import time

from measuring import HERE, HUB, Failure, free_port, hub_folders, output, row, show, size, stop, wait_for

SECONDS = size(60, 1)
# People who write and people who only read, the edits a second of each writer, and the most milliseconds of 99 of 100 deliveries.
CROWDS = size([(50, 0, 2, 200), (10, 200, 2, 100)], [(3, 2, 4, 0)])
ACCOUNTS = size(10, 2)
# The letters of the edits, one each.
FIRST = 0x20000
LETTERS = 42_000
# How long a delivery may take before it counts as lost, in seconds.
PATIENCE = 20


class Client:
    """A WebSocket, with the letters that came over it."""

    def __init__(self, port, headers=""):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n{headers}\r\n").encode())
        self.bytes = bytearray()
        while b"\r\n\r\n" not in self.bytes:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise Failure(f"the WebSocket is refused: {bytes(self.bytes)!r}")
            self.bytes += piece
        head, _, rest = bytes(self.bytes).partition(b"\r\n\r\n")
        if b" 101 " not in head:
            raise Failure(head.decode())
        self.bytes = bytearray(rest)
        self.socket.setblocking(False)
        self.letters = bytearray(LETTERS)
        self.count = 0
        self.is_waiting = False

    def send(self, text, kind=1):
        data = text.encode() if isinstance(text, str) else text
        length = len(data)
        head = bytes([0x80 | length]) if length < 126 else bytes([0x80 | 126]) + length.to_bytes(2, "big")
        # A mask of zeros changes nothing.
        self.socket.sendall(bytes([0x80 | kind]) + head + b"\0\0\0\0" + data)

    def frames(self):
        """The text frames that have come."""
        try:
            while True:
                piece = self.socket.recv(1 << 18)
                if not piece:
                    raise Failure("a client was dropped")
                self.bytes += piece
                if len(piece) < 1 << 18:
                    break
        except BlockingIOError:
            pass
        start, found = 0, []
        while len(self.bytes) - start >= 2:
            kind, length, begin = self.bytes[start] & 15, self.bytes[start + 1], start + 2
            extra = {126: 2, 127: 8}.get(length, 0)
            if extra:
                length = int.from_bytes(self.bytes[begin:begin + extra], "big")
                begin += extra
            if len(self.bytes) < begin + length:
                break
            data = bytes(self.bytes[begin:begin + length])
            start = begin + length
            if kind == 9:
                self.send(data, 10)
            elif kind == 8:
                raise Failure(f"a client was closed: {data[2:].decode(errors='replace')}")
            elif kind == 1:
                found.append(data)
        del self.bytes[:start]
        return found

    def got(self, text, sent, now, delays):
        """Counts the letters in a text."""
        for letter in text:
            number = ord(letter) - FIRST
            if 0 <= number < LETTERS and not self.letters[number]:
                self.letters[number] = 1
                self.count += 1
                delays.append(now - sent[number])


class Editor(Client):
    """A client of mode `edits` that has at most one edit in flight."""

    def __init__(self, port, number, token, note):
        super().__init__(port, f"Sec-WebSocket-Protocol: hub.notes.v1\r\nAuthorization: Bearer {token}\r\n")
        self.note, self.number, self.sequence, self.version, self.length = note, 1, 0, None, 0
        self.send(json.dumps({"t": "hello", "agent": f"page{number}", "mode": "edits"}))
        self.send(json.dumps({"t": "open", "n": 1, "note": note}))

    def type(self, letter, random):
        self.number += 1
        self.is_waiting = True
        place = random.randint(0, self.length)
        self.send(json.dumps({"t": "edit", "n": self.number, "note": self.note, "field": "content", "seq": self.sequence, "base": self.version,
                              "edits": [[place, 0, letter]]}))

    def take(self, sent, now, delays):
        for data in self.frames():
            frame = json.loads(data)
            kind = frame["t"]
            if kind == "no":
                raise Failure(f"an edit was refused: {frame['code']}, {frame['message']}")
            if kind == "ack":
                self.is_waiting = False
            if kind != "text" or frame["field"] != "content":
                continue
            if "from" not in frame:
                self.length = 0
            elif frame["from"] != self.version:
                raise Failure("a text does not follow what was sent before")
            for _, deleted, inserted in frame["edits"]:
                self.length += len(inserted) - deleted
                self.got(inserted, sent, now, delays)
            self.version, self.sequence = frame["to"], max(self.sequence, frame["ack"])


class Relayed(Client):
    """A client of the peer, which gets each message of the others."""

    def __init__(self, port, *_):
        super().__init__(port)
        self.version, self.edit = [], {"t": "edit", "note": "1" * 20, "field": "content", "seq": 1, "base": ["page1", 1]}

    def type(self, letter, random):
        self.got(letter, {ord(letter) - FIRST: 0}, 0, [])
        self.send(json.dumps(self.edit | {"edits": [[random.randint(0, 1000), 0, letter]]}))

    def take(self, sent, now, delays):
        for data in self.frames():
            self.got(json.loads(data)["edits"][0][2], sent, now, delays)


class Crowd:
    """What happened to the edits of some people."""

    def __init__(self, make, process, writers, readers, rate):
        numbers = random.Random(1)
        clients = [make(number) for number in range(writers + readers)]
        poll = select.epoll()
        for client in clients:
            poll.register(client.socket, select.EPOLLIN)
        by_number = {client.socket.fileno(): client for client in clients}
        sent, self.delays = [], []

        def take(seconds):
            for number, _ in poll.poll(max(seconds, 0), 1000):
                by_number[number].take(sent, time.perf_counter(), self.delays)

        end = time.perf_counter() + PATIENCE
        while any(client.version is None for client in clients):
            take(0.1)
            if time.perf_counter() > end:
                raise Failure("a client cannot open the note")
        start = time.perf_counter()
        busy = cpu(process)
        due = [(start + numbers.random() / rate, number) for number in range(writers)]
        heapq.heapify(due)
        self.late = 0
        while due[0][0] < start + SECONDS:
            take(due[0][0] - time.perf_counter())
            while due[0][0] <= min(time.perf_counter(), start + SECONDS):
                at, number = heapq.heappop(due)
                heapq.heappush(due, (at + 1 / rate, number))
                if clients[number].is_waiting or len(sent) == LETTERS:
                    # As a page does, it goes on when the last edit is stored.
                    self.late += 1
                    continue
                sent.append(time.perf_counter())
                clients[number].type(chr(FIRST + len(sent) - 1), numbers)
        self.cpu = (cpu(process) - busy) / (time.perf_counter() - start)
        end = time.perf_counter() + PATIENCE
        while any(client.count < len(sent) for client in clients) and time.perf_counter() < end:
            take(0.05)
        self.edits, self.asked = len(sent), len(sent) + self.late
        self.missing = sum(len(sent) - client.count for client in clients)
        for client in clients:
            client.socket.close()
        time.sleep(1)
        busy = cpu(process)
        time.sleep(1)
        self.after = cpu(process) - busy
        self.delays.sort()

    @property
    def p99(self):
        return self.delays[len(self.delays) * 99 // 100]

    @property
    def words(self):
        return (f" ({self.edits:,} edits of {self.asked:,} asked for, p50 {show(statistics.median(self.delays))},"
                f" {self.missing:,} deliveries missing, CPU {self.cpu:.0%} and a second later {self.after:.0%})")


def cpu(process):
    """The seconds of the processor that a process has used."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def hub_crowd(folder, writers, readers, rate):
    port = free_port()
    environment = hub_folders(folder) | {"HUB_NOTES_SERVER_PORT": str(port), "HUB_NOTES_SERVER_SOCKET_PORT": str(port)}
    names = [f"person{number}" for number in range(ACCOUNTS)]
    tokens = [output([HUB, "notes", "server", "users", "invite", name], environment).splitlines()[0].rsplit(".", 1)[1] for name in names]
    process = subprocess.Popen([HUB, "notes", "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(process, port)
        note = json.dumps({"title": "Meeting", "content": "", "access": names, "owner": names[0]})
        output(["/usr/bin/curl", "-sf", "-H", f"Authorization: Bearer {tokens[0]}", "-H", "Content-Type: application/json", "-d", note,
                f"http://127.0.0.1:{port}/api/notes"])
        id = output([HUB, "notes", "list", "--plain=id"], environment).strip()
        return Crowd(lambda number: Editor(port, number, tokens[number % ACCOUNTS], id), process, writers, readers, rate)
    finally:
        stop(process)


def relay_crowd(writers, readers, rate):
    port = free_port()
    process = subprocess.Popen(["node", f"{HERE}/relay.js", str(port)], env=dict(os.environ, NODE_PATH="/usr/share/nodejs"))
    try:
        wait_for(process, port)
        return Crowd(lambda number: Relayed(port), process, writers, readers, rate)
    finally:
        stop(process)


def crowds(folder):
    for writers, readers, rate, most in CROWDS:
        ours, theirs = hub_crowd(f"{folder}/busy{writers}", writers, readers, rate), relay_crowd(writers, readers, rate)
        if ours.missing and not most:
            raise Failure(f"{ours.missing} deliveries are missing")
        people = f"{writers} people who type {rate} times a second" + (f" and {readers} readers" if readers else "")
        row(f"99 of 100 deliveries in a note of {people}", ours.p99, "node-ws, which only passes on", theirs.p99,
            "The commit that an edit waits for, its merge, and one frame for each reader.", note=ours.words,
            limit=(f"all delivered, 99 of 100 in {most} ms", not ours.missing and ours.p99 * 1000 <= most and ours.after < 0.05))


STEPS = [crowds]
