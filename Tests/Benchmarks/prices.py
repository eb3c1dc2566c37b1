"""The market's pure layers beside Python: decoding 5,000 rows, and a portfolio of 10,000 trades."""

import json
import os
import subprocess
import sys
import time
from decimal import Decimal

from measuring import BENCH, ROOT, row, show

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
