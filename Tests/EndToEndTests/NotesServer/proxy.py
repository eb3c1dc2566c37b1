"""A proxy before a server: it delays bytes and cuts connections where asked to."""

import asyncio
import threading


class Proxy:
    """Two ports, of the routes and of the WebSockets, that lead to those of the same numbers on 127.0.0.1."""

    address = "127.0.0.2"

    def __init__(self, chance):
        self.chance = chance
        self.is_hostile, self.cuts = False, 0
        # The open connections of each client.
        self.open = {}
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.ports = self.listen(), self.listen()
        self.rest, self.sockets = (f"{self.address}:{port}" for port in self.ports)

    def listen(self):
        async def serve():
            listener = await asyncio.start_server(lambda *client: self.forward(*client), self.address, 0)
            return listener.sockets[0].getsockname()[1]

        return asyncio.run_coroutine_threadsafe(serve(), self.loop).result()

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
        try:
            # The server tells clients apart by their addresses.
            out = await asyncio.open_connection("127.0.0.1", port, local_addr=(client, 0))
        except OSError:
            writer.close()
            return
        # Some are cut after so many bytes of either side.
        left = [self.chance.randint(1, 4000) if self.is_hostile and self.chance.random() < 0.3 else None]

        async def copy(source, sink):
            try:
                while data := await source.read(1 << 16):
                    if self.is_hostile:
                        await asyncio.sleep(self.chance.uniform(0, 0.02))
                    if left[0] is not None and len(data) >= left[0]:
                        sink.write(data[: left[0]])
                        await sink.drain()
                        self.cuts += 1
                        break
                    if left[0] is not None:
                        left[0] -= len(data)
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            finally:
                for end in (writer, out[1]):
                    end.close()

        await asyncio.gather(copy(reader, out[1]), copy(out[0], writer))
