"""The behaviour of NoteApp's server, row by row: routes, statuses, bodies, messages, and what must leave the server alive."""

import asyncio
import gzip
import json
import zlib

from server import append, note, serving, told

UNKNOWN = "0123456789abcdef01234567"
MISSING = {"message": "Note not found."}


async def routes(server):
    assert await server.json("GET", "/api/notes") == (200, [])
    assert server.headers["Content-Type"] == "application/json; charset=utf-8"
    first, second = [
        (await server.json("POST", "/api/notes", note(title, "text") | {"_id": "ignored"}))
        for title in ("one", "two")]
    assert first[0] == 201 and first[1]["acknowledged"] is True and len(first[1]["insertedId"]) == 24
    assert list(first[1]) == ["acknowledged", "insertedId"] and first[1]["insertedId"] != "ignored"
    one, two = first[1]["insertedId"], second[1]["insertedId"]
    assert one == one.lower()

    # Insertion order, keys in the order of the original.
    status, listed = await server.json("GET", "/api/notes")
    assert (status, [found["_id"] for found in listed]) == (200, [one, two])
    assert list(listed[0]) == ["_id", "title", "content", "access", "owner"]
    for path in (f"/api/notes/{one}", f"/API/Notes/{one}/", f"/api/notes/{one.upper()}", f"/api/notes/{one}?x=1"):
        assert (await server.json("GET", path))[1] == {"_id": one} | note("one", "text"), path
    assert (await server.json("GET", f"/api/notes/{one}", at=server.sockets))[0] == 200
    for method, path in (("GET", UNKNOWN), ("PUT", UNKNOWN), ("DELETE", UNKNOWN), ("GET", "abcdefghijkl")):
        assert await server.json(method, f"/api/notes/{path}", note()) == (404, MISSING), (method, path)

    assert await server.json("PUT", f"/api/notes/{one}", note("one", "new")) == (
        200, {"message": "Note updated successfully."})
    assert (await server.json("GET", f"/api/notes/{one}"))[1]["content"] == "new"
    # The client of NoteApp sends the whole note with a DELETE.
    assert await server.json("DELETE", f"/api/notes/{two}", note("two", "text")) == (
        200, {"message": "Note deleted successfully."})
    assert await server.json("GET", f"/api/notes/{two}") == (404, MISSING)

    # HEAD, OPTIONS, conditional requests, other methods and paths.
    assert await server.json("HEAD", "/api/notes") == (200, None)
    assert await server.json("HEAD", f"/api/notes/{one}") == (200, None)
    assert await server.json("HEAD", f"/api/notes/{UNKNOWN}") == (404, None)
    assert server.ask("OPTIONS", "/api/notes") == (200, "GET,HEAD,POST") and server.headers["Allow"] == "GET,HEAD,POST"
    assert server.ask("OPTIONS", f"/api/notes/{one}")[1] == "GET,HEAD,PUT,DELETE"
    server.ask("GET", f"/api/notes/{one}")
    tag = server.headers["ETag"]
    assert tag.startswith('W/"') and server.ask("GET", f"/api/notes/{one}", headers={"If-None-Match": tag}) == (304, "")
    for method, path in (("PATCH", "/api/notes"), ("GET", "/"), ("GET", "/api/notes/a/b"), ("DELETE", "/api/notes")):
        assert server.ask(method, path)[0] == 404, (method, path)
    assert server.ask("GET", "/api/notes/%zz")[0] == 400
    return one


