#!/usr/bin/python3
"""Tests of the simulated recorder by itself, without hub:

    Tests/DictofunSimulator/selftest.py                 the codec, the device, and the whole over a private bus with dbus-python
    Tests/DictofunSimulator/selftest.py --bleak PYTHON  also bleak, with a Python that has it, as another program's client
"""

import hashlib
import heapq
import json
import math
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time
import unittest

import adpcm
import device

HERE = pathlib.Path(__file__).resolve().parent


class CodecTests(unittest.TestCase):
    def check(self, samples, expected, state):
        encoder = adpcm.Encoder()
        self.assertEqual(encoder.encode(samples).hex(), expected)
        self.assertEqual((encoder.predictor, encoder.index), state)

    def test_rising_samples(self):
        self.check(range(0, 8000, 500), "0777777731121212", (7438, 48))

    def test_full_scale(self):
        self.check([32767] * 8 + [-32768] * 8, "77777777ffc80880", (-31189, 77))

    def test_tone(self):
        encoder = adpcm.Encoder()
        data = encoder.encode([int(12000 * math.sin(2 * math.pi * 440 * k / 16000)) for k in range(1024)])
        self.assertEqual(hashlib.sha1(data).hexdigest(), "5102da5e69e470efaae98d4a7ec4f0ba99f641ea")
        self.assertEqual((encoder.predictor, encoder.index), (9052, 59))

    def test_record(self):
        record = adpcm.Encoder().record([100] * 1000)
        self.assertEqual((len(record), record[:14]), (7 * 64, b"adpcm;16000;2\0"))


class Radio:
    """Time without waiting: what is due next comes next."""

    def __init__(self, recorder):
        self.recorder, self.now, self.queue, self.sent, self.count = recorder, 0.0, [], [], 0
        recorder.radio = self

    def later(self, seconds, function):
        self.count += 1
        heapq.heappush(self.queue, (self.now + seconds, self.count, function))

    def notify(self, characteristic, packet):
        self.sent.append((characteristic, packet))
        return True

    def disconnect(self, reason):
        self.sent.append(("disconnect", reason))
        self.recorder.disconnected()

    def changed(self):
        pass

    def burst(self, burst, finished):
        return False

    def run(self, seconds=1.0):
        sent, self.sent = None, []
        end = self.now + seconds
        while self.queue and self.queue[0][0] <= end:
            self.now, _, function = heapq.heappop(self.queue)
            function()
        self.now = end
        sent = self.sent
        return sent


