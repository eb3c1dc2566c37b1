"""The bootloader of a recorder as a host sees it: the secure DFU service of Nordic's SDK 17, written from the protocol's
description. It knows nothing of D-Bus; the radio is given to it.
"""

import hashlib
import struct
import zlib

SERVICE, CONTROL_POINT, PACKET, BUTTONLESS = 0xFE59, 0x8EC90001, 0x8EC90002, 0x8EC90003
COMMAND, DATA = 1, 2
CREATE, RECEIPTS, CHECKSUM, EXECUTE, SELECT = 1, 2, 3, 4, 6
SUCCESS, UNSUPPORTED, INVALID_PARAMETER, NO_RESOURCES, INVALID_OBJECT, NOT_PERMITTED, EXTENDED = 1, 2, 3, 4, 5, 8, 11
MALFORMED, OLD_FIRMWARE, OTHER_HARDWARE, NO_SIGNATURE, HASH_FAILED = 4, 5, 6, 8, 10
COMMAND_LIMIT, OBJECT_SIZE, HARDWARE = 512, 4096, 52
APPLICATION = 0

FAULTS = {
    "dfu-locked": "the recorder refuses to enter its bootloader",
    "dfu-corrupt": "a packet of an image arrives with a wrong byte",
    "dfu-lost": "a packet of an image does not arrive",
    "dfu-disconnect": "the link ends between two packets of an image",
    "dfu-signature": "the signature of an init packet is found to be wrong",
    "dfu-hardware": "the recorder is of other hardware",
}


def fields(message):
    """The fields of a message of protocol buffers, each with its last value."""
    found, place = {}, 0

    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(message):
        key = number()
        if key & 7 == 0:
            found[key >> 3] = number()
        elif key & 7 == 2:
            size = number()
            found[key >> 3] = message[place : place + size]
            place += size
        else:
            raise ValueError(key)
    return found


class InitPacket:
    def __init__(self, packet):
        packet = fields(packet)
        self.is_signed = 2 in packet
        command = fields(fields(packet[2])[1] if self.is_signed else packet[1])
        init = fields(command[2])
        self.version, self.hardware, self.kind = init.get(1, 0), init.get(2, HARDWARE), init.get(4, APPLICATION)
        self.size = sum(init.get(number, 0) for number in (5, 6, 7))
        self.hash = bytes(reversed(fields(init[8])[2])) if 8 in init else None


