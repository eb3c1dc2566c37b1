#!/usr/bin/env python3
"""An independent model of cost bases, in Python's decimal.

Reads ledgers as JSON Lines on stdin: {"basis": "fifo"|"lifo"|"hifo"|"average", "trades": [[kind, token, amount, price, fee, currency,
year, day], …]} with numbers as text. Writes one line for each ledger: sorted gains by year and currency, sorted holdings with
cost, the number of sales that were left out, and each sale with the purchases that it used, exact and in cents.
"""
import json
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction

getcontext().prec = 400
STEP = Decimal(1).scaleb(-24)


def share(cost, part, whole):
    return cost if part == whole else (cost * part / whole).quantize(STEP, rounding=ROUND_HALF_UP)


def plain(number):
    text = format(number.normalize(), "f")
    return "0" if number == 0 else text


def next_lot(basis, lots):
    if basis == "fifo":
        return 0
    if basis == "lifo":
        return len(lots) - 1
    dearest = max(Fraction(lot["paid"]) / Fraction(lot["bought"]) for lot in lots)
    return next(i for i, lot in enumerate(lots) if Fraction(lot["paid"]) / Fraction(lot["bought"]) == dearest)


def by_lots(basis, trades):
    books, sales, refused = {}, [], 0
    for kind, token, amount, price, fee, currency, year, day in trades:
        lots = books.setdefault((token, currency), [])
        if kind == "buy":
            paid = amount * price + fee
            lots.append({"left": amount, "price": price, "fee": fee, "paid": paid, "bought": amount, "day": (year, day)})
            continue
        if sum(lot["left"] for lot in lots) < amount:
            refused += 1
            continue
        left, fee_left, parts = amount, fee, []
        while left:
            number = next_lot(basis, lots)
            lot = lots[number]
            part = min(left, lot["left"])
            cost_fee, sale_fee = share(lot["fee"], part, lot["left"]), share(fee_left, part, left)
            parts.append((lot["day"], part, part * lot["price"] + cost_fee, sale_fee))
            lot["left"] -= part
            lot["fee"] -= cost_fee
            left -= part
            fee_left -= sale_fee
            if not lot["left"]:
                lots.pop(number)
        sales.append((year, day, currency, amount, price, fee, parts))
    held = {
        key: (sum(lot["left"] for lot in lots), sum(lot["left"] * lot["price"] + lot["fee"] for lot in lots))
        for key, lots in books.items() if lots}
    return sales, held, refused


def average(trades):
    pools, sales, refused = {}, [], 0
    for kind, token, amount, price, fee, currency, year, day in trades:
        # Whether all tokens of the pool were bought together, so that their share needs no division.
        pool = pools.setdefault((token, currency), {"amount": Decimal(0), "price": Decimal(0), "fee": Decimal(0)})
        if kind == "buy":
            pool["unit"], pool["day"] = (None, None) if pool["amount"] else (price, (year, day))
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
        sales.append((year, day, currency, amount, price, fee, [(pool["day"], amount, price_part + fee_part, fee)]))
    held = {key: (pool["amount"], pool["price"] + pool["fee"]) for key, pool in pools.items() if pool["amount"]}
    return sales, held, refused


def cents(number):
    return number.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


for line in sys.stdin:
    ledger = json.loads(line)
    trades = [
        (kind, token, Decimal(amount), Decimal(price), Decimal(fee), currency, year, day)
        for kind, token, amount, price, fee, currency, year, day in sorted(ledger["trades"], key=lambda t: (t[6], t[7]))
    ]
    basis = ledger["basis"]
    sales, held, refused = average(trades) if basis == "average" else by_lots(basis, trades)
    gains, rows, sums = {}, [], {}
    for year, day, currency, amount, price, fee, parts in sales:
        total = gains.setdefault((year, currency), [Decimal(0), Decimal(0)])
        total[0] += amount * price - fee
        total[1] += sum(cost for _, _, cost, _ in parts)
        for bought, part, cost, sale_fee in parts:
            row = []
            known = sums.setdefault((year, currency), [Decimal(0), Decimal(0)])
            for index, value in enumerate((part * price - sale_fee, cost)):
                row.append(cents(known[index] + value) - cents(known[index]))
                known[index] += value
            when = "-" if bought is None else f"{bought[0]}/{bought[1]}"
            rows.append(f"{year}/{day} {when} {plain(part)} {plain(cost)} {plain(sale_fee)} {plain(row[0])} {plain(row[1])}")
    lines = [f"{y} {c} {plain(p)} {plain(k)} {plain(p - k)}" for (y, c), (p, k) in sorted(gains.items())]
    lines += [f"{t} {c} {plain(a)} {plain(k)}" for (t, c), (a, k) in sorted(held.items())]
    print("; ".join(lines + rows + [f"refused {refused}"]))