class DeviceTests(unittest.TestCase):
    def setUp(self):
        self.settings = device.Settings(development=True, finalize_window=0)
        self.recorder = device.Recorder(0, self.settings, 7)
        self.radio = Radio(self.recorder)
        self.recorder.connect()
        self.recorder.encrypted()
        self.recorder.subscribed = set(self.recorder.characteristics())

    def ask(self, value, seconds=5.0):
        self.recorder.write(device.CONTROL_POINT, value)
        return self.radio.run(seconds)

    def test_list_with_continuation(self):
        for count in (0, 1, 7, 8, 15, 16, 255):
            self.recorder.files = [device.File(b"%016d" % number, b"") for number in range(count)]
            sent = self.ask(b"\x01")
            self.assertEqual(b"".join(packet for _, packet in sent)[8:], b"".join(f.id for f in self.recorder.files))
            self.assertEqual(sent[0][1][:8], count.to_bytes(8, "little"))
            self.assertTrue(all(number == device.FILE_LIST_NEXT for number, _ in sent[1:]))

    def test_rest_of_a_continuation_comes_on_the_first_characteristic(self):
        self.settings.mtu = 100
        self.recorder.files = [device.File(b"%016d" % number, b"") for number in range(16)]
        self.assertEqual([number for number, _ in self.ask(b"\x01")], [0x1003, 0x1003, 0x1008, 0x1003, 0x1008])

    def test_file_in_packets(self):
        self.recorder.add_bytes(b"0000240521225745", 832)
        sent = self.ask(b"\x020000240521225745")
        self.assertEqual(sent, [(device.FILE_INFO, b"\x09\x00" + b'{"s":832}')])
        sent = self.ask(b"\x030000240521225745")
        self.assertEqual([len(packet) for _, packet in sent], [200, 56, 200, 56, 200, 56, 64])
        self.assertEqual(b"".join(packet for _, packet in sent), self.recorder.files[0].data)
        self.settings.mtu = 23
        self.assertEqual(b"".join(packet for _, packet in self.ask(b"\x030000240521225745")), self.recorder.files[0].data)

    def test_unknown_file(self):
        self.assertEqual(self.ask(b"\x02" + b"9" * 16), [(device.STATUS, b"\x02" + b"9" * 16)])
        self.assertEqual(self.ask(b"\x03" + b"9" * 16), [(device.STATUS, b"\x02" + b"9" * 16)])

    def test_requests_that_are_dropped(self):
        self.recorder.add_bytes(b"0" * 16, 64000)
        self.recorder.subscribed.discard(device.FILE_LIST_NEXT)
        self.assertEqual(self.ask(b"\x01"), [])
        for value in (b"", b"\x01\x00", b"\x05", b"\x02", b"\x03" + b"0" * 8):
            self.assertEqual(self.ask(value), [])
        self.ask(b"\x03" + b"0" * 16, 0.1)
        self.assertTrue(all(number == device.FILE_DATA for number, _ in self.ask(b"\x04")))
        self.assertEqual(self.ask(b"\x04")[0][0], device.STORAGE)

    def test_hasty_request_makes_it_deaf_until_power_off(self):
        self.settings.finalize_window = 3600
        self.ask(b"\x04")
        self.assertEqual(self.ask(b"\x04"), [])
        self.settings.finalize_window = 0
        self.assertEqual(self.ask(b"\x04"), [])
        self.recorder.switch_off()
        self.recorder.switch_on()
        self.recorder.connect()
        self.recorder.encrypted()
        self.recorder.subscribed = set(self.recorder.characteristics())
        self.assertEqual(len(self.ask(b"\x04")), 1)

    def test_link_lost_in_a_file_leaves_it_open(self):
        self.recorder.add_bytes(b"0" * 16, 64000)
        self.ask(b"\x03" + b"0" * 16, 0.1)
        self.recorder.disconnected()
        self.recorder.connect()
        self.recorder.encrypted()
        self.recorder.subscribed = set(self.recorder.characteristics())
        self.assertEqual(self.ask(b"\x03" + b"0" * 16), [])

    def test_encryption_and_completion(self):
        self.assertEqual(self.ask(b"\x06")[-1], ("disconnect", "receive complete"))
        self.recorder.connect()
        with self.assertRaises(device.ATTError):
            self.recorder.write(device.CONTROL_POINT, b"\x01")
        self.recorder.encrypted()
        self.recorder.write(device.PAIRING, b"\x01")
        self.assertEqual(self.recorder.bonds, 1)
        self.recorder.write(device.PAIRING, b"\xad")
        self.assertEqual(self.recorder.bonds, 0)

    def test_ids_of_december_and_the_31st(self):
        when = time.struct_time((2024, 12, 31, 23, 59, 58, 0, 0, 0))
        self.assertEqual(self.recorder.start_record(when), b"0000240000235958")
        self.assertEqual(self.recorder.start_record(None), b"0" * 16)

    def test_old_protocols(self):
        self.settings.protocol = 2
        self.recorder.add_bytes(b"0000240521225745", 64)
        self.assertEqual(self.ask(b"\x01")[0][1][8:], bytes([0, 0, 24, 5, 21, 22, 57, 45]))
        self.assertEqual(self.ask(b"\x03" + bytes([0, 0, 24, 5, 21, 22, 57, 45]))[0][1], self.recorder.files[0].data)

    def test_built_in_files(self):
        self.settings.test_files = True
        self.recorder.files = device.test_files()
        a, b = (file.id for file in self.recorder.files)
        self.assertEqual(self.ask(b"\x02" + a)[0][1][2:], b'{"s":512,"f":16000,"c":0}')
        self.assertEqual(len(b"".join(packet for _, packet in self.ask(b"\x03" + a))), 512)
        self.assertEqual(self.ask(b"\x02" + b), [(device.STATUS, b"\x03")])
        self.assertEqual(self.ask(b"\x03" + b), [(device.STATUS, b"\x02" + b)])
        self.assertEqual(self.ask(b"\x04")[0][1].hex(), "0e0030fc3e00d003010002000000")

    def test_faults_lose_what_they_should(self):
        self.recorder.add_bytes(b"0" * 16, 64000)
        self.recorder.faults = {"skip": 0.1}
        sent = b"".join(packet for _, packet in self.ask(b"\x03" + b"0" * 16))
        self.assertTrue(0 < len(sent) < 64000)


