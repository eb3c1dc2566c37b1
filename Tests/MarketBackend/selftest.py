"""Checks of the fake backend over real sockets; each is a function that ends without an exception."""
import asyncio
import json
import traceback

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import backend as b


class Client:
    def __init__(self, port):
        self.port = port

    async def call(self, method, path, value=None, headers=()):
        """Status, headers and body; the body is cut where the connection was."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if value is None else json.dumps(value).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}", "Connection: close", *headers]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            names = dict(line.split(": ", 1) for line in head[1:] if line)
            data = b""
            while len(data) < int(names["Content-Length"]):
                part = await reader.read(int(names["Content-Length"]) - len(data))
                if not part:
                    break
                data += part
            return int(head[0].split()[1]), names, data
        finally:
            writer.close()

    async def json(self, method, path, value=None):
        return json.loads((await self.call(method, path, value))[2])

    async def rpc(self, method, *parameters):
        return await self.json("POST", "/statusgo/CallRPC", {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})


MARKETS = "/api/v3/coins/markets?vs_currency=usd&per_page=5"


async def pages_and_prices(client, backend):
    rows = await client.json("GET", MARKETS + "&page=2")
    assert [row["market_cap_rank"] for row in rows] == [6, 7, 8, 9, 10]
    assert rows == await client.json("GET", MARKETS + "&page=2")
    assert await client.json("GET", MARKETS + "&page=99") == []
    price = await client.json("GET", "/api/v3/simple/price?ids=coin-1,unknown&vs_currencies=eur")
    assert list(price) == ["coin-1"] and "eur_market_cap" in price["coin-1"]
    assert (await client.call("GET", "/api/v3/coins/none/market_chart?vs_currency=usd"))[0] == 404
    assert len((await client.json("GET", "/api/v3/coins/coin-1/market_chart?vs_currency=usd&days=1"))["prices"]) == 288
    assert len(await client.json("GET", "/v1/tickers?quotes=USD,EUR")) == 50
    status, headers, _ = await client.call("GET", "/v1/leaderboard/prices")
    assert (await client.call("GET", "/v1/leaderboard/prices", headers=[f"If-None-Match: {headers['ETag']}"]))[0] == 304


async def statuses_and_headers(client, backend):
    for fault, status, header in [
        ({"status": 429, "retry_after": 7}, 429, ("Retry-After", "7")),
        ({"status": 429, "retry_after": -1}, 429, ("Retry-After", "-1")),
        ({"status": 429, "retry_after": 1e9}, 429, ("Retry-After", "1000000000")),
        ({"status": 429, "retry_after": {"date": 30}}, 429, ("Retry-After", "Mon, 21 Sep 2026 14:13:50 GMT")),
        ({"status": 429, "reset": 20}, 429, ("x-ratelimit-reset", "2026-09-21 14:13:40 +0000")),
        ({"status": 404, "shape": "text"}, 404, None), ({"status": 429, "shape": "200-error"}, 200, None),
        ({"status": 403, "shape": "html"}, 403, ("Content-Type", "text/html")), ({"status": 503, "shape": "empty"}, 503, None),
    ]:
        await client.call("POST", "/_control/faults", fault)
        got, headers, _ = await client.call("GET", MARKETS)
        assert got == status and (header is None or headers[header[0]] == header[1]), (fault, got, headers)
    assert (await client.call("GET", MARKETS))[0] == 200


async def broken_transport_and_bodies(client, backend):
    for kind in b.f.MALFORMED:
        await client.call("POST", "/_control/faults", {"body": kind})
        _, _, body = await client.call("GET", MARKETS)
        try:
            json.loads(body.decode("utf-8"), parse_constant=lambda word: 1 / 0)
            assert kind in ("duplicate-keys", "lone-surrogate", "empty-list"), kind
        except (ValueError, ZeroDivisionError):
            assert kind not in ("duplicate-keys", "lone-surrogate", "empty-list"), kind
    for kind in ("reset", "close"):
        await client.call("POST", "/_control/faults", {"transport": kind})
        try:
            await client.call("GET", MARKETS)
            raise AssertionError(kind)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
    await client.call("POST", "/_control/faults", {"transport": "short-body"})
    _, headers, body = await client.call("GET", MARKETS)
    assert len(body) < int(headers["Content-Length"])
    for kind in ("hang", "drip"):
        await client.call("POST", "/_control/faults", {"transport": kind})
        try:
            await asyncio.wait_for(client.call("GET", MARKETS), 0.2)
            raise AssertionError(kind)
        except asyncio.TimeoutError:
            pass


async def rows_and_moves(client, backend):
    fault = {"rows": [{"index": 1, "set": {"current_price": "1e400"}, "drop": ["name"]}], "duplicate": [0, 3], "skip": 1}
    await client.call("POST", "/_control/faults", fault)
    assert b"1e400" not in (await client.call("GET", MARKETS))[2]
    body = (await client.call("GET", MARKETS))[2]
    assert b'"current_price":1e400' in body
    assert [row["id"] for row in json.loads(body)] == ["coin-0", "coin-1", "coin-2", "coin-0", "coin-3", "coin-4"]
    await client.call("POST", "/_control/market", {"move": ["coin-4", 6]})
    assert [row["id"] for row in await client.json("GET", MARKETS)][4] == "coin-5"
    await client.call("POST", "/_control/market", {"truncate": 3})
    assert len(await client.json("GET", MARKETS)) == 3
    status, _, text = await client.call("POST", "/_control/faults", {"colour": "red"})
    assert status == 400 and b"colour" in text


async def limit_and_log(client, backend):
    await client.call("POST", "/_control/limit", {"per_minute": 3})
    await client.call("DELETE", "/_control/log")
    codes = [(await client.call("GET", MARKETS, headers=["x-cg-demo-api-key: secret"]))[0] for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    await client.call("POST", "/_control/clock", {"advance": 60})
    assert (await client.call("GET", MARKETS))[0] == 200
    log = await client.json("GET", "/_control/log")
    assert [entry["status"] for entry in log] == codes + [200] and log[0]["keys"] == ["x-cg-demo-api-key"]
    assert "secret" not in json.dumps(log) and log[4]["time"] - log[0]["time"] == 60


async def signal(socket, kind):
    while True:
        event = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if event["type"] == kind:
            return event["event"]
        if event.get("event", {}).get("type") == kind:
            return json.loads(event["event"]["message"])


async def login(client, socket):
    assert "unavailable" in (await client.rpc("settings_getSettings"))["error"]
    assert (await client.json("POST", "/statusgo/InitializeApplication", {"dataDir": "/x"}))["accounts"] is None
    await client.json("POST", "/statusgo/CreateAccountAndLogin", {"password": "p"})
    assert (await signal(socket, "node.login"))["error"] == ""
    assert (await client.rpc("settings_getSettings"))["result"]["public-key"]


async def signals(client, backend):
    async with connect(f"ws://127.0.0.1:{client.port}/signals") as socket:
        await login(client, socket)
        assert (await client.rpc("wallet_fetchMarketTokenPageAsync", 2, 5, 0, "usd"))["result"] is None
        page = await signal(socket, "wallet-fetch-leaderboard-page-done")
        assert page["error_code"] == 1 and page["page"] == 2 and page["cryptocurrencies"][0]["id"] == "coin-5"
        await client.call("POST", "/_control/clock", {"advance": 10})
        assert len((await signal(socket, "wallet-leaderboard-page-prices-updated"))["prices"]) == 5
        await client.rpc("wallet_fetchMarketTokenPageAsync", 99, 5, 0, "usd")
        assert (await signal(socket, "wallet-fetch-leaderboard-page-done"))["error_code"] == 3
        for kind, code in (("superseded", 2), ("failed", 3)):
            await client.call("POST", "/_control/faults", {"status_go": kind})
            await client.rpc("wallet_fetchMarketTokenPageAsync", 1, 5, 0, "usd")
            page = await signal(socket, "wallet-fetch-leaderboard-page-done")
            assert page["error_code"] == code and page["page"] == 0 and page["cryptocurrencies"] is None
        await client.call("POST", "/_control/faults", {"path": "page-delay", "delay": 30})
        await client.rpc("wallet_fetchMarketTokenPageAsync", 1, 5, 0, "usd")
        await client.rpc("wallet_fetchMarketTokenPageAsync", 3, 5, 0, "usd")
        codes = [(await signal(socket, "wallet-fetch-leaderboard-page-done"))["error_code"] for _ in range(2)]
        assert codes == [2, 1]
        await client.call("POST", "/_control/faults", {"path": "page-prices-updated", "status_go": "prices-null"})
        await client.call("POST", "/_control/clock", {"advance": 10})
        assert (await signal(socket, "wallet-leaderboard-page-prices-updated"))["prices"] is None
        assert (await client.rpc("wallet_unsubscribeFromLeaderboard"))["result"] is None
        assert "No subscription" in (await client.rpc("wallet_unsubscribeFromLeaderboard"))["error"]["message"]
        assert (await client.rpc("wallet_none"))["error"]["code"] == -32601
    assert (await client.call("POST", "/statusgo/Unknown", {}))[0] == 501


async def broken_frames(client, backend):
    sent = {"type": "other", "event": {}}
    for kind in ("fragmented", "length-64", "ping", "big-frame"):
        async with connect(f"ws://127.0.0.1:{client.port}/signals") as socket:
            await client.call("POST", "/_control/faults", {"websocket": kind})
            await client.call("POST", "/_control/signal", sent)
            text = await asyncio.wait_for(socket.recv(), 60)
            assert json.loads(text)["type"] == "other" and (kind != "big-frame" or len(text) > 200_000)
    for kind in ("close-mid-frame", "masked", "drop"):
        async with connect(f"ws://127.0.0.1:{client.port}/signals") as socket:
            await client.call("POST", "/_control/faults", {"websocket": kind})
            await client.call("POST", "/_control/signal", sent)
            try:
                await asyncio.wait_for(socket.recv(), 60)
                raise AssertionError(kind)
            except ConnectionClosed:
                pass
    async with connect(f"ws://127.0.0.1:{client.port}/signals") as socket:
        await client.call("POST", "/_control/faults", {"websocket": "half-open"})
        await client.call("POST", "/_control/signal", sent)
        try:
            await asyncio.wait_for(socket.recv(), 0.2)
            raise AssertionError("half-open")
        except asyncio.TimeoutError:
            pass


async def logins_that_fail(client, backend):
    async with connect(f"ws://127.0.0.1:{client.port}/signals") as socket:
        await client.json("POST", "/statusgo/LoginAccount", {"keyUid": "0x0", "password": "p"})
        assert "kdf iterations" in (await signal(socket, "node.login"))["error"]
        await client.call("POST", "/_control/faults", {"path": "CreateAccountAndLogin", "status_go": "login-never"})
        await client.json("POST", "/statusgo/CreateAccountAndLogin", {"password": "p"})
        try:
            await asyncio.wait_for(socket.recv(), 0.2)
            raise AssertionError("login-never")
        except asyncio.TimeoutError:
            pass
        await login_again(client, socket)
        for kind, check in [("string-error", lambda r: isinstance(r["error"], str)), ("wrong-id", lambda r: r["id"] == 2)]:
            await client.call("POST", "/_control/faults", {"path": "settings_getSettings", "status_go": kind})
            assert check(await client.rpc("settings_getSettings")), kind
        await client.call("POST", "/_control/faults", {"path": "settings_getSettings", "status_go": "empty-response"})
        request = {"jsonrpc": "2.0", "id": 1, "method": "settings_getSettings", "params": []}
        assert (await client.call("POST", "/statusgo/CallRPC", request))[2] == b""


async def login_again(client, socket):
    await client.json("POST", "/statusgo/LoginAccount", {"keyUid": "0x" + "ab" * 32, "password": "p"})
    assert (await signal(socket, "node.login"))["error"] == ""


CHECKS = [pages_and_prices, statuses_and_headers, broken_transport_and_bodies, rows_and_moves, limit_and_log, signals,
          broken_frames, logins_that_fail]


async def check(function):
    backend = b.Backend(b.options(["--tokens", "50", "--manual-clock", "--tick", "0"]))
    port = await backend.start(0)
    try:
        await function(Client(port), backend)
    finally:
        await backend.stop()


def run():
    failed = 0
    for function in CHECKS:
        try:
            asyncio.run(check(function))
            print(f"ok      {function.__name__.replace('_', ' ')}")
        except Exception:
            failed += 1
            print(f"FAILED  {function.__name__.replace('_', ' ')}")
            traceback.print_exc()
    return 1 if failed else 0
