"""A proxy before servers: it delays bytes and cuts connections where asked to."""

import asyncio
import os
import random
import threading

# Ports below those that connections get by themselves: one to a server that is away could get its very port, and keep it. Each process
# draws others.
ports = random.Random(os.getpid())


class Loop:
    """Listens on ports of loopback, on a thread of its own."""

    def __init__(self, chance):
        self.chance = chance
        self.is_hostile, self.cuts, self.swallowed = False, 0, 0
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def listen(self, forward, address):
        async def serve():
            while True:
                port = ports.randrange(16384, 32768)
                try:
                    await asyncio.start_server(forward, address, port)
                    return port
                except OSError:
                    continue

        return asyncio.run_coroutine_threadsafe(serve(), self.loop).result()


async def carry(proxy, client, server, longest):
    """Carries bytes both ways; some connections are cut after so many bytes of either side, `longest` at most. Some of these are half open for a
    while first: both ends think that they are connected, and nothing that they send arrives."""
    left = [proxy.chance.randint(1, longest) if proxy.is_hostile and proxy.chance.random() < 0.3 else None]
    silence = proxy.chance.uniform(0.1, 2) if proxy.chance.random() < 0.25 else 0
    is_silent = asyncio.Event()

    async def swallow():
        if not is_silent.is_set():
            is_silent.set()
            proxy.swallowed += 1
        await asyncio.sleep(silence)

    async def copy(source, sink):
        try:
            while data := await source.read(1 << 16):
                if proxy.is_hostile:
                    await asyncio.sleep(proxy.chance.uniform(0, 0.02))
                if is_silent.is_set():
                    continue
                if left[0] is not None and len(data) >= left[0]:
                    sink.write(data[: left[0]])
                    await sink.drain()
                    proxy.cuts += 1
                    if silence:
                        await swallow()
                    break
                if left[0] is not None:
                    left[0] -= len(data)
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        finally:
            for end in (client[1], server[1]):
                end.close()

    await asyncio.gather(copy(client[0], server[1]), copy(server[0], client[1]))


class Proxy(Loop):
    """Two ports, of the routes and of the WebSockets, that lead to those of the same numbers on the addresses of the servers: any of
    them that can be reached."""

    address = "127.0.0.2"

    def __init__(self, chance, servers=("127.0.0.1",)):
        super().__init__(chance)
        self.servers = servers
        # The open connections of each client.
        self.open = {}
        self.ports = self.listen(self.forward, self.address), self.listen(self.forward, self.address)
        self.rest, self.sockets = (f"{self.address}:{port}" for port in self.ports)

    def drain(self, client):
        """Waits until what a client has sent before its end is with the server."""
        while self.open.get(client):
            threading.Event().wait(0.01)

    async def forward(self, reader, writer):
        client = writer.get_extra_info("peername")[0]
        self.open[client] = self.open.get(client, 0) + 1
        try:
            await self.connect(client, reader, writer)
        finally:
            self.open[client] -= 1

    async def connect(self, client, reader, writer):
        port = writer.get_extra_info("sockname")[1]
        for server in self.chance.sample(self.servers, len(self.servers)):
            try:
                # The server tells clients apart by their addresses.
                out = await asyncio.open_connection(server, port, local_addr=(client, 0))
            except OSError:
                continue
            return await carry(self, (reader, writer), out, 4000)
        writer.close()
