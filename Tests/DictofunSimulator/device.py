"""The recorder as a host sees it: files, requests and notifications of the file transfer service, with the quirks of the
firmware and faults to switch on. It knows nothing of D-Bus; the radio is given to it.
"""

import dataclasses
import random
import struct
import time

import adpcm
import bootloader
import burst
import sound

CONTROL_POINT, FILE_LIST, FILE_INFO, FILE_DATA, STORAGE, STATUS, FILE_LIST_NEXT, PAIRING = (
    0x1002, 0x1003, 0x1004, 0x1005, 0x1006, 0x1007, 0x1008, 0x10FE)
FILE_TRANSFER, BATTERY, BATTERY_LEVEL = 0x1001, 0x180F, 0x2A19
BLOCK, PACKET, LIST_PART = 256, 200, 128
TOTAL_STORAGE = 4095 * 4096

# Each fault happens with the given chance wherever it can.
FAULTS = {
    "skip": "a packet of a file is not sent, as a battery notification between two packets does",
    "duplicate": "a packet of a file is sent twice",
    "drop-request": "a request is acknowledged and forgotten",
    "corrupt": "a request is answered with status 3",
    "locked": "the data of a file are answered with status 2",
    "gone": "the description of a file is answered with status 2",
    "short": "a file ends early, with a notification of nothing",
    "keep-alive": "status 1 comes between the packets",
    "noise": "a notification comes that belongs to no request",
    "disconnect": "the link ends between two packets",
    "write-error": "a write fails with an ATT error",
    "bad-info": "a description is not JSON",
} | bootloader.FAULTS


class ATTError(Exception):
    def __init__(self, code):
        super().__init__(f"ATT error: 0x{code:02x}")
        self.code = code


INSUFFICIENT_ENCRYPTION = 0x0F
NOT_SUBSCRIBED = 0xFD
UNLIKELY = 0x0E


@dataclasses.dataclass
class File:
    id: bytes
    data: bytes
    packets: burst.Burst = None

    def prepared(self, size):
        """The packets of the file, made once."""
        if self.packets is None:
            blocks = [min(BLOCK, len(self.data) - start) for start in range(0, len(self.data), BLOCK)]
            self.packets = burst.Burst(
                self.data, [min(size, block - start) for block in blocks for start in range(0, block, size)])
        return self.packets


@dataclasses.dataclass
class Settings:
    protocol: int = 4
    mtu: int = 247
    packet_interval: float = 0.002
    answer_delay: float = 0.005
    # The device is busy for this long after its last packet; a request in that time makes it deaf.
    finalize_window: float = 0.005
    idle_limit: float = 15.0
    power_off_delay: float = 5.0
    # The time until the device is switched on again; None leaves it off.
    power_on_delay: float = 1.0
    development: bool = False
    test_files: bool = False
    # Whether files can be read without encryption, as before the firmware of November 2023.
    is_open: bool = False


