"""Each route and each frame as nobody, a stranger, a reader and the owner; what is refused changes nothing."""

import asyncio
import base64
import json
import os
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidStatus

from server import Live, database, hub, invite, note, only_note, serving

PROTOCOL = "hub.notes.v1"


def stored(id):
    """The note as its owner sees it on the server's machine, or as the database has it but for its text."""
    if database:
        return database.query(f"SELECT folder, owner, members, readers, tags, seq, deleted_at FROM hub_note WHERE id = '{id}'")
    found = json.loads(hub("notes", "show", id, "--json"))
    return {name: found.get(name) for name in ("title", "content", "tags", "folder", "access", "owner")}


async def routes(server, tokens, wire, id):
    whole = note("Plan", "text", access=["ada", "bob"], owner="ada")
    wider = note("Plan", "text", access=["ada", "bob", "eve"], owner="bob")
    before = stored(id)
    table = [
        # Method, path, body, and the statuses for nobody, eve, bob and ada.
        ("GET", "/api/notes", None, (401, 200, 200, 200)),
        ("GET", f"/api/notes/{wire}", None, (401, 403, 200, 200)),
        ("PUT", f"/api/notes/{wire}", wider, (401, 403, 403, None)),
        ("PUT", f"/api/notes/{wire}", whole, (401, 403, 200, 200)),
        ("DELETE", f"/api/notes/{wire}", None, (401, 403, 403, None)),
    ]
    for method, path, body, statuses in table:
        for name, status in zip((None, "eve", "bob", "ada"), statuses):
            if status is not None:
                answer = await server.json(method, path, body, token=tokens.get(name))
                assert answer[0] == status, (method, path, name, answer)
                if name == "eve" and method == "GET" and status == 200:
                    assert answer[1] == [], "nothing of a locked note is sent"
    assert stored(id) == before
    assert (await server.json("POST", "/api/notes", whole))[0] == 401
    for token in ("wrong" * 8, "x", tokens["ada"].upper()):
        assert (await server.json("GET", "/api/notes", token=token))[0] == 401
        try:
            async with server.socket(token=token, protocol=PROTOCOL):
                raise AssertionError("a wrong token is let in")
        except InvalidStatus as refusal:
            assert refusal.response.status_code == 401


