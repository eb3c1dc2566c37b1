"""A second machine that joins: everything of the first one over loopback, beside vdirsyncer with its cards alone, and what goes over the wire
when nothing happens."""

import array
import os
import re
import socket
import subprocess
import threading
import time
import wave

import cards
import habits
from measuring import HUB, PEERS, Failure, free_port, hub_folders, measure, output, row, size, stop, wait_for
from sync import vdirsyncer

CONTACTS, NOTES, TASKS, RECORDS = size(10_000, 20), size(5_000, 10), size(1_000, 3), size(100, 2)
# The seconds in which the machines become quiet, and those that are counted then.
SETTLE, IDLE = size(70, 1), size(300, 2)
# How often hub looks for changes in an hour.
LOOKS = 60


class Wire:
    """A connection between two machines that counts the bytes of both directions."""

    def __init__(self, port):
        self.target, self.bytes = port, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink in [(client, server), (server, client)]:
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                self.bytes += len(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def joining(folder):
    """The first exchange with everything, and the bytes of the time after it."""
    folder = f"{folder}/machines"
    desk, laptop = hub_folders(f"{folder}/desk"), hub_folders(f"{folder}/laptop")
    port = free_port()
    wire = Wire(port)
    os.makedirs(f"{desk['XDG_CONFIG_HOME']}/hub")
    with open(f"{desk['XDG_CONFIG_HOME']}/hub/config.toml", "w") as file:
        file.write(f'[hub]\ndav.listen = "127.0.0.1:{port}"\ndav.names = ["localhost", "localhost:{wire.port}"]\n'
                   "[plugins]\ndictofun.transcribe = false\n")
    fill(f"{folder}/content", desk)
    processes = [subprocess.Popen([HUB, "serve"], env=desk, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)]
    try:
        wait_for(processes[0], port)
        address = f"http://localhost:{wire.port}"
        password = re.search(r"password\s+(\S+)", output([HUB, "devices", "add", "bench"], desk))[1]
        peer = [f"{PEERS}/vdirsyncer", "-c", vdirsyncer(f"{folder}/pair", f"{address}/contacts/all/", "bench", password), "sync"]
        line = re.search(r"hub join '([^']+)'", output([HUB, "devices", "add", "laptop", "--hub"], desk))[1]
        line = re.sub(r"//[^/]+/", f"//localhost:{wire.port}/", line)
        before = wire.bytes
        seconds = measure([HUB, "join", line, "--yes"], laptop)[0]
        joined = wire.bytes - before
        counts = [len(output([HUB, *words, "--plain=id"], laptop).split()) for words in
                  [("contacts", "list"), ("notes", "list"), ("mintee", "list"), ("dictofun", "list")]]
        if counts != [CONTACTS, NOTES, TASKS, RECORDS]:
            raise Failure(f"the second machine has {counts}")
        row(f"joining with {CONTACTS:,} contacts, {NOTES:,} notes, {TASKS:,} tasks of two years and {RECORDS} records", seconds,
            f"vdirsyncer, the {CONTACTS:,} cards alone", measure(peer)[0],
            "Each item is merged, indexed and recorded for undo on the second machine, one after the other. The peer writes a file for each card.",
            limit=("under 60 s", seconds < 60), note=f", {joined / 1e6:.1f} MB")
        before = wire.bytes
        measure(peer)
        peers = (wire.bytes - before) * LOOKS
        processes.append(subprocess.Popen([HUB, "serve"], env=laptop, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        # What is sent before both are quiet does not count.
        time.sleep(SETTLE)
        before = wire.bytes
        time.sleep(IDLE)
        if any(process.poll() is not None for process in processes):
            raise Failure("a machine ended")
        row("bytes in an hour without changes, both ways", (wire.bytes - before) * 3600 / IDLE, f"vdirsyncer, its cards alone, {LOOKS} times an hour", peers,
            "A request each minute, and a sign of life of the connection for notes.", show=lambda number: f"{number / 1000:,.0f} kB")
    finally:
        for process in processes:
            stop(process)
        wire.listener.close()


def fill(folder, environment):
    """Gives a hub what the second one gets."""
    os.makedirs(f"{folder}/notes")
    os.makedirs(f"{folder}/sounds")
    cards.write(CONTACTS, f"{folder}/cards.vcf")
    output([HUB, "contacts", "import", f"{folder}/cards.vcf"], environment)
    for number in range(NOTES):
        with open(f"{folder}/notes/Note {number}.md", "w") as file:
            file.write("\n".join(f"line {line} of note {number}, which says something of {line * number}" for line in range(20)))
    output([HUB, "notes", "import", f"{folder}/notes"], environment)
    output([HUB, "mintee", "list"], environment)
    habits.DAYS, days = 730, habits.DAYS
    try:
        habits.fill(f"{environment['HUB_DATA']}/hub.db", TASKS)
    finally:
        habits.DAYS = days
    for number in range(RECORDS):
        with wave.open(f"{folder}/sounds/memo {number}.wav", "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes(array.array("h", ((place * (number + 3)) % 9000 for place in range(80_000))).tobytes())
    output([HUB, "dictofun", "import", *(f"{folder}/sounds/memo {number}.wav" for number in range(RECORDS))], environment)


STEPS = [joining]