class Recorder:
    """`radio` offers later(seconds, function), notify(characteristic, bytes) -> bool, disconnect(reason), changed(), and
    burst(packets of a file, finished) -> bool: whether it sends them all, and calls finished() then.
    """

    def __init__(self, number, settings, seed):
        self.number = number
        self.settings = settings
        self.random = random.Random(seed)
        # The next address is that of its bootloader.
        self.address = "C0:DE:00:00:00:%02X" % (2 * number + 1)
        self.name, self.advertised_name = "dictofun_v1.4", "dict"
        self.radio = None
        self.files = []
        self.faults = {}
        self.battery = 72
        self.encoder = adpcm.Encoder()
        self.bonds = 0
        self.clock_offset = None
        self.is_powered = True
        self.is_connected = False
        self.is_encrypted = False
        self.subscribed = set()
        self.requests = []
        self.session = 0
        self.power = 0
        self.firmware_version = 1
        # Each image that was installed: its kind, and its bytes.
        self.installed = []
        self.bootloader = bootloader.Bootloader(self)
        self._reset()

    def _reset(self):
        self.active = None
        self.pending = []
        self.is_file_open = False
        self.is_deaf = False
        self.idle_since = 0.0
        self.last_packet = -1.0

    # -- Files

    def start_record(self, when):
        """The id of a record that begins at the given local time; without a clock it is all zeros."""
        if when is None:
            return b"0" * 16
        return ("0000%02d%02d%02d%02d%02d%02d" % (
            when.tm_year % 100, when.tm_mon % 12, when.tm_mday % 31, when.tm_hour % 24, when.tm_min % 60,
            when.tm_sec % 60)).encode()

    def add_samples(self, id, samples):
        self.files.append(File(id, self.encoder.record(samples)))

    def add_bytes(self, id, size):
        """A record of any sound: all bytes are valid ADPCM."""
        self._add(id, self.random.randbytes(size), size)

    def add_tones(self, id, size):
        """A record of some seconds of tones, again and again: what a decoder meets in records of people."""
        tones = adpcm.Encoder().encode(sound.melody(4, self.number))
        self._add(id, tones * (size // len(tones) + 1), size)

    def _add(self, id, data, size):
        self.files.append(File(id, (adpcm.DESCRIPTOR + data)[: size // 64 * 64]))
        if self._is_fast():
            self.files[-1].prepared(self._packet_size())

    def wire_id(self, file):
        if self.settings.protocol >= 3 or len(file.id) != 16:
            return file.id
        # Old firmware packs a digit pair into each byte.
        return bytes(int(file.id[place : place + 2]) for place in range(0, 16, 2))

    def find(self, id):
        return next((file for file in self.files if self.wire_id(file) == id), None)

    # -- Power and links

    def connect(self):
        if not self.is_powered or self.is_connected:
            return False
        self.is_connected = True
        self.session += 1
        self._touch()
        self._watch_idle(self.session)
        return True

    def encrypted(self):
        """The link is encrypted now; the device reads the time of the host."""
        self.is_encrypted = True
        self.bonds = max(self.bonds, 1)

    def set_time(self, value):
        year, month, day, hour, minute, second = struct.unpack("<HBBBBB", bytes(value[:7]))
        self.clock_offset = (year, month, day, hour, minute, second)

    def disconnected(self):
        """The link ended. An active request and an open file stay as they are until the power goes off."""
        if not self.is_connected:
            return
        self.is_connected = self.is_encrypted = False
        self.subscribed.clear()
        self.pending = []
        self.session += 1
        if not self.settings.development:
            power = self.power
            self.radio.later(self.settings.power_off_delay, lambda: self.power == power and self.switch_off())

    def switch_off(self):
        if self.is_connected:
            self.radio.disconnect("power off")
        self.is_powered = False
        self.power += 1
        self._reset()
        self.encoder = adpcm.Encoder()
        self.radio.changed()
        if self.settings.power_on_delay is not None:
            power = self.power
            self.radio.later(self.settings.power_on_delay, lambda: self.power == power and self.switch_on())

    def enter_bootloader(self):
        self.radio.disconnect("bootloader")
        self.is_powered = False
        self.power += 1
        self._reset()
        self.bootloader.start()

    def switch_on(self):
        self.is_powered = True
        self.power += 1
        self._reset()
        self.radio.changed()

    def _touch(self):
        self.idle_since = time.monotonic()

    def _watch_idle(self, session):
        if self.settings.development or session != self.session:
            return
        left = self.idle_since + self.settings.idle_limit - time.monotonic()
        if left <= 0 and self.active is None:
            return self.switch_off()
        self.radio.later(max(left, 0.2), lambda: self._watch_idle(session))

    # -- Requests

    def characteristics(self):
        all = [CONTROL_POINT, FILE_LIST, FILE_LIST_NEXT, FILE_INFO, FILE_DATA, STORAGE, STATUS, PAIRING]
        return [number for number in all if number != FILE_LIST_NEXT or self.settings.protocol >= 2]

    def services(self):
        """The services that are advertised first, each with its characteristics and what can be done with them."""
        writes = (CONTROL_POINT, PAIRING)
        transfer = {number: ["write" if number in writes else "read", "notify"] for number in self.characteristics()}
        return [
            (FILE_TRANSFER, transfer), (BATTERY, {BATTERY_LEVEL: ["read", "notify"]}),
            (bootloader.SERVICE, {bootloader.BUTTONLESS: ["write", "indicate"]})]

    def happens(self, fault):
        return fault in self.faults and self.random.random() < self.faults[fault]

    def write(self, characteristic, value):
        if characteristic == bootloader.BUTTONLESS:
            return self._leave(value)
        if not self.settings.is_open and not self.is_encrypted:
            raise ATTError(INSUFFICIENT_ENCRYPTION)
        if self.happens("write-error"):
            raise ATTError(UNLIKELY)
        if characteristic == PAIRING:
            if value == b"\xad":
                self.bonds = 0
            return
        self.requests.append(value.hex())
        if self.active is None and time.monotonic() - self.last_packet < self.settings.finalize_window:
            # The request takes the place of the end of the last one, which never comes now.
            self.is_deaf = True
        if self.is_deaf or self.active is not None or self.happens("drop-request"):
            return
        opcode, id = value[:1], value[1:]
        size = 16 if self.settings.protocol >= 3 else 8
        needed = {
            b"\x01": {FILE_LIST, FILE_LIST_NEXT} & set(self.characteristics()), b"\x02": {FILE_INFO},
            b"\x03": {FILE_DATA}, b"\x04": {STORAGE}, b"\x06": set(),
        }.get(opcode)
        if needed is None or len(id) != (size if opcode in b"\x02\x03" else 0) or not needed <= self.subscribed:
            return
        self._touch()
        self.active = opcode
        session = self.session
        self.radio.later(self.settings.answer_delay, lambda: session == self.session and self._answer(opcode, id))

    def _leave(self, value):
        """A request to start the bootloader, which is answered by an indication."""
        if bootloader.BUTTONLESS not in self.subscribed:
            raise ATTError(NOT_SUBSCRIBED)
        is_accepted = value == b"\x01" and not self.happens("dfu-locked")
        self.radio.notify(bootloader.BUTTONLESS, b"\x20\x01" + (b"\x01" if is_accepted else b"\x04"))
        if is_accepted:
            session = self.session
            self.radio.later(0.05, lambda: session == self.session and self.enter_bootloader())

    def _answer(self, opcode, id):
        if opcode == b"\x06":
            self.active = None
            if self.settings.protocol >= 4 and not self.settings.test_files:
                self.radio.disconnect("receive complete")
            return
        if self.happens("corrupt"):
            return self._send([(STATUS, b"\x03")])
        {b"\x01": self._list, b"\x02": self._info, b"\x03": self._data, b"\x04": self._storage}[opcode](id)

    def _list(self, _):
        ids = [self.wire_id(file) for file in self.files]
        size = 16 if self.settings.protocol >= 3 else 8
        first = (LIST_PART - 8) // size if self.settings.protocol >= 2 else 30
        if self.settings.protocol < 2 and len(ids) > first:
            return self._send([(STATUS, b"\x03")])
        parts = [(FILE_LIST, struct.pack("<II", len(ids), 0) + b"".join(ids[:first]))]
        step = LIST_PART // size
        for start in range(first, len(ids), step):
            parts.append((FILE_LIST_NEXT, b"".join(ids[start : start + step])))
        self._send(parts)

    def _info(self, id):
        file = self.find(id)
        if self.settings.test_files and (file is None or file is self.files[1]):
            return self._send([(STATUS, b"\x03")])
        if file is None or self.happens("gone"):
            return self._send([(STATUS, b"\x02" + id)])
        extra = ',"f":16000,"c":0' if self.settings.test_files else ""
        text = ('{"s":%d%s}' % (len(file.data), extra)).encode()
        if self.happens("bad-info"):
            text = text.replace(b'"', b"'")
        self._send([(FILE_INFO, struct.pack("<H", len(text)) + text)])

    def _data(self, id):
        file = self.find(id)
        if file is None or self.is_file_open or self.happens("locked") or (
                self.settings.test_files and file is self.files[1]):
            return self._send([(STATUS, b"\x02" + id)])
        self.is_file_open = True
        size = self._packet_size()
        if self._is_fast() and file.data and FILE_DATA in self.subscribed:
            session = self.session
            if self.radio.burst(file.prepared(size), lambda: session == self.session and self._finish()):
                return
        data = file.data
        is_short = self.happens("short")
        if is_short:
            data = data[: self.random.randrange(len(data) + 1)]
        parts = []
        for start in range(0, len(data), BLOCK):
            block = data[start : start + BLOCK]
            parts += [(FILE_DATA, block[place : place + size]) for place in range(0, len(block), size)]
        if is_short or not file.data:
            parts.append((FILE_DATA, b""))
        self._send(parts)

    def _packet_size(self):
        return PACKET if self.settings.protocol >= 1.1 else 16

    def _is_fast(self):
        """Whether nothing is asked of a transfer but speed."""
        return self.settings.packet_interval <= 0 and not self.faults and self.settings.mtu - 3 >= self._packet_size()

    def _storage(self, _):
        occupied = 8192 + sum(len(file.data) for file in self.files)
        free, count = max(0, TOTAL_STORAGE - occupied), len(self.files)
        if self.settings.test_files:
            free, occupied, count = 4127792, 66512, 2
        self._send([(STORAGE, struct.pack("<HIII", 14, free, occupied, count))])

    # -- Notifications

    def _send(self, parts):
        """One packet at a time; what does not fit the MTU goes on in further ones, of a list on its first characteristic."""
        size = self.settings.mtu - 3
        packets = []
        for characteristic, part in parts:
            packets.append((characteristic, part[:size]))
            rest = FILE_LIST if characteristic == FILE_LIST_NEXT else characteristic
            packets += [(rest, part[start : start + size]) for start in range(size, len(part), size)]
        packets.reverse()
        self.pending = packets
        self._pump(self.session)

    def _pump(self, session):
        if session != self.session:
            return
        for _ in range(64):
            if not self.pending:
                return self._finish()
            characteristic, packet = self.pending[-1]
            is_data = characteristic == FILE_DATA
            if is_data and self.happens("disconnect"):
                return self.radio.disconnect("fault")
            if is_data and self.happens("keep-alive"):
                self._notify(STATUS, b"\x01")
            if self.happens("noise"):
                self._notify(FILE_INFO if is_data else FILE_DATA, b"\x07noise")
            if not (is_data and packet and self.happens("skip")):
                if not self._notify(characteristic, packet):
                    break
                if is_data and packet and self.happens("duplicate"):
                    self._notify(characteristic, packet)
            self.pending.pop()
            if self.settings.packet_interval > 0:
                break
        if not self.pending:
            return self._finish()
        self.radio.later(max(self.settings.packet_interval, 0.0), lambda: self._pump(session))

    def _notify(self, characteristic, packet):
        """Whether the packet was taken. The stack sends nothing to those who have not subscribed."""
        return characteristic not in self.subscribed or self.radio.notify(characteristic, packet)

    def battery_notification(self):
        """The radio has sent a battery level: the transfer takes it for its own packet and goes one further."""
        if self.pending and self.pending[-1][0] == FILE_DATA:
            self.pending.pop()

    def _finish(self):
        self.active = None
        self.is_file_open = False
        self.last_packet = time.monotonic()
        self._touch()


def test_files():
    """The two files of the firmware's built-in test."""
    block = bytes(place % 255 for place in range(256))
    start = bytes(range(1, 9))
    return [File(start + start, block + block), File(start + start[:7] + b"\x09", b"")]
