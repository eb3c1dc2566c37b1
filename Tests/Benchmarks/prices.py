"""The market beside Python: decoding and storing rows, a portfolio of 10,000 trades, and `hub market` as a whole process."""

import json
import os
import pty
import select
import struct
import subprocess
import sys
import time
from decimal import Decimal

from measuring import BENCH, HERE, HUB, PEERS, ROOT, hub_folders, in_turn, row, show

sys.path.insert(0, os.path.join(ROOT, "Tests/MarketBackend"))


def page(path, count, sparkline=False):
    """Writes a page of CoinGecko's rows, as the fake backend makes them."""
    import market
    import providers

    clock = market.Clock(time.monotonic, manual=True)
    source = providers.Providers(market.Market(1, count), clock)
    rows = [source.row(rank, coin, 1, sparkline) for rank, coin in enumerate(source.market.coins, 1)]
    with open(path, "w") as file:
        file.write(providers.f.dumps(rows))


def stages(path, bench=(BENCH, "market")):
    """Milliseconds of each stage."""
    lines = subprocess.check_output([*bench, path], text=True).splitlines()
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
    path = f"{folder}/page.json"
    page(path, 5_000)
    ours, theirs = stages(path), python_json(path, exact=True)
    row("decoding 5,000 rows of prices, exact", show(ours["decode"] / 1000), "Python json", show(theirs / 1000),
        f"{theirs / ours['decode']:.1f} times faster", "under 30 ms", ours["decode"] < 30)
    row("a portfolio of 10,000 trades", show(ours["portfolio"] / 1000), "-", "-", show(ours["portfolio"] / 1000),
        "under 20 ms", ours["portfolio"] < 20)


def storing(folder):
    """From the bytes of a page to a commit, beside pycoingecko and sqlite3."""
    for count, limit in [(250, 6), (5_000, 120)]:
        path = f"{folder}/rows-{count}.json"
        page(path, count, sparkline=True)
        ours = stages(f"{folder}/prices-{count}", (BENCH, "prices", path))
        theirs = stages(path, (f"{PEERS}/python", "-B", f"{HERE}/coingecko_sqlite.py"))
        for stage, words in [("store", "new"), ("update", "known")]:
            row(f"{count:,} {words} rows from the wire to the store", show(ours[stage] / 1000), "pycoingecko, sqlite3", show(theirs[stage] / 1000),
                f"{theirs[stage] / ours[stage]:.1f} times faster", f"5 times, under {limit} ms", theirs[stage] / ours[stage] >= 5 and ours[stage] < limit)


class Backend:
    """The fake market as a process of its own."""

    def __init__(self, *words):
        self.process = subprocess.Popen([f"{PEERS}/python", "-B", f"{ROOT}/Tests/MarketBackend/backend.py", "--tokens", "5000", *words], stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]

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
            file.write(f"2024-{number // 30 % 12 + 1:02}-{number % 28 + 1:02},buy,coinpaprika:c{number % 100}-coin-{number % 100},1.5{number:05},42000.10,12.55,usd\n")
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


def watching(folder):
    """`hub market watch` over 500 pushed changes a second, in a terminal of 100 rows. The minutes pass ten times as fast."""
    minutes, speed = 10, 10
    with Backend("--tick", "0.1", "--intervals", "1", "0.1") as backend:
        environment = configured(folder, "watch", backend, "status-go")
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(environment, TERM="xterm-256color")
            os.execv(HUB, [HUB, "market", "watch"])
        import fcntl
        import termios
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 102, 160, 0, 0))
        written, begin, end = 0, None, time.monotonic() + 10 + minutes * 60 / speed
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                written += len(os.read(terminal, 65536))
            if begin is None and time.monotonic() > end - minutes * 60 / speed:
                begin = used(child)
        after = used(child)
        os.write(terminal, b"q")
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    os.read(terminal, 65536)
                except OSError:
                    pass
        os.close(terminal)
    share = (after[0] - begin[0]) / (minutes * 60) * 100
    row(f"watch, 500 changes a second, {minutes} minutes", f"{share:.1f} % of a core", "-", "-", f"{after[1]:.0f} MB, {after[1] - begin[1]:+.1f} MB", "under 10 %, flat",
        share < 10 and after[1] - begin[1] < 5)
