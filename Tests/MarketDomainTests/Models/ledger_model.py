#!/usr/bin/env python3
"""An independent model of cost bases, in Python's decimal.

Reads ledgers as JSON Lines on stdin: {"basis": "fifo"|"average", "trades": [[kind, token, amount, price, fee, currency,
year, day], …]} with numbers as text. Writes one line for each ledger: sorted gains by year and currency, sorted holdings with
cost, and the number of sales that were left out.
"""
import json
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 400
STEP = Decimal(1).scaleb(-24)


def share(cost, part, whole):
    return cost if part == whole else (cost * part / whole).quantize(STEP, rounding=ROUND_HALF_UP)


def plain(number):
    text = format(number.normalize(), "f")
    return "0" if number == 0 else text


def fifo(trades):
    lots, sales, refused = {}, [], 0
    for kind, token, amount, price, fee, currency, year in trades:
        queue = lots.setdefault((token, currency), [])
        if kind == "buy":
            queue.append([amount, price, fee])
            continue
        if sum(lot[0] for lot in queue) < amount:
            refused += 1
            continue
        left, cost = amount, Decimal(0)
        while left:
            lot = queue[0]
            part = min(left, lot[0])
            fee_part = share(lot[2], part, lot[0])
            cost += part * lot[1] + fee_part
            lot[0] -= part
            lot[2] -= fee_part
            left -= part
            if not lot[0]:
                queue.pop(0)
        sales.append((year, currency, amount * price - fee, cost))
    held = {}
    for key, queue in lots.items():
        if queue:
            held[key] = (sum(lot[0] for lot in queue), sum(lot[0] * lot[1] + lot[2] for lot in queue))
    return sales, held, refused


def average(trades):
    pools, sales, refused = {}, [], 0
    for kind, token, amount, price, fee, currency, year in trades:
        # Whether all tokens of the pool cost the same, so that their share needs no division.
        pool = pools.setdefault((token, currency), {"amount": Decimal(0), "price": Decimal(0), "fee": Decimal(0)})
        if kind == "buy":
            pool["unit"] = price if not pool["amount"] else None
            pool["amount"] += amount
            pool["price"] += amount * price
            pool["fee"] += fee
            continue
        if pool["amount"] < amount:
            refused += 1
            continue
        if pool["unit"] is not None:
            price_part = amount * pool["unit"]
        else:
            price_part = share(pool["price"], amount, pool["amount"])
        fee_part = share(pool["fee"], amount, pool["amount"])
        pool["amount"] -= amount
        pool["price"] -= price_part
        pool["fee"] -= fee_part
        sales.append((year, currency, amount * price - fee, price_part + fee_part))
    held = {key: (pool["amount"], pool["price"] + pool["fee"]) for key, pool in pools.items() if pool["amount"]}
    return sales, held, refused


for line in sys.stdin:
    ledger = json.loads(line)
    trades = [
        (kind, token, Decimal(amount), Decimal(price), Decimal(fee), currency, year)
        for kind, token, amount, price, fee, currency, year, _ in sorted(ledger["trades"], key=lambda t: (t[6], t[7]))
    ]
    sales, held, refused = (fifo if ledger["basis"] == "fifo" else average)(trades)
    gains = {}
    for year, currency, proceeds, cost in sales:
        sums = gains.setdefault((year, currency), [Decimal(0), Decimal(0)])
        sums[0] += proceeds
        sums[1] += cost
    parts = [f"{y} {c} {plain(p)} {plain(k)} {plain(p - k)}" for (y, c), (p, k) in sorted(gains.items())]
    parts += [f"{t} {c} {plain(a)} {plain(k)}" for (t, c), (a, k) in sorted(held.items())]
    print("; ".join(parts + [f"refused {refused}"]))
