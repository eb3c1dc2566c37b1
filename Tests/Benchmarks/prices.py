"""The market beside Python: decoding and storing rows, a portfolio of 10,000 trades, and `hub market` as a whole process."""

import fcntl
import json
import os
import pty
import select
import sqlite3
import struct
import subprocess
import sys
import termios
import time
import urllib.request
from decimal import Decimal

from measuring import BENCH, HERE, HUB, PEERS, ROOT, hub_folders, in_turn, row, show

sys.path.insert(0, os.path.join(ROOT, "Tests/MarketBackend"))


def pages(path, count, minutes=1, sparkline=False):
    """Writes a page of CoinGecko's rows for each of some minutes, as the fake backend makes them, and returns their paths."""
    import market
    import providers

    clock = market.Clock(time.monotonic, manual=True)
    source = providers.Providers(market.Market(1, count), clock)
    paths = [f"{path}-{minute}.json" for minute in range(minutes)]
    for name in paths:
        rows = [source.row(rank, coin, 1, sparkline) for rank, coin in enumerate(source.market.coins, 1)]
        with open(name, "w") as file:
            file.write(providers.f.dumps(rows))
        clock.advance(60)
        source.market.tick(clock.now())
    return paths


def stages(*command):
    """Milliseconds of each stage."""
    lines = subprocess.check_output(command, text=True).splitlines()
    return {line.split("\t")[0]: float(line.split("\t")[1]) for line in lines}


def python_json(path, exact):
    """Milliseconds that Python's json takes for the page, with numbers as floats or as exact decimals."""
    text = open(path).read()
    options = {"parse_float": Decimal} if exact else {}
    times = []
    for _ in range(5):
        start = time.process_time()
        json.loads(text, **options)
        times.append(time.process_time() - start)
    return min(times) * 1000


def decoding(folder):
    path, = pages(f"{folder}/page", 5_000)
    ours, theirs = stages(BENCH, "market", path), python_json(path, exact=True)
    row("decoding 5,000 rows of prices, exact", show(ours["decode"] / 1000), "Python json", show(theirs / 1000),
        f"{theirs / ours['decode']:.1f} times faster", "under 30 ms", ours["decode"] < 30)
    row("a portfolio of 10,000 trades", show(ours["portfolio"] / 1000), "-", "-", show(ours["portfolio"] / 1000),
        "under 20 ms", ours["portfolio"] < 20)


def storing(folder):
    """From the bytes of a page to a commit, beside pycoingecko and sqlite3."""
    for count, limit in [(250, 6), (5_000, 120)]:
        paths = pages(f"{folder}/rows-{count}", count, minutes=4, sparkline=True)
        ours = stages(BENCH, "prices", f"{folder}/prices-{count}", *paths)
        theirs = stages(f"{PEERS}/python", "-B", f"{HERE}/coingecko_sqlite.py", *paths)
        for stage, words in [("store", "new"), ("update", "known")]:
            row(f"{count:,} {words} rows from the wire to the store", show(ours[stage] / 1000), "pycoingecko, sqlite3", show(theirs[stage] / 1000),
                f"{theirs[stage] / ours[stage]:.1f} times faster", f"5 times, under {limit} ms", theirs[stage] / ours[stage] >= 5 and ours[stage] < limit)


