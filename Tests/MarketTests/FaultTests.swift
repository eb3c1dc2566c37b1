import BigInteger
import Glibc
import HTTPClient
import Market
import MarketDomain
import MarketKnownProviders
import NetworkTestSupport
import TestSupport
import Testing
import Time

/// Faults of providers over real sockets, each a row of the table of faults in the sheet, with what is expected of them.
@Suite(.timeLimit(.minutes(20)))
struct FaultTests {
    private static let prices = "market list --limit 5 --plain=id,price"

    /// A hub over a backend, with or without a first look at the market that succeeded.
    private func hub(
        _ backend: Backend, _ providers: String = "coingecko", isWarm: Bool = true
    ) async throws -> MarketHub {
        let hub = try MarketHub(backend.config(providers))
        if isWarm {
            let first = await hub.run(Self.prices)
            #expect(first.exit == 0 && first.output.hasPrefix("coin-0\t"), "\(first.all)")
            try await backend.control("log", method: .delete)
            // The prices are too old now.
            hub.clock.advance(by: .seconds(90))
        }
        return hub
    }

    private static let limits: [(fault: String, seconds: ClosedRange<Int>)] = [
        (#""retry_after": 7"#, 7...7), (#""reset": 120"#, 20...120), (#""shape": "empty""#, 30...45),
        (#""retry_after": {"date": 150}"#, 30...150), (#""retry_after": 1000000000"#, 3600...3600),
        (#""retry_after": -5"#, 30...45),
    ]

    @Test(arguments: limits.indices)
    func `429 with Retry-After, reset, neither, a date, an absurd or a negative time`(index: Int) async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend)
        let before = await hub.run(Self.prices + " --offline").output
        try await backend.fail(#"{"status": 429, "times": -1, \#(Self.limits[index].fault)}"#)
        let limited = await hub.run(Self.prices)
        #expect(limited.exit == 0 && limited.output == before, "the old data stays")
        #expect(limited.messages.contains("coingecko rate limited for "), "\(limited.messages)")
        // No request before the time, from this process or any other.
        let view = await hub.run("market providers --json=limited_until").output
        for _ in 0..<3 { await hub.run(Self.prices) }
        #expect(try await backend.paths().count == 1)
        #expect(view.contains("2026-09-21T"), "\(view)")
        hub.clock.advance(by: .seconds(Self.limits[index].seconds.lowerBound - 4))
        if Self.limits[index].seconds.count == 1 {
            await hub.run(Self.prices)
            #expect(try await backend.paths().count == 1)
        }
        // After the time it comes back by itself.
        try await backend.control("faults", method: .delete)
        hub.clock.advance(by: .seconds(Self.limits[index].seconds.upperBound + 3))
        let back = await hub.run(Self.prices)
        #expect(back.exit == 0 && !back.messages.contains("!"), "\(back.messages)")
        #expect(try await backend.paths().count == 2)
    }

    @Test(arguments: [500, 502, 503, 504])
    func `500, 502, 503 and 504 once, then ok, and for ever`(status: Int) async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend)
        try await backend.fail(#"{"status": \#(status), "shape": "text"}"#)
        let once = await hub.run(Self.prices)
        #expect(once.exit == 0 && !once.messages.contains("!"), "\(once.messages)")
        #expect(try await backend.paths().count == 2)
        hub.clock.advance(by: .seconds(90))
        try await backend.fail(#"{"status": \#(status), "shape": "text", "times": -1}"#)
        try await backend.control("log", method: .delete)
        let forever = await hub.run(Self.prices)
        #expect(forever.exit == 0 && forever.output == once.output)
        #expect(forever.messages.contains("failed with status \(status); prices are "), "\(forever.messages)")
        #expect(try await backend.paths().count == 3, "tries are bounded")
    }

    @Test(arguments: [
        #""status": 401, "shape": "status""#, #""status": 401, "shape": "nested""#, #""status": 403, "shape": "html""#,
        #""status": 404, "shape": "text""#, #""status": 422, "shape": "text""#, #""status": 403, "shape": "200-error""#,
        #""status": 400, "shape": "coincap""#,
    ])
    func `401, 403, 404 and 422 in all shapes, an HTML page, 200 with an error`(fault: String) async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend)
        let before = await hub.run(Self.prices + " --offline").output
        try await backend.fail("{\(fault), \"times\": -1, \"message\": \"scripted words\"}")
        let run = await hub.run(Self.prices)
        #expect(run.exit == 0 && run.output == before)
        #expect(run.messages.contains("scripted words") || run.messages.contains("HTML page"), "\(run.messages)")
        #expect(try await backend.paths().count == 1, "no retry")
    }

