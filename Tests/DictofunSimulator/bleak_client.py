#!/usr/bin/env python3
"""Fetches all files of a recorder with bleak (PyPI), another program's Bluetooth client, and prints their sizes and the rate.

    bleak_client.py FOLDER      DBUS_SYSTEM_BUS_ADDRESS names the bus; each file is written to FOLDER/<id>
"""

import asyncio
import json
import pathlib
import struct
import sys
import time

from bleak import BleakClient, BleakScanner

SERVICE = "a0451001-b822-4820-8782-bd8faf68807b"


def uuid(number):
    return f"0000{number:04x}-0000-1000-8000-00805f9b34fb"


class Inbox:
    """The bytes of one kind of answer, and the wish for a number of them."""

    def __init__(self):
        self.bytes = bytearray()
        self.changed = asyncio.Event()

    def add(self, _, part):
        self.bytes += part
        self.changed.set()

    async def take(self, count):
        while len(self.bytes) < count:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 60)
        taken, self.bytes = bytes(self.bytes[:count]), self.bytes[count:]
        return taken


async def main(folder):
    device = await BleakScanner.find_device_by_filter(
        lambda device, advertisement: SERVICE in advertisement.service_uuids, timeout=30)
    if device is None:
        sys.exit("error: no recorder found")
    async with BleakClient(device) as client:
        lists, infos, data = Inbox(), Inbox(), Inbox()
        for number, inbox in ((0x1003, lists), (0x1008, lists), (0x1004, infos), (0x1005, data)):
            await client.start_notify(uuid(number), inbox.add)

        async def request(value):
            await asyncio.sleep(0.1)
            await client.write_gatt_char(uuid(0x1002), value, response=True)

        await request(b"\x01")
        count = struct.unpack("<Q", await lists.take(8))[0]
        ids = await lists.take(16 * count)
        for place in range(count):
            id = ids[16 * place : 16 * (place + 1)]
            await request(b"\x02" + id)
            size = json.loads(await infos.take(struct.unpack("<H", await infos.take(2))[0]))["s"]
            start = time.monotonic()
            if size:
                await request(b"\x03" + id)
            file = await data.take(size)
            seconds = time.monotonic() - start - 0.1
            (folder / id.decode("latin-1")).write_bytes(file)
            print(id.decode("latin-1"), size, f"{size / max(seconds, 1e-6):.0f} B/s", flush=True)


if __name__ == "__main__":
    asyncio.run(main(pathlib.Path(sys.argv[1])))
