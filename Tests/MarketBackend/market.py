"""A seeded market of invented coins that moves with every tick. The same seed and the same commands give the same market."""
import random
from decimal import Decimal

ODD_NAMES = [
    "👨\u200d👩\u200d👧\u200d👦 Family", "مرحبا عملة", "e\u0301te\u0301", "x" * 200, "", "a\u200bb", "\x1b[31mRed\x1b[0m",
    "\x1b]0;owned\x07Title", "two\nlines", "nul\0byte", "ビットコイン", "\u202eevil",
]


class Clock:
    """The backend's own time. Real time drives it, at `speed` times its pace, unless it is manual."""

    def __init__(self, monotonic, start=1_790_000_000.0, speed=1.0, manual=False):
        self._monotonic, self._speed, self._manual = monotonic, speed, manual
        self._base, self._origin = start, monotonic()

    def now(self):
        return self._base if self._manual else self._base + (self._monotonic() - self._origin) * self._speed

    def advance(self, seconds):
        self._base, self._origin = self.now() + seconds, self._monotonic()


class Market:
    """Coins by rank. Prices are exact decimals; a tick changes some of them by up to two percent."""

    def __init__(self, seed, count, odd_names=False):
        self.random = random.Random(seed)
        self.coins = []
        self.ticks = 0
        self.walks = {}
        for number in range(count):
            price = (Decimal(90_000) / (number + 1) ** 2).quantize(Decimal("0.000000000001")).normalize()
            name = ODD_NAMES[number % len(ODD_NAMES)] if odd_names else f"Coin {number}"
            # Two coins share each symbol: a symbol is never a key.
            self.coins.append({
                "id": f"coin-{number}", "symbol": f"c{number // 2}", "name": name, "price": price,
                "supply": 19_000_000 + number, "change": Decimal("0.5"), "updated": 0.0,
            })

    def tick(self, now, share=0.3):
        """Moves prices and returns the ids that changed."""
        self.ticks += 1
        changed = []
        for coin in self.coins:
            if self.random.random() < share:
                factor = Decimal(self.random.randint(-200, 200)) / 10_000
                coin["price"] = (coin["price"] * (1 + factor)).quantize(Decimal("1e-12")).normalize()
                coin["change"] = (coin["change"] + factor * 100).quantize(Decimal("0.0001"))
                coin["updated"] = now
                changed.append(coin["id"])
        return changed

    def find(self, coin_id):
        return next((coin for coin in self.coins if coin["id"] == coin_id), None)

    def move(self, coin_id, rank):
        """Gives a coin a rank from 1; the others make room."""
        coin = self.find(coin_id)
        if coin:
            self.coins.remove(coin)
            self.coins.insert(rank - 1, coin)

    def remove(self, coin_id):
        coin = self.find(coin_id)
        if coin:
            self.coins.remove(coin)

    def truncate(self, count):
        del self.coins[count:]

    def rate(self, currency):
        """Units of a currency for a dollar; None for one that is not known."""
        return {"usd": Decimal(1), "eur": Decimal("0.92"), "jpy": Decimal(150), "btc": Decimal("0.00001")}.get(currency)

    def history(self, coin, days, now, step):
        """Points of (milliseconds, price), seeded by the coin, so that a chart repeats."""
        points, price = [], coin["price"]
        for index, factor in enumerate(self.walk(coin["id"], days, int(days * 86_400 // step))):
            points.append((int((now - index * step) * 1000), price))
            price = (price * factor).quantize(Decimal("1e-12")).normalize()
        return points[::-1]

    def walk(self, coin_id, days, count):
        """The factors between the points of a coin's history; charts and sparklines ask for them again and again."""
        known = self.walks.get((coin_id, days, count))
        if known is None:
            walk = random.Random(f"{coin_id}-{days}")
            known = [1 + Decimal(walk.randint(-100, 100)) / 10_000 for _ in range(count)]
            self.walks[coin_id, days, count] = known
        return known
