"""What a script with pycoingecko and sqlite3 needs for a page of prices: `coingecko_sqlite.py PAGE…` prints milliseconds of `store` and `update`.

The pages come from memory, so that the transfer does not count, as in `hub-bench prices`.
"""

import os
import sqlite3
import sys
import tempfile
import time

from pycoingecko import CoinGeckoAPI

FIELDS = ["current_price", "market_cap", "total_volume", "high_24h", "low_24h", "price_change_percentage_24h", "circulating_supply", "ath", "last_updated"]


class Answer:
    """A response that is here already."""

    status_code = 200

    def __init__(self, content):
        self.content = content

    def raise_for_status(self):
        pass


def measure(api, content, database):
    api.session.get = lambda *_, **__: Answer(content)
    start = time.process_time()
    rows = api.get_coins_markets("usd", per_page=250, sparkline=True)
    with database:
        database.executemany("INSERT OR REPLACE INTO token VALUES (?, ?, ?, ?, ?)", [(row["id"], row["symbol"], row["name"], row["image"], row["market_cap_rank"]) for row in rows])
        database.executemany(f"INSERT OR REPLACE INTO price VALUES (?, ?, {', '.join('?' * len(FIELDS))}, ?)",
                             [("usd", row["id"], *(row[field] for field in FIELDS), ",".join(map(str, row["sparkline_in_7d"]["price"]))) for row in rows])
        database.execute("DELETE FROM place")
        database.executemany("INSERT INTO place VALUES (?, ?)", [(place, row["id"]) for place, row in enumerate(rows)])
    return time.process_time() - start


def main():
    contents = [open(name, "rb").read() for name in sys.argv[1:]]
    api = CoinGeckoAPI()
    stored, updated = [], []
    # As many rounds as hub-bench has.
    for _ in range(15 if len(contents[0]) < 2 << 20 else 5):
        with tempfile.TemporaryDirectory() as folder:
            database = sqlite3.connect(os.path.join(folder, "prices.db"))
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("CREATE TABLE token (id TEXT PRIMARY KEY, symbol TEXT, name TEXT, image TEXT, rank INTEGER)")
            database.execute(f"CREATE TABLE price (currency TEXT, id TEXT, {', '.join(FIELDS)}, sparkline TEXT, PRIMARY KEY (currency, id))")
            database.execute("CREATE TABLE place (place INTEGER PRIMARY KEY, id TEXT)")
            stored.append(measure(api, contents[0], database))
            updated += [measure(api, content, database) for content in contents[1:]]
            database.close()
    print(f"store\t{min(stored) * 1000}\nupdate\t{min(updated) * 1000}")


main()
