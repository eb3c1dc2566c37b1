"""Signals to another process on the session bus: dbus_signals.py COUNT prints the median and the 99th percentile in milliseconds.

Each is the time from the moment at which the signal was handed to the connection to the handler.
"""

import statistics
import subprocess
import sys
import time

from gi.repository import Gio, GLib

PATH, INTERFACE = "/bench", "bench.Signals"


def handle(count):
    """Prints when each signal came."""
    loop, times = GLib.MainLoop(), []

    def came(*_):
        times.append(time.monotonic_ns())
        if len(times) == count:
            loop.quit()

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    bus.signal_subscribe(None, INTERFACE, "Ping", PATH, None, Gio.DBusSignalFlags.NONE, came)
    # The bus has answered, so it knows the subscription.
    bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", None, None, Gio.DBusCallFlags.NONE, -1, None)
    print("ready", flush=True)
    loop.run()
    print(*times)


def main(count):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    handler = subprocess.Popen([sys.executable, "-B", __file__, str(count), "handle"], stdout=subprocess.PIPE, text=True)
    handler.stdout.readline()
    sent = []
    for _ in range(count):
        bus.emit_signal(None, PATH, INTERFACE, "Ping", None)
        sent.append(time.monotonic_ns())
        bus.flush_sync(None)
        time.sleep(0.001)
    came = [int(word) for word in handler.communicate()[0].split()]
    times = [max(after - before, 0) / 1e6 for before, after in zip(sent, came)]
    print(statistics.median(times), statistics.quantiles(times, n=100)[98])


count = int(sys.argv[1])
handle(count) if len(sys.argv) > 2 else main(count)
