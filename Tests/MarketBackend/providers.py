"""The public providers: CoinGecko, CoinPaprika, and the proxy that status-go reads."""
import hashlib
from datetime import datetime, timezone
from decimal import Decimal

import faults as f


def stamp(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def cents(number):
    return number.quantize(Decimal("0.01"))


class Providers:
    """Answers of all providers: a status, headers and the text of a body."""

    def __init__(self, market, clock):
        self.market, self.clock = market, clock

    def updated(self, coin):
        return coin["updated"] or self.clock.now() - 1

    def answer(self, path, query, fault):
        """The answer to a GET; None for a path that no provider has."""
        parts = [part for part in path.split("/") if part]
        if parts[:2] == ["api", "v3"]:
            return self.coingecko(parts[2:], query, fault or {})
        if parts[:2] == ["v1", "leaderboard"]:
            return self.proxy(parts[2:], query, fault or {})
        if parts[:1] == ["v1"]:
            return self.coinpaprika(parts[1:], query, fault or {})
        return None

    # CoinGecko

    def coingecko(self, parts, query, fault):
        currency = query.get("vs_currency", query.get("vs_currencies", "usd"))
        rate = self.market.rate(currency)
        if parts == ["ping"]:
            return 200, {}, f.dumps({"gecko_says": "(V3) To the Moon!"})
        if parts == ["simple", "supported_vs_currencies"]:
            return 200, {}, f.dumps(["usd", "eur", "jpy", "btc"])
        if parts == ["search"]:
            word = query.get("query", "").lower()
            found = [(rank, coin) for rank, coin in enumerate(self.market.coins, 1)
                     if word in coin["name"].lower() or word in (coin["symbol"], coin["id"])]
            return 200, {}, f.dumps({"coins": [self.hit(rank, coin) for rank, coin in found[:25]], "exchanges": [], "nfts": []})
        if parts == ["coins", "list"]:
            return 200, {}, f.dumps([self.listed(coin, query) for coin in self.market.coins])
        if rate is None:
            return 422, {}, f.dumps({"error": "invalid vs_currency"})
        if parts == ["coins", "markets"]:
            return self.markets(query, rate, fault)
        if parts == ["simple", "price"]:
            wanted = query.get("ids", "").split(",")
            prices = {coin["id"]: self.simple(coin, currency, rate) for coin in self.market.coins if coin["id"] in wanted}
            return 200, {}, f.dumps(prices)
        if len(parts) == 3 and parts[0] == "coins" and parts[2] in ("market_chart", "ohlc"):
            return self.chart(parts[1], parts[2], query, rate)
        return 404, {}, f.dumps({"error": "Incorrect path. Please check https://www.coingecko.com/api/"})

    def listed(self, coin, query):
        listed = {key: coin[key] for key in ("id", "symbol", "name")}
        if query.get("include_platform") == "true":
            address = self.contract(coin)
            listed["platforms"] = {"ethereum": address} if address else {"": ""}
        return listed

    def contract(self, coin):
        """The address of a contract on Ethereum, which one coin in four has."""
        number = int(coin["id"].rsplit("-", 1)[-1]) if coin["id"].rsplit("-", 1)[-1].isdigit() else 0
        return f"0x{number:040x}" if number % 4 == 1 else None

    def hit(self, rank, coin):
        return {"id": coin["id"], "name": coin["name"], "api_symbol": coin["symbol"], "symbol": coin["symbol"],
                "market_cap_rank": rank, "thumb": "", "large": f"https://images.invalid/{coin['id']}.png"}

    def simple(self, coin, currency, rate):
        price = coin["price"] * rate
        return {currency: price, f"{currency}_market_cap": cents(price * coin["supply"]),
                f"{currency}_24h_vol": cents(price * coin["supply"] / 50), f"{currency}_24h_change": coin["change"],
                "last_updated_at": int(self.updated(coin))}

    def markets(self, query, rate, fault):
        size = min(max(int(query.get("per_page", 100)), 1), 250)
        page = max(int(query.get("page", 1)), 1)
        coins = list(enumerate(self.market.coins, 1))
        if "ids" in query:
            wanted = set(query["ids"].split(","))
            coins = [(rank, coin) for rank, coin in coins if coin["id"] in wanted]
        rows = [self.row(rank, coin, rate, query.get("sparkline") == "true")
                for rank, coin in coins[(page - 1) * size : page * size]]
        headers = {"total": str(len(coins)), "per-page": str(size)}
        return 200, headers, f.dumps(f.change_rows(fault, rows))

    def row(self, rank, coin, rate, sparkline):
        price = coin["price"] * rate
        row = {
            "id": coin["id"], "symbol": coin["symbol"], "name": coin["name"],
            "image": f"https://images.invalid/{coin['id']}.png", "current_price": price,
            "market_cap": cents(price * coin["supply"]), "market_cap_rank": rank, "fully_diluted_valuation": None,
            "total_volume": cents(price * coin["supply"] / 50), "high_24h": price * Decimal("1.01"),
            "low_24h": price * Decimal("0.99"), "price_change_24h": price * coin["change"] / 100,
            "price_change_percentage_24h": coin["change"], "market_cap_change_24h": None,
            "market_cap_change_percentage_24h": None, "circulating_supply": coin["supply"], "total_supply": 21_000_000,
            "max_supply": None, "ath": price * 2, "ath_change_percentage": Decimal(-50), "ath_date": stamp(1_600_000_000),
            "atl": price / 1000, "atl_change_percentage": Decimal(99_900), "atl_date": stamp(1_400_000_000), "roi": None,
            "last_updated": stamp(self.updated(coin)),
            "price_change_percentage_1h_in_currency": (coin["change"] / 10).quantize(Decimal("0.0001")),
            "price_change_percentage_7d_in_currency": coin["change"] * 3,
        }
        if sparkline:
            points = self.market.history(coin, 7, self.clock.now(), 3600)
            row["sparkline_in_7d"] = {"price": [value * rate for _, value in points]}
        return row

    def chart(self, coin_id, kind, query, rate):
        coin = self.market.find(coin_id)
        if not coin:
            return 404, {}, f.dumps({"error": "coin not found"})
        days = 3650 if query.get("days") == "max" else int(query.get("days", 1))
        step = 300 if days <= 1 else 3600 if days <= 90 else 86_400
        if kind == "market_chart":
            points = [[time, value * rate] for time, value in self.market.history(coin, days, self.clock.now(), step)]
            return 200, {}, f.dumps({"prices": points, "market_caps": [], "total_volumes": []})
        step = 1800 if days <= 2 else 14_400 if days <= 30 else 4 * 86_400
        candles = []
        for time, value in self.market.history(coin, days, self.clock.now(), step):
            candles.append([time, value * rate, value * rate * Decimal("1.02"), value * rate * Decimal("0.97"),
                            value * rate * Decimal("1.01")])
        return 200, {}, f.dumps(candles)

    # CoinPaprika

    def coinpaprika(self, parts, query, fault):
        currencies = query.get("quotes", "USD").split(",")
        if parts == ["tickers"]:
            rows = [self.ticker(rank, coin, currencies) for rank, coin in enumerate(self.market.coins, 1)]
            return 200, {}, f.dumps(f.change_rows(fault, rows))
        if parts == ["search"]:
            word = query.get("q", "").lower()
            found = [{"id": f"cp-{coin['id']}", "name": coin["name"], "symbol": coin["symbol"].upper(), "rank": rank}
                     for rank, coin in enumerate(self.market.coins, 1) if word in coin["name"].lower()]
            return 200, {}, f.dumps({"currencies": found[:25]})
        if len(parts) == 2 and parts[0] == "contracts":
            coins = self.market.coins if parts[1] == "eth-ethereum" else []
            return 200, {}, f.dumps([{"address": self.contract(coin).upper().replace("X", "x"), "type": "ERC20", "id": f"cp-{coin['id']}"}
                                     for coin in coins if self.contract(coin)])
        return 404, {}, f.dumps({"error": "id not found"})

    def ticker(self, rank, coin, currencies):
        quotes = {}
        for name in currencies:
            rate = self.market.rate(name.lower())
            if rate is not None:
                price = coin["price"] * rate
                quotes[name] = {"price": price, "volume_24h": cents(price * coin["supply"] / 50),
                                "market_cap": cents(price * coin["supply"]), "percent_change_1h": coin["change"] / 10,
                                "percent_change_24h": coin["change"], "percent_change_7d": coin["change"] * 3}
        # Ids of two providers differ.
        return {"id": f"cp-{coin['id']}", "name": coin["name"], "symbol": coin["symbol"].upper(), "rank": rank,
                "total_supply": 21_000_000, "max_supply": None, "beta_value": Decimal("0.9"),
                "last_updated": stamp(self.updated(coin)), "quotes": quotes}

    # The proxy

    def proxy(self, parts, query, fault):
        currency = query.get("convert_currency", "usd")
        rate = self.market.rate(currency)
        if rate is None:
            return 400, {}, f.dumps({"error": f"unsupported convert_currency: {currency}"})
        if parts == ["markets"]:
            rows = f.change_rows(fault, [self.row(rank, coin, rate, False) for rank, coin in enumerate(self.market.coins, 1)])
            text = f.dumps({"data": rows})
        elif parts == ["prices"]:
            text = f.dumps({
                coin["id"]: {"price": coin["price"] * rate, "market_cap": cents(coin["price"] * rate * coin["supply"]),
                             "volume_24h": Decimal(5100), "percent_change_24h": coin["change"]}
                for coin in self.market.coins[:500]})
        else:
            return 404, {}, f.dumps({"error": "not found"})
        return 200, {"ETag": f'"{hashlib.md5(text.encode()).hexdigest()}"'}, text
