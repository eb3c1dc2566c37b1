"""Voice records: fetching one beside bleak, decoding beside Python's audioop, long lists, and the waveform of an hour."""

import array
import json
import math
import os
import sqlite3
import subprocess
import sys
import wave

from measuring import BENCH, HUB, PEERS, ROOT, hub_folders, in_turn, measure, row, show

RECORDER = f"{ROOT}/Tests/DictofunSimulator/recorder.py"
BLEAK = f"{ROOT}/Tests/DictofunSimulator/bleak_client.py"
# Python's audioop, which left with 3.13, is that of the system's Python.
SYSTEM_PYTHON = "/usr/bin/python3"
SIZE = 5_000_000
ROUNDS = 5


class Recorder:
    """A simulated recorder that sends as fast as it is read, with hundreds of packets in a system call."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [SYSTEM_PYTHON, "-B", RECORDER, "--packet-interval", "0", "--development", "--open", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.bus = self.process.stdout.readline().strip().partition("=")[2]
        while self.process.stdout.readline().strip() != "ready":
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def do(self, **request):
        subprocess.run(
            ["dbus-send", f"--bus={self.bus}", "--print-reply", "--dest=hub.Simulator", "/hub/simulator", "hub.Simulator1.Do",
             "string:" + json.dumps(request)], check=True, stdout=subprocess.DEVNULL)


def configured(folder, name):
    """The environment of a hub that transcribes nothing."""
    environment = hub_folders(f"{folder}/{name}")
    os.makedirs(f"{environment['XDG_CONFIG_HOME']}/hub")
    with open(f"{environment['XDG_CONFIG_HOME']}/hub/config.toml", "w") as file:
        file.write("[plugins]\ndictofun.transcribe = false\n")
    return environment


def by_hub(folder):
    """Bytes a second of a sync with a record of 5 MB beyond one with a tiny record, and how much more memory it takes."""
    small, large = [], []
    with Recorder("--records", "1", "--size", "64") as recorder:
        environment = dict(configured(folder, "recorder"), DBUS_SYSTEM_BUS_ADDRESS=recorder.bus)
        measure([HUB, "dictofun", "pair", "01"], environment)
        measure([HUB, "dictofun", "sync"], environment)
        for _ in range(ROUNDS):
            for times, size in [(small, 64), (large, SIZE)]:
                recorder.do(do="add-record", id=f"00002611200942{len(small) + len(large):02}", size=size, tones=True)
                times.append(measure([HUB, "dictofun", "sync"], environment))
    seconds = min(large)[0] - min(small)[0]
    return SIZE / seconds, max(memory for _, memory in large) - max(memory for _, memory in small)


def by_bleak(folder):
    """Bytes a second while bleak receives the record, and the most memory that it takes."""
    rates, memory = [], 0
    with Recorder("--records", "0") as recorder:
        recorder.do(do="add-record", id="0000261120094200", size=SIZE, tones=True)
        os.makedirs(f"{folder}/bleak")
        for _ in range(ROUNDS):
            client = subprocess.Popen([f"{PEERS}/python", "-B", BLEAK, f"{folder}/bleak"], stdout=subprocess.PIPE, text=True,
                                      env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=recorder.bus))
            words = client.stdout.read().split()
            _, status, usage = os.wait4(client.pid, 0)
            client.stdout.close()
            if status != 0:
                sys.exit("bleak could not fetch the record")
            rates.append(float(words[2]))
            memory = max(memory, usage.ru_maxrss / 1024)
    return max(rates), memory


def transfer(folder):
    (ours, more), (theirs, memory) = by_hub(folder), by_bleak(folder)
    row("a record of 5 MB over Bluetooth's bus", f"{ours / 1e6:.1f} MB/s", "bleak", f"{theirs / 1e6:.2f} MB/s, {memory:.0f} MB", f"{ours / theirs:.0f} times as fast",
        "10 times, over 2 MB/s", ours >= 10 * theirs and ours > 2e6)
    row("memory for that record", f"{more:+.1f} MB", "-", "-", f"{more:+.1f} MB", "flat", more < 5)


def decoding(folder):
    """16 MB of ADPCM, as much as a recorder holds."""
    source, ours_path, theirs_path = f"{folder}/sound.adpcm", f"{folder}/ours.pcm", f"{folder}/theirs.pcm"
    with open(source, "wb") as file:
        file.write(os.urandom(16 << 20))
    ours = float(subprocess.check_output([BENCH, "decode", source, ours_path], text=True).split()[1]) / 1000
    script = ("import audioop,sys,time\nsound=open(sys.argv[1],'rb').read()\ntimes=[]\n"
              "for _ in range(10):\n start=time.perf_counter(); samples=audioop.adpcm2lin(sound,2,None)[0]; times.append(time.perf_counter()-start)\n"
              "open(sys.argv[2],'wb').write(samples)\nprint(min(times))\n")
    theirs = float(subprocess.check_output([SYSTEM_PYTHON, "-W", "ignore", "-c", script, source, theirs_path], text=True))
    with open(ours_path, "rb") as first, open(theirs_path, "rb") as second:
        if first.read() != second.read():
            sys.exit("hub decodes other samples than audioop")
    row("decoding 16 MB of ADPCM", show(ours), "Python's audioop", show(theirs), f"{theirs / ours:.1f} times faster", "1.5 times", theirs / ours >= 1.5)


def lists(folder):
    """10,000 records with texts of a minute."""
    environment = configured(folder, "records")
    subprocess.run([HUB, "dictofun", "list"], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([BENCH, "records", environment["HUB_DATA"]], check=True)
    for what, command, goal in [
        ("first 50 of 10,000 records, as a terminal shows them", ["list", "--limit", "50"], "under 4 times"),
        ("a search in their texts", ["search", "plumber"], "under 4 times"),
        ("all of them, as a pipe gets them", ["list"], "-"),
    ]:
        ours, theirs, _ = in_turn([HUB, "dictofun", *command], [HUB, "--version"], 60, environment)
        row(what, show(ours), "hub --version", show(theirs), f"{ours / theirs:.1f} times", goal, ours / theirs < 4)


def waveform(folder):
    """An hour of 16 kHz: the first look at its waveform, and the next ones."""
    environment = configured(folder, "waveform")
    path, second = f"{folder}/hour.wav", array.array("h", (int(9000 * math.sin(place / 9)) for place in range(16000))).tobytes()
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        for _ in range(3600):
            file.writeframesraw(second)
    subprocess.run([HUB, "dictofun", "import", path], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    command, first = [HUB, "dictofun", "show", "last"], []
    for _ in range(5):
        with sqlite3.connect(f"{environment['HUB_DATA']}/hub.db") as store:
            store.execute("DELETE FROM dictofun_waveform")
        first.append(measure(command, environment)[0])
    cached = min(measure(command, environment)[0] for _ in range(10))
    row("the waveform of an hour, the first time", show(min(first)), "its cache", show(cached), f"{min(first) / cached:.1f} times", "under 150 ms", min(first) < 0.15)
