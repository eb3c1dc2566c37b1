#!/usr/bin/env python3
"""A server of NoteApp for tests: the original's routes, statuses, bodies and messages, with the faults that a test asks for.

REST is on one port of loopback, the WebSocket on the next one. It prints one line of JSON with the first port when it is ready, and ends when its standard input ends. As in the original the last PUT wins, missing fields become null, an id that
is not one ends the process, and so does a frame that is not JSON.

  GET    /_control/log       the requests so far, as [method, path]
  POST   /_control/faults    a list of faults for the next requests of a method:
                             {"method": "PUT", "lose": "request"|"answer"}  the connection ends before or after the effect
                             {"method": "PUT", "status": 503}               answered without effect
                             {"method": "PUT", "first": {"_id": …, …}}      another client's PUT comes directly before
  POST   /_control/notes     replaces all notes
  GET    /_control/frames    the messages of clients so far
"""
import asyncio
import json
import os
import sys

from websockets.asyncio.server import broadcast, serve

FIELDS = ("title", "content", "access", "owner")
LIMIT = 102_400


class Lost(Exception):
    pass


class NoteApp:
    def __init__(self):
        self.notes, self.sockets, self.log, self.faults, self.count = {}, set(), [], [], 0
        self.frames = []

    # MARK: REST

    async def serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                method, target, _ = head[0].split(" ")
                headers = {k.strip().lower(): v.strip() for k, v in (line.split(":", 1) for line in head[1:] if line)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                status, content, event = self.answer(method, target, headers, body)
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                kind = "text/html" if isinstance(content, bytes) else "application/json"
                writer.write(
                    f"HTTP/1.1 {status} X\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {len(data)}\r\n\r\n"
                    .encode() + (b"" if method == "HEAD" else data))
                await writer.drain()
                # The reply is written first, then the broadcast.
                if event:
                    self.broadcast(event)
        except (asyncio.IncompleteReadError, ConnectionError, Lost):
            pass
        finally:
            writer.close()

    def answer(self, method, target, headers, body):
        path = target.split("?")[0].rstrip("/").split("/")[1:] or [""]
        if path[0] == "_control":
            return self.control(method, path[1], body)
        self.log.append([method, target])
        fault = next((f for f in self.faults if f["method"] == method), None)
        if fault:
            self.faults.remove(fault)
            if fault.get("lose") == "request":
                raise Lost
            if "status" in fault:
                return fault["status"], b"fault", None
            if "first" in fault:
                self.notes[fault["first"]["_id"]] = fault["first"]
        answer = self.route(method, [part.lower() for part in path[:2]] + path[2:], headers, body)
        if fault and fault.get("lose") == "answer":
            if answer[2]:
                self.broadcast(answer[2])
            raise Lost
        return answer

    def route(self, method, path, headers, body):
        missing = f"Cannot {method} /{'/'.join(path)}".encode()
        if path[:2] != ["api", "notes"] or len(path) > 3:
            return 404, missing, None
        draft = {}
        if headers.get("content-type", "").split(";")[0] == "application/json" and body:
            if len(body) > LIMIT:
                return 413, b"PayloadTooLargeError", None
            draft = json.loads(body)
        draft = {name: draft.get(name) for name in FIELDS}
        if len(path) == 2:
            if method in ("GET", "HEAD"):
                return 200, list(self.notes.values()), None
            if method == "POST":
                self.count += 1
                id = f"{self.count:024x}"
                self.notes[id] = {"_id": id, **draft}
                return 201, {"acknowledged": True, "insertedId": id}, ("insertOne", id, draft["owner"] or "undefined")
            return 404, missing, None
        id = path[2]
        if not (len(id) == 24 and all(c in "0123456789abcdefABCDEF" for c in id)) and len(id.encode()) != 12:
            os._exit(1)
        key = id.lower()
        if method not in ("GET", "HEAD", "PUT", "DELETE"):
            return 404, missing, None
        if key not in self.notes:
            return 404, {"message": "Note not found."}, None
        if method == "PUT":
            self.notes[key] = {"_id": key, **draft}
            return 200, {"message": "Note updated successfully."}, ("update", id, draft["owner"] or "undefined")
        if method == "DELETE":
            del self.notes[key]
            return 200, {"message": "Note deleted successfully."}, ("delete", id, "")
        return 200, self.notes[key], None

    def control(self, method, name, body):
        if name == "log":
            return 200, self.log, None
        if name == "frames":
            return 200, self.frames, None
        if name == "faults":
            self.faults += json.loads(body)
        elif name == "notes":
            self.notes = {note["_id"]: note for note in json.loads(body)}
        return 200, {}, None

    # MARK: WebSocket

    def broadcast(self, event):
        broadcast(self.sockets, json.dumps(dict(zip(("method", "id", "deviceId"), event)), separators=(",", ":")))

    async def listen(self, socket):
        self.sockets.add(socket)
        try:
            async for frame in socket:
                try:
                    value = json.loads(frame)
                except ValueError:
                    os._exit(1)
                self.frames.append(value)
                broadcast(self.sockets, json.dumps(value, separators=(",", ":")))
        finally:
            self.sockets.discard(socket)


async def main():
    app = NoteApp()
    while True:
        rest = await asyncio.start_server(app.serve, "127.0.0.1", 0)
        port = rest.sockets[0].getsockname()[1]
        try:
            # The WebSocket is on the port after that of the routes, as 3001 is after 3000.
            await serve(app.listen, "127.0.0.1", port + 1).__aenter__()
            break
        except OSError:
            rest.close()
    print(json.dumps({"port": port}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
