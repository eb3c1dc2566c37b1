"""The backend of Status: functions and JSON-RPC over HTTP, and signals over a WebSocket with one live page."""
import asyncio
import json
from decimal import Decimal

from websockets.frames import Frame, Opcode

import faults as f

KEY_UID = "0x" + "ab" * 32
ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
# Two tokens share a symbol: it is never a key. The names are those of invented tokens.
TOKENS = [{"chainId": 1, "address": "0x" + "a1" * 20, "symbol": "USDC", "name": "USD Coin", "decimals": 6},
          {"chainId": 1, "address": "0x" + "b2" * 20, "symbol": "TWIN", "name": "First twin", "decimals": 18},
          {"chainId": 1, "address": "0x" + "c3" * 20, "symbol": "TWIN", "name": "Second twin", "decimals": 0},
          {"chainId": 1, "address": f"0x{5:040x}", "symbol": "WRAPPED5", "name": "Wrapped five", "decimals": 18},
          {"chainId": 10, "address": f"0x{9:040x}", "symbol": "WRAPPED9", "name": "Wrapped nine", "decimals": 18},
          # Status's list says which coin a token is; not every id there is one of a coin of this name.
          {"chainId": 1, "address": f"0x{6:040x}", "symbol": "C3", "name": "Coin six", "decimals": 18, "crossChainId": "coin-6"},
          {"chainId": 1, "address": f"0x{7:040x}", "symbol": "OTHER", "name": "Other", "decimals": 18, "crossChainId": "coin-7"},
          {"chainId": 1, "address": f"0x{8:040x}", "symbol": "NEW", "name": "New", "decimals": 18, "crossChainId": "new-on-1"},
          {"chainId": 10, "address": "0x" + "d4" * 20, "symbol": "USDC", "name": "USD Coin", "decimals": 6}]