class Bootloader:
    """What is received is in flash, so it stays when the link ends. `radio` is as for the recorder."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.number, self.settings, self.random, self.faults = recorder.number, recorder.settings, recorder.random, recorder.faults
        head, last = recorder.address[:15], int(recorder.address[15:], 16)
        self.address = head + "%02X" % ((last + 1) % 256)
        self.name = self.advertised_name = "dictofun_btld"
        self.battery, self.bonds, self.session = None, 0, 0
        self.radio = None
        self.is_powered = self.is_connected = self.is_encrypted = False
        self.subscribed = set()
        self.packet_count = 0
        self._forget()

    def _forget(self):
        self.command, self.command_size, self.init = b"", 0, None
        self.kind, self.data, self.executed, self.object_size = COMMAND, b"", 0, 0

    def services(self):
        return [(SERVICE, {CONTROL_POINT: ["write", "notify"], PACKET: ["write-without-response"]})]

    # -- Power and links

    def start(self):
        self.is_powered = True
        self.radio.changed()

    def connect(self):
        if not self.is_powered or self.is_connected:
            return False
        self.is_connected = True
        self.session += 1
        return True

    def disconnected(self):
        self.is_connected = False
        self.subscribed.clear()
        self.session += 1

    def happens(self, fault):
        return fault in self.faults and self.random.random() < self.faults[fault]

    # -- Requests

    def write(self, characteristic, value):
        if characteristic == PACKET:
            return self._receive(value)
        if CONTROL_POINT not in self.subscribed or not value:
            return
        answer = self._answer(value[0], value[1:])
        session = self.session
        self.radio.later(0.002, lambda: session == self.session and self.radio.notify(CONTROL_POINT, b"\x60" + value[:1] + answer))

    def _receive(self, packet):
        self.packet_count += 1
        if len(packet) > self.settings.mtu - 3:
            return
        if self.kind == COMMAND:
            if len(self.command) + len(packet) <= self.command_size:
                self.command += packet
            return
        if self.happens("dfu-disconnect"):
            return self.radio.disconnect("fault")
        if self.happens("dfu-lost"):
            return
        if self.happens("dfu-corrupt"):
            packet = packet[:-1] + bytes([packet[-1] ^ 0x40])
        if len(self.data) + len(packet) <= self.executed + self.object_size:
            self.data += packet

    def _answer(self, opcode, rest):
        done = bytes([SUCCESS])
        if opcode == RECEIPTS:
            return done
        if opcode == CREATE and len(rest) == 5:
            return self._create(*struct.unpack("<BI", rest))
        if opcode == CHECKSUM:
            return done + self._state()
        if opcode == EXECUTE:
            return self._execute_command() if self.kind == COMMAND else self._execute_data()
        if opcode == SELECT and len(rest) == 1:
            if rest[0] not in (COMMAND, DATA):
                return bytes([INVALID_PARAMETER])
            self.kind = rest[0]
            return done + struct.pack("<I", COMMAND_LIMIT if self.kind == COMMAND else OBJECT_SIZE) + self._state()
        return bytes([UNSUPPORTED])

    def _state(self):
        received = self.command if self.kind == COMMAND else self.data
        return struct.pack("<II", len(received), zlib.crc32(received))

    def _create(self, kind, size):
        if kind == COMMAND:
            if not 0 < size <= COMMAND_LIMIT:
                return bytes([NO_RESOURCES])
            self._forget()
            self.command_size = size
            return bytes([SUCCESS])
        if kind != DATA or size == 0:
            return bytes([INVALID_PARAMETER])
        if self.init is None:
            return bytes([NOT_PERMITTED])
        self.kind = DATA
        # What was received of an object that is not executed goes.
        self.data = self.data[: self.executed]
        is_last = self.executed + size == self.init.size
        if size > OBJECT_SIZE or (size != OBJECT_SIZE and not is_last):
            return bytes([INVALID_PARAMETER])
        if self.executed + size > self.init.size:
            return bytes([NOT_PERMITTED])
        self.object_size = size
        return bytes([SUCCESS])

    def _execute_command(self):
        if not self.command or len(self.command) != self.command_size:
            return bytes([NOT_PERMITTED])
        try:
            init = InitPacket(self.command)
        except (IndexError, KeyError, TypeError, ValueError):
            return bytes([EXTENDED, MALFORMED])
        if not init.is_signed:
            return bytes([EXTENDED, NO_SIGNATURE])
        if self.happens("dfu-signature"):
            return bytes([INVALID_OBJECT])
        if init.hardware != HARDWARE or self.happens("dfu-hardware"):
            return bytes([EXTENDED, OTHER_HARDWARE])
        if init.kind == APPLICATION and init.version < self.recorder.firmware_version:
            return bytes([EXTENDED, OLD_FIRMWARE])
        self.init = init
        return bytes([SUCCESS])

    def _execute_data(self):
        if self.init is None or not self.object_size or len(self.data) != self.executed + self.object_size:
            return bytes([NOT_PERMITTED])
        self.executed, self.object_size = len(self.data), 0
        if self.executed < self.init.size:
            return bytes([SUCCESS])
        init, image = self.init, self.data
        self._forget()
        if init.hash is not None and hashlib.sha256(image).digest() != init.hash:
            return bytes([EXTENDED, HASH_FAILED])
        self.recorder.installed.append((init.kind, image))
        if init.kind == APPLICATION:
            self.recorder.firmware_version = init.version
        session = self.session
        self.radio.later(0.02, lambda: self._restart(session, init.kind))
        return bytes([SUCCESS])

    def _restart(self, session, kind):
        """The device starts again with what it received. The bootloader waits for an application after other images."""
        if self.session == session:
            self.radio.disconnect("restart")
        if kind == APPLICATION:
            self.is_powered = False
            self.recorder.switch_on()
        else:
            self.start()
