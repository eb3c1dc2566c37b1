"""What a proxy, a service manager and Prometheus ask a server: whether it lives, whether it is ready, and what it counts."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket as sockets
import sys
import threading
import time

from websockets.exceptions import InvalidStatus

from server import Live, Server, database, elsewhere, hub, invite, note

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

port = free_port()


def ask(path, address="127.0.0.1"):
    connection = http.client.HTTPConnection(address, port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def metrics():
    """The values by their names and labels; each line is in the format of Prometheus."""
    status, text = ask("/metrics")
    assert status == 200
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) hub_notes_\w+ .+|hub_notes_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+', line), line
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")


def until(condition):
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


async def use(server, token):
    made = await server.json("POST", "/api/notes", note("Plan", "text", access=["ada"], owner="ada"), token=token)
    assert made[0] == 201
    async with server.socket(token=token, protocol="hub.notes.v1") as socket:
        client = Live(socket)
        await client.hello("agent")
        assert (await client.ask("open", "1a" + "0" * 18))[0]["code"] == "not-found"
        assert metrics()['hub_notes_connections{protocol="hub"}'] == "1.0"
        if database:
            until(lambda: json.loads(hub("notes", "server", "status", "--json"))["connections"] == 1)


async def drain(server, token):
    """SIGTERM sends clients away: first the proxy is told, then they are; what the server says meanwhile are lines of JSON."""
    async with server.socket(token=token, protocol="hub.notes.v1") as socket:
        client = Live(socket)
        await client.hello("last")
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(until, lambda: ask("/readyz")[0] == 503)
        # Those that are there are served meanwhile, and no others.
        assert ask("/healthz")[0] == 200 and (await server.json("GET", "/api/notes", token=token))[0] == 200
        assert (await client.ask("open", "1a" + "0" * 18))[0]["code"] == "not-found"
        try:
            await server.socket(token=token, protocol="hub.notes.v1")
            raise AssertionError("a new WebSocket is taken")
        except InvalidStatus as refused:
            assert refused.response.status_code == 503
        # One who asks again does not want to wait.
        server.process.send_signal(signal.SIGTERM)
        await socket.wait_closed()
    said = server.process.stderr.read().splitlines()
    assert await asyncio.to_thread(server.process.wait, 60) == 0
    lines = [json.loads(line) for line in said if line.startswith("{")]
    assert any(line["component"] == "notes" and line["level"] == "notice" and "draining" in line["message"] for line in lines), said
    # Without a proxy that looks, clients are told at once.
    server = Server()
    async with server.socket(token=token, protocol="hub.notes.v1") as socket:
        await Live(socket).hello("last")
        server.process.send_signal(signal.SIGTERM)
        await socket.wait_closed()
        assert socket.close_code == 1001 and socket.close_reason == "the server is restarting", socket.close_reason
    assert await asyncio.to_thread(server.process.wait, 60) == 0


class Manager:
    """The side of systemd of sd_notify(3)."""

    def __init__(self):
        self.said = []
        self.socket = sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM)
        self.socket.bind(os.environ["HOME"] + "/notify")
        self.environment = os.environ | {"NOTIFY_SOCKET": os.environ["HOME"] + "/notify", "WATCHDOG_USEC": "200000"}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            self.said += self.socket.recv(4096).decode().splitlines()


os.environ["HUB_LOG"] = "json"
manager = Manager()
server = Server(f'monitor = "127.0.0.1:{port}"\ndrain_seconds = 600\n', environment=manager.environment)
try:
    until(lambda: "READY=1" in manager.said and "WATCHDOG=1" in manager.said)
    assert "STOPPING=1" not in manager.said
    # Nothing of it is said on the ports of clients.
    for path in ("/healthz", "/readyz", "/metrics"):
        assert server.ask("GET", path)[0] == 404, path
    assert ask("/healthz") == (200, "ok\n") and ask("/readyz") == (200, "ready\n")
    assert ask("/api/notes")[0] == 404
    token = invite("ada")
    asyncio.run(use(server, token))
    counted = metrics()
    assert counted['hub_notes_requests_total{kind="open",result="not-found"}'] == "1"
    assert counted["hub_notes_request_seconds_count"] == "1"
    assert "ada" not in "".join(counted)
    if database:
        assert int(counted["hub_notes_commits_total"]) >= 1 and counted["hub_notes_database_up"] == "1.0"
        # A second server is counted while it runs.
        state = json.loads(hub("notes", "server", "status", "--json"))
        assert state["servers"] == 1 and state["lag"] == 0, state
        other = Server(environment=elsewhere("beside"))
        until(lambda: json.loads(hub("notes", "server", "status", "--json"))["servers"] == 2)
        other.stop()
        until(lambda: json.loads(hub("notes", "server", "status", "--json"))["servers"] == 1)
        # Without its database it lives, and is not ready.
        database.tell("stop")
        until(lambda: ask("/readyz")[0] == 503)
        assert ask("/healthz")[0] == 200
        until(lambda: metrics()["hub_notes_database_up"] == "0.0")
        database.tell("start")
        until(lambda: ask("/readyz")[0] == 200)
    asyncio.run(drain(server, token))
    until(lambda: "STOPPING=1" in manager.said)
finally:
    if server.process.poll() is None:
        server.kill()