class Backend:
    """The fake market as a process of its own."""

    def __init__(self, *words):
        self.process = subprocess.Popen([f"{PEERS}/python", "-B", f"{ROOT}/Tests/MarketBackend/backend.py", "--tokens", "5000", *words], stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def control(self, name, value):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/_control/{name}", json.dumps(value).encode())
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            return json.load(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def configured(folder, name, backend, provider):
    """The environment of a hub whose prices come from the backend."""
    environment = hub_folders(f"{folder}/{name}")
    os.makedirs(f"{environment['XDG_CONFIG_HOME']}/hub")
    with open(f"{environment['XDG_CONFIG_HOME']}/hub/config.toml", "w") as file:
        file.write(f"""[plugins]
market.providers = ["{provider}"]
market.coinpaprika.url = "http://127.0.0.1:{backend.port}/v1"
market.status_go.url = "http://127.0.0.1:{backend.port}"
market.status_go.data = "{folder}/status"
market.status_go.password = "secret"
""")
    return environment


def commands(folder):
    """The first page of 5,000 known tokens, and a portfolio of 10,000 trades, as whole processes."""
    with Backend("--tick", "0") as backend:
        environment = configured(folder, "board", backend, "coinpaprika")
        subprocess.run([HUB, "market", "list", "--limit", "1"], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours, theirs, _ = in_turn([HUB, "market", "list", "--limit", "50", "--offline"], [HUB, "--version"], 60, environment)
    row("first 50 of 5,000 known tokens, from a cold process", show(ours), "hub --version", show(theirs), f"{ours / theirs:.1f} times", "under 3 times", ours / theirs < 3)
    with open(f"{folder}/trades.csv", "w") as file:
        file.write("date,kind,token,amount,price,fee,currency\n")
        for number in range(10_000):
            file.write(f"2024-{number // 30 % 12 + 1:02}-{number % 28 + 1:02},buy,coinpaprika:cp-coin-{number % 100},1.5{number:05},42000.10,12.55,usd\n")
    subprocess.run([HUB, "market", "portfolio", "import", f"{folder}/trades.csv"], env=environment, check=True, stdout=subprocess.DEVNULL)
    ours, theirs, _ = in_turn([HUB, "market", "portfolio", "--offline"], [HUB, "market", "list", "--limit", "1", "--offline"], 20, environment)
    row("hub market portfolio, 10,000 trades", show(ours), "list --limit 1", show(theirs), f"{(ours - theirs) * 1000:.1f} ms more", "-", False)


def used(process):
    """Seconds of processor time and resident megabytes of a process so far."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    with open(f"/proc/{process}/statm") as file:
        pages = int(file.read().split()[1])
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Terminal:
    """A program in a pseudo terminal of 103 rows, which is read and forgotten."""

    def __init__(self, command, environment):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.environ.update(environment, TERM="xterm-256color")
            os.execv(command[0], command)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 103, 160, 0, 0))

    def read(self, seconds):
        """Reads for some time; what was written."""
        end, written = time.monotonic() + seconds, b""
        while (left := end - time.monotonic()) > 0:
            if select.select([self.descriptor], [], [], left)[0]:
                try:
                    written += os.read(self.descriptor, 65536)
                except OSError:
                    break
        return written

    def close(self):
        os.write(self.descriptor, b"q")
        while os.waitpid(self.process, os.WNOHANG) == (0, 0):
            self.read(0.1)
        os.close(self.descriptor)


def watching(folder):
    """`hub market watch` on 5,000 tokens, 100 of them in sight, by rank and by another column.

    The screen keeps two screens live, so status-go pushes the prices of 200 tokens, here 2.5 times a second and all of them
    changed: 500 changes a second, half of them in sight. The share of a core is that of real seconds. Then the rest of ten minutes of changes comes ten times as fast, and
    the memory is compared.
    """
    pushes, minutes, measured = 2.5, 10, 30
    with Backend("--tick", "0", "--manual-clock", "--intervals", "1000000", "0.4") as backend:
        environment = configured(folder, "watch", backend, "status-go")
        subprocess.run([HUB, "market", "list", "--limit", "5000"], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # That the whole list was asked for would keep all of it live for ten minutes.
        with sqlite3.connect(f"{environment['HUB_DATA']}/hub.db") as database:
            database.execute("DELETE FROM market_interest")

        def push(count, rate, terminal):
            begin, written = time.monotonic(), 0
            for number in range(count):
                backend.control("market", {"tick": 1, "share": 1})
                backend.control("clock", {"advance": 0.4})
                written += len(terminal.read(max(begin + (number + 1) / rate - time.monotonic(), 0.001)))
            return written

        for key, order in [(b"", "rank"), (b"p", "price")]:
            terminal = Terminal([HUB, "market", "watch"], environment)
            terminal.read(3)
            os.write(terminal.descriptor, key)
            push(10, pushes, terminal)
            before = used(terminal.process)
            written = push(int(measured * pushes), pushes, terminal)
            after = used(terminal.process)
            share = (after[0] - before[0]) / measured * 100
            push(int((minutes * 60 - measured) * pushes), pushes * 10, terminal)
            grown = used(terminal.process)[1] - before[1]
            terminal.close()
            row(f"watch by {order}, 500 changes a second", f"{share:.1f} % of a core", "-", "-", f"{written / measured / 1000:.0f} kB/s", "under 10 %", share < 10)
            row(f"memory of that watch over {minutes} simulated minutes", f"{before[1]:.0f} MB", "-", "-", f"{grown:+.1f} MB", "flat", grown < 5)
