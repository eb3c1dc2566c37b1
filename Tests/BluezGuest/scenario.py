"""What a person does with a recorder, against the real Bluetooth service: run in the guest, as root.

    scenario.py HUB

The Bluetooth service and the message bus of the system are started here, so that the service can be restarted.
"""

import asyncio
import hashlib
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "DictofunSimulator"))
import bumble_recorder  # noqa: E402
import device as model  # noqa: E402

HUB = sys.argv[1]
BLUETOOTHD = "/usr/libexec/bluetooth/bluetoothd"
STARTED = time.monotonic()
failures = []


def say(text):
    print(f"[{time.monotonic() - STARTED:6.1f} s] {text}", flush=True)


def check(holds, text):
    say(("ok      " if holds else "FAILED  ") + text)
    if not holds:
        failures.append(text)


async def run(*command, limit=240):
    """The exit code and the output of a command."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        output, _ = await asyncio.wait_for(process.communicate(), limit)
    except asyncio.TimeoutError:
        process.kill()
        output, _ = await process.communicate()
        output += b"\n(killed: it had not ended in %d s)" % limit
    return process.returncode, output.decode(errors="replace")


async def hub(*words, limit=240):
    code, output = await run(HUB, *words, limit=limit)
    say("$ hub " + " ".join(words) + f"   -> {code}")
    for line in output.splitlines():
        print("    " + line, flush=True)
    return code, output


async def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


async def start_bluetooth():
    process = await asyncio.create_subprocess_exec(BLUETOOTHD, "-n", stdout=sys.stderr, stderr=sys.stderr)
    for _ in range(200):
        code, output = await run("bluetoothctl", "show", limit=20)
        if "Controller " in output:
            break
        await asyncio.sleep(0.2)
    for _ in range(50):
        await run("bluetoothctl", "power", "on", limit=20)
        if "Powered: yes" in (await run("bluetoothctl", "show", limit=20))[1]:
            return process
        await asyncio.sleep(0.2)
    raise SystemExit("the adapter does not go on")


def wanted(recorder):
    return sorted(hashlib.sha256(file.data).hexdigest() for file in recorder.files)


async def stored():
    """The hashes of the files as they came from the recorder."""
    code, output = await run(HUB, "dictofun", "list", "--plain=id", "--limit", "1000")
    hashes = []
    for place, record in enumerate(output.split() if code == 0 else []):
        path = f"/tmp/original-{place}"
        code, answer = await run(HUB, "dictofun", "export", record, "--as", "original", "-o", path, "--force")
        if code != 0:
            say(f"export of {record} -> {code}: {answer}")
            continue
        hashes.append(hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest())
    return sorted(hashes)


async def compare(recorder, text):
    there, here = wanted(recorder), await stored()
    check(there == here, f"{text}: {len(set(there) & set(here))} of {len(there)} files are equal, {len(here)} stored")


async def sync(tries=3):
    """Syncs as a person does who reads the result: again when the recorder switched itself off, five seconds after a link."""
    for _ in range(tries):
        code, output = await hub("dictofun", "sync")
        if code == 0:
            break
        await asyncio.sleep(8)
    return code, output


async def fetch(recorder, text):
    code, _ = await sync()
    check(code == 0, f"{text}: sync ends with 0")
    await compare(recorder, text)


async def kill_in_mid_file(recorder, radio):
    """A sync that is killed while a long file comes in."""
    radio.bytes_sent = 0
    process = await asyncio.create_subprocess_exec(HUB, "dictofun", "sync", stdout=sys.stdout, stderr=sys.stdout)
    reached = await until(lambda: radio.bytes_sent > 60_000, 120)
    check(reached, "the long file is being sent when the sync is killed")
    process.kill()
    await process.wait()
    await asyncio.sleep(8)
    await fetch(recorder, "after a kill in mid-file")


async def main():
    settings = model.Settings(packet_interval=0.004)
    recorder = model.Recorder(0, settings, 1)
    start = time.mktime((2026, 11, 20, 9, 41, 0, 0, 0, -1))

    def add(size, place):
        recorder.add_bytes(recorder.start_record(time.localtime(start + 61 * place)), size)

    for place in range(10):
        add(2_560 + 1_280 * place, place)
    # The recorder was switched on without its clock.
    recorder.add_bytes(recorder.start_record(None), 3_200)
    radio = await bumble_recorder.start(recorder)
    bluetooth = await start_bluetooth()
    say("the service runs, the recorder is on the air")

    code, _ = await hub("dictofun", "scan")
    check(code == 0, "scan")
    code, _ = await hub("dictofun", "pair", recorder.address, "--name", "desk")
    check(code == 0, "pair")
    check(recorder.bonds == 1, "the recorder has the bond")
    await fetch(recorder, "after pairing")
    check(recorder.clock_offset is not None, "the recorder has read the time")

    code, output = await sync()
    check(code == 0 and "0 new" in output, "a second sync brings nothing")

    add(256_000, 20)
    await kill_in_mid_file(recorder, radio)

    add(6_400, 21)
    bluetooth.kill()
    await bluetooth.wait()
    bluetooth = await start_bluetooth()
    await fetch(recorder, "after a restart of the service")

    await served(recorder, bluetooth, add)

    code, _ = await hub("dictofun", "unpair", "desk", "--yes")
    check(code == 0, "unpair")
    check(recorder.bonds == 0, "the recorder has deleted its bonds")
    code, output = await run("bluetoothctl", "devices", "Paired", limit=20)
    check(recorder.address not in output, "the service knows no bond")

    code, _ = await hub("dictofun", "pair", recorder.address, "--name", "desk")
    check(code == 0, "pair again")
    code, output = await sync()
    check(code == 0 and "0 new" in output, "nothing is fetched twice after pairing again")
    await compare(recorder, "at the end")
    say("failed: " + "; ".join(failures) if failures else "all checks hold")
    print("RESULT", "failed" if failures else "passed", flush=True)


async def served(recorder, bluetooth, add):
    """The service in the background, over a restart of the Bluetooth service."""
    process = await asyncio.create_subprocess_exec(
        HUB, "serve", stdin=asyncio.subprocess.DEVNULL, stdout=sys.stdout, stderr=sys.stdout)
    add(3_200, 22)

    async def has_all(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if await stored() == wanted(recorder):
                return True
            await asyncio.sleep(2)
        return False

    check(await has_all(120), "hub serve fetches by itself")
    bluetooth.kill()
    await bluetooth.wait()
    again = await start_bluetooth()
    add(4_480, 23)
    check(await has_all(120), "hub serve fetches by itself after a restart of the service")
    process.terminate()
    await process.wait()
    return again


os.environ.update(HOME="/tmp/home", XDG_RUNTIME_DIR="/tmp/run", NO_COLOR="1", TZ="UTC")
for folder in ("/tmp/home", "/tmp/run"):
    os.makedirs(folder, 0o700, exist_ok=True)
asyncio.run(main())