def refusals(server, one):
    """What the original stores as nulls, or what ends its process."""
    for raw in ("", "[1", "123", '"x"', "[]", "{}", '{"title":"only"}', '{"title":1,"content":"","access":[],"owner":""}',
                json.dumps(note() | {"access": "A"}), json.dumps(note() | {"content": None}), "[" * 5000):
        assert server.ask("PUT", f"/api/notes/{one}", raw=raw)[0] == 400, raw
        assert server.ask("POST", "/api/notes", raw=raw)[0] == 400, raw
    body = json.dumps(note())
    for type in ("text/plain", "application/vnd.api+json", "application/json; charset=latin1", None):
        assert server.ask("POST", "/api/notes", raw=body, headers={"Content-Type": type})[0] == 415, type
    for encoding, status, raw in (("gzip", 400, body), ("br", 415, body), ("gzip", 201, gzip.compress(body.encode())),
                                  ("deflate", 201, zlib.compress(body.encode())), ("gzip", 413, gzip.compress(b" " * (8 << 20)))):
        assert server.ask("POST", "/api/notes", raw=raw, headers={"Content-Encoding": encoding})[0] == status, (encoding, status)
    assert server.ask("POST", "/api/notes", note(content="x" * (5 << 20)))[0] == 413
    # The original's limit of 100 kB is gone.
    assert server.ask("POST", "/api/notes", note(content="x" * 200_000))[0] == 201
    for id in ("zzz", "%20", "1" * 25, "é" * 6, "x" * 5000):
        for method in ("GET", "PUT", "DELETE"):
            assert server.ask(method, f"/api/notes/{id.replace('é', '%C3%A9')}", note())[0] == 400, id
    status, text = server.ask("GET", "/api/notes")
    assert status == 200 and "null" not in text


async def messages(server):
    async with server.socket("/any/path?query=1") as one, server.socket() as other:
        created = (await server.json("POST", "/api/notes", note("shared", "text", owner="A")))[1]["insertedId"]
        assert await told(one, other) == {"method": "insertOne", "id": created, "deviceId": "A"}
        path = f"/api/notes/{created.upper()}"
        await server.json("PUT", path, note("shared", "more"))
        assert await told(one, other) == {"method": "update", "id": created.upper(), "deviceId": "A"}
        # A PUT that changes nothing is answered, and nobody is told; the next message is another one.
        assert (await server.json("PUT", path, note("shared", "more")))[0] == 200

        # The sender hears its own request, and a repeated one is no news.
        wish = json.dumps({"method": "accessRequest", "id": created, "deviceId": "B"})
        await one.send(wish)
        assert await told(one, other) == json.loads(wish)
        await one.send(wish)
        await one.send(json.dumps({"method": "accessRequest", "id": created, "deviceId": "C"}).encode())
        assert (await told(one, other))["deviceId"] == "C"

        # Frames that end the original, or every client of it, cost their sender an answer.
        bad = ["", "xx", "123", "[]", "{}", '{"method":"update"}', '{"method":"update","id":1,"deviceId":""}',
               json.dumps({"method": "accessRequest", "id": "zzz", "deviceId": "B"}),
               json.dumps({"method": "accessRequest", "id": UNKNOWN, "deviceId": "B"}),
               json.dumps({"method": "other", "id": created, "deviceId": "B"})]
        for frame in bad + [f"[{'[' * 2000}", b"\xff\xfe"]:
            await one.send(frame)
            answer = json.loads(await one.recv())
            assert answer["method"] == "error" and answer["id"] == answer["deviceId"] == "", frame
        for method in ("insertOne", "update", "delete"):
            await one.send(json.dumps({"method": method, "id": created, "deviceId": "A"}))
            assert json.loads(await one.recv())["method"] == "error"

        # A command of another process is told as well.
        await asyncio.to_thread(append, created, "at the end", server, title="shared")
        assert await told(one, other) == {"method": "update", "id": created, "deviceId": "A"}
        await server.json("DELETE", f"/api/notes/{created}")
        assert await told(one, other) == {"method": "delete", "id": created, "deviceId": ""}

    # An upgrade on the other port is an ordinary request.
    for path, status in (("/", 404), ("/api/notes", 200)):
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        assert server.ask("GET", path, headers=upgrade)[0] == status


with serving() as server:
    refusals(server, asyncio.run(routes(server)))
    asyncio.run(messages(server))
