"""A notes server of the built program, and clients of it, for the scripts beside this one.

Where HUB_TEST_STORE is `postgres`, the notes are in a database that the script has for itself, and otherwise in the home of the server.
"""

import asyncio
import atexit
import http.client
import json
import os
import re
import subprocess
from contextlib import contextmanager

from websockets.asyncio.client import connect

from postgres import Postgres

HUB = os.environ["HUB"]
# The machine may be busy.
PATIENCE = 300
database = Postgres() if os.environ.get("HUB_TEST_STORE") == "postgres" else None
if database:
    atexit.register(database.end)


def hub(*words, code=0, environment=None):
    """Runs a command and returns what it prints."""
    run = subprocess.run([HUB, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert run.returncode == code, (words, run.returncode, run.stdout, run.stderr)
    return run.stdout + run.stderr


def configure(settings="", ports=(0, 0), environment=os.environ):
    """Writes the config file of the server; `settings` are lines of it."""
    folder = environment["XDG_CONFIG_HOME"] + "/hub"
    if database and "store =" not in settings:
        settings += f'store = "{database.url}"\n'
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/config.toml", "w") as file:
        file.write("[plugins.notes.server]\nport = %d\nsocket_port = %d\n" % ports + settings)


class Server:
    """`hub notes serve`, on free ports or given ones; `settings` are lines of the config file.

    `tls` is the context for the clients of a server with a certificate; `environment` is that of another machine.
    """

    def __init__(self, settings="", ports=(0, 0), tls=None, environment=os.environ):
        configure(settings, ports, environment)
        self.tls = tls
        self.process = subprocess.Popen([HUB, "notes", "serve"], stderr=subprocess.PIPE, text=True, env=environment)
        line, said = "", ""
        while "listens on" not in line:
            line = self.process.stderr.readline()
            said += line
            assert line, ("the server ended", said)
        # With one port there is one address; that of the monitor comes after those of clients.
        addresses = re.findall(r"127\.0\.0\.\d+:\d+", line)
        count = 1 if ports[0] and ports[0] == ports[1] else 2
        assert len(addresses) == count + settings.count("monitor ="), line
        self.rest, self.sockets = addresses[0], addresses[count - 1]

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)

    def ask(self, method, path, body=None, token=None, source=None, at=None, headers=None, raw=None):
        """Sends a request and returns status and body; `source` is the address of the client."""
        options = {"timeout": PATIENCE, "source_address": (source, 0) if source else None}
        address = (at or self.rest).split(":")
        connection = (
            http.client.HTTPSConnection(*address, context=self.tls, **options) if self.tls
            else http.client.HTTPConnection(*address, **options))
        fields = {"Content-Type": "application/json", "Accept": "application/json"} | (headers or {})
        if token:
            fields["Authorization"] = "Bearer " + token
        data = raw if raw is not None else json.dumps(body) if body is not None else None
        connection.request(method, path, data, {name: value for name, value in fields.items() if value})
        answer = connection.getresponse()
        self.headers = dict(answer.getheaders())
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def json(self, method, path, body=None, **options):
        """The same in a thread, with the body as JSON."""

        def send():
            status, text = self.ask(method, path, body, **options)
            return status, json.loads(text) if text else None

        return asyncio.to_thread(send)

    def socket(self, path="/", token=None, protocol=None, at=None, **options):
        options = {"compression": None, "proxy": None, "max_size": None, "open_timeout": None} | options
        if self.tls:
            options["ssl"] = self.tls
        return connect(
            f"{'wss' if self.tls else 'ws'}://{at or self.sockets}{path}", subprotocols=[protocol] if protocol else None, ping_timeout=None,
            additional_headers={"Authorization": "Bearer " + token} if token else None, **options)


@contextmanager
def serving(settings=""):
    """A server that is stopped at the end."""
    server = Server(settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def invite(name):
    """The token of a new account."""
    return hub("notes", "server", "users", "invite", name).splitlines()[0].rsplit(".", 1)[1]


def elsewhere(name):
    """The environment of another machine."""
    home = os.environ["HOME"]
    other = {key: value.replace(home, home + "/" + name) for key, value in os.environ.items() if key != "PATH"}
    for key in ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        os.makedirs(other[key], mode=0o700, exist_ok=True)
    return other | {"PATH": os.environ["PATH"]}


@contextmanager
def beside(server):
    """Another server of the notes of `server`, as a process of its own; with SQLite it is the same one."""
    if not database:
        yield server
        return
    other = Server(f'store = "{database.url}"\n', environment=elsewhere("beside"))
    try:
        yield other
        other.stop()
    finally:
        if other.process.poll() is None:
            other.kill()


def append(id, text, server, token=None, title=None):
    """Adds a line to a note: on the machine of the server by a command, and with PostgreSQL by another server."""
    if not database:
        hub("notes", "append", title or id, text)
        return
    with beside(server) as other:
        found = json.loads(other.ask("GET", f"/api/notes/{id}", token=token)[1])
        found["content"] += ("\n" if found["content"] else "") + text
        assert other.ask("PUT", f"/api/notes/{id}", found, token=token)[0] == 200


def stored(id, server, token=None):
    """What the server has of a note."""
    if database:
        return json.loads(server.ask("GET", f"/api/notes/{id}", token=token)[1])
    return json.loads(hub("notes", "show", id, "--json"))


def only_note():
    """The id of the one note that there is."""
    if database:
        return database.query("SELECT id FROM hub_note")[0][0]
    return json.loads(hub("notes", "list", "--json=id"))[0]["id"]


def note(title="T", content="", access=("A",), owner="A"):
    return {"title": title, "content": content, "access": list(access), "owner": owner}


async def told(*sockets):
    """The next message of each socket, which must all be the same."""
    messages = [json.loads(await socket.recv()) for socket in sockets]
    assert all(message == messages[0] for message in messages), messages
    return messages[0]


class Live:
    """A client of hub's own protocol on an open WebSocket."""

    def __init__(self, socket):
        self.socket = socket
        self.number = 0

    async def send(self, kind, **members):
        await self.socket.send(json.dumps({"t": kind} | members))

    async def next(self, kind, **members):
        """The next frame of a kind with these members; others before it are passed over."""
        while True:
            frame = json.loads(await self.socket.recv())
            if frame["t"] == kind and all(frame.get(name) == value for name, value in members.items()):
                return frame

    async def ask(self, kind, note, **members):
        """Sends a request and returns its answer, with the frames before it."""
        self.number += 1
        await self.send(kind, n=self.number, note=note, **members)
        frames = []
        while True:
            frame = json.loads(await self.socket.recv())
            if frame["t"] in ("ack", "no") and frame["n"] == self.number:
                return frame, frames
            frames.append(frame)

    async def hello(self, agent, mode="edits", cursor=None):
        await self.send("hello", agent=agent, mode=mode, **({"cursor": cursor} if cursor else {}))
        return await self.next("welcome")
