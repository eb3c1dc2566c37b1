#!/usr/bin/env python3
"""A fake market for tests and demonstrations: CoinGecko, CoinPaprika, status-go and its proxy on one port of loopback.

It has its own clock and its own log of requests, and every fault that a provider can have, scripted. The same seed and script
give the same answers. It prints one line of JSON with its port when it is ready.

  /api/v3/…          CoinGecko        /v1/tickers, /v1/search   CoinPaprika
  /v1/leaderboard/…  the proxy        /health, /statusgo/…, /signals   status-go

  GET  /_control/log      the requests so far; DELETE clears it; ?wait answers as soon as there is one
  GET  /_control/state    the clock, the faults that wait, the live page; ?page=N&size=N answers as soon as it is that
  POST /_control/faults   adds a fault or a list of them; DELETE clears them
  POST /_control/clock    {"advance": SECONDS}
  POST /_control/market   {"tick": N, "share": 0.3} {"move": [ID, RANK]} {"remove": ID} {"truncate": N}
  POST /_control/signal   a signal that all WebSockets get as it is
  POST /_control/limit    {"per_minute": N}: 429 for what is more, by the backend's clock; 0 for none
"""
import argparse
import asyncio
import json
import os
import struct
import sys
import time
from collections import deque
from urllib.parse import parse_qsl, urlsplit

from websockets.server import ServerProtocol

import faults as f
from market import Clock, Market
from providers import Providers
from statusgo import StatusGo, Subscriber, parse

MAXIMUM_REQUEST = 1 << 20
KEYS = ("x-cg-demo-api-key", "x-cg-pro-api-key", "authorization")


class Backend:
    def __init__(self, options, monotonic=time.monotonic):
        self.clock = Clock(monotonic, speed=options.speed, manual=options.manual_clock)
        self.market = Market(options.seed, options.tokens, options.odd_names)
        self.faults = f.Faults(json.load(open(options.script)) if options.script else [])
        self.providers = Providers(self.market, self.clock)
        self.status_go = StatusGo(self.market, self.clock, self.faults, tuple(options.intervals))
        self.limit, self.tick, self.next_tick = options.limit, options.tick, self.clock.now() + options.tick
        self.log, self.recent, self.tasks = [], deque(), set()

    async def start(self, port):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", port, limit=MAXIMUM_REQUEST)
        self.timer = asyncio.get_running_loop().create_task(self.run_timers())
        return self.server.sockets[0].getsockname()[1]

    async def stop(self):
        self.timer.cancel()
        self.server.close()
        for task in list(self.tasks):
            task.cancel()

    async def run_timers(self):
        while True:
            await asyncio.sleep(0.02)
            self.due()

    def due(self):
        if self.tick and self.clock.now() >= self.next_tick:
            self.next_tick = self.clock.now() + self.tick
            self.market.tick(self.clock.now())
        self.status_go.run_timers()

    # HTTP

    async def serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        try:
            while await self.request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        except asyncio.CancelledError:
            # The backend stops.
            pass
        finally:
            self.tasks.discard(asyncio.current_task())
            writer.close()

    async def request(self, reader, writer):
        """Serves one request; whether the connection stays."""
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:] if line)}
        body = await reader.readexactly(min(int(headers.get("content-length", 0)), MAXIMUM_REQUEST))
        url = urlsplit(target)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        if url.path.startswith("/_control/"):
            await self.awaited(query)
            status, text = self.control(method, url.path[10:], body)
            return await self.respond(writer, status, {}, text.encode())
        entry = {"number": len(self.log), "time": round(self.clock.now(), 3), "method": method, "path": url.path, "query": query,
                 "keys": [name for name in KEYS if name in headers] + [name for name in query if "api_key" in name]}
        self.log.append(entry)
        if headers.get("upgrade", "").lower() == "websocket" and url.path == "/signals":
            entry["status"] = 101
            return await self.websocket(head, reader, writer)
        request = parse(body) if method == "POST" else {}
        if url.path == "/statusgo/CallRPC":
            entry["rpc"] = request.get("method")
        fault = self.faults.take(url.path, kinds=("status", "delay", "transport", "body", "rows", "duplicate")) or {}
        entry["fault"] = {key: fault[key] for key in fault if key not in ("skip", "times")} or None
        if "delay" in fault:
            await self.wait(fault["delay"])
        kind = fault.get("transport")
        if kind in ("hang", "reset", "close"):
            return await self.break_connection(kind, reader, writer)
        status, extra, text = self.answer(method, url.path, query, request, fault)
        data = text if isinstance(text, bytes) else text.encode()
        if "body" in fault:
            data = f.break_body(fault["body"], data)
        if headers.get("if-none-match") and headers["if-none-match"] == extra.get("ETag"):
            status, data = 304, b""
        entry["status"] = status
        return await self.respond(writer, status, extra, data, kind)

    def answer(self, method, path, query, request, fault):
        if self.is_limited(path):
            return f.error_answer({"status": 429, "message": "too many requests", "reset": 60}, self.clock.now())
        if "status" in fault:
            return f.error_answer(fault, self.clock.now())
        if path == "/health":
            return 200, {}, f.dumps({"version": "fake"})
        if path == "/statusgo/CallRPC" and method == "POST":
            return 200, {}, self.status_go.rpc(request)
        if path.startswith("/statusgo/") and method == "POST":
            result = self.status_go.function(path[10:], request)
            return (501, {}, "") if result is None else (200, {}, f.dumps(result))
        found = self.providers.answer(path, query, fault)
        return found or (404, {}, f.dumps({"error": "not found"}))

    def is_limited(self, path):
        """Counts a provider's call, failed ones too, and says whether it is one too many."""
        if not path.startswith(("/api/v3/", "/v1/")):
            return False
        now = self.clock.now()
        while self.recent and now - self.recent[0] >= 60:
            self.recent.popleft()
        self.recent.append(now)
        return bool(self.limit) and len(self.recent) > self.limit

    async def wait(self, seconds):
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            await asyncio.sleep(0.01)

    async def break_connection(self, kind, reader, writer):
        if kind == "hang":
            # Until the client gives up.
            await reader.read(1)
        elif kind == "reset":
            writer.get_extra_info("socket").setsockopt(1, 13, struct.pack("ii", 1, 0))
        writer.close()
        return False

    async def respond(self, writer, status, headers, body, transport=None):
        length = len(body) + 100 if transport == "short-body" else len(body)
        head = {"Content-Type": "application/json; charset=utf-8", "Content-Length": str(length), **headers}
        text = f"HTTP/1.1 {status} -\r\n" + "".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n"
        writer.write(text.encode("latin-1"))
        if transport == "drip":
            for index in range(len(body)):
                writer.write(body[index : index + 1])
                await writer.drain()
                await asyncio.sleep(0.5)
        else:
            writer.write(body)
        await writer.drain()
        return transport is None

    async def websocket(self, head, reader, writer):
        protocol = ServerProtocol(max_size=1 << 20)
        protocol.receive_data(head)
        subscriber = Subscriber(protocol, writer)
        for event in protocol.events_received():
            protocol.send_response(protocol.accept(event))
        subscriber.flush()
        self.status_go.subscribers.add(subscriber)
        try:
            # status-go answers no pings, but websockets does; clients must not depend on either.
            while data := await reader.read(1 << 16):
                protocol.receive_data(data)
                protocol.events_received()
                subscriber.flush()
        finally:
            self.status_go.subscribers.discard(subscriber)
        return False

    # Control

    async def awaited(self, query):
        """Returns when what a command waits for is so."""
        page = [int(query[name]) for name in ("page", "size") if name in query]
        while ("wait" in query and not self.log) or (page and list(self.status_go.state()["page"] or [])[:2] != page):
            await asyncio.sleep(0.02)

    def control(self, method, name, body):
        try:
            value = json.loads(body) if body else None
            return 200, f.dumps(self.command(method, name, value))
        except (ValueError, KeyError, TypeError) as error:
            return 400, f.dumps({"error": str(error)})

    def command(self, method, name, value):
        if name == "log":
            entries = list(self.log)
            if method == "DELETE":
                self.log.clear()
            return entries
        if name == "state":
            return {"time": self.clock.now(), "tokens": len(self.market.coins), "ticks": self.market.ticks,
                    "faults": self.faults.waiting, "status_go": self.status_go.state()}
        if name == "faults":
            if method == "DELETE":
                self.faults.waiting.clear()
            else:
                for fault in value if isinstance(value, list) else [value]:
                    self.faults.add(fault)
        elif name == "clock":
            self.clock.advance(float(value["advance"]))
            self.due()
        elif name == "market":
            for _ in range(int(value.get("tick", 0))):
                self.market.tick(self.clock.now(), value.get("share", 0.3))
            if "move" in value:
                self.market.move(*value["move"])
            if "remove" in value:
                self.market.remove(value["remove"])
            if "truncate" in value:
                self.market.truncate(int(value["truncate"]))
        elif name == "signal":
            self.status_go.emit(value)
        elif name == "limit":
            self.limit = int(value["per_minute"])
        else:
            raise ValueError(f"unknown command {name}")
        return {"time": self.clock.now()}


