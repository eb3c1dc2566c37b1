"""Voice records: fetching one beside bleak, decoding beside Python's audioop, long lists, and the waveform of an hour beside sox."""

import array
import json
import math
import os
import sqlite3
import subprocess
import wave

from measuring import (
    BENCH, HUB, PEERS, ROOT, SYSTEM_PYTHON, Failure, alternate, figures, hub_folders, measure, output, row, size)

RECORDER = f"{ROOT}/Tests/DictofunSimulator/recorder.py"
BLEAK = f"{ROOT}/Tests/DictofunSimulator/bleak_client.py"
SIZE = size(5_000_000, 10_000)
SOUND = size(16 << 20, 1 << 14)
SECONDS = size(3600, 2)
RECORDS = size(10_000, 20)
ROUNDS = size(5, 1)


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
    """Bytes a second of a sync with a large record beyond one with a tiny record, its memory, and how much more that is."""
    small, large = [], []
    with Recorder("--records", "1", "--size", "64") as recorder:
        environment = dict(configured(folder, "recorder"), DBUS_SYSTEM_BUS_ADDRESS=recorder.bus)
        measure([HUB, "dictofun", "pair", "01", "--no-sync"], environment)
        measure([HUB, "dictofun", "sync"], environment)
        for _ in range(ROUNDS):
            for runs, length in [(small, 64), (large, SIZE)]:
                recorder.do(do="add-record", id=f"00002611200942{len(small) + len(large):02}", size=length, tones=True)
                runs.append(measure([HUB, "dictofun", "sync"], environment))
    # The smallest record takes no time at all.
    rates = [SIZE / max(run[0] - tiny[0], 0.001) for run, tiny in zip(large, small)]
    memory = max(memory for _, memory in large)
    return rates, memory, memory - max(memory for _, memory in small)


def by_bleak(folder):
    """Bytes a second while bleak receives the record, and its memory then."""
    rates, memory = [], 0
    os.makedirs(f"{folder}/bleak")
    with Recorder("--records", "0") as recorder:
        recorder.do(do="add-record", id="0000261120094200", size=SIZE, tones=True)
        for _ in range(ROUNDS):
            client = subprocess.Popen([f"{PEERS}/python", "-B", BLEAK, f"{folder}/bleak"], stdout=subprocess.PIPE, text=True,
                                      env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=recorder.bus))
            words = client.stdout.read().split()
            _, status, usage = os.wait4(client.pid, 0)
            client.returncode = os.waitstatus_to_exitcode(status)
            client.stdout.close()
            if status != 0:
                raise Failure("bleak could not fetch the record")
            memory = max(memory, usage.ru_maxrss / 1024)
            rates.append(float(words[2]))
    return rates, memory


def transfer(folder):
    (ours, memory, more), (theirs, their_memory) = by_hub(folder), by_bleak(folder)
    row(f"a record of {SIZE / 1e6:g} MB over Bluetooth's bus", ours, "bleak", theirs, TRANSFER, at_least=10,
        show=lambda number: f"{number / 1e6:.2f} MB/s", is_more_better=True)
    row("memory while that record comes", memory, "bleak", their_memory, "The program itself: what was received goes to the file at once.",
        at_most=1, show=lambda number: f"{number:.1f} MB", limit=("under 5 MB of it for the record", more < 5))


TRANSFER = "The simulated recorder and the bus daemon, which share the machine with hub; a real recorder sends 10 to 60 kB/s."


def decoding(folder):
    """As much ADPCM as a recorder holds."""
    source, ours_path, theirs_path = f"{folder}/sound.adpcm", f"{folder}/ours.pcm", f"{folder}/theirs.pcm"
    with open(source, "wb") as file:
        file.write(os.urandom(SOUND))
    script = ("import audioop,sys,time\nsound=open(sys.argv[1],'rb').read()\ntimes=[]\n"
              "for _ in range(10):\n start=time.perf_counter(); samples=audioop.adpcm2lin(sound,2,None)[0]; times.append(time.perf_counter()-start)\n"
              "open(sys.argv[2],'wb').write(samples)\nprint(min(times))\n")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(figures([BENCH, "decode", source, ours_path])["decode"] / 1000)
        theirs.append(float(output([SYSTEM_PYTHON, "-W", "ignore", "-c", script, source, theirs_path])))
    with open(ours_path, "rb") as first, open(theirs_path, "rb") as second:
        if first.read() != second.read():
            raise Failure("hub decodes other samples than audioop")
    row(f"decoding {SOUND / (1 << 20):g} MB of ADPCM", ours, "Python's audioop, in C", theirs,
        "Each sample depends on the one before: the latency of the few instructions between them.", at_least=1.5)


def lists(folder):
    """Records with texts of a minute."""
    environment = configured(folder, "records")
    measure([HUB, "dictofun", "list"], environment)
    output([BENCH, "records", environment["HUB_DATA"]])
    for what, command, goal, bounds in [
        (f"first 50 of {RECORDS:,} records, as a terminal shows them", ["list", "--limit", "50"], 4, "Opening the store, and reading 50 rows."),
        ("a search in their texts", ["search", "plumber"], 4, "The rows of the FTS index, and the place of the word in each text."),
        ("all of them, as a pipe gets them", ["list"], None, "Reading and printing each of the rows."),
    ]:
        ours, theirs, _ = alternate([HUB, "dictofun", *command], [HUB, "--version"], size(60, 1), environment)
        row(what, ours, "hub --version", theirs, bounds, at_most=goal)


def waveform(folder):
    """An hour of 16 kHz: the first look at its waveform, and the next ones."""
    environment = configured(folder, "waveform")
    path, second = f"{folder}/hour.wav", array.array("h", (int(9000 * math.sin(place / 9)) for place in range(16000))).tobytes()
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        for _ in range(SECONDS):
            file.writeframesraw(second)
    measure([HUB, "dictofun", "import", path], environment)
    command, first, again, sox = [HUB, "dictofun", "show", "last"], [], [], []
    for _ in range(size(10, 1)):
        with sqlite3.connect(f"{environment['HUB_DATA']}/hub.db") as store:
            store.execute("DELETE FROM dictofun_waveform")
        first.append(measure(command, environment)[0])
        sox.append(measure(["/usr/bin/sox", path, "-n", "stat"])[0])
        again.append(measure(command, environment)[0])
    bounds = "Reading 115 MB from the page cache, and the largest sample of each piece."
    row("the waveform of an hour, the first time", first, "sox -n stat", sox, bounds, at_most=1)
    row("the same from its cache", again, "sox -n stat", sox, "The start of the process.", at_most=1)


STEPS = [transfer, decoding, lists, waveform]
