"""The returns of a portfolio by rules R1 to R6 of docs/market.md. A line is a list of days: value at the end, paid in, taken out.

Time-weighted by the price of a share of a fund, which issues shares for what is paid in at the beginning of a day and takes shares back
at its end. Money-weighted by the root of the sum of present values, found by halving on the growth of one day.
"""
import json
import sys
from fractions import Fraction


def time_weighted(days):
    shares, start = Fraction(0), None
    value, price = Fraction(days[0][0]), Fraction(1)
    shares = value
    for end, paid, taken in days[1:]:
        end, paid, taken = Fraction(end), Fraction(paid), Fraction(taken)
        shares += paid / price
        if shares <= 0:
            continue
        start = price
        price = (end + taken) / shares
        shares -= taken / price if price else 0
    return None if start is None else float((price - 1) * 100)


def money_weighted(days):
    count = len(days) - 1
    if count < 1 or (days[0][0] <= 0 and all(paid <= 0 for _, paid, _ in days[1:])):
        return None
    flows = [(0, days[0][0])]
    for index, (_, paid, taken) in enumerate(days[1:], 1):
        flows += [(index - 1, paid), (index, -taken)]
    flows.append((count, -days[-1][0]))

    def worth(growth):
        return sum(amount * growth ** (count - time) for time, amount in flows)

    low, high = 1e-9, 1.0
    while worth(high) < 0:
        high *= 2
    while high - low > 1e-15 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if worth(middle) < 0 else (low, middle)
    return (high**count - 1) * 100


for line in sys.stdin:
    days = json.loads(line)
    print(*("none" if value is None else repr(value) for value in (time_weighted(days), money_weighted(days))))
