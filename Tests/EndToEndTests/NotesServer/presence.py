"""Two machines, each with its `hub serve`: people on the page of one see the cursors of those on the page of the other.

The first machine is the notes server, the second one its client; `HUB_OTHER` is the folder of the second one, and
`HUB_OTHER_LISTEN` the address of its page.
"""

import asyncio
import json
import os

from pages import log_in, open_socket
from server import Live, hub

ADA = dict(os.environ)
BOB = {name: value.replace(ADA["HOME"], ADA["HUB_OTHER"]) for name, value in ADA.items()} | {
    "HUB_WEB_LISTEN": ADA["HUB_OTHER_LISTEN"]}


class Page(Live):
    """A page with one note open."""

    async def open(self, id):
        self.id = id
        answer, frames = await self.ask("open", id)
        assert answer["t"] == "ack", answer
        text = next(frame for frame in frames if frame.get("field") == "content")
        self.version, self.sequence = text["to"], text["ack"]

    async def show(self, *at):
        await self.send("at", note=self.id, field="content", at=at, version=self.version)

    async def type(self, position, text):
        answer, frames = await self.ask(
            "edit", self.id, field="content", seq=self.sequence, base=self.version, edits=[[position, 0, text]])
        assert answer["t"] == "ack", answer
        own = [frame for frame in frames if frame["t"] == "text"][-1]
        self.version, self.sequence = own["to"], own["ack"]

    async def cursor(self, who):
        """The next cursor of a person; None for one who has left."""
        return (await self.next("at", note=self.id, who=who)).get("at")


def prepare():
    """The server with a note that both may open, and the second machine as its client."""
    invitation = hub("notes", "server", "users", "invite", "bob").splitlines()[0].split()[-1]
    token = invitation.rsplit(".", 1)[1]
    hub("notes", "servers", "add", "home", invitation, "--token-command", "echo " + token, environment=BOB)
    hub("notes", "new", "Plan", "-m", "one two")
    hub("notes", "share", "plan", "bob")
    hub("notes", "sync", environment=BOB)
    ids = [json.loads(hub("notes", "list", "--json=id", environment=machine))[0]["id"] for machine in (ADA, BOB)]
    assert ids[0] == ids[1]
    return ids[0]


async def main():
    id = await asyncio.to_thread(prepare)
    sessions = [log_in(machine) for machine in (ADA, BOB)]
    async with open_socket(*sessions[0], environment=ADA) as here:
        ada = Page(here)
        await ada.hello("page-of-ada")
        await ada.open(id)
        async with open_socket(*sessions[1], environment=BOB) as there:
            bob = Page(there)
            assert (await bob.hello("page-of-bob"))["user"] == "bob's machine"
            await bob.open(id)
            # It is told when the daemon connects to the new server, which may be later.
            await bob.show(7, 7)
            assert await ada.cursor("bob") == [7, 7]
            await ada.show(1, 3)
            assert await bob.cursor("ada") == [1, 3]
            # The place is the same letter in both texts, whoever has written what.
            await ada.type(0, "zero ")
            await ada.show(5, 5)
            assert await bob.cursor("ada") == [5, 5]
            await bob.show(7, 7)
            assert await ada.cursor("bob") == [12, 12], "bob's page had not read what was typed"
        assert await ada.cursor("bob") is None
        # Nothing is stored: the next page of bob hears of ada when she shows herself again.
        async with open_socket(*sessions[1], environment=BOB) as there:
            bob = Page(there)
            await bob.hello("next-page-of-bob")
            await bob.open(id)
            await bob.show(0, 0)
            assert await ada.cursor("bob") == [0, 0]
            await ada.show(2, 2)
            assert await bob.cursor("ada") == [2, 2]
            await here.close()
            assert await bob.cursor("ada") is None


asyncio.run(main())
