"""Clients of hub's protocol that are written from docs/notes-protocol.md alone: one of mode `log`, with the encoding `CRT1` and the
order of concurrent insertions, and one of mode `edits`. They type into one note at once, at the same places, and delete what others
type; each letter that was typed and not deleted stands in the text once, in all of them and on the server."""

import asyncio
import base64
import json
import os
import random
import secrets

from server import append, invite, serving, stored

PROTOCOL = "hub.notes.v1"
SEED = int(os.environ.get("HUB_TEST_SEED") or 32)
ROUNDS = 60
BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id():
    """The id of a new note."""
    return secrets.choice(BASE32[:10]) + secrets.choice(BASE32[10:]) + "".join(secrets.choice(BASE32) for _ in range(18))


# MARK: Differences


def apply(edits, text):
    """Returns the text, a list of letters, after edits, each relative to those before it."""
    text = list(text)
    for position, deleted, inserted in edits:
        text[position : position + deleted] = inserted
    return text


class Change:
    """A change of a whole text as steps: ("keep", n), ("delete", n), ("insert", letters)."""

    def __init__(self, steps=()):
        self.steps = []
        for kind, value in steps:
            self.add(kind, value)

    @staticmethod
    def of(edits):
        change = Change()
        for position, deleted, inserted in edits:
            change = change.then(Change([("keep", position), ("insert", list(inserted)), ("delete", deleted)]))
        return change

    def add(self, kind, value):
        if not value:
            return
        at = len(self.steps)
        # At one place, what is inserted comes before what is deleted.
        if kind == "insert" and self.steps and self.steps[-1][0] == "delete":
            at -= 1
        if at and self.steps[at - 1][0] == kind:
            self.steps[at - 1] = (kind, self.steps[at - 1][1] + value)
        else:
            self.steps.insert(at, (kind, value))

    def __bool__(self):
        return any(kind != "keep" for kind, _ in self.steps)

    def edits(self):
        found, position = [], 0
        for kind, value in self.steps:
            if kind == "keep":
                position += value
            elif kind == "delete":
                found.append([position, value, ""])
            else:
                found.append([position, 0, "".join(value)])
                position += len(value)
        return found

    def pieces(self):
        """The steps one letter at a time; after the end, everything is kept."""
        for kind, value in self.steps:
            for letter in value if kind == "insert" else range(value):
                yield kind, letter
        while True:
            yield "end", None

    def then(self, other):
        """This change, and then another one of the text that it makes."""
        result, mine, theirs = Change(), self.pieces(), other.pieces()
        first, second = next(mine), next(theirs)
        while True:
            if first[0] == "delete":
                result.add("delete", 1)
                first = next(mine)
            elif second[0] == "insert":
                result.add("insert", [second[1]])
                second = next(theirs)
            elif first[0] == "end" and second[0] == "end":
                return result
            else:
                if first[0] == "insert":
                    if second[0] != "delete":
                        result.add("insert", [first[1]])
                else:
                    result.add("delete" if second[0] == "delete" else "keep", 1)
                first, second = next(mine), next(theirs)

    def over(self, other, is_first):
        """This change as one of the text that another change of the same text makes."""
        result, mine, theirs = Change(), self.pieces(), other.pieces()
        first, second = next(mine), next(theirs)
        while first[0] != "end":
            if first[0] == "insert" and (is_first or second[0] != "insert"):
                result.add("insert", [first[1]])
                first = next(mine)
            elif second[0] == "insert":
                result.add("keep", 1)
                second = next(theirs)
            else:
                if second[0] != "delete":
                    result.add(first[0], 1)
                first, second = next(mine), next(theirs)
        return result

    def applied(self, text):
        return apply(self.edits(), text)