async def frames(server, tokens, id):
    async def refused_at_once(**options):
        async with server.socket(**options) as socket:
            try:
                await socket.recv()
            except ConnectionClosed as closed:
                return closed.rcvd.code

    assert await refused_at_once(protocol=PROTOCOL) == 1008
    assert await refused_at_once() == 1008, "NoteApp's messages are for accounts now"

    # Events by an encoder: the server takes back what it sends itself.
    async with server.socket(token=tokens["ada"], protocol=PROTOCOL) as socket:
        ada = Live(socket)
        await ada.hello("agent-of-ada", "log")
        answer, sent = await ada.ask("open", id)
        events = next(frame["content"] for frame in sent if frame["t"] == "note")
        assert base64.b64decode(events).startswith(b"CRT1")
    insert = {"field": "content", "seq": 0, "base": [], "edits": [[0, 0, "forged "]]}
    requests = [
        # Kind, members, and the answers for eve and bob; None is carried out.
        ("push", {"content": events}, "locked", None),
        ("edit", insert, "locked", None),
        ("set", {"tag": ["x"]}, "locked", None),
        ("set", {"folder": "elsewhere"}, "locked", None),
        ("set", {"share": ["eve"]}, "locked", "owner-only"),
        ("set", {"unshare": ["ada"]}, "locked", "owner-only"),
        ("set", {"trash": True}, "locked", "owner-only"),
        ("open", {}, "locked", None),
        ("answer", {"who": "eve", "allow": True}, "locked", "owner-only"),
        ("unlock", {"reason": "please"}, None, "unlocked"),
    ]
    for name, column in (("eve", 2), ("bob", 3)):
        async with server.socket(token=tokens[name], protocol=PROTOCOL, at=server.rest) as socket:
            client = Live(socket)
            assert (await client.hello(f"agent-of-{name}"))["user"] == name
            for row in requests:
                before = stored(id)
                answer, sent = await client.ask(row[0], id, **row[1])
                assert answer.get("code") == row[column], (name, row, answer)
                if row[column]:
                    assert stored(id) == before, (name, row)
                    assert not any("text" in json.dumps(frame.get("edits", "")) for frame in sent), sent
            # Cursors of others' notes are told to nobody, and unknown notes are not found.
            answer, _ = await client.ask("edit", "1a" + "0" * 18, **insert)
            assert answer["code"] == "not-found"
            answer, _ = await client.ask("push", "no id", content=events)
            assert answer["code"] == "invalid"
    status, text = server.ask("GET", f"/api/notes/{id}", token=tokens["bob"])
    assert status == 200 and "forged" in text, "a member may write"

    # The request has waited for its owner, who was away.
    async with server.socket(token=tokens["ada"], protocol=PROTOCOL) as socket:
        ada = Live(socket)
        await ada.hello("agent-of-ada")
        request = await ada.next("request")
        assert (request["note"], request["who"], request["reason"]) == (id, "eve", "please")
        async with server.socket(token=tokens["eve"], protocol=PROTOCOL) as other:
            eve = Live(other)
            await eve.hello("agent-of-eve")
            assert (await ada.ask("answer", id, who="eve", allow=True))[0]["t"] == "ack"
            assert (await eve.next("note", note=id))["access"] == ["ada", "bob", "eve"]
            assert (await eve.ask("open", id))[0]["t"] == "ack"
            # An agent belongs to the account that used it first.
            answer, _ = await ada.ask("edit", id, **insert)
            assert answer["t"] == "ack"
            async with server.socket(token=tokens["eve"], protocol=PROTOCOL) as thief:
                client = Live(thief)
                await client.hello("agent-of-ada")
                assert (await client.ask("edit", id, **insert | {"seq": 100}))[0]["code"] == "agent-taken"
            # Access that is taken is told, and nothing else follows.
            assert (await ada.ask("set", id, unshare=["eve"]))[0]["t"] == "ack"
            assert (await eve.next("gone", note=id))["why"] == "locked"
            assert (await eve.ask("edit", id, **insert))[0]["code"] == "locked"

    # Frames that cannot be read end their sender's connection alone.
    async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as other:
        bob = Live(other)
        await bob.hello("agent-of-bob")
        for frame in ("", "x", "[]", '{"t":1}', '{"t":"edit","n":-1}', '{"t":"hello"}', "{" * 1000):
            async with server.socket(token=tokens["eve"], protocol=PROTOCOL) as socket:
                client = Live(socket)
                await client.hello("agent-of-eve")
                await socket.send(frame)
                try:
                    await client.next("never")
                except ConnectionClosed as closed:
                    assert closed.rcvd.code == 1008, (frame, closed)
        async with server.socket(token=tokens["eve"], protocol=PROTOCOL) as socket:
            await socket.send('{"t":"open","n":1,"note":"x"}')
            try:
                await socket.recv()
            except ConnectionClosed as closed:
                assert closed.rcvd.code == 1008, "hello comes first"
        assert (await bob.ask("open", id))[0]["t"] == "ack"
        # An account that is removed loses its connection.
        hub("notes", "server", "users", "rm", "bob")
        try:
            await bob.next("never")
        except ConnectionClosed as closed:
            assert closed.rcvd.code == 1008
    assert (await server.json("GET", "/api/notes", token=tokens["bob"]))[0] == 401


with serving() as server:
    tokens = {name: invite(name) for name in ("ada", "bob", "eve")}
    made = asyncio.run(
        server.json("POST", "/api/notes", note("Plan", "text", access=["ada", "bob"]), token=tokens["ada"]))
    assert made[0] == 201
    id = only_note()
    assert database or stored(id)["owner"] == "ada", stored(id)
    asyncio.run(routes(server, tokens, made[1]["insertedId"], id))
    asyncio.run(frames(server, tokens, id))
    # No token is on the disk.
    folders = [os.environ["HOME"]] + ([database.folder] if database else [])
    for path in (path for folder in folders for path in Path(folder).rglob("*") if path.is_file()):
        data = path.read_bytes()
        assert not any(token.encode() in data for token in tokens.values()), path
