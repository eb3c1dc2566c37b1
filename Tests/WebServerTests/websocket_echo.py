"""Talks to an echo server at the given address, and prints what comes back."""

import asyncio
import sys

from websockets.asyncio.client import connect


# The machine may be busy.
PATIENT = {"compression": None, "open_timeout": None, "close_timeout": None, "ping_timeout": None}


async def main(address):
    async with connect(address, subprotocols=["other", "echo"], max_size=None, **PATIENT) as socket:
        print("subprotocol", socket.subprotocol)
        await socket.send("grüße 🐢")
        print("text", await socket.recv())
        await socket.send(bytes(60_000))
        print("binary", len(await socket.recv()))
        await socket.send(["a", "b", "c"])
        print("fragments", await socket.recv())
        await (await socket.ping())
        print("pong")
        many = [await connect(address, **PATIENT) for _ in range(50)]
        for number, other in enumerate(many):
            await other.send(str(number))
        print("fifty", len({await other.recv() for other in many}))
        for other in many:
            await other.close()
    print("closed", socket.close_code)


asyncio.run(main(sys.argv[1]))
