"""A notes server of the built program, and clients of it, for the scripts beside this one."""

import asyncio
import http.client
import json
import os
import re
import subprocess
from contextlib import contextmanager

from websockets.asyncio.client import connect

HUB = os.environ["HUB"]
# The machine may be busy.
PATIENCE = 300


def hub(*words, code=0, environment=None):
    """Runs a command and returns what it prints."""
    run = subprocess.run([HUB, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert run.returncode == code, (words, run.returncode, run.stdout, run.stderr)
    return run.stdout + run.stderr


def configure(settings="", ports=(0, 0)):
    """Writes the config file of the server; `settings` are lines of it."""
    folder = os.environ["XDG_CONFIG_HOME"] + "/hub"
    os.makedirs(folder, exist_ok=True)
    with open(folder + "/config.toml", "w") as file:
        file.write("[plugins.notes.server]\nport = %d\nsocket_port = %d\n" % ports + settings)


class Server:
    """`hub notes serve`, on free ports or given ones; `settings` are lines of the config file.

    `tls` is the context for the clients of a server with a certificate.
    """

    def __init__(self, settings="", ports=(0, 0), tls=None):
        configure(settings, ports)
        self.tls = tls
        self.process = subprocess.Popen([HUB, "notes", "serve"], stderr=subprocess.PIPE, text=True)
        line = ""
        while "listens on" not in line:
            line = self.process.stderr.readline()
            assert line, "the server ended"
        # With one port there is one address.
        addresses = re.findall(r"127\.0\.0\.1:\d+", line)
        self.rest, self.sockets = addresses[0], addresses[-1]
        assert len(addresses) == (1 if ports[0] and ports[0] == ports[1] else 2), line

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
