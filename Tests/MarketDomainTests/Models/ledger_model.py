#!/usr/bin/env python3
"""An independent model of the ledger, in Python's fractions, written from the numbered rules in docs/market.md.

Reads ledgers as JSON Lines on stdin and writes one line for each:

{"basis": …, "currency": …, "per_place": bool, "rates": {code: [[day, units], …]}, "prices": [[token, day, price, code], …],
 "entries": [{"kind", "token", "amount", "price"?, "total"?, "received"?: [token, amount], "fee"?, "fee_coin"?: [token, amount, value or null],
              "currency", "day", "time"?, "place", "destination", "portfolio"}, …]}

with numbers as text and days as numbers from 1970-01-01. The line has the sums of each year, what is held, each part of each disposal,
exact and in cents, and what was left out.
"""
import json
import sys
from datetime import date, timedelta
from fractions import Fraction

DIGITS = 24
ARRIVALS = ("buy", "income", "gift-received")
USES = {"sell": "sell", "swap": "swap", "gift-given": "gift", "loss": "loss", "fee": "fee"}


def rounded(number, digits):
    """Half up, a half away from zero."""
    scaled = abs(number) * 10**digits
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Fraction(whole if number >= 0 else -whole, 10**digits)


def plain(number):
    """A decimal without zeros at its end; None is unknown."""
    if number is None:
        return "?"
    sign, number, digits = ("-" if number < 0 else ""), abs(number), 0
    while number.denominator != 1:
        number, digits = number * 10, digits + 1
    text = str(number.numerator).rjust(digits + 1, "0")
    return sign + (text if not digits else text[:-digits] + "." + text[-digits:])


def plus(one, other):
    return None if one is None or other is None else one + other


def share(whole_sum, part, whole):
    """Rule 10: a part of a sum; all of it for the last part."""
    if whole_sum is None or part == whole:
        return whole_sum
    return rounded(whole_sum * part / whole, DIGITS)


class Ledger:
    def __init__(self, data):
        self.basis, self.currency = data["basis"], data["currency"]
        self.per_place = data["per_place"] and self.basis != "pool"
        self.rates = {code: sorted((day, Fraction(units)) for day, units in rates) for code, rates in data["rates"].items()}
        self.prices = {(token, day): (Fraction(price), code) for token, day, price, code in data["prices"]}
        self.held, self.steps, self.refused, self.income = {}, [], [], []
        for entry in self.ordered(data["entries"]):
            self.add(entry)

    def ordered(self, entries):
        """Rule 1."""
        timed = {entry["day"] for entry in entries if "time" in entry}

        def place(entry):
            if entry["day"] not in timed:
                return (entry["day"], 0, 0)
            if "time" in entry:
                return (entry["day"], 1, entry["time"])
            if entry["kind"] in ARRIVALS:
                return (entry["day"], 0, 0)
            return (entry["day"], 2 if entry["kind"] in ("swap", "transfer") else 3, 0)
        return sorted(entries, key=place)

    def units(self, code, day):
        """Rule 5: the units for one euro."""
        if code == "eur":
            return Fraction(1)
        known = [(known, units) for known, units in self.rates.get(code, []) if day - 7 <= known <= day]
        return max(known)[1] if known else None

    def converted(self, amount, code, day):
        if code == self.currency:
            return amount
        own, wanted = self.units(code, day), self.units(self.currency, day)
        return None if own is None or wanted is None else rounded(amount * wanted / own, DIGITS)

    def priced(self, token, amount, day):
        if (token, day) not in self.prices:
            return None
        price, code = self.prices[token, day]
        return self.converted(price * amount, code, day)

    def value(self, entry):
        """Rule 4; None is unknown."""
        day, amount, kind = entry["day"], Fraction(entry["amount"]), entry["kind"]
        if "total" in entry:
            return self.converted(Fraction(entry["total"]), entry["currency"], day)
        if "price" in entry:
            return self.converted(Fraction(entry["price"]) * amount, entry["currency"], day)
        if kind == "swap":
            given = self.priced(entry["token"], amount, day)
            return given if given is not None else self.priced(entry["received"][0], Fraction(entry["received"][1]), day)
        if kind in ("income", "gift-received", "fee"):
            return self.priced(entry["token"], amount, day)
        return Fraction(0) if kind == "loss" else None

    def fee(self, entry, value):
        """Rules 5 and 6."""
        if "fee_coin" not in entry:
            fee = Fraction(entry.get("fee", 0))
            return fee if fee == 0 else self.converted(fee, entry["currency"], entry["day"])
        token, coins, given = entry["fee_coin"]
        coins = Fraction(coins)
        if given is not None:
            return self.converted(Fraction(given), entry["currency"], entry["day"])
        if value is not None and entry["kind"] != "loss":
            if token == entry["token"]:
                return share(value, coins, Fraction(entry["amount"]))
            if "received" in entry and token == entry["received"][0]:
                return share(value, coins, Fraction(entry["received"][1]))
        return self.priced(token, coins, entry["day"])

    def key(self, entry, token, place="place"):
        return (token, entry["portfolio"], entry[place] if self.per_place else None)

    def take(self, key, amount, entry, use):
        """Rule 8."""
        if self.held.get(key, 0) < amount:
            self.refused.append(f"{use} {key[0]} {plain(amount)} {plain(Fraction(self.held.get(key, 0)))}")
            return False
        self.held[key] -= amount
        return True

    def arrive(self, key, amount, entry, cost):
        self.held[key] = self.held.get(key, Fraction(0)) + amount
        self.steps.append(("in", key, amount, entry["day"], cost))

    def leave(self, key, amount, entry, use, value, fee, at_cost=False):
        if self.take(key, amount, entry, use):
            self.steps.append(("out", key, amount, entry["day"], use, value, fee, at_cost))

    def add(self, entry):
        """Rules 3 and 7."""
        kind, amount = entry["kind"], Fraction(entry["amount"])
        value = self.value(entry)
        fee = self.fee(entry, value)
        key = self.key(entry, entry["token"])
        if kind in USES:
            gift = kind == "gift-given" and "price" not in entry and "total" not in entry
            self.leave(key, amount, entry, USES[kind], value, Fraction(0) if kind == "fee" else fee, gift)
        if kind == "transfer" and self.per_place and self.take(key, amount, entry, "move"):
            target = self.key(entry, entry["token"], "destination")
            self.held[target] = self.held.get(target, Fraction(0)) + amount
            self.steps.append(("move", key, amount, target))
        if kind in ARRIVALS:
            self.arrive(key, amount, entry, plus(value, fee))
        if kind == "income":
            self.income.append((entry["day"], value))
        if kind == "swap":
            token, number = entry["received"]
            self.arrive(self.key(entry, token), Fraction(number), entry, value)
        if "fee_coin" in entry:
            token, coins, _ = entry["fee_coin"]
            self.leave(self.key(entry, token), Fraction(coins), entry, "fee", fee, Fraction(0))


