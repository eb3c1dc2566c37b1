"""A portfolio by first in, first out with Python's Decimal: decimal_portfolio.py COUNT prints milliseconds.

The trades are those of `hub-bench market`: of a hundred tokens, one in five a sale.
"""

import sys
import time
from collections import defaultdict, deque
from decimal import Decimal, getcontext

getcontext().prec = 50


def trades(count):
    return [(index % 100, index % 500 >= 400, Decimal(1_500_000_000_000_000_001 + index).scaleb(-18), Decimal(4_200_010 + index).scaleb(-2),
             Decimal("12.55")) for index in range(count)]


def portfolio(trades):
    """The amount, cost and worth of each token, and the gain of each sale."""
    lots, gains = defaultdict(deque), []
    for token, is_sale, amount, price, fee in trades:
        if not is_sale:
            lots[token].append([amount, (amount * price + fee) / amount])
            continue
        gain, left = amount * price - fee, amount
        while left and lots[token]:
            lot = lots[token][0]
            sold = min(left, lot[0])
            gain -= sold * lot[1]
            left -= sold
            lot[0] -= sold
            if not lot[0]:
                lots[token].popleft()
        gains.append(gain)
    positions = [(token, sum(lot[0] for lot in held), sum(lot[0] * lot[1] for lot in held), sum(lot[0] for lot in held) * (90_000 + token))
                 for token, held in lots.items()]
    return positions, gains


made = trades(int(sys.argv[1]))
best = float("inf")
for _ in range(5):
    start = time.process_time()
    portfolio(made)
    best = min(best, time.process_time() - start)
print(f"portfolio\t{best * 1000}")