class Simulation:
    """A running recorder.py."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(HERE / "recorder.py"), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)
        self.address = self.process.stdout.readline().strip().partition("=")[2]
        assert self.process.stdout.readline() == "ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class BusTests(unittest.TestCase):
    def test_pairing_needs_an_agent_and_data_come_through_the_descriptor(self):
        import dbus
        import dbus.bus

        with Simulation("--size", "20032", "--records", "1", "--packet-interval", "0") as simulation:
            bus = dbus.bus.BusConnection(simulation.address)
            manager = dbus.Interface(bus.get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager")
            adapter = dbus.Interface(bus.get_object("org.bluez", "/org/bluez/hci0"), "org.bluez.Adapter1")

            def objects(interface, **wanted):
                return [
                    path for path, interfaces in manager.GetManagedObjects().items()
                    if interface in interfaces
                    and all(interfaces[interface].get(name) == value for name, value in wanted.items())]

            def wait(interface, **wanted):
                while not objects(interface, **wanted):
                    time.sleep(0.02)
                return objects(interface, **wanted)[0]

            self.assertEqual(objects("org.bluez.Device1"), [])
            adapter.StartDiscovery()
            path = wait("org.bluez.Device1")
            adapter.StopDiscovery()
            node = dbus.Interface(bus.get_object("org.bluez", path), "org.bluez.Device1")
            node.Connect()
            wait("org.bluez.Device1", ServicesResolved=True)
            with self.assertRaises(dbus.DBusException) as caught:
                node.Pair()
            self.assertEqual(caught.exception.get_dbus_name(), "org.bluez.Error.AuthenticationFailed")
            dbus.Interface(bus.get_object("org.bluez", "/org/bluez"), "org.bluez.AgentManager1").RegisterAgent(
                "/agent", "NoInputNoOutput")
            node.Pair()
            wait("org.bluez.Device1", Paired=True)

            def characteristic(number):
                found = wait("org.bluez.GattCharacteristic1", UUID=f"0000{number:04x}-0000-1000-8000-00805f9b34fb")
                return dbus.Interface(bus.get_object("org.bluez", found), "org.bluez.GattCharacteristic1")

            descriptor, mtu = characteristic(0x1005).AcquireNotify({})
            self.assertEqual(mtu, 247)
            with self.assertRaises(dbus.DBusException):
                characteristic(0x1005).StartNotify()
            control = dbus.Interface(bus.get_object("hub.Simulator", "/hub/simulator"), "hub.Simulator1")
            state = json.loads(control.Do('{"do":"state"}'))
            id = state["files"][0]["id"].encode()
            characteristic(0x1002).WriteValue(b"\x03" + id, {"type": "request"})
            received, number = b"", descriptor.take()
            self.assertFalse(os.get_blocking(number))
            while len(received) < 20032:
                select.select([number], [], [])
                received += os.read(number, 512)
            os.close(number)
            self.assertTrue(received.startswith(b"adpcm;16000;2\0"))
            control.Do('{"do":"restart"}')
            while not bus.name_has_owner("org.bluez"):
                time.sleep(0.02)


class BleakTests(unittest.TestCase):
    python = None

    def test_another_client_fetches_equal_files(self):
        for arguments in (["--records", "3", "--seconds", "1"], ["--size", "200000", "--mtu", "100"], ["--records", "20", "--size", "640"]):
            with tempfile.TemporaryDirectory() as folder:
                copies, fetched = pathlib.Path(folder, "copies"), pathlib.Path(folder, "fetched")
                fetched.mkdir()
                # bleak brings no agent, so it could not pair.
                with Simulation(*arguments, "--copies", str(copies), "--packet-interval", "0", "--open") as simulation:
                    subprocess.run(
                        [self.python, str(HERE / "bleak_client.py"), str(fetched)], check=True,
                        env={"DBUS_SYSTEM_BUS_ADDRESS": simulation.address, "PATH": "/usr/bin:/bin"})
                sent = {path.stem.split("-")[2]: path.read_bytes() for path in copies.iterdir()}
                self.assertEqual({path.name: path.read_bytes() for path in fetched.iterdir()}, sent)


if __name__ == "__main__":
    if "--bleak" in sys.argv:
        place = sys.argv.index("--bleak")
        BleakTests.python = sys.argv[place + 1]
        del sys.argv[place : place + 2]
    else:
        del BleakTests
    unittest.main(verbosity=1)