def divided(step, taken):
    """Rule 10: the parts (day of acquisition, amount, cost, proceeds, fee) of a disposal."""
    _, _, left, _, _, value, fee, at_cost = step
    parts = []
    for day, amount, cost in taken:
        own_fee = share(fee, amount, left)
        own_value = cost if at_cost else share(value, amount, left)
        fee = None if fee is None else fee - own_fee
        if not at_cost:
            value = None if value is None else value - own_value
        left -= amount
        parts.append((day, amount, cost, None if own_value is None or own_fee is None else own_value - own_fee, own_fee))
    return parts


class Lot:
    def __init__(self, number, day, amount, cost):
        self.number, self.day, self.left, self.cost = number, day, amount, cost
        self.each = None if cost is None else cost / amount

    def part(self, amount):
        cost = share(self.cost, amount, self.left)
        self.left -= amount
        if self.cost is not None:
            self.cost -= cost
        part = Lot(self.number, self.day, amount, cost)
        part.each = self.each
        return part

    def join(self, amount, cost):
        self.day, self.left, self.cost = None, self.left + amount, plus(self.cost, cost)


def next_lot(basis, lots):
    """Rule 9, with the order of arrival among equal numbers (rule 13)."""
    places = range(len(lots))
    if basis == "lifo":
        return max(places, key=lambda place: (lots[place].number, place))
    if basis == "hifo":
        known = [place for place in places if lots[place].each is not None]
        if known:
            dearest = max(lots[place].each for place in known)
            return min((place for place in known if lots[place].each == dearest), key=lambda place: (lots[place].number, place))
    return min(places, key=lambda place: (lots[place].number, place))


def by_lots(ledger):
    """Rules 9, 11 and 13."""
    basis, books, disposals, number = ledger.basis, {}, [], 0

    def put(key, lot):
        lots = books.setdefault(key, [])
        if basis == "average" and lots:
            lots[0].join(lot.left, lot.cost)
        else:
            lots.append(lot)

    def taken(key, amount):
        lots, parts = books.setdefault(key, []), []
        while amount:
            place = next_lot(basis, lots)
            part = lots[place].part(min(amount, lots[place].left))
            parts.append(part)
            amount -= part.left
            if not lots[place].left:
                lots.pop(place)
        return parts

    for step in ledger.steps:
        if step[0] == "in":
            put(step[1], Lot(number, step[3], step[2], step[4]))
            number += 1
        elif step[0] == "move":
            for part in taken(step[1], step[2]):
                put(step[3], part)
        else:
            disposals.append((step, divided(step, [(part.day, part.left, part.cost) for part in taken(step[1], step[2])])))
    return disposals, {key: lots for key, lots in books.items() if lots}


