"""Two servers on one database behind HAProxy, nginx and Caddy at once, each with the text of docs/notes-server.md: clients are spread over both servers, and
when one is stopped, its clients are sent away while every new one finds the other. Each proxy says where a client is."""

import asyncio
import http.server
import json
import os
import re
import signal
import subprocess
import sys
import threading

from websockets.exceptions import InvalidStatus

from server import PATIENCE, Live, Server, connect, database, elsewhere, hub, invite, note

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))

from loopback import free_port  # noqa: E402

NAME = "notes.example.org"
HOME = os.environ["HOME"]
# The addresses of the two servers, their port and that of their monitors.
HOSTS, PORT, MONITOR = ["127.0.0.1", "127.0.0.2"], free_port(), free_port()

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/notes-server.md")) as file:
    MANUAL = file.read()


class Proxy:
    """One of the proxies with its text in the manual: loopback, free ports and no certificate, all else as it stands there."""

    def __init__(self, name, changes, around, words, environment=None):
        self.name, self.port = name, free_port()
        text = re.search(rf"\*\*{name}\*\*\n\n```\n(.*?)```", MANUAL, re.S).group(1)
        for written, used in changes(self.port):
            assert written in text, (name, written)
            text = text.replace(written, used)
        path = f"{HOME}/{name}.conf"
        with open(path, "w") as file:
            file.write(around.replace("MANUAL", text))
        self.log = open(f"{HOME}/{name}.log", "w")
        self.process = subprocess.Popen([word.replace("FILE", path) for word in words], stdout=self.log, stderr=self.log,
                                        env=os.environ | (environment or {}))

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.log.close()


def proxies():
    """HAProxy, nginx and Caddy."""
    return [
        Proxy("HAProxy",
              lambda port: [("bind :443 ssl crt /etc/haproxy/notes.pem", f"bind 127.0.0.1:{port}"),
                            ("127.0.0.1:3001 port 9401", f"{HOSTS[0]}:{PORT} port {MONITOR}"),
                            ("127.0.0.1:3011 port 9402", f"{HOSTS[1]}:{PORT} port {MONITOR}")],
              "MANUAL", ["/usr/sbin/haproxy", "-db", "-f", "FILE"]),
        Proxy("nginx",
              lambda port: [("listen 443 ssl;", f"listen 127.0.0.1:{port};"), ("    ssl_certificate /etc/ssl/notes.pem;\n", ""),
                            ("    ssl_certificate_key /etc/ssl/private/notes.key;\n", ""),
                            ("127.0.0.1:3001;", f"{HOSTS[0]}:{PORT};"), ("127.0.0.1:3011;", f"{HOSTS[1]}:{PORT};")],
              # What Debian's nginx.conf has around it, with folders of this test.
              f"daemon off;\npid {HOME}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
              + "".join(f"{kind}_temp_path {HOME}/nginx-{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
              + "MANUAL}\n", ["/usr/sbin/nginx", "-c", "FILE", "-e", "stderr"]),
        Proxy("Caddy",
              lambda port: [(NAME + " {", f"http://{NAME}:{port} {{\n\tbind 127.0.0.1"), ("127.0.0.1:3001 127.0.0.2:3001",
                                                                                      f"{HOSTS[0]}:{PORT} {HOSTS[1]}:{PORT}"),
                            ("health_port 9401", f"health_port {MONITOR}")],
              "{\n\tadmin off\n}\nMANUAL", ["/usr/bin/caddy", "run", "--config", "FILE", "--adapter", "caddyfile"],
              {"XDG_CONFIG_HOME": HOME + "/caddy", "XDG_DATA_HOME": HOME + "/caddy"}),
    ]


async def client(proxy, token, agent):
    socket = await connect(
        f"ws://{NAME}/", host="127.0.0.1", port=proxy.port, subprotocols=["hub.notes.v1"], compression=None, proxy=None, open_timeout=None,
        ping_timeout=None, additional_headers={"Authorization": "Bearer " + token})
    await Live(socket).hello(agent)
    return socket


async def new_client(proxy, token, agent):
    """A client that comes while a server is stopped. HAProxy and nginx try the other one for it; Caddy, once it has asked again."""
    while True:
        try:
            return await client(proxy, token, agent)
        except InvalidStatus as refused:
            assert proxy.name == "Caddy" and refused.response.status_code == 503, (proxy.name, refused)
            await asyncio.sleep(0.2)


def connections():
    return sorted(server["connections"] for server in json.loads(hub("notes", "server", "instances", "--json=connections")))


async def until(condition):
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(condition):
            await asyncio.sleep(0.05)


async def use(proxies, servers, token):
    def ask(proxy, *words, **options):
        return servers[1].ask(*words, token=token, at=f"127.0.0.1:{proxy.port}", headers={"Host": NAME}, **options)

    def is_ready(proxy):
        try:
            return ask(proxy, "GET", "/api/notes")[0] == 200
        except ConnectionRefusedError:
            # It does not listen yet.
            return False

    for proxy in proxies:
        await until(lambda: is_ready(proxy))
        made = await asyncio.to_thread(ask, proxy, "POST", "/api/notes", note("Plan", proxy.name, access=["ada"], owner="ada"))
        assert made[0] == 201, made
    old = [await client(proxy, token, f"{proxy.name}-old{number}") for proxy in proxies for number in range(2)]
    await until(lambda: connections() == [3, 3])
    servers[0].process.send_signal(signal.SIGTERM)
    ended = asyncio.create_task(asyncio.to_thread(servers[0].process.wait, PATIENCE))
    new = []
    while not ended.done():
        # Whether the proxy has seen it or not: none is turned away.
        new += [await new_client(proxy, token, f"{proxy.name}-new{len(new)}") for proxy in proxies]
        await asyncio.sleep(0.3)
    assert servers[0].process.returncode == 0
    await until(lambda: sum(socket.close_code is not None for socket in old) == 3)
    assert {socket.close_code for socket in old} == {None, 1001}
    assert all(socket.close_code is None for socket in new) and len(new) >= 3
    await until(lambda: connections() == [3 + len(new)])


class Recorder(http.server.BaseHTTPRequestHandler):
    """A server in the place of the first one, which records what proxies tell it."""

    seen = []

    def do_GET(self):
        self.seen.append((self.path, self.headers["Host"], self.headers["X-Forwarded-For"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def look(proxies, server):
    """What a server is told of a client that is elsewhere."""
    listeners = [http.server.ThreadingHTTPServer((HOSTS[0], port), Recorder) for port in (PORT, MONITOR)]
    for listener in listeners:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
    for proxy in proxies:
        path = "/" + proxy.name

        async def is_told():
            await until(lambda: server.ask("GET", path, at=f"127.0.0.1:{proxy.port}", source="127.0.0.9", headers={"Host": NAME})[0] == 200)

        asyncio.run(is_told())
        assert (path, NAME, "127.0.0.9") in Recorder.seen, (proxy.name, Recorder.seen)
    for listener in listeners:
        listener.shutdown()


common = f'names = ["{NAME}"]\nwithout_account = "off"\ndrain_seconds = 3\nstore = "{database.url}"\n'
servers, running = [], []
try:
    for number, host in enumerate(HOSTS):
        settings = common + f'address = "{host}"\nmonitor = "{host}:{MONITOR}"\n'
        servers.append(Server(settings, (PORT,) * 2, environment=elsewhere("two") if number else os.environ))
    running = proxies()
    asyncio.run(use(running, servers, invite("ada")))
    servers[1].kill()
    look(running, servers[1])
finally:
    for proxy in running:
        proxy.end()
    for server in servers:
        if server.process.poll() is None:
            server.kill()