def common(old, new):
    """The indices of equal letters of two lists in the same order, as many as there are."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if old[i] == new[j] else max(lengths[i + 1][j], lengths[i][j + 1])
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1


def minimal(old, new):
    """The smallest change from one text to another."""
    change, i, j = Change(), 0, 0
    for same_i, same_j in [*common(old, new), (len(old), len(new))]:
        change.add("insert", new[j:same_j])
        change.add("delete", same_i - i)
        change.add("keep", 1 if same_i < len(old) else 0)
        i, j = same_i + 1, same_j + 1
    return change


# MARK: Mode edits


class Text:
    """One text of a note in a client of mode `edits`: what the server is known to have, the edits in flight, the unsent ones."""

    def __init__(self):
        self.known, self.version, self.seq = [], None, 0
        self.flight, self.unsent = None, Change()

    def shown(self):
        return self.unsent.applied((self.flight or Change()).applied(self.known))

    def type(self, edits):
        self.unsent = self.unsent.then(Change.of(edits))

    def request(self):
        """The members of the next `edit`; None if there is nothing to send, or one is in flight."""
        if self.version is None or self.flight or not self.unsent:
            return None
        self.flight, self.unsent = self.unsent, Change()
        return self.members()

    def members(self):
        return {"field": "content", "seq": self.seq, "base": self.version, "edits": self.flight.edits()}

    def take(self, frame):
        """Takes in a `text`; false if it does not follow the known one."""
        if frame.get("from") not in (None, self.version, [] if self.version is None else self.version):
            return False
        edits = frame["edits"]
        if "from" in frame:
            next = apply(edits, self.known)
            change = Change.of(edits)
        else:
            next = apply(edits, [])
            change = minimal(self.known, next)
        if self.flight and frame["ack"] > self.seq:
            self.confirm(change, next)
        elif self.flight:
            flight = self.flight.over(change, False)
            change = change.over(self.flight, True)
            self.flight, self.unsent = flight, self.unsent.over(change, False)
        else:
            self.unsent = self.unsent.over(change, False)
        self.known, self.version = next, frame["to"]
        if not self.flight:
            self.seq = max(self.seq, frame["ack"])
        return True

    def confirm(self, change, next):
        """The edits in flight are stored: the unsent ones are moved to where the server has their letters."""
        # For each letter of the text with the edits in flight: where it is on the server, or None if it is gone.
        known, stored, new = [None] * len(self.known), [], 0
        old = 0
        for kind, value in change.steps + [("keep", len(self.known))]:
            if kind == "keep":
                for _ in range(min(value, len(known) - old)):
                    known[old], old, new = new, old + 1, new + 1
            elif kind == "delete":
                old += value
            else:
                for letter in value:
                    stored.append((letter, new))
                    new += 1
        own = [letter for kind, value in self.flight.steps if kind == "insert" for letter in value]
        found = dict(common(own, [letter for letter, _ in stored]))
        places, old, index = [], 0, 0
        for kind, value in self.flight.steps + [("keep", len(known))]:
            if kind == "keep":
                places += known[old : old + value]
                old += value
            elif kind == "delete":
                old += value
            else:
                for _ in value:
                    places.append(stored[found[index]][1] if index in found else None)
                    index += 1
        deleted, inserted, position = set(), [], 0
        for kind, value in self.unsent.steps:
            if kind == "keep":
                position += value
            elif kind == "delete":
                deleted |= {place for place in places[position : position + value] if place is not None}
                position += value
            else:
                before = [place for place in places[:position] if place is not None]
                inserted.append((before[-1] + 1 if before else 0, value))
        moved, at = Change(), 0
        for place in range(len(next) + 1):
            for where, letters in inserted:
                if where == place:
                    moved.add("insert", letters)
            if place < len(next):
                moved.add("delete" if place in deleted else "keep", 1)
        self.flight, self.unsent = None, moved


# MARK: Mode log


class Writer:
    def __init__(self):
        self.bytes = bytearray()

    def number(self, value):
        while value > 0x7F:
            self.bytes.append(value & 0x7F | 0x80)
            value >>= 7
        self.bytes.append(value)

    def signed(self, value):
        self.number(value << 1 if value >= 0 else (-value - 1) << 1 | 1)

    def text(self, value):
        self.number(len(value.encode()))
        self.bytes += value.encode()


class Reader:
    def __init__(self, data):
        self.data, self.next = data, 0

    def take(self, count):
        self.next += count
        return self.data[self.next - count : self.next]

    def number(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.number()
        return -(value >> 1) - 1 if value & 1 else value >> 1

    def text(self):
        return self.take(self.number()).decode()


def decode(data):
    """The events of a log, in its order: name, parents, and ("insert", position, letter) or ("delete", position)."""
    reader = Reader(data)
    assert reader.take(4) == b"CRT1"
    agents = [reader.text() for _ in range(reader.number())]
    outside = []
    for _ in range(reader.number()):
        agent = reader.number()
        outside.append((agents[agent], reader.number()))
    names, parents, ends = [], [], [0] * len(agents)
    for _ in range(reader.number()):
        agent = reader.number()
        seq = ends[agent] + reader.signed()
        count = reader.number()
        before = []
        for _ in range(reader.number()):
            value = reader.number()
            before.append(outside[value >> 1] if value & 1 else names[len(names) - 1 - (value >> 1)])
        for index in range(count):
            parents.append(before if index == 0 else [names[-1]])
            names.append((agents[agent], seq + index))
        ends[agent] = seq + count
    effects, cursor = [], 0
    for _ in range(reader.number()):
        head = reader.number()
        count, kind, first = head >> 2, head & 3, cursor + reader.signed()
        if kind == 0:
            effects += [("insert", first + index) for index in range(count)]
            cursor = first + count
        elif kind == 1:
            effects += [("delete", first)] * count
            cursor = first
        else:
            effects += [("delete", first - 1 - index) for index in range(count)]
            cursor = first - count
    letters = iter(reader.text())
    effects = [effect + (next(letters),) if effect[0] == "insert" else effect for effect in effects]
    assert reader.next == len(data) and len(effects) == len(names)
    return list(zip(names, parents, effects))


def encode(events):
    """The log of events, each after its parents."""
    agents, outside, places = [], [], {name: place for place, (name, _, _) in enumerate(events)}

    def number(values, value):
        if value not in values:
            values.append(value)
        return values.index(value)

    runs, ends = Writer(), {}
    for place, ((agent, seq), parents, _) in enumerate(events):
        # Each event may be a run of its own.
        runs.number(number(agents, agent))
        runs.signed(seq - ends.get(agent, 0))
        ends[agent] = seq + 1
        runs.number(1)
        runs.number(len(parents))
        for parent in parents:
            if parent in places:
                runs.number(2 * (place - 1 - places[parent]))
            else:
                runs.number(2 * number(outside, parent) + 1)
    names = Writer()
    for agent, seq in outside:
        names.number(number(agents, agent))
        names.number(seq)
    effects, cursor, text = Writer(), 0, ""
    for _, _, effect in events:
        effects.number(1 << 2 | (0 if effect[0] == "insert" else 1))
        effects.signed(effect[1] - cursor)
        cursor = effect[1] + (effect[0] == "insert")
        text += effect[2] if effect[0] == "insert" else ""
    log = Writer()
    log.bytes += b"CRT1"
    log.number(len(agents))
    for agent in agents:
        log.text(agent)
    for count, part in ((len(outside), names), (len(events), runs), (len(events), effects)):
        log.number(count)
        log.bytes += part.bytes
    log.text(text)
    return bytes(log.bytes)


class Log:
    """One text with its history: the letters of all events in their final order, with what is known of each."""

    class Letter:
        def __init__(self, name, letter, left, right):
            self.name, self.letter, self.left, self.right = name, letter, left, right
            # The events that delete it.
            self.deletions = set()

    def __init__(self):
        self.events, self.letters = {}, []
        self.heads, self.ancestors, self.seq = [], {}, {}

    def text(self):
        return [letter.letter for letter in self.letters if not letter.deletions]

    def add(self, name, parents, effect):
        """Takes in an event whose parents are here; one that is known changes nothing."""
        if name in self.events:
            assert self.events[name] == (sorted(parents), effect), name
            return
        past = set(parents).union(*(self.ancestors[parent] for parent in parents))
        self.events[name], self.ancestors[name] = (sorted(parents), effect), past
        self.heads = sorted([head for head in self.heads if head not in past] + [name])
        self.seq[name[0]] = max(self.seq.get(name[0], 0), name[1] + 1)
        # The text as the author of the event saw it.
        seen = [i for i, letter in enumerate(self.letters) if letter.name in past and not letter.deletions & past]
        if effect[0] == "delete":
            self.letters[seen[effect[1]]].deletions.add(name)
        else:
            self.insert(name, effect, seen, past)

    def insert(self, name, effect, seen, past):
        position, value = effect[1:]
        place = seen[position - 1] + 1 if position else 0
        left = self.letters[place - 1] if place else None
        known = next((letter for letter in self.letters[place:] if letter.name in past), None)
        right = known if known and known.left is left else None
        rank = lambda letter, none: self.letters.index(letter) if letter else none
        left_rank, right_rank = rank(left, -1), rank(right, len(self.letters))
        is_passing, at = False, place
        for i in range(place, len(self.letters)):
            other = self.letters[i]
            if other.name in past:
                break
            other_left, other_right = rank(other.left, -1), rank(other.right, len(self.letters))
            if other_left < left_rank:
                break
            if other_left == left_rank:
                if other_right == right_rank and (name[0].encode(), name[1]) < (other.name[0].encode(), other.name[1]):
                    break
                is_passing = other_right < right_rank
            if not is_passing:
                at = i + 1
        self.letters.insert(at, Log.Letter(name, value, left, right))

    def merge(self, data):
        for event in decode(data):
            self.add(*event)

    def edit(self, agent, edits):
        """Carries out edits of the own text; returns their events."""
        made = []
        for position, deleted, inserted in edits:
            for effect in [("delete", position)] * deleted + [("insert", position + i, x) for i, x in enumerate(inserted)]:
                event = ((agent, self.seq.get(agent, 0)), list(self.heads), effect)
                self.add(*event)
                made.append(event)
        return made


# MARK: Connections


class Client:
    """What both clients share: a socket, requests, and the frames that have come."""

    def __init__(self, socket, agent, random):
        self.socket, self.agent, self.random = socket, agent, random
        self.number, self.answers, self.notes, self.cursor = 0, {}, {}, None

    async def send(self, kind, note=None, **members):
        self.number += 1
        await self.socket.send(json.dumps({"t": kind, "n": self.number} | ({"note": note} if note else {}) | members))
        return self.number

    async def receive(self):
        frame = json.loads(await self.socket.recv())
        if "cursor" in frame:
            self.cursor = frame["cursor"]
        if frame["t"] in ("ack", "no"):
            assert frame["t"] == "ack", frame
            self.answers[frame["n"]] = frame
        if frame["t"] == "note" and "owner" in frame:
            self.notes[frame["note"]] = frame
        await self.take(frame)
        return frame

    async def ask(self, kind, note, **members):
        number = await self.send(kind, note, **members)
        while number not in self.answers:
            await self.receive()

    async def greet(self, mode, **members):
        await self.socket.send(json.dumps({"t": "hello", "agent": self.agent, "mode": mode} | members))
        welcome = json.loads(await self.socket.recv())
        assert welcome["t"] == "welcome" and welcome["resync"] is False, welcome
        while (await self.receive())["t"] != "cursor":
            pass

    async def create(self, title, text):
        """Creates a note by a push."""
        id = new_id()
        logs = {}
        for field, value in (("title", title), ("content", text)):
            log = Log()
            logs[field] = base64.b64encode(encode(log.edit(self.agent, [[0, 0, value]]))).decode()
        await self.ask("push", id, **logs)
        return id


class LogClient(Client):
    async def start(self, id):
        self.id, self.log, self.outgoing = id, Log(), []
        await self.greet("log")

    async def take(self, frame):
        if frame["t"] == "note" and frame["note"] == self.id and "content" in frame:
            self.log.merge(base64.b64decode(frame["content"]))

    def shown(self):
        return self.log.text()

    def type(self, edits):
        self.outgoing += self.log.edit(self.agent, edits)

    async def push(self):
        if self.outgoing:
            events, self.outgoing = self.outgoing, []
            await self.send("push", self.id, content=base64.b64encode(encode(events)).decode())

    def is_saved(self):
        return not self.outgoing and len(self.answers) == self.number


class EditsClient(Client):
    async def start(self, id):
        self.id, self.text = id, Text()
        await self.greet("edits", cursor="")
        assert id in self.notes, "an empty cursor tells of all notes"
        await self.ask("open", id)

    async def take(self, frame):
        if frame["t"] == "text" and frame["note"] == self.id and frame["field"] == "content":
            assert self.text.take(frame), frame

    def shown(self):
        return self.text.shown()

    def type(self, edits):
        self.text.type(edits)

    async def push(self):
        if members := self.text.request():
            await self.send("edit", self.id, **members)

    def is_saved(self):
        return not self.text.flight and not self.text.unsent


# MARK: The test


async def write(clients, numbers):
    """Lets the clients type, send and receive in any order; returns the letters that must be there at the end."""
    letters, typed, deleted = iter(map(chr, range(0x4E00, 0x9000))), set(), set()
    for _ in range(ROUNDS):
        client = numbers.choice(clients)
        for _ in range(numbers.randint(1, 4)):
            text = client.shown()
            if text and numbers.random() < 0.3:
                position = numbers.randrange(len(text))
                deleted.add(text[position])
                client.type([[position, 1, ""]])
            else:
                # Mostly all type at the same place.
                position = min(numbers.choice([0, 1, 1, 2, numbers.randint(0, len(text))]), len(text))
                new = "".join(next(letters) for _ in range(numbers.randint(1, 3)))
                typed |= set(new)
                client.type([[position, 0, new]])
        if numbers.random() < 0.7:
            await client.push()
        for client in clients:
            for _ in range(numbers.randint(0, 3)):
                try:
                    async with asyncio.timeout(0.002):
                        await client.receive()
                except TimeoutError:
                    break
    return typed - deleted


async def settle(clients, id, server, token):
    """Exchanges the rest; all show the server's text then."""
    for client in clients:
        while not client.is_saved():
            await client.push()
            await client.receive()
    text = (await asyncio.to_thread(stored, id, server, token))["content"]
    for client in clients:
        while "".join(client.shown()) != text:
            await client.receive()
    return text