    @Test func `a provider that refuses is replaced by the next one, and the view says so`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko", "coinpaprika"))
        try await backend.fail(#"{"path": "/api/v3", "status": 401, "times": -1, "message": "wrong key"}"#)
        let run = await hub.run("market list --limit 2 --json=id,provider")
        #expect(run.output.contains(#""provider":"coinpaprika""#) && !run.output.contains("coingecko"), "\(run.all)")
        #expect(run.messages.contains("wrong key") && run.messages.contains("prices of coinpaprika"))
        #expect(await hub.run("market providers test").exit == 1)
    }

    @Test(arguments: [
        ("reset", "cannot be reached"), ("close", "cannot be reached"), ("short-body", "cannot be reached"),
    ])
    func `a connection that is refused, cut off or ends early, and a name that is not found`(
        kind: String, words: String
    ) async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend)
        try await backend.fail(#"{"transport": "\#(kind)", "times": -1}"#)
        let run = await hub.run(Self.prices)
        #expect(run.exit == 0 && run.output.hasPrefix("coin-0\t") && run.messages.contains(words), "\(run.messages)")
        // Nothing listens on port 1 of loopback.
        try hub.configure([
            #"market.providers = ["coingecko"]"#, #"market.coingecko.url = "http://127.0.0.1:1/api/v3""#,
        ])
        let refused = await hub.run(Self.prices)
        #expect(refused.exit == 0 && refused.output == run.output && refused.messages.contains("cannot be reached"))
        // A label of DNS has at most 63 bytes, so this name is not found without asking anyone.
        try hub.configure([
            #"market.providers = ["coingecko"]"#,
            #"market.coingecko.url = "http://\#(String(repeating: "a", count: 64)).invalid/api/v3""#,
        ])
        let nameless = await hub.run(Self.prices)
        #expect(nameless.exit == 0 && nameless.output == run.output && nameless.messages.contains("cannot be reached"))
    }

    @Test func `a request that is cancelled ends at once, and speaks not against the provider`() async throws {
        let backend = try Backend("--tokens", "20")
        try await backend.fail(#"{"transport": "hang", "times": -1}"#)
        try await withGateway(backend, deadline: .seconds(3600)) { gateway in
            let request = Task { try await gateway.rows(["coin-1"], in: .usd) }
            // The backend has the request, and answers never.
            try await backend.waitForRequest()
            request.cancel()
            await #expect(throws: GatewayError.cancelled) { try await request.value }
        }
        #expect(!GatewayError.cancelled.isFailure && !GatewayError.cancelled.isTransient)
    }

    @Test(arguments: ["hang", "drip"])
    func `a hang and a drip feed end at the own deadline`(kind: String) async throws {
        let backend = try Backend("--tokens", "20")
        try await backend.fail(#"{"transport": "\#(kind)", "times": -1}"#)
        try await withGateway(backend, deadline: .milliseconds(300)) { gateway in
            await #expect(throws: GatewayError.timedOut) { try await gateway.rows(["coin-1"], in: .usd) }
        }
    }

    /// Runs `body` with CoinGecko's gateway over the backend.
    private func withGateway(
        _ backend: Backend, deadline: Duration, _ body: (any MarketGateway) async throws -> Void
    ) async throws {
        var settings = GatewaySettings()
        settings.coingeckoURL = "http://127.0.0.1:\(backend.port)/api/v3"
        settings.deadline = deadline
        let gateways = SystemMarketGateways(settings, keeper: FreeCalls(), clock: MarketClock())
        try await body(try await gateways.gateway(.coingecko))
    }

    @Test(arguments: [
        "cut", "empty-body", "bom", "trailing-comma", "nan", "infinity", "duplicate-keys", "lone-surrogate",
    ])
    func `malformed bodies keep the previous data`(kind: String) async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend)
        let before = await hub.run(Self.prices + " --offline").output
        try await backend.fail(#"{"body": "\#(kind)", "times": -1}"#)
        let run = await hub.run(Self.prices)
        #expect(run.exit == 0)
        // A BOM, a name given twice, of which the last counts, and a lone surrogate, which is replaced, are accepted by rule.
        if ["bom", "duplicate-keys", "lone-surrogate"].contains(kind) {
            #expect(run.output == before && !run.messages.contains("!"), "\(run.all)")
            let name = await hub.run("market list --limit 1 --offline --plain=name").output
            #expect(name == (kind == "lone-surrogate" ? "\u{FFFD}Coin 0\n" : "Coin 0\n"))
            return
        }
        #expect(run.output == before && run.messages.contains("unexpected response"), "\(run.all)")
    }

    private static let nullable = [
        "current_price", "market_cap", "market_cap_rank", "total_volume", "high_24h", "price_change_percentage_24h",
        "price_change_percentage_7d_in_currency", "circulating_supply", "sparkline_in_7d",
    ]

    @Test func `null in every nullable field, each alone and all together`() async throws {
        let backend = try Backend("--tokens", "20")
        for fields in Self.nullable.map({ [$0] }) + [Self.nullable] {
            try await backend.control("faults", method: .delete)
            let set = fields.map { "\"\($0)\": \"null\"" }.joined(separator: ", ")
            try await backend.fail(#"{"rows": [{"index": 2, "set": {\#(set)}}], "times": -1}"#)
            let hub = try await hub(backend, isWarm: false)
            let run = await hub.run("market list")
            #expect(run.exit == 0 && run.output.contains("Coin 2 C1") && !run.messages.contains("!"), "\(run.all)")
            if fields.contains("current_price") {
                #expect(run.output.contains("—"))
                let sorted = await hub.run("market list --sort price --plain=id").output.split(separator: "\n")
                let reversed = await hub.run("market list --sort price --reverse --plain=id").output
                #expect(sorted.last == "coin-2" && reversed.hasSuffix("coin-2\n"), "unknown is last both ways")
            }
        }
    }

    @Test(arguments: [
        #"{"index": 1, "set": {"current_price": "\"12\""}}"#, #"{"index": 1, "set": {"market_cap": "{}"}}"#,
        #"{"index": 1, "set": {"total_volume": "true"}}"#, #"{"index": 1, "set": {"market_cap_rank": "0"}}"#,
        #"{"index": 1, "set": {"market_cap_rank": "-3"}}"#, #"{"index": 1, "set": {"market_cap_rank": "1.5"}}"#,
        #"{"index": 1, "drop": ["id"]}"#, #"{"index": 1, "set": {"id": "\"\""}}"#, #"{"index": 1, "set": {"id": "7"}}"#,
    ])
    func `wrong types cost a field or a row, never the page`(change: String) async throws {
        let backend = try Backend("--tokens", "20")
        try await backend.fail(#"{"rows": [\#(change)], "times": -1}"#)
        let hub = try await hub(backend, isWarm: false)
        let run = await hub.run("market list --plain=id")
        let losesRow = change.contains("\"id\"")
        #expect(run.output.split(separator: "\n").count == (losesRow ? 19 : 20), "\(run.all)")
        if losesRow { #expect(run.messages.contains("1 unreadable row"), "\(run.messages)") }
    }

    @Test(arguments: ["1e400", "1e308", "1e-400", "-0", String(repeating: "9", count: 60), "1e-24", "-1e400"])
    func `numbers out of range never lose other rows`(number: String) async throws {
        let backend = try Backend("--tokens", "20")
        try await backend.fail(#"{"rows": [{"index": 1, "set": {"current_price": "\#(number)"}}], "times": -1}"#)
        let hub = try await hub(backend, isWarm: false)
        let run = await hub.run("market list --plain=id,price")
        let rows = run.output.split(separator: "\n")
        #expect(rows.count == 20, "\(run.all)")
        // Nor does a drawing of such numbers.
        try await backend.control("faults", method: .delete)
        let prices = #"{\"price\": [-1.7e308, \#(number), 1.7e308]}"#
        try await backend.fail(#"{"rows": [{"index": 1, "set": {"sparkline_in_7d": "\#(prices)"}}], "times": -1}"#)
        let drawn = await hub.run("market list --refresh --limit 2")
        #expect(drawn.exit == 0 && drawn.output.contains("Coin 1"), "\(drawn.all)")
        if number.count == 60 { #expect(rows[1] == "coin-1\t\(number)") }
        if number == "1e-24" { #expect(rows[1] == "coin-1\t0.000000000000000000000001") }
    }

    @Test func `duplicate ids in a page and across pages, one symbol of several ids`() async throws {
        let backend = try Backend("--tokens", "300")
        try await backend.fail(#"{"path": "/api/v3/coins/markets", "duplicate": [3, 7], "times": -1}"#)
        let hub = try await hub(backend, isWarm: false)
        let ids = await hub.run("market list --limit 300 --plain=number,id").output.split(separator: "\n")
        #expect(Set(ids.map { $0.split(separator: "\t")[1] }).count == ids.count)
        #expect(ids.map { Int($0.split(separator: "\t")[0]) } == (1...ids.count).map { $0 })
        // Two coins share the symbol C1; each has its own price.
        let pair = await hub.run("market price coin-2 coin-3 --plain=symbol,price").output.split(separator: "\n")
        #expect(pair.count == 2 && pair.allSatisfy { $0.hasPrefix("C1\t") } && pair[0] != pair[1])
    }

    @Test func `coins that move between pages, enter and leave`() async throws {
        let backend = try Backend("--tokens", "600")
        let hub = try await hub(backend, isWarm: false)
        func board() async -> [Substring] {
            hub.clock.advance(by: .seconds(90))
            let run = await hub.run("market list --limit 600 --plain=number,id")
            let rows = run.output.split(separator: "\n")
            #expect(
                rows.map { Int($0.split(separator: "\t")[0]) } == (1...max(rows.count, 1)).map { $0 }, "\(run.messages)"
            )
            let ids = rows.map { $0.split(separator: "\t")[1] }
            #expect(Set(ids).count == ids.count, "no coin twice")
            return ids
        }
        #expect(await board().count == 600)
        try await backend.control("market", #"{"move": ["coin-249", 251]}"#)
        #expect(await board().count == 600)
        try await backend.control("market", #"{"move": ["coin-500", 1]}"#)
        #expect(await board().first == "coin-500")
        try await backend.control("market", #"{"remove": "coin-7"}"#)
        hub.clock.advance(by: .seconds(90))
        let without = await board()
        #expect(without.count == 599 && !without.contains("coin-7"))
        // That most of them left is believed when it lasts.
        try await backend.control("market", #"{"truncate": 100}"#)
        #expect(await board().count == 599)
        hub.clock.advance(by: .seconds(90_000))
        #expect(await board().count == 100)
    }

    @Test func `names with escape sequences and the like do nothing`() async throws {
        let backend = try Backend("--tokens", "40", "--odd-names")
        let hub = try await hub(backend, isWarm: false)
        let run = await hub.run("market list")
        let harmful = run.output.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F || (0x80..<0xA0).contains($0.value) || $0 == "\u{202E}"
        }
        #expect(run.exit == 0 && harmful.isEmpty && run.output.split(separator: "\n").count == 41)
        let json = await hub.run("market list --json=name").output
        #expect(!json.contains("\\u001b") && !json.contains("owned"))
    }

    @Test func `a currency that changes, and EUR against eur`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend, isWarm: false)
        let usd = await hub.run("market list --plain=price").output
        let eur = await hub.run("market list --currency EUR --plain=price,currency").output
        #expect(eur.split(separator: "\n").allSatisfy { $0.hasSuffix("\teur") } && !eur.contains(usd.prefix(8)))
        #expect(try await backend.paths().count == 2)
        // Both are known and young, and neither is mixed with the other.
        #expect(await hub.run("market list --currency eur --plain=price,currency").output == eur)
        #expect(await hub.run("market list --plain=price").output == usd)
        #expect(try await backend.paths().count == 2)
        // A currency that the provider does not have is an error in words.
        let unknown = await hub.run("market list --currency xyz")
        #expect(unknown.messages.contains("invalid vs_currency"), "\(unknown.messages)")
    }

    @Test func `a full disk shows the last prices, and says why they are not newer`() async throws {
        let backend = try Backend("--tokens", "20")
        let home = try TemporaryFolder()
        try home.write(
            "[plugins]\n" + backend.config("coingecko").joined(separator: "\n") + "\n", to: "config/hub/config.toml")
        mkdir(home.path + "/run", 0o700)
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        func list(_ variables: [String: String] = [:]) throws -> [String] {
            let process = try TestProcess(
                "/bin/sh",
                [
                    "-c", #"LD_PRELOAD=$FAULTS exec "$0" market list --refresh --limit 3 --plain=id,price 2>&1"#,
                    "\(root)/.build/debug/hub",
                ],
                environment: [
                    "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/config", "XDG_DATA_HOME": home.path + "/data",
                    "XDG_STATE_HOME": home.path + "/state", "XDG_CACHE_HOME": home.path + "/cache",
                    "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC", "no_proxy": "*",
                    "PATH": "/usr/bin:/bin",
                ].merging(variables) { $1 })
            var lines: [String] = []
            while let line = try? process.line() { lines.append(line) }
            return lines
        }
        let before = try list()
        #expect(before.count == 3 && before[0].hasPrefix("coin-0\t"), "\(before)")
        let full = try list([
            "FAULTS": "\(root)/.build/debug/libFaultInjection.so", "HUB_FAULTS_ROOT": home.path + "/data",
            "HUB_FAULTS_MODE": "full", "HUB_FAULTS_AT": "0",
        ])
        #expect(full.filter { $0.hasPrefix("coin-") } == before, "\(full)")
        #expect(full.contains { $0.contains("the disk of the store is full") }, "\(full)")
        #expect(try await backend.paths().count == 1, "without the row of its budget no call is made")
    }

    @Test func `a clock that jumps back and forward fetches once`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try await hub(backend, isWarm: false)
        await hub.run(Self.prices)
        hub.clock.advance(by: .seconds(-7200))
        for _ in 0..<3 { await hub.run(Self.prices) }
        let afterBack = try await backend.paths().count
        #expect(afterBack <= 4, "no storm")
        hub.clock.advance(by: .seconds(14_400))
        for _ in 0..<3 { await hub.run(Self.prices) }
        #expect(try await backend.paths().count <= afterBack + 1)
    }

    @Test func `two processes that write at once have one store and one budget`() async throws {
        let backend = try Backend("--tokens", "250")
        let hub = try await hub(backend, isWarm: false)
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = await hub.run("market list --refresh") } }
        }
        let rows = await hub.run("market list --offline --plain=id").output.split(separator: "\n")
        #expect(rows.count == 250 && Set(rows).count == 250)
        // A keyless CoinGecko allows five calls a minute, whoever makes them.
        for _ in 0..<4 { await hub.run("market list --refresh") }
        #expect(try await backend.paths().count == 5)
    }
}

/// A budget without a limit.
private struct FreeCalls: CallBudgetKeeper {
    func take(from budget: CallBudget, of provider: Provider) async throws(GatewayError) -> Instant {
        Instant(milliseconds: 0)
    }
    func giveBack(_ call: Instant, to budget: CallBudget, of provider: Provider) async {}
    func noteSuccess(_ budget: CallBudget, of provider: Provider) async {}
    func noteRateLimit(_ budget: CallBudget, of provider: Provider, wait: Duration?) async -> Instant {
        Instant(milliseconds: 0)
    }
}
