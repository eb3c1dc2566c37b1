"""Opens encrypted WebSockets at the given address, many at once, and prints how many the server has closed."""

import asyncio
import ssl
import sys

from websockets.asyncio.client import connect


# The machine may be busy.
PATIENT = {"compression": None, "open_timeout": None, "close_timeout": None, "ping_timeout": None, "proxy": None}


async def main(address, certificate):
    context = ssl.create_default_context(cafile=certificate)

    async def one():
        socket = await connect(address, ssl=context, **PATIENT)
        await socket.wait_closed()
        return socket.close_code

    codes = []
    for _ in range(20):
        codes += await asyncio.gather(*(one() for _ in range(20)))
    print("closed", codes.count(1000))


asyncio.run(main(sys.argv[1], sys.argv[2]))
