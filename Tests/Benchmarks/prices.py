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

from measuring import BENCH, HERE, HUB, PEERS, ROOT, SYSTEM_PYTHON, alternate, figures, hub_folders, measure, megabytes, row, size

sys.path.append(os.path.join(ROOT, "Tests/MarketBackend"))

TOKENS = size(5_000, 60)
TRADES = size(10_000, 100)


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
    path, = pages(f"{folder}/page", TOKENS)
    runs = [(figures([BENCH, "market", path]), python_json(path, exact=True) / 1000,
             figures([SYSTEM_PYTHON, "-B", f"{HERE}/decimal_portfolio.py", str(TRADES)])["portfolio"] / 1000) for _ in range(size(5, 1))]
    row(f"decoding {TOKENS:,} rows of prices, exact", [ours["decode"] / 1000 for ours, _, _ in runs], "Python's json, Decimal",
        [theirs for _, theirs, _ in runs], "Going through the bytes once, and making the decimals.", at_least=4)
    row(f"a portfolio of {TRADES:,} trades", [ours["portfolio"] / 1000 for ours, _, _ in runs], "Python's Decimal, FIFO",
        [theirs for _, _, theirs in runs], "Multiplying decimals of any size, which GMP does.", at_least=1)


def storing(folder):
    """From the bytes of a page to a commit, beside pycoingecko and sqlite3."""
    for count in size([250, 5_000], [20]):
        paths = pages(f"{folder}/rows-{count}", count, minutes=size(4, 2), sparkline=True)
        runs = [(figures([BENCH, "prices", f"{folder}/prices-{count}-{number}", *paths]),
                 figures([f"{PEERS}/python", "-B", f"{HERE}/coingecko_sqlite.py", *paths])) for number in range(size(3, 1))]
        for stage, words in [("store", "new"), ("update", "known")]:
            row(f"{count:,} {words} rows from the wire to the store", [ours[stage] / 1000 for ours, _ in runs], "pycoingecko, sqlite3",
                [theirs[stage] / 1000 for _, theirs in runs], STORING[stage], at_least=5)


STORING = {
    "store": "SQLite's statements: a row for the token, its price, its place, and its words of the search. The peer has no search.",
    "update": "The same for what has changed, and comparing it with what is there.",
}


class Backend:
    """The fake market as a process of its own."""

    def __init__(self, *words):
        self.process = subprocess.Popen([f"{PEERS}/python", "-B", f"{ROOT}/Tests/MarketBackend/backend.py", "--tokens", str(TOKENS), *words], stdout=subprocess.PIPE, text=True)
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
    """The first page of known tokens, and a portfolio, as whole processes."""
    with Backend("--tick", "0") as backend:
        environment = configured(folder, "board", backend, "coinpaprika")
        measure([HUB, "market", "list", "--limit", "1"], environment)
    ours, theirs, _ = alternate([HUB, "market", "list", "--limit", "50", "--offline"], [HUB, "--version"], size(60, 1), environment)
    row(f"first 50 of {TOKENS:,} known tokens, from a cold process", ours, "hub --version", theirs,
        "Opening the store, and reading the rows of one page.", at_most=3)
    with open(f"{folder}/trades.csv", "w") as file:
        file.write("date,kind,token,amount,price,fee,currency\n")
        for number in range(TRADES):
            file.write(f"2024-{number // 30 % 12 + 1:02}-{number % 28 + 1:02},buy,coinpaprika:cp-coin-{number % 50},1.5{number:05},42000.10,12.55,usd\n")
    measure([HUB, "market", "portfolio", "import", f"{folder}/trades.csv"], environment)
    peer = [SYSTEM_PYTHON, "-B", f"{HERE}/decimal_portfolio.py", str(TRADES)]
    ours, theirs, _ = alternate([HUB, "market", "portfolio", "--offline"], peer, size(20, 1), environment)
    row(f"hub market portfolio, {TRADES:,} trades", ours, "Python's Decimal, FIFO, from memory", theirs,
        "Reading the trades from the store, and the ledger.", at_most=1)


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

    def close(self, key):
        os.write(self.descriptor, key)
        while os.waitpid(self.process, os.WNOHANG) == (0, 0):
            self.read(0.1)
        os.close(self.descriptor)


def watching(folder):
    """`hub market watch`, with 100 tokens in sight, by rank and by another column.

    The screen keeps two screens live, so status-go pushes the prices of 200 tokens, here 2.5 times a second and all of them changed: 500
    changes a second, half of them in sight. The share of a core is that of real seconds. Then the rest of ten minutes of changes comes ten
    times as fast, and the memory is compared. The peer reads lines with as many prices and draws them with curses.
    """
    pushes, simulated, measured = 2.5, size(600, 4), size(20, 2)
    with Backend("--tick", "0", "--manual-clock", "--intervals", "1000000", "0.4") as backend:
        environment = configured(folder, "watch", backend, "status-go")
        measure([HUB, "market", "list", "--limit", str(TOKENS)], environment)
        # That the whole list was asked for would keep all of it live for ten minutes.
        with sqlite3.connect(f"{environment['HUB_DATA']}/hub.db") as database:
            database.execute("DELETE FROM market_interest")

        def push_prices():
            backend.control("market", {"tick": 1, "share": 1})
            backend.control("clock", {"advance": 0.4})

        def push_lines():
            os.write(lines, json.dumps([[place, 100 + number_of_pushes[0] % 97 + place / 7] for place in range(200)]).encode() + b"\n")
            number_of_pushes[0] += 1

        number_of_pushes = [0]
        source, lines = os.pipe()
        os.set_inheritable(source, True)
        terminal = Terminal([SYSTEM_PYTHON, "-B", f"{HERE}/curses_prices.py", str(source)], os.environ)
        os.close(source)
        theirs = watched(terminal, push_lines, pushes, measured, simulated)
        os.close(lines)
        terminal.close(b"")
        for key, order in [(b"", "rank"), (b"p", "price")]:
            terminal = Terminal([HUB, "market", "watch"], environment)
            terminal.read(size(3, 1))
            os.write(terminal.descriptor, key)
            ours = watched(terminal, push_prices, pushes, measured, simulated)
            terminal.close(b"q")
            row(f"watch by {order}, 500 changes a second", ours[0], "Python's json and curses", theirs[0],
                f"Decoding the signals, which carry a whole record for each token, and the {ours[3] / 1000:.0f} kB/s that are drawn.",
                at_most=3, show=lambda share: f"{share:.1%} of a core", limit=("under 10 %", ours[0] < 0.1))
            row("memory of that watch", ours[1], "Python's json and curses", theirs[1],
                f"The prices of all tokens; {ours[2]:+.1f} MB after ten minutes of changes, {theirs[2]:+.1f} MB for the peer.",
                show=megabytes, limit=("flat", ours[2] < 5))


def watched(terminal, push, pushes, measured, simulated):
    """The share of a core while prices come, the memory before, how much it grew in the end, and the bytes drawn a second."""
    def run(count, speed):
        begin, written = time.monotonic(), 0
        for number in range(count):
            push()
            written += len(terminal.read(max(begin + (number + 1) / speed - time.monotonic(), 0.001)))
        return written

    run(size(10, 1), pushes)
    before, begin = used(terminal.process), time.monotonic()
    written = run(int(measured * pushes), pushes)
    after, seconds = used(terminal.process), time.monotonic() - begin
    run(int((simulated - measured) * pushes), pushes * 10)
    grown = used(terminal.process)[1] - before[1]
    return max(after[0] - before[0], 0.001) / seconds, before[1], grown, written / seconds


STEPS = [decoding, storing, commands, watching]