async def run(server):
    numbers = random.Random(SEED)
    tokens = {name: invite(name) for name in ("ada", "bob")}

    def socket(name):
        return server.socket(token=tokens[name], protocol=PROTOCOL)

    async with socket("ada") as one, socket("bob") as two, socket("bob") as three, socket("ada") as four:
        ada = LogClient(one, "a-log", numbers)
        ada.id = None
        await ada.greet("log")
        id = await ada.create("Plan", "start")
        assert (await asyncio.to_thread(stored, id, server, tokens["ada"]))["title"] == "Plan"
        await ada.ask("set", id, share=["bob"])
        # The routes of NoteApp take this id too, and say their own.
        status, note = await server.json("GET", f"/api/notes/{id}", token=tokens["bob"])
        assert status == 200 and note["content"] == "start" and len(note["_id"]) == 24, note
        clients = [
            EditsClient(two, "b-edits", numbers), LogClient(three, "c-log", numbers), EditsClient(four, "d-edits", numbers)]
        for client in clients:
            await client.start(id)
            assert "".join(client.shown()) == "start"
        left = await write(clients, numbers)
        text = await settle(clients, id, server, tokens["ada"])
        assert sorted(letter for letter in text if letter > "z") == sorted(left), (SEED, text)
        # A client of mode edits creates a note as well, and goes on typing in it.
        editor = clients[0]
        made = await editor.create("", "Hello")
        editor.id, editor.text = made, Text()
        await editor.ask("open", made)
        editor.type([[5, 0, ", world"]])
        await settle([editor], made, server, tokens["bob"])
        assert (await asyncio.to_thread(stored, made, server, tokens["bob"]))["content"] == "Hello, world"
    # One that knows a cursor goes on there.
    async with socket("bob") as again:
        client = LogClient(again, "c-log", numbers)
        (client.id, client.log, client.outgoing) = (id, clients[1].log, [])
        await asyncio.to_thread(append, id, "from the shell", server, tokens["ada"])
        await client.greet("log", cursor=clients[1].cursor)
        assert "".join(client.shown()).endswith("from the shell")


with serving() as server:
    asyncio.run(run(server))
