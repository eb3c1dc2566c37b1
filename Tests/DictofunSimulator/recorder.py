#!/usr/bin/python3
"""A simulated Dictofun recorder behind a simulated Bluetooth service, on a message bus of its own.

It needs Debian's python3-dbus, python3-gi and dbus-daemon; records with speech also need espeak-ng. It starts a private bus
unless --bus names one, prints the bus's address and "ready", and runs until its input ends or it is interrupted:

    Tests/DictofunSimulator/recorder.py --records 3 --speech "call the plumber"
    DBUS_SYSTEM_BUS_ADDRESS=unix:... busctl tree org.bluez
"""

import argparse
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import bluez
import device
import sound

CONFIGURATION = """<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<limit name="auth_timeout">3600000</limit>
<limit name="max_outgoing_bytes">1073741824</limit><limit name="max_message_unix_fds">16</limit>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="faults of the device:\n" + "\n".join(f"  {name:13} {text}" for name, text in device.FAULTS.items())
        + "\nfaults of the host:\n" + "\n".join(f"  {name:13} {text}" for name, text in bluez.FAULTS.items()))
    parser.add_argument("--bus", metavar="ADDRESS", help="use this bus; without it a private one is started")
    parser.add_argument("--records", type=int, default=2, metavar="N", help="records with tones (default 2)")
    parser.add_argument("--seconds", type=float, default=2, help="the length of each of them (default 2)")
    parser.add_argument("--size", type=int, metavar="BYTES", help="records of random sound of this size instead")
    parser.add_argument("--speech", action="append", default=[], metavar="TEXT", help="add a record with spoken text")
    parser.add_argument("--voice", default="en-us", help="the voice of espeak-ng (default en-us)")
    parser.add_argument("--devices", type=int, default=1, metavar="N", help="recorders nearby (default 1)")
    parser.add_argument("--protocol", type=float, default=4, metavar="V", help="the firmware's protocol: 1, 1.1, 2, 3 or 4")
    parser.add_argument("--mtu", type=int, default=247, help="23 to 247 (default 247)")
    parser.add_argument("--packet-interval", type=float, default=2, metavar="MS", help="between packets; 0 for no pause")
    parser.add_argument("--battery", type=int, default=72, metavar="PERCENT", help="254 before the first measurement")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME[=CHANCE]", help="switch a fault on; see below")
    parser.add_argument("--power-on", type=float, default=1, metavar="S", help="switched on again after so long; -1: never")
    parser.add_argument("--development", action="store_true", help="the device never switches itself off")
    parser.add_argument("--open", action="store_true", help="files can be read without pairing, for clients without an agent")
    parser.add_argument("--test-files", action="store_true", help="the firmware's built-in test files")
    parser.add_argument("--copies", type=pathlib.Path, metavar="FOLDER", help="write each file here too, for comparison")
    parser.add_argument("--seed", type=int, default=1, help="for everything that is random")
    return parser.parse_args()


def recorders(options):
    settings = device.Settings(
        protocol=options.protocol, mtu=max(23, min(247, options.mtu)), packet_interval=options.packet_interval / 1000,
        power_on_delay=None if options.power_on < 0 else options.power_on, development=options.development, is_open=options.open,
        test_files=options.test_files)
    result = []
    for number in range(options.devices):
        recorder = device.Recorder(number, settings, options.seed + number)
        recorder.battery = options.battery
        if options.test_files:
            recorder.files = device.test_files()
        else:
            fill(recorder, options, number)
        result.append(recorder)
    return result


def fill(recorder, options, number):
    start = time.mktime((2026, 11, 20, 9, 41, 0, 0, 0, -1)) + number * 86400

    def next_id(place):
        return recorder.start_record(time.localtime(start + place * 61))

    for place in range(options.records):
        if options.size is not None:
            recorder.add_bytes(next_id(place), options.size)
        else:
            recorder.add_samples(next_id(place), sound.melody(options.seconds, options.seed + number * 100 + place))
    for place, text in enumerate(options.speech if number == 0 else []):
        recorder.add_samples(next_id(options.records + place), sound.speech(text, options.voice))


def set_faults(host, options):
    for fault in options.fault:
        name, _, chance = fault.partition("=")
        if name not in device.FAULTS and name not in bluez.FAULTS:
            sys.exit(f"error: unknown fault {name}\n  hint: recorder.py --help lists them")
        for number in range(options.devices):
            host.control({"do": "fault", "name": name, "rate": float(chance or 1), "device": number})


def main():
    options = arguments()
    import dbus
    import dbus.bus
    import dbus.mainloop.glib
    from gi.repository import GLib

    devices = recorders(options)
    if options.copies:
        options.copies.mkdir(parents=True, exist_ok=True)
        for recorder in devices:
            for place, file in enumerate(recorder.files):
                (options.copies / f"{recorder.number}-{place}-{file.id.decode('latin-1')}.adpcm").write_bytes(file.data)
    daemon = folder = None
    address = options.bus
    if address is None:
        folder = tempfile.TemporaryDirectory(prefix="hub-recorder-")
        address = f"unix:path={folder.name}/bus"
        configuration = pathlib.Path(folder.name, "bus.conf")
        configuration.write_text(CONFIGURATION.format(path=f"{folder.name}/bus"))
        daemon = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--print-address", f"--config-file={configuration}"], stdout=subprocess.PIPE)
        daemon.stdout.readline()
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    host = bluez.Host(dbus.bus.BusConnection(address), devices)
    set_faults(host, options)
    loop = GLib.MainLoop()
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, loop.quit)
    if not sys.stdin.isatty():
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_HUP | GLib.IO_IN, lambda *_: sys.stdin.readline() != "" or loop.quit())
    print(f"DBUS_SYSTEM_BUS_ADDRESS={address}\nready", flush=True)
    try:
        loop.run()
    finally:
        if daemon is not None:
            daemon.terminate()
            daemon.wait()
            folder.cleanup()


if __name__ == "__main__":
    main()
