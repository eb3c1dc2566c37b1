import BigInteger
import MarketDomain
import MarketKnownProviders
import System
import Testing

@testable import Market

/// Alerts over prices of the fake backend.
@Suite(.timeLimit(.minutes(20)))
struct AlertTests {
    private func raised(_ hub: MarketHub) async throws -> [String] {
        let events = await hub.run("events list --topic app.market/alert-raised --json=body").output
        return try (JSONReader.read(Array(events.utf8)).array ?? []).compactMap {
            $0["body"]?["notify"]?["body"]?.string
        }
    }

    @Test func `an alert is raised once by a fresh price, and its command gets the event`() async throws {
        let backend = try Backend("--tokens", "20")
        // The time limit of the delivery does not pass.
        let hub = try MarketHub(backend.config("coingecko"), clock: MarketClock(patience: .zero))
        let file = hub.folder + "/event.json"
        await hub.run("market list")
        let made = await hub.run(
            "market alerts new coin-0 '> 80000' --run 'cat > \(file).new && mv \(file).new \(file)'")
        #expect(made.exit == 0 && made.output.contains("C0 > 80000 USD"), "\(made.all)")
        #expect(try await raised(hub) == [])
        for _ in 0..<3 {
            hub.clock.advance(by: .seconds(70))
            try await backend.control("clock", #"{"advance": 70}"#)
            await hub.run("market list")
        }
        #expect(try await raised(hub) == ["C0 is at $90,000.00"])
        let event = try JSONReader.read(BoundedFile.read(file, limit: 10_000))
        #expect(event["topic"]?.string == "app.market/alert-raised")
        #expect(event["body"]?["price"]?.string == "90000" && event["body"]?["token"]?.string == "coin-0")
        #expect(await hub.run("market alerts --plain=state").output == "raised\n")
        #expect(await hub.run("today").output.contains("C0 > 80000 USD: raised"))
    }

    @Test func `a hostile name does nothing in a notification`() async throws {
        let backend = try Backend("--tokens", "20", "--odd-names")
        let hub = try MarketHub(backend.config("coingecko"))
        await hub.run("market list")
        for id in ["coin-6", "coin-7", "coin-8", "coin-9", "coin-11"] {
            await hub.run("market alerts new \(id) '> 0.01'")
        }
        hub.clock.advance(by: .seconds(70))
        try await backend.control("clock", #"{"advance": 70}"#)
        await hub.run("market list")
        let events = await hub.run("events list --topic app.market/alert-raised --json=body").output
        #expect(try await raised(hub).count == 5)
        #expect(!events.contains("\\u001b") && !events.contains("\\u0000") && !events.contains("owned"), "\(events)")
    }

    @Test func `a stale price raises nothing, and after hours offline one alert says so`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko"))
        func look(after seconds: Int) async throws {
            hub.clock.advance(by: .seconds(seconds))
            try await backend.control("clock", "{\"advance\": \(seconds)}")
            await hub.run("market price coin-0")
        }
        await hub.run("market list")
        await hub.run("market alerts new coin-0 '< 95000'")
        await hub.run("market alerts new coin-0 '> 95000'")
        try await look(after: 70)
        #expect(try await raised(hub) == ["C0 is at $90,000.00"])
        // Hours without a network, while the price rises.
        hub.clock.advance(by: .seconds(4 * 3600))
        for _ in 0..<3 { await hub.run("market price coin-0 --offline") }
        #expect(try await raised(hub).count == 1)
        try await backend.control("clock", #"{"advance": 14400}"#)
        try await backend.fail(
            #"{"rows": [{"index": 0, "set": {"current_price": "99000"}}], "times": -1, "path": "/api/v3/coins/markets"}"#
        )
        try await look(after: 1)
        try await look(after: 70)
        let found = try await raised(hub)
        #expect(found.count == 2 && found.contains("C0 is at $99,000.00; crossed while offline"), "\(found)")
    }

    @Test func `nothing goes out before the market was asked for once`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko"))
        for line in ["market status", "market providers", "market alerts", "today", "search coin", "status"] {
            #expect(await hub.run(line).exit <= 1)
        }
        #expect(try await hub.market { try await $0.neededPrices() } == nil)
        #expect(try await backend.log().isEmpty)
        await hub.run("market list --limit 5")
        #expect(try await hub.market { try await $0.neededPrices() } == NeededPrices(places: [0..<50]))
        // Ten minutes later nobody needs it any more, until an alert waits.
        hub.clock.advance(by: .seconds(700))
        #expect(try await hub.market { try await $0.neededPrices() } == nil)
        await hub.run("market alerts new coin-0 '> 1'")
        let waiting = try await hub.market { try await $0.neededPrices() }
        #expect(waiting == NeededPrices(tokens: [.usd: [TokenKey("coin-0")]]))
    }

    @Test func `the board is kept live by one process while it is needed`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko"))
        try await hub.market { market in
            let first = try #require(try await market.boardLock())
            #expect(try await market.boardLock() == nil, "one process at a time")
            try await market.lookAt(PricesInSight(places: 0..<5), as: "test")
            var keeper = PriceKeeper(market)
            let next = try #require(try await keeper.step())
            #expect(next - hub.clock.now == .seconds(50), "before the prices are older than a minute")
            withExtendedLifetime(first) {}
            let view = try await market.storedBoard(BoardQuery(currency: .usd))
            #expect(view.rows.count == 20 && view.origin.isFresh)
        }
        #expect(try await backend.paths() == ["/api/v3/coins/markets"])
    }
}