def options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, epilog=f.HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="the port on loopback; 0 takes a free one")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the market")
    parser.add_argument("--tokens", type=int, default=500, help="the number of coins")
    parser.add_argument("--odd-names", action="store_true", help="names with emoji, escape sequences and the like")
    parser.add_argument("--tick", type=float, default=5, help="seconds between moves of the market; 0 for none")
    parser.add_argument("--intervals", type=float, nargs=2, default=(10, 1), help="seconds between updates of page and prices")
    parser.add_argument("--limit", type=int, default=0, help="calls a minute before 429; 0 for no limit")
    parser.add_argument("--speed", type=float, default=1, help="seconds of the backend's clock in a second")
    parser.add_argument("--manual-clock", action="store_true", help="the clock moves by /_control/clock alone")
    parser.add_argument("--script", help="a file with a JSON list of faults")
    parser.add_argument("--print", metavar="TARGET", help="print the answer to a GET, such as /v1/tickers, and exit")
    parser.add_argument("--self-test", action="store_true", help="check the backend over its own sockets and exit")
    return parser.parse_args(arguments)


async def main(arguments):
    backend = Backend(arguments)
    port = await backend.start(arguments.port)
    print(json.dumps({"port": port, "url": f"http://127.0.0.1:{port}"}), flush=True)
    # It ends with what has started it, also where that was killed.
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(5)


if __name__ == "__main__":
    chosen = options(sys.argv[1:])
    if chosen.self_test:
        import selftest

        sys.exit(selftest.run())
    if chosen.print:
        target = urlsplit(chosen.print)
        found = Backend(chosen).providers.answer(target.path, dict(parse_qsl(target.query)), None)
        print(found[2] if found else "")
        sys.exit(0 if found else 1)
    try:
        asyncio.run(main(chosen))
    except KeyboardInterrupt:
        pass
