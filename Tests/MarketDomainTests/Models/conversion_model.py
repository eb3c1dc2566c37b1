#!/usr/bin/env python3
"""Conversions in Python's decimal. Each line on stdin is `amount price other digits`; each line written is the value at the
price with `digits` digits, and the amount of the other thing at its own price with 20 digits, both half up."""
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 400


def rounded(number, digits):
    number = number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    return format(abs(number) if number == 0 else number, f".{digits}f")


for line in sys.stdin:
    amount, price, other, digits = line.split()
    amount, price, other = Decimal(amount), Decimal(price), Decimal(other)
    print(rounded(amount * price, int(digits)), rounded(amount * price / other, 20) if other else "-")
