"""Two servers on one database behind HAProxy, with the text of docs/notes-server.md: clients are spread over both, and when one is stopped, its
clients are sent away while every new one finds the other."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys

from server import PATIENCE, Live, Server, connect, database, elsewhere, hub, invite, note

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/notes-server.md")
NAME = "notes.example.org"

front, ports, monitors = free_port(), [free_port(), free_port()], [free_port(), free_port()]
with open(MANUAL) as file:
    settings = re.search(r"\*\*HAProxy\*\*\n\n```\n(.*?)```", file.read(), re.S).group(1)
# Loopback, free ports and no certificate: all else is as it stands there.
for written, used in [("bind :443 ssl crt /etc/haproxy/notes.pem", f"bind 127.0.0.1:{front}"),
                      ("127.0.0.1:3001 port 9401", f"127.0.0.1:{ports[0]} port {monitors[0]}"),
                      ("127.0.0.1:3011 port 9402", f"127.0.0.1:{ports[1]} port {monitors[1]}")]:
    assert written in settings, written
    settings = settings.replace(written, used)
path = os.environ["HOME"] + "/haproxy.cfg"
with open(path, "w") as file:
    file.write(settings)


async def client(token, agent):
    socket = await connect(
        f"ws://{NAME}/", host="127.0.0.1", port=front, subprotocols=["hub.notes.v1"], compression=None, proxy=None, open_timeout=None,
        ping_timeout=None, additional_headers={"Authorization": "Bearer " + token})
    await Live(socket).hello(agent)
    return socket


def connections():
    return sorted(server["connections"] for server in json.loads(hub("notes", "server", "instances", "--json=connections")))


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(condition):
            await asyncio.sleep(0.05)


async def use(servers, token):
    # Both are asked for whether they are ready before clients come.
    through = servers[1]

    def is_ready():
        try:
            status, _ = through.ask("GET", "/api/notes", token=token, at=f"127.0.0.1:{front}", headers={"Host": NAME})
        except ConnectionRefusedError:
            # It does not listen yet.
            return False
        return status == 200

    await until(is_ready)
    made = await through.json("POST", "/api/notes", note("Plan", "text", access=["ada"], owner="ada"), token=token, at=f"127.0.0.1:{front}",
                              headers={"Host": NAME})
    assert made[0] == 201, made
    sockets = [await client(token, f"old{number}") for number in range(4)]
    await until(lambda: connections() == [2, 2])
    servers[0].process.send_signal(signal.SIGTERM)
    ended = asyncio.create_task(asyncio.to_thread(servers[0].process.wait, PATIENCE))
    new = 0
    while not ended.done():
        # Whether the proxy has seen it or not: none is turned away.
        sockets.append(await client(token, f"new{new}"))
        new += 1
        await asyncio.sleep(0.1)
    assert servers[0].process.returncode == 0
    await until(lambda: sum(socket.close_code is not None for socket in sockets[:4]) == 2)
    assert {socket.close_code for socket in sockets} == {None, 1001}
    assert all(socket.close_code is None for socket in sockets[4:])
    await until(lambda: connections() == [2 + new])


common = f'names = ["{NAME}"]\nwithout_account = "off"\ndrain_seconds = 3\n'
servers, proxy = [], None
try:
    servers.append(Server(common + f'monitor = "127.0.0.1:{monitors[0]}"\n', (ports[0],) * 2))
    servers.append(Server(common + f'monitor = "127.0.0.1:{monitors[1]}"\nstore = "{database.url}"\n', (ports[1],) * 2,
                          environment=elsewhere("two")))
    proxy = subprocess.Popen(["/usr/sbin/haproxy", "-db", "-f", path], stderr=subprocess.DEVNULL)
    asyncio.run(use(servers, invite("ada")))
finally:
    if proxy:
        proxy.terminate()
        proxy.wait(PATIENCE)
    for server in servers:
        if server.process.poll() is None:
            server.kill()
