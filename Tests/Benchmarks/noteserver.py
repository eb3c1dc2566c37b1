"""`hub notes serve` beside a server with the same routes over Debian's node-express, node-ws and a map in memory.

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
import time
from concurrent.futures import ThreadPoolExecutor

from measuring import HERE, HUB, Failure, free_port, hub_folders, megabytes, output, rate, row, size, stop, wait_for

NOTES = size(1000, 3)
SECONDS = size(5, 1)
CONNECTIONS = size(32, 1)
WRITERS = size(8, 1)
CLIENTS = size([100, 1000], [3])
IDLE = size(5000, 10)
# The smallest size waits between its requests.
REST = size("", "delay = function() return 100 end")


def note(number, words):
    """The body of a note; with id and punctuation it has 450 bytes."""
    return json.dumps({"title": f"Note {number}", "content": words.ljust(330, "."), "access": ["ada"], "owner": "ada"})


class Server:
    """A server in a process of its own, with some notes."""

    def __init__(self, command, environment, port, count=NOTES):
        self.port = port
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.process, port)
        connection = self.connect()
        self.ids = [self.send(connection, "POST", "", note(number, "new"))["insertedId"] for number in range(count)]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def send(self, connection, method, path, body):
        connection.request(method, f"/api/notes{path}", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        if response.status >= 300:
            raise Failure(f"{method} {path}: {response.status} {answer}")
        return answer

    def wrk(self, folder, script, connections=CONNECTIONS):
        """The requests of a run of wrk, those a second, and the 99th percentile of their times in seconds."""
        path = f"{folder}/requests.lua"
        with open(path, "w") as file:
            ids = ",".join(f'"{id}"' for id in self.ids)
            file.write(f"local ids, number = {{{ids}}}, 0\n{script}\n{REST}")
        seconds, count = SECONDS, 0
        while count == 0:
            text = output(["/usr/bin/wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", path, f"http://127.0.0.1:{self.port}"])
            if "Non-2xx" in text or "Socket errors" in text:
                raise Failure("wrk: " + [line for line in text.splitlines() if "Non-2xx" in line or "errors" in line][0].strip())
            count = int(re.search(r"(\d+) requests in", text)[1])
            # A busy machine.
            seconds *= 2
        number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
        return (count, float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
                max(float(number), 0.01) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit])

    def reads(self, folder):
        return self.wrk(folder, """
            request = function()
              number = number + 1
              return wrk.format("GET", "/api/notes/" .. ids[number % #ids + 1])
            end""")

    def writes(self, folder, connections=CONNECTIONS):
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
                raise Failure(answer.decode())
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
                        raise Failure("a client was dropped")
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
        stop(self.process)


def hub_server(folder, count=NOTES):
    port = free_port()
    environment = hub_folders(folder)
    environment |= {"HUB_NOTES_SERVER_PORT": str(port), "HUB_NOTES_SERVER_SOCKET_PORT": str(port)}
    return Server([HUB, "notes", "serve"], environment, port, count)


def node_server(count=NOTES):
    port = free_port()
    return Server(["node", f"{HERE}/noteapp.js", str(port)], dict(os.environ, NODE_PATH="/usr/share/nodejs"), port, count)


def idle(folder):
    """The memory of servers with clients that do nothing."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * IDLE)), hard))
    memory = []
    for start in [lambda: hub_server(f"{folder}/idle", 1), lambda: node_server(1)]:
        server = start()
        try:
            clients = server.sockets(IDLE)
            memory.append(server.memory())
            for client in clients:
                client.close()
        finally:
            server.stop()
    row(f"memory with {IDLE:,} idle clients", memory[0], "express, node-ws", memory[1],
        "The buffers of each connection, of libmicrohttpd and of the WebSocket.", at_most=1, show=megabytes)


def against_node(folder):
    """All of it, each measurement of both servers alternately."""
    ours, theirs = hub_server(f"{folder}/noteserver"), node_server()
    try:
        for what, measure, goal, bounds in KINDS:
            pairs = [(measure(ours, folder)[1:], measure(theirs, folder)[1:]) for _ in range(size(3, 1))]
            row(f"notes server, {what}", [first[0] for first, _ in pairs], "express, in memory", [second[0] for _, second in pairs], bounds,
                at_least=goal, show=rate("requests"), is_more_better=True)
            row(f"99 of 100 {what}", [first[1] for first, _ in pairs], "express, in memory", [second[1] for _, second in pairs], bounds, at_most=1)
        for count in CLIENTS:
            pairs = [(ours.deliveries(folder, count), theirs.deliveries(folder, count)) for _ in range(size(3, 1))]
            row(f"deliveries to {count:,} clients", [first[0] for first, _ in pairs], "node-ws", [second[0] for _, second in pairs],
                "One write of the socket for each client and message, and the rate of durable writes.", at_least=3, show=rate("messages"),
                is_more_better=True)
    finally:
        ours.stop()
        theirs.stop()


KINDS = [
    ("reads", Server.reads, 4, "One thread that reads the request, looks the note up and writes the response."),
    ("durable writes", Server.writes, 1, "The writer's statements and one fsync for all that wait. The peer changes a map in memory."),
]
STEPS = [idle, against_node]
