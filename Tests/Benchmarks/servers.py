"""Several notes servers of hub on one PostgreSQL, with a durable commit for each edit that they acknowledge, beside pycrdt-websocket, which keeps
one document in memory and stores nothing. The clients are those of servers.c; all runs are on the same processors as the database and the clients.
"""

import collections
import contextlib
import hashlib
import http.client
import json
import os
import resource
import signal
import subprocess
import tempfile
import threading

from measuring import HERE, HUB, PEERS, Failure, compiled, free_port, hub_folders, rate, row, show, size, stop, wait_for

SECONDS = size(15, 1)
PATIENCE = size(60, 60)
SERVERS = size([1, 2, 3], [1, 2])
# Clients of one note, those of them who write, and the edits a second of each: at the rate of people, and more than any server stores.
CROWDS = size([(100, 20, 5), (1000, 10, 2), (3000, 5, 1)], [(6, 2, 3)])
FLOODS = size([(100, 20, 60), (1000, 10, 6), (3000, 5, 4)], [(6, 2, 9)])
# Notes, the clients of each, of which one writes, the edits a second of each writer, where 0 is as many as are acknowledged, and the
# part of its time that each server may use: in that of one that is a smaller machine of its own, the database waits for the servers.
MANY = size([(1000, 3, 2, 1), (300, 1, 0, 1), (300, 1, 0, 0.1)], [(4, 2, 2, 1), (4, 1, 0, 1), (4, 1, 0, 0.5)])
ACCOUNTS = size(10, 2)

Result = collections.namedtuple("Result", "edits deliveries p50 p99 missing after words")


class Database:
    """PostgreSQL with its default durability."""

    def __init__(self, folder):
        self.folder = tempfile.mkdtemp(dir=folder)
        os.chmod(folder, 0o755)
        self.bin = sorted(os.listdir("/usr/lib/postgresql"), key=int)[-1]
        self.bin = f"/usr/lib/postgresql/{self.bin}/bin"
        self.prefix = []
        if os.getuid() == 0:
            # It refuses to run as root.
            subprocess.run(["chown", "nobody", self.folder], check=True)
            self.prefix = ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "hub", "-A", "trust", "--no-locale", "-E", "UTF8")
        self.process = subprocess.Popen(
            [*self.prefix, f"{self.bin}/postgres", "-D", f"{self.folder}/data", "-k", self.folder, "-c", "listen_addresses=",
             "-c", "max_wal_size=4GB", "-c", "shared_buffers=128MB", "-c", "track_wal_io_timing=on"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder, "-U", "hub"], check=False).returncode:
            if self.process.poll() is not None:
                raise Failure("PostgreSQL does not start")
        self.names = 0

    def run(self, program, *words):
        return subprocess.run([*self.prefix, f"{self.bin}/{program}", *words], check=True, capture_output=True, text=True).stdout

    def query(self, sql, name="postgres"):
        text = self.run("psql", "-X", "-h", self.folder, "-U", "hub", "-d", name, "-Atq", "-F", "\t", "-c", sql)
        return [line.split("\t") for line in text.splitlines()]

    def empty(self):
        """The name of a new database."""
        self.names += 1
        self.query(f"CREATE DATABASE b{self.names}")
        return f"b{self.names}"

    def url(self, name):
        return f"postgres:///{name}?host={self.folder}&user=hub"

    def counters(self, name):
        """Commits of a database, and of all: syncs and bytes of the WAL, and the seconds that the syncs took."""
        self.query("SELECT pg_stat_force_next_flush()")
        rows = self.query("SELECT xact_commit, wal_sync, wal_bytes, wal_sync_time / 1000 FROM pg_stat_database, pg_stat_wal"
                          f" WHERE datname = '{name}'")
        return [float(value) for value in rows[0]]

    def processes(self):
        """Its process, and those that it has started and that still run."""
        numbers = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        return [self.process.pid, *map(int, numbers)]

    def end(self):
        self.process.terminate()
        self.process.wait()


def more_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