def by_pools(ledger):
    """Rule 12."""
    disposals, held = [], {}
    taken = {place: [] for place, step in enumerate(ledger.steps) if step[0] == "out"}
    for key in {step[1] for step in ledger.steps}:
        days, outs = {}, []
        for place, step in enumerate(ledger.steps):
            if step[1] != key:
                continue
            if step[0] == "in" and step[3] in days:
                lot = days[step[3]]
                lot.left, lot.cost = lot.left + step[2], plus(lot.cost, step[4])
            elif step[0] == "in":
                days[step[3]] = Lot(0, step[3], step[2], step[4])
            else:
                outs.append([place, step[3], step[2]])

        def match(out, lot, day):
            amount = min(out[2], lot.left)
            if amount:
                taken[out[0]].append((day, amount, lot.part(amount).cost))
                out[2] -= amount

        for out in outs:
            if out[1] in days:
                match(out, days[out[1]], out[1])
        for out in outs:
            for day in sorted(days):
                if out[1] < day <= out[1] + 30:
                    match(out, days[day], day)
        pool, waiting = None, sorted(days)
        for out in outs + [None]:
            while waiting and (out is None or waiting[0] <= out[1]) and (out is None or out[2]):
                lot = days[waiting.pop(0)]
                if lot.left and pool is None:
                    pool = Lot(0, None, lot.left, lot.cost)
                elif lot.left:
                    pool.join(lot.left, lot.cost)
            if out is not None and out[2]:
                match(out, pool, None)
                assert not out[2]
                if not pool.left:
                    pool = None
        if pool is not None:
            held[key] = [pool]
    for place, step in enumerate(ledger.steps):
        if step[0] == "out":
            disposals.append((step, divided(step, taken[place])))
    return disposals, held


def civil(day):
    return date(1970, 1, 1) + timedelta(days=day)


def over_a_year(bought, sold):
    """Rule 14."""
    bought = civil(bought)
    try:
        return civil(sold) > bought.replace(year=bought.year + 1)
    except ValueError:
        return civil(sold) > date(bought.year + 1, 2, 28)


def line(data):
    ledger = Ledger(data)
    disposals, held = by_pools(ledger) if ledger.basis == "pool" else by_lots(ledger)
    digits = {"jpy": 0}.get(ledger.currency, 2)
    sums, years, rows = {}, {}, []

    def grown(year, name, value):
        """Rule 15."""
        known = sums.get((year, name), Fraction(0))
        sums[year, name] = known + value
        return rounded(known + value, digits) - rounded(known, digits)

    for step, parts in disposals:
        _, key, _, day, use, _, _, _ = step
        for bought, amount, cost, proceeds, fee in parts:
            year = years.setdefault(civil(day).year, {"old": Fraction(0), "unknown": 0, "no income": 0})
            known = cost is not None and proceeds is not None and fee is not None
            if known:
                shown = [grown(civil(day).year, name, value) for name, value in (("proceeds", proceeds), ("cost", cost), ("fee", fee))]
            else:
                shown = [None if value is None else rounded(value, digits) for value in (proceeds, cost, fee)]
                year["unknown"] += 1
            days = None if bought is None or bought > day else day - bought
            old = None if days is None else over_a_year(bought, day)
            if known and old:
                year["old"] += shown[0] - shown[1]
            exact = " ".join(plain(value) for value in (amount, proceeds, cost, fee))
            rows.append(
                f"{use} {key[0]} {day} {'-' if bought is None else bought} {'-' if days is None else days} {'-' if old is None else int(old)} "
                f"{exact} {' '.join(plain(value) for value in shown)}")
    for day, value in ledger.income:
        year = years.setdefault(civil(day).year, {"old": Fraction(0), "unknown": 0, "no income": 0})
        if value is None:
            year["no income"] += 1
        else:
            grown(civil(day).year, "income", value)
    parts = []
    for year, known in sorted(years.items()):
        cents = [rounded(sums.get((year, name), Fraction(0)), digits) for name in ("proceeds", "cost", "income")]
        exact = [sums.get((year, name), Fraction(0)) for name in ("proceeds", "cost")]
        parts.append(" ".join([str(year)] + [plain(value) for value in cents + exact + [known["old"]]] + [str(known["unknown"]), str(known["no income"])]))
    for key, lots in sorted(held.items(), key=lambda item: tuple(part or "" for part in item[0])):
        left, cost = sum(lot.left for lot in lots), sum(lot.cost for lot in lots if lot.cost is not None)
        unknown = sum(lot.left for lot in lots if lot.cost is None)
        parts.append(f"held {key[0]} {key[1]} {key[2] or ''} {plain(Fraction(left))} {plain(Fraction(cost))} {plain(Fraction(unknown))}")
    return "; ".join(parts + rows + ledger.refused + [f"refused {len(ledger.refused)}"])


for text in sys.stdin:
    print(line(json.loads(text)))
