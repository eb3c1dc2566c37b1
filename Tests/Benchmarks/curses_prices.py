"""Draws a table of prices with curses: curses_prices.py DESCRIPTOR reads a line of JSON for each change, [[PLACE, PRICE], …], until it ends."""

import curses
import json
import os
import sys


def main(screen):
    prices = {}
    for line in os.fdopen(int(sys.argv[1])):
        for place, price in json.loads(line):
            prices[place] = (price, price - prices.get(place, (price, 0))[0])
        height, width = screen.getmaxyx()
        for place in range(min(height, 100)):
            price, change = prices[place]
            screen.addnstr(place, 0, f"{place + 1:4}  Coin {place:<12} {price:14.2f} {change:10.2f}", width - 1)
        screen.refresh()


curses.wrapper(main)