def seconds_of(processes):
    """The seconds of the processor that some processes have used, with those of their children that have ended."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


@contextlib.contextmanager
def slowed(processes, share):
    """Lets each process run for this part of the time."""
    period, over = 0.02, threading.Event()

    def pause(process):
        while not over.is_set():
            process.send_signal(signal.SIGSTOP)
            over.wait(period * (1 - share))
            process.send_signal(signal.SIGCONT)
            over.wait(period * share)

    threads = [threading.Thread(target=pause, args=[process]) for process in processes if share < 1]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def load(protocol, edits, plan):
    """What the clients of a plan saw."""
    program = compiled("servers", "-lm")
    run = subprocess.run([program, protocol, str(edits), str(SECONDS), str(PATIENCE)], input="".join(plan), capture_output=True, text=True,
                         check=False, preexec_fn=more_files, timeout=10 * PATIENCE + SECONDS)
    if run.returncode:
        raise Failure(run.stderr.strip() or f"the clients ended with {run.returncode}")
    return json.loads(run.stdout)


def result(seen, more=""):
    length = seen["seconds"]
    words = (f" ({seen['edits']:,} edits of {seen['asked']:,} asked for, p50 {show(seen['p50'])}, p99 {show(seen['p99'])}, {seen['missing']:,}"
             f" deliveries missing, {seen['refused']:,} edits sent again, the last {show(max(seen['after'], 0))} late{more})")
    return Result(seen["acknowledged"] / length, seen["deliveries"] / length, seen["p50"], seen["p99"], seen["missing"], seen["after"], words)


def make(database, name, ports, notes, accounts):
    """Accounts with their tokens, and notes; the tokens and ids of the notes, in the order of the notes."""
    tokens = [f"{number:032}" for number in range(accounts)]
    values = ",".join(rf"('\x{hashlib.sha256(token.encode()).hexdigest()}','person{number}',0)" for number, token in enumerate(tokens))
    database.query(f"INSERT INTO hub_token (hash, person, created_at) VALUES {values}; UPDATE hub_position SET accounts = accounts + 1", name)
    connection = http.client.HTTPConnection("127.0.0.1", ports[0], timeout=PATIENCE)
    for number in range(notes):
        # One note is everybody's, of several each has one account.
        names = [f"person{number}"] if notes > 1 else [f"person{other}" for other in range(accounts)]
        body = json.dumps({"title": "Meeting", "content": "", "access": names, "owner": names[0]})
        connection.request("POST", "/api/notes", body,
                           {"Authorization": f"Bearer {tokens[number]}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise Failure(f"a note is refused: {text!r}")
    connection.close()
    return tokens, [found[0] for found in database.query("SELECT id FROM hub_note ORDER BY place", name)]


def hub(folder, database, count, notes, followers, writers, edits, share=1):
    """What clients see of `count` servers: of each note `followers`, of which the first `writers` write."""
    name, processes, ports = database.empty(), [], []
    try:
        for number in range(count):
            port = free_port()
            environment = hub_folders(f"{folder}/{name}-{number}") | {
                "HUB_NOTES_SERVER_PORT": str(port), "HUB_NOTES_SERVER_SOCKET_PORT": str(port), "HUB_NOTES_SERVER_STORE": database.url(name),
                "HUB_NOTES_SERVER_WITHOUT_ACCOUNT": "off"}
            processes.append(subprocess.Popen([HUB, "notes", "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                              preexec_fn=more_files))
            wait_for(processes[-1], port)
            ports.append(port)
        accounts = notes if notes > 1 else ACCOUNTS
        tokens, ids = make(database, name, ports, notes, accounts)
        plan = []
        for note in range(notes):
            for number in range(followers):
                # Neighbours are at different servers.
                port = ports[(note + number) % count]
                token = tokens[note if notes > 1 else number % accounts]
                plan.append(f"{port} {token} {ids[note]} agent{note}x{number} {int(number < writers)}\n")
        servers = [process.pid for process in processes]
        before, busy, busy_database = database.counters(name), seconds_of(servers), seconds_of(database.processes())
        with slowed(processes, share):
            seen = load("hub", edits, plan)
        used, used_by_database = seconds_of(servers) - busy, seconds_of(database.processes()) - busy_database
        commits, syncs, size_of_wal, waited = (after - first for after, first in zip(database.counters(name), before))
        stored = max(1, seen["edits"])
        return result(seen, f"; {commits:,.0f} commits and {syncs:,.0f} syncs of {show(waited / max(1, syncs))}, {size_of_wal / stored:,.0f} B of"
                            f" WAL for each edit, the servers used {used:.1f} s, the database {used_by_database:.1f} s")
    finally:
        for process in processes:
            stop(process)


def yjs(clients, writers, edits):
    port = free_port()
    process = subprocess.Popen([f"{PEERS}/python", f"{HERE}/yjs_server.py", str(port)], stderr=subprocess.DEVNULL,
                               preexec_fn=more_files)
    try:
        wait_for(process, port)
        return result(load("yjs", edits, [f"{port} - room agent{number} {int(number < writers)}\n" for number in range(clients)]))
    finally:
        stop(process)


def servers(folder):
    database = Database(folder)
    try:
        for clients, writers, edits in CROWDS:
            theirs = yjs(clients, writers, edits)
            for count in SERVERS:
                ours = hub(folder, database, count, 1, clients, writers, edits)
                row(f"99 of 100 deliveries in one note of {clients:,} clients, {writers} of whom type {edits} times a second, {words(count)}",
                    ours.p99, "pycrdt-websocket, which stores nothing", theirs.p99,
                    "The sync of each commit, which waits for the one before.", note=ours.words + f"; the peer{theirs.words}", at_most=1,
                    limit=("all delivered", not ours.missing))
        for clients, writers, edits in FLOODS:
            theirs = yjs(clients, writers, edits)
            for count in SERVERS:
                ours = hub(folder, database, count, 1, clients, writers, edits)
                row(f"deliveries a second in one note of {clients:,} clients, {writers} of whom type {edits} times a second, {words(count)}",
                    ours.deliveries, "pycrdt-websocket, which stores nothing", theirs.deliveries,
                    "The commits of one note follow each other; a frame for each client and commit.", show=rate("deliveries"),
                    note=ours.words + f"; the peer{theirs.words}", at_least=3 if count == 1 else None, is_more_better=True,
                    limit=("all delivered, a lower p99", not ours.missing and ours.p99 <= theirs.p99))
        for notes, followers, edits, share in MANY:
            first = None
            for count in SERVERS:
                ours = hub(folder, database, count, notes, followers, 1, edits, share)
                first = first or ours
                what = f"types {edits} times a second" if edits else "types as fast as edits are stored"
                clients = f"{followers} clients, one of whom {what}" if followers > 1 else f"one client, who {what}"
                slow = f", each for {share:.0%} of the time" if share < 1 else ""
                row(f"durable edits a second in {notes:,} notes of {clients}, {words(count)}{slow}",
                    ours.edits, "one server", first.edits, "The processors, which the clients, the servers and the database share.",
                    show=rate("edits"), note=ours.words, at_least=1 if count > 1 and share < 1 else None, is_more_better=True)
    finally:
        database.end()


def words(count):
    return f"{count} server{'' if count == 1 else 's'}"


STEPS = [servers]
