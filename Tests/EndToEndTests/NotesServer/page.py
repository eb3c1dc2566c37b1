"""The WebSocket of hub's page, beside `hub serve`: only with the cookie, the key and the origin of the page."""

import asyncio
import json

from websockets.exceptions import InvalidStatus

from pages import log_in, open_socket
from server import Live, hub


async def main():
    cookie, key = log_in()
    for options in (
            dict(), dict(cookie=cookie), dict(key=key), dict(cookie=cookie, key="0" * 26),
            dict(cookie=cookie, key=key, origin=None), dict(cookie=cookie, key=key, origin="http://evil.example"),
            dict(cookie=cookie, key=key, origin="http://127.0.0.1:1")):
        try:
            async with open_socket(**options):
                raise AssertionError(f"let in: {options}")
        except InvalidStatus as refusal:
            assert refusal.response.status_code == 403, options
    # A note of this machine, which no server serves, is edited with the person's own name.
    hub("notes", "new", "Diary", "-m", "today")
    id = json.loads(hub("notes", "list", "--json=id"))[0]["id"]
    async with open_socket(cookie, key) as socket:
        assert socket.subprotocol == "hub.notes.v1"
        page = Live(socket)
        assert (await page.hello("page-1"))["user"] == "me"
        answer, frames = await page.ask("open", id)
        text = next(frame for frame in frames if frame.get("field") == "content")
        assert answer["t"] == "ack" and text["edits"] == [[0, 0, "today"]]
        answer, _ = await page.ask(
            "edit", id, field="content", seq=0, base=text["to"], edits=[[5, 0, " was fine"]])
        assert answer["t"] == "ack"
        assert json.loads(hub("notes", "show", id, "--json"))["content"] == "today was fine"
        await asyncio.to_thread(hub, "notes", "append", id, "tomorrow")
        while (frame := await page.next("text", field="content"))["edits"] != [[14, 0, "\ntomorrow"]]:
            assert frame["ack"] == 9
        # What was typed in one go is one undo.
        hub("undo")
        hub("undo")
        assert json.loads(hub("notes", "show", id, "--json"))["content"] == "today"
        # What is typed does not disappear with a note that has just been deleted.
        await asyncio.to_thread(hub, "notes", "rm", id, "--yes")
        answer, _ = await page.ask("edit", id, field="content", seq=9, base=text["to"], edits=[[0, 0, "x"]])
        assert answer["t"] == "no" and answer["code"] == "not-found", answer
        await asyncio.to_thread(hub, "undo")
        answer, _ = await page.ask("edit", id, field="content", seq=9, base=text["to"], edits=[[0, 0, "x"]])
        assert answer["t"] == "ack", answer


asyncio.run(main())