class Subscriber:
    """One WebSocket. Frames go out through websockets' protocol; faults write their own bytes."""

    def __init__(self, protocol, writer):
        self.protocol, self.writer, self.is_silent = protocol, writer, False

    def flush(self):
        for data in self.protocol.data_to_send():
            if data:
                self.writer.write(data)
            else:
                self.writer.close()

    def send(self, text, fault=None):
        if self.is_silent:
            return
        kind, data = (fault or {}).get("websocket"), text.encode()
        if kind is None:
            self.protocol.send_text(data)
        elif kind == "fragmented":
            third = max(len(data) // 3, 1)
            self.protocol.send_text(data[:third], fin=False)
            self.protocol.send_continuation(data[third : 2 * third], fin=False)
            self.protocol.send_ping(b"between")
            self.protocol.send_continuation(data[2 * third :], fin=True)
        elif kind == "ping":
            self.protocol.send_ping(b"hello")
            self.protocol.send_text(data)
        elif kind == "half-open":
            self.is_silent = True
            return
        elif kind == "drop":
            self.writer.transport.abort()
            return
        else:
            if kind == "big-frame":
                data = data[:-1] + b',"padding":"' + b"x" * 200_000 + b'"}'
            frame = Frame(Opcode.TEXT, data).serialize(mask=kind == "masked")
            if kind == "length-64":
                frame = b"\x81\x7f" + len(data).to_bytes(8, "big") + data
            if kind == "close-mid-frame":
                self.writer.write(frame[: len(frame) // 2])
                self.writer.close()
                return
            self.writer.write(frame)
        self.flush()


class StatusGo:
    """The state of the backend: the login, the one live page, and who listens."""

    def __init__(self, market, clock, faults, intervals=(10.0, 1.0)):
        self.market, self.clock, self.faults, self.intervals = market, clock, faults, intervals
        self.subscribers = set()
        self.accounts, self.is_logged_in, self.page = [], False, None
        self.next_full = self.next_prices = None
        self.pending = None

    # Signals

    def emit(self, signal):
        fault = self.faults.take("signal", kinds=("websocket",))
        for subscriber in list(self.subscribers):
            subscriber.send(f.dumps(signal), fault)

    def wallet(self, kind, message):
        text = message if isinstance(message, str) else f.dumps(message)
        self.emit({"type": "wallet", "event": {
            "type": kind, "blockNumber": None, "accounts": None, "message": text, "at": int(self.clock.now()), "chainId": 0}})

    def rows(self, page, size, currency):
        rate = self.market.rate((currency or "usd").strip().lower()) or Decimal(1)
        coins = self.market.coins[(page - 1) * size : page * size]
        return [{
            "id": coin["id"], "symbol": coin["symbol"], "name": coin["name"], "image": f"https://images.invalid/{coin['id']}.png",
            "current_price": coin["price"] * rate, "market_cap": coin["price"] * rate * coin["supply"],
            "total_volume": Decimal(5000), "price_change_percentage_24h": coin["change"]} for coin in coins]

    def message(self, code=None, **changes):
        page, size, sorting, currency = self.page
        message = {"all_cryptocurrency_count": len(self.market.coins), "page": page, "page_size": size, "sorting": sorting,
                   "currency": currency, "cryptocurrencies": self.rows(page, size, currency)}
        message.update(changes)
        return message if code is None else dict(message, error_code=code)

    def done(self, code, **changes):
        if code != 1:
            message = {"page": 0, "page_size": 0, "sorting": 0, "currency": "", "cryptocurrencies": None,
                       "all_cryptocurrency_count": 0, "error_code": code}
        else:
            message = self.message(1, **changes)
        self.wallet("wallet-fetch-leaderboard-page-done", message)

    async def fetch(self, page, size, sorting, currency, delay=0.0):
        await asyncio.sleep(delay)
        self.pending = None
        fault = self.faults.take("wallet_fetchMarketTokenPageAsync", kinds=("status_go", "rows", "duplicate")) or {}
        kind = fault.get("status_go")
        last = -(-len(self.market.coins) // size) if size > 0 else 0
        if kind == "superseded":
            return self.done(2)
        if kind == "failed" or page < 1 or size < 1 or page > max(last, 1):
            return self.done(3)
        self.page = (page, size, sorting, currency)
        self.next_full, self.next_prices = self.clock.now() + self.intervals[0], self.clock.now() + self.intervals[1] + 1
        if kind == "old-page":
            self.done(1, page=page + 1)
        if kind == "cryptocurrencies-null":
            return self.done(1, cryptocurrencies=None)
        self.done(1, cryptocurrencies=f.change_rows(fault, self.rows(page, size, currency)))

    def run_timers(self):
        """Sends what is due by the clock; a clock that jumped sends it once."""
        now = self.clock.now()
        if self.page is None:
            return
        if now >= self.next_full:
            self.next_full = now + self.intervals[0]
            self.page_updated()
        if now >= self.next_prices:
            self.next_prices = now + self.intervals[1]
            self.prices_updated()

    def page_updated(self):
        fault = self.faults.take("page-data-updated", kinds=("status_go", "rows", "duplicate")) or {}
        rows = f.change_rows(fault, self.rows(self.page[0], self.page[1], self.page[3]))
        if fault.get("status_go") == "regress":
            rows = [dict(row, current_price=row["current_price"] / 2) for row in rows]
        changes = {"cryptocurrencies": None if fault.get("status_go") == "cryptocurrencies-null" else rows}
        self.wallet("wallet-leaderboard-page-data-updated", self.message(**changes))

    def prices_updated(self):
        page, size, sorting, currency = self.page
        fault = self.faults.take("page-prices-updated", kinds=("status_go", "rows", "duplicate")) or {}
        prices = [{"id": row["id"], "current_price": row["current_price"], "market_cap": row["market_cap"],
                   "volume_24h": Decimal(5100), "price_change_percentage_24h": row["price_change_percentage_24h"]}
                  for row in f.change_rows(fault, self.rows(page, size, currency))]
        if fault.get("status_go") == "unknown-id":
            prices.append({"id": "never-listed", "current_price": Decimal(1)})
        if fault.get("status_go") == "prices-null":
            prices = None
        self.wallet("wallet-leaderboard-page-prices-updated",
                    {"page": page, "page_size": size, "sorting": sorting, "currency": currency, "prices": prices})

    # HTTP

    def function(self, name, body):
        """The answer of a function, or None for one that does not exist."""
        if name == "InitializeApplication":
            return {"accounts": self.accounts or None, "error": ""}
        if name in ("CreateAccountAndLogin", "RestoreAccountAndLogin", "LoginAccount"):
            fault = self.faults.take(name, kinds=("status_go",)) or {}
            if name == "LoginAccount" and body.get("keyUid") not in [account["key-uid"] for account in self.accounts]:
                fault = {"status_go": "login-error"}
            elif name != "LoginAccount":
                self.accounts = [{"key-uid": KEY_UID, "name": body.get("displayName", ""), "identicon": ""}]
            if fault.get("status_go") != "login-never":
                error = "failed to get account kdf iterations" if fault.get("status_go") == "login-error" else ""
                self.is_logged_in = not error
                settings = {"key-uid": KEY_UID, "public-key": "0x04ab"} if not error else None
                # The signal comes after the answer.
                asyncio.get_running_loop().call_soon(
                    self.emit, {"type": "node.login", "event": {"error": error, "settings": settings}})
            return {"error": ""}
        if name == "Logout":
            self.is_logged_in, self.page = False, None
            asyncio.get_running_loop().call_soon(self.emit, {"type": "node.stopped", "event": {}})
            return {"error": ""}
        return None

    def rpc(self, request):
        """The text of a response to a JSON-RPC request."""
        method, number = request.get("method", ""), request.get("id")
        parameters = request.get("params", [])
        # Faults of fetching a page belong to its signal.
        fault = {}
        if method != "wallet_fetchMarketTokenPageAsync":
            fault = self.faults.take(method, kinds=("status_go",)) or {}
        kind = fault.get("status_go")
        if kind == "empty-response":
            return ""
        if kind == "string-error" or not self.is_logged_in:
            return f.dumps({"error": "JSON-RPC client is unavailable"})
        if kind == "wrong-id":
            number = (number or 0) + 1

        def result(value):
            return f.dumps({"jsonrpc": "2.0", "id": number, "result": value})

        if method == "wallet_fetchMarketTokenPageAsync":
            if self.pending and not self.pending.done():
                self.pending.cancel()
                self.done(2)
            delayed = self.faults.take("page-delay", kinds=("delay",)) or {}
            self.pending = asyncio.get_running_loop().create_task(self.fetch(*parameters[:4], delayed.get("delay", 0.0)))
            return result(None)
        if method == "wallet_unsubscribeFromLeaderboard":
            if self.page is None:
                return f.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32000, "message": "No subscription found"}})
            if kind == "update-after-close":
                asyncio.get_running_loop().call_soon(
                    self.wallet, "wallet-leaderboard-page-data-updated", self.message())
            self.page = None
            return result(None)
        if method == "accounts_getAccounts":
            return result([
                {"address": ADDRESS, "name": "main", "path": "m/44'/60'/0'/0/0", "type": "generated"},
                {"address": "0x" + "11" * 20, "name": "watched", "type": "watch"},
                {"address": "0x" + "22" * 20, "name": "chat", "chat": True}])
        if method == "networks_getFlatEthereumChains" and kind != "not-found":
            return result([
                {"chainId": 1, "chainName": "Mainnet", "shortName": "eth", "layer": 1, "nativeCurrencySymbol": "ETH",
                 "nativeCurrencyDecimals": 18, "blockExplorerUrl": "https://etherscan.io", "isActive": True},
                {"chainId": 10, "chainName": "Optimism", "shortName": "oeth", "layer": 2, "nativeCurrencySymbol": "ETH",
                 "nativeCurrencyDecimals": 18, "isActive": True}])
        if method == "wallet_getEthereumChains":
            return result([{"Prod": {"chainId": 1, "chainName": "Mainnet", "shortName": "eth", "layer": 1}, "Test": None}])
        if method == "wallet_getBalancesByChain":
            return result({"1": {ADDRESS: {"0x" + "00" * 20: hex(2 * 10**18), TOKENS[0]["address"]: hex(100 * 10**6)}}})
        if method == "wallet_getTokensByChain" and kind != "not-found":
            return result([token for token in TOKENS if token["chainId"] == parameters[0]])
        if method == "wallet_getTokenList":
            return result({"data": [{"name": "list", "tokens": TOKENS}, {"name": "other list", "tokens": TOKENS[:1]}]})
        if method == "wallet_getSuggestedRoutesAsync":
            asked = parameters[0]
            leg = {"ProcessorName": "Transfer", "FromChain": {"chainId": asked["fromChainID"]},
                   "ToChain": {"chainId": asked["toChainID"]}, "AmountIn": asked["amountIn"], "AmountOut": asked["amountIn"],
                   "TxTotalFee": hex(21_000 * 10**10), "TxEstimatedTime": 15}
            # The routes of another request come first.
            for uuid in ("other", asked["uuid"]):
                asyncio.get_running_loop().call_soon(
                    self.emit, {"type": "wallet.suggested.routes", "event": {"Uuid": uuid, "Route": [leg]}})
            return result(None)
        if method == "settings_getSettings":
            return result({"key-uid": KEY_UID, "public-key": "0x04ab"})
        if method in ("wakuext_startMessenger", "wallet_startWallet") and kind != "not-found":
            return result(None)
        return f.dumps({"jsonrpc": "2.0", "id": number, "error": {
            "code": -32601, "message": f"the method {method} does not exist/is not available"}})

    def state(self):
        return {"logged_in": self.is_logged_in, "page": self.page, "subscribers": len(self.subscribers)}


def parse(body):
    """JSON of a request; an object in any case."""
    try:
        value = json.loads(body or b"{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
