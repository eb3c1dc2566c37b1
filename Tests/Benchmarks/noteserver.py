"""`hub notes serve` against a server with the same routes over Debian's node-express, node-ws and a map in memory.

Both serve whole notes on one port of loopback. Reads and writes are measured by wrk; hub's writes are durable. Deliveries are the
messages that all WebSockets got of the writes of eight clients, counted in bytes by one reader that rests between its looks, so that it
is not what is measured.
"""

import base64
import http.client
import json
import os
import re
import resource
import select
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from measuring import HERE, HUB, hub_folders, row

NOTES = 1000
SECONDS = 5
WRITERS = 8
IDLE = 5000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def note(number, words):
    """The body of a note; with id and punctuation it has 450 bytes."""
    return json.dumps({"title": f"Note {number}", "content": words.ljust(330, "."), "access": ["ada"], "owner": "ada"})


class Server:
    """A server in a process of its own, with some notes."""

    def __init__(self, command, environment, port, count=NOTES):
        self.port = port
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            try:
                self.connect().request("GET", "/api/notes")
                break
            except ConnectionRefusedError:
                if self.process.poll() is not None:
                    sys.exit(f"{command[0]} does not serve")
                time.sleep(0.05)
        connection = self.connect()
        self.ids = [self.send(connection, "POST", "", note(number, "new"))["insertedId"] for number in range(count)]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def send(self, connection, method, path, body):
        connection.request(method, f"/api/notes{path}", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 300:
            sys.exit(f"{method} {path}: {response.status} {answer}")
        return answer

    def wrk(self, folder, script, connections=32):
        """The requests of a run of wrk, those a second, and the 99th percentile of their times in milliseconds."""
        path = f"{folder}/requests.lua"
        with open(path, "w") as file:
            ids = ",".join(f'"{id}"' for id in self.ids)
            file.write(f"local ids, number = {{{ids}}}, 0\n{script}")
        output = subprocess.check_output(
            ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency", "-s", path, f"http://127.0.0.1:{self.port}"],
            text=True)
        if "Non-2xx" in output or "Socket errors" in output:
            sys.exit(output)
        number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()
        return (int(re.search(r"(\d+) requests in", output).group(1)),
                float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)),
                float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit])

    def reads(self, folder):
        return self.wrk(folder, """
            request = function()
              number = number + 1
              return wrk.format("GET", "/api/notes/" .. ids[number % #ids + 1])
            end""")

    def writes(self, folder, connections=32):
        # Each run writes what was not there before.
        return self.wrk(folder, f"local run = {time.time()}" """
            local headers = {["Content-Type"] = "application/json"}
            request = function()
              number = number + 1
              local words = "write " .. run .. " " .. number
              local body = '{"title":"Note ' .. number % #ids .. '","content":"' .. words .. string.rep(".", 330 - #words)
                .. '","access":["ada"],"owner":"ada"}'
              return wrk.format("PUT", "/api/notes/" .. ids[number % #ids + 1], headers, body)
            end""", connections)

    def sockets(self, count):
        """Opens WebSockets."""
        opened = []
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", self.port))
            key = base64.b64encode(os.urandom(16)).decode()
            client.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
            answer = b""
            while not answer.endswith(b"\r\n\r\n"):
                answer += client.recv(1)
            if b" 101 " not in answer:
                sys.exit(answer.decode())
            client.setblocking(False)
            opened.append(client)
        return opened

    def deliveries(self, folder, count):
        """Messages a second that `count` clients get, and writes a second meanwhile."""
        clients = self.sockets(count)
        poll = select.epoll()
        for client in clients:
            poll.register(client, select.EPOLLIN)
        by_number = {client.fileno(): client for client in clients}
        message = 2 + len(json.dumps({"method": "update", "id": "0" * 24, "deviceId": "ada"}, separators=(",", ":")))
        received = 0
        expected = None
        start = time.perf_counter()
        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(self.writes, folder, WRITERS)
            while expected is None or received < expected:
                # Rests, so that it takes little from the server.
                time.sleep(0.02)
                for number, _ in poll.poll(0, count):
                    piece = len(by_number[number].recv(1 << 16))
                    if piece == 0:
                        sys.exit("a client was dropped")
                    received += piece
                if expected is None and writing.done():
                    expected = writing.result()[0] * count * message
            seconds = time.perf_counter() - start
        for client in clients:
            client.close()
        return received / message / seconds, writing.result()[1]

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


def hub_server(folder, count=NOTES):
    port = free_port()
    environment = hub_folders(folder)
    environment |= {"HUB_NOTES_SERVER_PORT": str(port), "HUB_NOTES_SERVER_SOCKET_PORT": str(port)}
    return Server([HUB, "notes", "serve"], environment, port, count)


def idle(folder):
    """The memory of a server with clients that do nothing."""
    server = hub_server(f"{folder}/idle", 1)
    try:
        clients = server.sockets(IDLE)
        memory = server.memory()
        row(f"notes server, {IDLE:,} idle clients", f"{memory:.0f} MB", "-", "-", f"{memory:.0f} MB", "under 200 MB", memory < 200)
        for client in clients:
            client.close()
    finally:
        server.stop()


def against_node(folder):
    """All of it, each measurement of both servers in turn."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * IDLE)), hard))
    idle(folder)
    ours = hub_server(f"{folder}/noteserver")
    port = free_port()
    theirs = Server(["node", f"{HERE}/noteapp.js", str(port)], dict(os.environ, NODE_PATH="/usr/share/nodejs"), port)
    try:
        for what, measure, goal in [("reads", Server.reads, 4), ("durable writes", Server.writes, 1)]:
            (_, rate, late), (_, their_rate, their_late) = measure(ours, folder), measure(theirs, folder)
            row(f"notes server, {what}", f"{rate:,.0f} a second", "express, in memory", f"{their_rate:,.0f} a second",
                f"{rate / their_rate:.1f} times", f"at least {goal} times", rate >= goal * their_rate)
            row(f"notes server, p99 of {what}", f"{late:.2f} ms", "express, in memory", f"{their_late:.2f} ms",
                f"{late / their_late:.2f} times", "under 1 time", late < their_late)
        for count in [100, 1000]:
            (rate, writes), (their_rate, their_writes) = ours.deliveries(folder, count), theirs.deliveries(folder, count)
            row(f"notes server, deliveries to {count:,} clients", f"{rate:,.0f} a second", "node-ws",
                f"{their_rate:,.0f} a second", f"{rate / their_rate:.1f} times", "at least 3 times", rate >= 3 * their_rate)
            print(f"  of {writes:,.0f} durable writes a second, and of {their_writes:,.0f} in memory")
    finally:
        ours.stop()
        theirs.stop()
