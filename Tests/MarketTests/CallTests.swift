import HTTPClient
import HubKit
import Market
import MarketDomain
import MarketKnownProviders
import NetworkTestSupport
import Synchronization
import Testing

/// What a plan does not cover, and what a budget of five calls a minute is used for.
@Suite(.timeLimit(.minutes(20)))
struct CallTests {
    private func hub(_ backend: Backend, _ providers: String = "coingecko") throws -> MarketHub {
        let names = providers.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
        var lines = backend.config("coingecko")
        lines[0] = "market.providers = [\(names)]"
        return try MarketHub(lines)
    }

    @Test func `a refusal of one request switches no provider off`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend)
        await hub.run("market list --limit 1")
        try await backend.fail(
            #"{"path": "/api/v3/coins/coin-1/market_chart", "status": 401, "code": 10012, "message": "365 days", "times": -1}"#
        )
        try await hub.market { market in
            let token = try #require(try await market.tokens(named: "coin-1", isOffline: true).first)
            let other = try #require(try await market.tokens(named: "coin-2", isOffline: true).first)
            let error = try await #require(throws: HubError.self) {
                try await market.rememberedChart(of: token, days: 30)
            }
            #expect(error.message.contains("365 days"))
            #expect(try await market.rememberedChart(of: other, days: 30).0.points.count > 10)
            hub.clock.advance(by: .seconds(90))
            let origin = try await market.refreshBoard(0..<1, in: .usd, isOffline: false, isForced: true)
            #expect(origin.isFresh && origin.failures.isEmpty)
            // What the plan does not cover is not asked for.
            let before = try await backend.paths().count
            let long = try await #require(throws: HubError.self) {
                try await market.rememberedChart(of: other, days: nil)
            }
            #expect(long.message.contains("the last 365 days"))
            #expect(try await backend.paths().count == before)
        }
    }

    @Test func `calls of which nothing was sent use up no budget`() async throws {
        let backend = try Backend("--tokens", "5")
        let hub = try hub(backend)
        try hub.configure([
            #"market.providers = ["coingecko"]"#, #"market.coingecko.url = "http://127.0.0.1:1/api/v3""#,
        ])
        for _ in 0..<8 { #expect(await hub.run("market list").messages.contains("cannot be reached")) }
        #expect(await hub.run("market providers --plain=calls_left_minute").output == "5\n")
    }

    @Test func `each redirect is a call of the budget`() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection in
            while connection.request() != nil {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                connection.answer(302, ["Location: /api/v3/ping?\(number)"])
            }
        }
        let hub = try MarketHub([
            #"market.providers = ["coingecko"]"#, "market.coingecko.url = \"http://127.0.0.1:\(server.port)/api/v3\"",
        ])
        for _ in 0..<3 { #expect(await hub.run("market list").exit != 0) }
        // A plan without a key has five calls a minute.
        #expect(count.withLock { $0 } == 5)
    }

    @Test func `a token outside of the board is found at first sight, and a file of such tokens at once`() async throws
    {
        let backend = try Backend("--tokens", "400")
        let hub = try hub(backend)
        let price = await hub.run("market price coin-300 --plain=id")
        #expect(price.exit == 0 && price.output == "coin-300\n", "\(price.all)")
        #expect(await hub.run("market chart coin-300").exit == 0)
        hub.clock.advance(by: .seconds(90))
        try await backend.control("log", method: .delete)
        let rows = (310..<318).map { "2026-01-03,buy,coin-\($0),1,1\n" }.joined()
        try hub.write("date,kind,token,amount,price\n" + rows, to: "t.csv")
        let file = await hub.run("market portfolio import \(hub.folder)/t.csv")
        #expect(file.exit == 0 && file.all.contains("8 new"), "\(file.all)")
        #expect(try await backend.paths().count <= 2)
    }

    @Test func `the value of many tokens is whole after some minutes, and says until then what is missing`()
        async throws
    {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend)
        for number in 0..<6 { await hub.run("market portfolio buy 1 coin-\(number) --price 1 --date 2026-01-03") }
        hub.clock.advance(by: .seconds(90))
        try await hub.market { market in
            let first = try await market.portfolioHistory(in: .usd, days: 30)
            #expect(first.missing.isEmpty && first.pending.count == 1)
            hub.clock.advance(by: .seconds(61))
            let second = try await market.portfolioHistory(in: .usd, days: 30)
            #expect(second.missing.isEmpty && second.pending.isEmpty && second.series.points.count > 25)
        }
    }

    @Test func `rows are as old as their own page, and fetched when they are too old`() async throws {
        let backend = try Backend("--tokens", "400")
        let hub = try hub(backend)
        await hub.run("market list --limit 300")
        func advance(_ seconds: Int) async throws {
            hub.clock.advance(by: .seconds(seconds))
            try await backend.control("clock", #"{"advance": \#(seconds)}"#)
        }
        try await advance(62)
        await hub.run("market list --limit 5")
        try await advance(20)
        let offline = await hub.run("market list --limit 300 --offline")
        #expect(offline.messages.contains("prices are 1 min old"), "\(offline.messages)")
        try await backend.control("log", method: .delete)
        let run = await hub.run("market list --limit 300")
        #expect(run.exit == 0 && !run.messages.contains("!"), "\(run.messages)")
        let pages = try await backend.log().compactMap { $0["query"]?["page"]?.string }
        #expect(try await backend.paths().count == 1 && (pages.isEmpty || pages == ["2"]), "\(pages)")
        #expect(
            run.messages.contains(", fetched 20 s ago") || run.messages.contains(", fetched 21 s ago"),
            "\(run.messages)")
    }

    @Test func `a list without tokens leaves the board as it is`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend)
        let before = await hub.run("market list --plain=id").output
        hub.clock.advance(by: .seconds(90))
        try await backend.fail(#"{"body": "empty-list", "times": -1}"#)
        let run = await hub.run("market list --plain=id")
        #expect(run.output == before && run.messages.contains("a list without tokens"), "\(run.all)")
    }

    @Test func `an outage that is over is over in a view that stays open`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend, "coingecko coinpaprika")
        try await hub.market { market in
            _ = try await market.refreshBoard(0..<20, in: .usd, isOffline: false)
            hub.clock.advance(by: .seconds(90))
            try await backend.fail(#"{"status": 503, "times": 6}"#)
            _ = try await market.refreshBoard(0..<20, in: .usd, isOffline: false)
            var query = BoardQuery(currency: .usd)
            query.limit = 10
            #expect(try await market.storedBoard(query).origin.failures.count == 1)
            hub.clock.advance(by: .seconds(90))
            let back = try await market.refreshBoard(0..<20, in: .usd, isOffline: false)
            #expect(back.isFresh && back.failures.isEmpty)
            let view = try await market.storedBoard(query)
            #expect(view.origin.failures.isEmpty && view.origin.isFresh)
        }
    }

    @Test func `a token is one token, whichever provider its prices come from`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend, "coingecko coinpaprika")
        // Before CoinGecko was ever reached, a star and a trade have the ids of CoinPaprika.
        try await backend.fail(#"{"path": "/api/v3", "status": 503, "times": -1}"#)
        await hub.run("market watchlist add \"Coin 1\"")
        #expect(await hub.run("market portfolio buy 1 \"Coin 1\" --price 5 --date 2026-01-03").exit == 0)
        let stored = await hub.run("market watchlist --plain=id").output
        #expect(stored == "coinpaprika:cp-coin-1\n", "\(stored)")
        try await backend.control("faults", method: .delete)
        hub.clock.advance(by: .seconds(2000))
        await hub.run("market list")
        #expect(await hub.run("market watchlist --plain=id").output == "coin-1\n")
        #expect(await hub.run("market portfolio --json=token").output == #"[{"token":"coin-1"}]"# + "\n")
        #expect(await hub.run("market watchlist add coin-1").output.contains("already"))
        // In the fallback the board still has the ids of the lists, in the terminal and on the page.
        try await backend.fail(#"{"path": "/api/v3", "status": 503, "times": -1}"#)
        hub.clock.advance(by: .seconds(2000))
        let board = await hub.run("market list --limit 3 --json=id,provider").output
        #expect(board.contains(#"{"id":"coin-1","provider":"coinpaprika"}"#), "\(board)")
        let page = try await hub.call(.get, "/api/market/board")
        #expect(page["rows"]?.array?.prefix(2).compactMap { $0["id"]?.string } == ["coin-0", "coin-1"])
        #expect(await hub.run("market watchlist rm coin-1").exit == 0)
        #expect(await hub.run("market watchlist --json").output == "[]\n")
        // The lists that hold tokens are named.
        await hub.run("market watchlist add coin-1 --list layer-1")
        let empty = await hub.run("market watchlist")
        #expect(empty.messages.contains("hub market watchlist list --list layer-1"), "\(empty.all)")
    }

    @Test func `a symbol is looked for among symbols, and what is not clear is said`() async throws {
        let backend = try Backend("--tokens", "20")
        // The token at rank 4 has the id of another one as its symbol, and two share a symbol.
        try await backend.fail(
            #"{"times": -1, "rows": [{"index": 3, "set": {"symbol": "\"coin-0\""}}, {"index": 5, "set": {"symbol": "\"dup\""}}, {"index": 6, "set": {"symbol": "\"dup\""}}]}"#
        )
        let hub = try hub(backend)
        await hub.run("market list")
        try hub.write("date,kind,symbol,amount,price\n2026-01-03,buy,COIN-0,1,1\n2026-01-03,buy,DUP,1,1\n", to: "t.csv")
        let run = await hub.run("market portfolio import \(hub.folder)/t.csv")
        #expect(run.exit == 2 && run.all.contains("several tokens are named \"DUP\": coin-5, coin-6"), "\(run.all)")
        #expect(await hub.run("market portfolio history --plain=token").output == "coin-3\n")
        // A stock is no token, although one has its symbol.
        try hub.write(
            "lots:\n  - {symbol: DUP, quantity: 1}\n".replacing(
                "{symbol: DUP, quantity: 1}", with: "symbol: DUP\n    quantity: 1"), to: "l.yaml")
        let stock = await hub.run("market portfolio import \(hub.folder)/l.yaml")
        #expect(stock.exit == 2 && stock.all.contains("no token named \"DUP\""), "\(stock.all)")
    }

    @Test func `a search asks the provider too, whatever is known already`() async throws {
        let backend = try Backend("--tokens", "400")
        let hub = try hub(backend)
        await hub.run("market list --limit 1")
        let run = await hub.run("market search coin --plain=id --limit 400")
        let ids = run.output.split(separator: "\n")
        #expect(ids.contains("coin-249") && Set(ids).count == ids.count, "\(run.messages)")
        #expect(try await backend.paths().contains { $0.hasSuffix("/search") })
        let late = await hub.run("market search \"coin 399\" --json=id,rank")
        #expect(late.output == #"[{"id":"coin-399","rank":400}]"# + "\n", "\(late.all)")
    }

    @Test func `providers name all currencies of their lists, and a token only the changes that are known`()
        async throws
    {
        let backend = try Backend("--tokens", "20")
        let hub = try hub(backend)
        await hub.run("market list")
        await hub.run("market list --currency eur")
        let providers = await hub.run("market providers --json=currencies")
        #expect(providers.output == #"[{"currencies":["eur","usd"]}]"# + "\n", "\(providers.all)")
        #expect(await hub.run("market providers").output.contains("EUR USD"))
        let show = await hub.run("market show coin-3")
        #expect(show.output.contains("24 h ") && !show.output.contains("1 y "), "\(show.all)")
    }
}
