"""Several clients of hub's protocol edit one note: they converge, resume after a drop, and a slow one is dropped."""

import asyncio
import json
import random

from websockets.exceptions import ConnectionClosed

from server import Live, Server, append, invite, note, only_note, stored

PROTOCOL = "hub.notes.v1"


class Editor(Live):
    """A client of mode `edits` that has at most one edit in flight and types nothing meanwhile."""

    def __init__(self, socket, id):
        super().__init__(socket)
        self.id, self.text, self.version, self.sequence = id, [], None, 0
        self.cursor = None

    def take(self, frame):
        if "cursor" in frame:
            self.cursor = frame["cursor"]
        if frame["t"] != "text" or frame["field"] != "content":
            return
        if "from" not in frame:
            self.text = []
        else:
            assert frame["from"] == self.version, (frame, self.version)
        for position, deleted, inserted in frame["edits"]:
            self.text[position:position + deleted] = inserted
        self.version, self.sequence = frame["to"], frame["ack"]

    async def open(self, version=None):
        answer, frames = await self.ask("open", self.id, **({"content": version} if version else {}))
        assert answer["t"] == "ack", answer
        for frame in frames:
            self.take(frame)

    async def type(self, position, deleted, text):
        answer, frames = await self.ask(
            "edit", self.id, field="content", seq=self.sequence, base=self.version, edits=[[position, deleted, text]])
        for frame in frames:
            self.take(frame)
        assert answer["t"] == "ack", answer


async def converge(server, tokens, id):
    """Two people type at once; every letter that was typed stands in the text once."""
    async with server.socket(token=tokens["ada"], protocol=PROTOCOL) as one, server.socket(
            token=tokens["bob"], protocol=PROTOCOL) as two:
        editors = [Editor(one, id), Editor(two, id)]
        for editor, name in zip(editors, "xy"):
            await editor.hello("page-" + name)
            await editor.open()

        async def write(editor, letters, seed):
            numbers = random.Random(seed)
            for letter in letters:
                await editor.type(numbers.randint(0, len(editor.text)), 0, letter)

        await asyncio.gather(write(editors[0], "abcdefghij", 1), write(editors[1], "KLMNOPQRST", 2))
        text = (await asyncio.to_thread(stored, id, server, tokens["ada"]))["content"]
        assert sorted(text) == sorted("abcdefghij" + "KLMNOPQRST"), text
        for editor in editors:
            while "".join(editor.text) != text:
                editor.take(json.loads(await editor.socket.recv()))

        # Cursors are shown to the others, and go with their client.
        await editors[0].send("at", note=id, field="content", at=[3, 5])
        shown = await editors[1].next("at", note=id)
        assert (shown["who"], shown["agent"], shown["at"]) == ("ada", "page-x", [3, 5])
        known = editors[0].version
    # One that comes back with what it knows gets what it lacks.
    await asyncio.to_thread(append, id, "from the shell", server, tokens["ada"])
    async with server.socket(token=tokens["ada"], protocol=PROTOCOL) as socket:
        editor = Editor(socket, id)
        await editor.hello("page-x")
        editor.text, editor.version = list(text), known
        await editor.open(known)
        assert "".join(editor.text) == (await asyncio.to_thread(stored, id, server, tokens["ada"]))["content"]


async def resume(server, tokens, id):
    """A client of mode `log` goes on where it was, also after the server has died."""
    async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as socket:
        client = Live(socket)
        assert (await client.hello("log-of-bob", "log"))["resync"] is False
        first = await client.next("note", note=id)
        assert first["content"] and first["owner"] == "ada"
        cursor = first["cursor"]
    server.kill()
    server = Server()
    await asyncio.to_thread(append, id, "while bob was away", server, tokens["ada"])
    async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as socket:
        client = Live(socket)
        assert (await client.hello("log-of-bob", "log", cursor))["resync"] is False
        news = await client.next("note", note=id)
        assert len(news["content"]) < len(first["content"]), "only what is new"
        cursor = news["cursor"]
        # What leads from a cursor of another store is not known, and everything comes again.
    async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as socket:
        client = Live(socket)
        assert (await client.hello("log-of-bob", "log", "other:3"))["resync"] is True
        assert (await client.next("note", note=id))["owner"] == "ada"
    # A push of events that the server has changes nothing, and a new note belongs to its maker.
    async with server.socket(token=tokens["bob"], protocol=PROTOCOL) as socket:
        client = Live(socket)
        await client.hello("log-of-bob", "log", cursor)
        answer, frames = await client.ask("open", id)
        events = next(frame for frame in frames if frame["t"] == "note")
        for _ in range(2):
            assert (await client.ask("push", id, content=events["content"]))[0]["t"] == "ack"
        made = "9z" + "0" * 17 + "1"
        answer, _ = await client.ask("push", made, content=events["content"])
        assert answer["t"] == "no" and answer["code"] == "agent-taken", "the events are another's"
    return server


async def slow(server, tokens, id):
    """A client that reads nothing costs a bounded queue: changes wait in the store, and the others are served."""
    async with server.socket(token=tokens["ada"], protocol=PROTOCOL, max_queue=1) as lazy, server.socket(
            token=tokens["bob"], protocol=PROTOCOL) as busy:
        reader = Live(lazy)
        await reader.hello("lazy")
        assert (await reader.ask("open", id))[0]["t"] == "ack"
        lazy.transport.pause_reading()
        editor = Editor(busy, id)
        await editor.hello("busy")
        await editor.open()
        for number in range(12):
            await editor.type(0, 0, str(number % 10) * 100_000)
        lazy.transport.resume_reading()
        # It gets fewer frames, not less text.
        text = None
        while text != editor.version:
            frame = await reader.next("text", field="content")
            text = frame["to"]


server = Server()
try:
    tokens = {name: invite(name) for name in ("ada", "bob")}
    made = asyncio.run(
        server.json("POST", "/api/notes", note("Plan", "", access=["ada", "bob"]), token=tokens["ada"]))
    assert made[0] == 201
    id = only_note()
    asyncio.run(converge(server, tokens, id))
    server = asyncio.run(resume(server, tokens, id))
    asyncio.run(slow(server, tokens, id))
    server.stop()
finally:
    if server.process.poll() is None:
        server.kill()
