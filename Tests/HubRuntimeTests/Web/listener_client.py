"""Opens WebSockets at the given address, with the certificate of the given file for wss, and prints what happens."""

import asyncio
import ssl
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus


async def main(address, certificate):
    context = ssl.create_default_context(cafile=certificate) if certificate else None
    options = {"ssl": context, "compression": None, "max_size": None, "proxy": None}
    # The machine may be busy.
    options |= {"open_timeout": None, "close_timeout": None, "ping_timeout": None}
    try:
        await connect(address, **options)
    except InvalidStatus as refusal:
        print("refused", refusal.response.status_code)
    token = {"Authorization": "Bearer secret"}
    async with connect(address, additional_headers=token, **options) as socket:
        print(await socket.recv())
        await socket.send("hello")
        print(await socket.recv())
        await socket.send(bytes(300_000))
        print(len(await socket.recv()))
        try:
            await connect(address, additional_headers=token, origin="https://evil.example", **options)
        except InvalidStatus as refusal:
            print("foreign", refusal.response.status_code)
    print("closed", socket.close_code)


asyncio.run(main(sys.argv[1], sys.argv[2]))
