import BigInteger
import HTTPClient
import JSON
import MarketDomain
import MarketKnownProviders
import Synchronization
import Testing

@testable import Market

/// status-go over real sockets: its start, its signals, and their faults.
@Suite(.timeLimit(.minutes(20)))
struct StatusGoTests {
    private static let list = "market list --limit 3 --plain=id"

    @Test func `a page comes by a signal, with names, order and source`() async throws {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("status-go"))
        let run = await hub.run("market list --limit 3 --json=id,name,provider")
        #expect(
            run.exit == 0
                && run.output.hasPrefix(#"[{"id":"coin-0","name":"Coin 0","provider":"status-go"}"#), "\(run.all)")
        let paths = try await backend.log().compactMap { $0["rpc"]?.string ?? $0["path"]?.string }
        #expect(paths.first == "/signals", "the signals are connected before anything else")
        #expect(paths.contains("/statusgo/CreateAccountAndLogin") && paths.last == "wallet_unsubscribeFromLeaderboard")
        // Offline the board has its names and its order.
        let offline = await hub.run("market list --limit 3 --plain=name --offline")
        #expect(offline.output == "Coin 0\nCoin 1\nCoin 2\n")
    }

    @Test(arguments: ["superseded", "old-page", "cryptocurrencies-null"])
    func `error_code 2 then 1, a done signal for an old page, cryptocurrencies null`(fault: String) async throws {
        let backend = try Backend("--tokens", "300")
        let hub = try MarketHub(backend.config("status-go"))
        try await backend.fail(#"{"path": "wallet_fetchMarketTokenPageAsync", "status_go": "\#(fault)"}"#)
        let run = await hub.run(Self.list)
        #expect(run.exit == 0 && run.output == "coin-0\ncoin-1\ncoin-2\n", "\(run.all)")
    }

    @Test func `error_code 3 is a failure, and the old board stays`() async throws {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("status-go"))
        await hub.run(Self.list)
        hub.clock.advance(by: .seconds(120))
        try await backend.fail(#"{"path": "wallet_fetchMarketTokenPageAsync", "status_go": "failed", "times": -1}"#)
        let run = await hub.run(Self.list)
        #expect(run.exit == 0 && run.output == "coin-0\ncoin-1\ncoin-2\n")
        #expect(run.messages.contains("status-go failed with status 3; prices are "), "\(run.messages)")
    }

    @Test func `a login that fails, one that never arrives, and a wrong id of a response`() async throws {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("status-go"))
        try await backend.fail(#"{"path": "CreateAccountAndLogin", "status_go": "login-error"}"#)
        let failed = await hub.run(Self.list)
        #expect(failed.messages.contains("failed to get account kdf iterations"), "\(failed.messages)")
        let other = try Backend("--tokens", "30")
        let second = try MarketHub(other.config("status-go"))
        try await other.fail(#"{"path": "wallet_startWallet", "status_go": "wrong-id"}"#)
        #expect(await second.run(Self.list).output.hasPrefix("coin-0\n"), "the start is tried again")
        // The wait is bounded by the clock.
        let third = try Backend("--tokens", "30")
        let slow = try MarketHub(third.config("status-go"))
        try await third.fail(#"{"path": "CreateAccountAndLogin", "status_go": "login-never"}"#)
        let isDone = Atomic(false)
        async let waiting = slow.run(Self.list)
        let pusher = Task {
            while !isDone.load(ordering: .relaxed) {
                slow.clock.advance(by: .seconds(10))
                await Task.yield()
            }
        }
        let run = await waiting
        isDone.store(true, ordering: .relaxed)
        await pusher.value
        #expect(run.messages.contains("did not answer in time"), "\(run.messages)")
    }

    /// What a live board does after it got a page: each element is a command to the backend, and what must come of it.
    private func live(
        _ backend: Backend, _ commands: [(name: String, body: String)],
        until isDone: @escaping @Sendable ([LiveBoard.Progress]) -> Bool,
        then check: (MarketPlugin) async throws -> Void = { _ in }
    ) async throws {
        let hub = try MarketHub(backend.config("status-go"))
        try await hub.market { market in
            let board = try #require(try await market.gateways.gateway(.statusGo).live(in: .usd))
            let seen = Mutex<[LiveBoard.Progress]>([])
            let hasBegun = Atomic(false)
            try await market.keep(board, from: PriceSource(.statusGo, .usd)) { progress in
                if case .slice = progress, hasBegun.exchange(true, ordering: .relaxed) == false {
                    for command in commands { try await backend.control(command.name, command.body) }
                    return nil
                }
                guard hasBegun.load(ordering: .relaxed) else { return nil }
                let all = seen.withLock { seen in
                    seen.append(progress)
                    return seen
                }
                return isDone(all) ? .close : nil
            }
            try await check(market)
        }
    }

    private static func gotData(_ progress: [LiveBoard.Progress]) -> Bool {
        progress.contains {
            switch $0 {
            case .slice, .prices: true
            case .state, .failed: false
            }
        }
    }

    @Test(arguments: ["fragmented", "ping", "big-frame"])
    func `fragmented frames, pings and frames of 200 kB are read`(fault: String) async throws {
        let backend = try Backend("--tokens", "30")
        try await live(
            backend,
            [("faults", #"{"path": "signal", "websocket": "\#(fault)"}"#), ("clock", #"{"advance": 3}"#)],
            until: Self.gotData)
        #expect(try await backend.log().count { $0["path"]?.string == "/signals" } == 1, "one link")
    }

    @Test(arguments: ["drop", "close-mid-frame", "masked", "length-64"])
    func `a link that is lost is connected again, and its page asked for once`(fault: String) async throws {
        let backend = try Backend("--tokens", "30")
        try await live(
            backend,
            [("faults", #"{"path": "signal", "websocket": "\#(fault)"}"#), ("clock", #"{"advance": 3}"#)],
            until: { progress in progress.contains { if case .slice = $0 { true } else { false } } })
        let log = try await backend.log()
        #expect(log.count { $0["path"]?.string == "/signals" } == 2)
        #expect(log.count { $0["rpc"]?.string == "wallet_fetchMarketTokenPageAsync" } == 2)
    }

    @Test func `a half-open socket is told by its silence, and connected again`() async throws {
        let backend = try Backend("--tokens", "3")
        try await backend.fail(#"{"path": "signal", "websocket": "half-open"}"#)
        let (events, continuation) = AsyncStream<SignalSocket.Event>.makeStream()
        let base = try #require(HTTPURL("http://127.0.0.1:\(backend.port)"))
        let socket = SignalSocket(over: HTTPClient(), to: base, silence: .milliseconds(300)) { continuation.yield($0) }
        socket.start()
        var seen: [String] = []
        for await event in events {
            switch event {
            case .connected:
                seen.append("connected")
                socket.setLive(true)
                // The other end still has the link, and says nothing on it.
                if seen.count == 1 { try await backend.control("signal", #"{"type": "node.ready", "event": {}}"#) }
            case .message: seen.append("message")
            case .lost: seen.append("lost")
            }
            if seen.count == 3 { break }
        }
        socket.close()
        #expect(seen == ["connected", "lost", "connected"])
    }

    @Test func `prices null, a price of an unknown id, and older data after a newer price`() async throws {
        let backend = try Backend("--tokens", "30")
        try await live(
            backend,
            [
                ("faults", #"{"path": "page-prices-updated", "status_go": "prices-null"}"#),
                ("faults", #"{"path": "page-prices-updated", "status_go": "unknown-id"}"#),
                ("faults", #"{"path": "page-data-updated", "status_go": "regress"}"#),
                ("clock", #"{"advance": 3}"#), ("clock", #"{"advance": 3}"#), ("clock", #"{"advance": 10}"#),
            ],
            until: { progress in progress.contains { if case .slice = $0 { true } else { false } } }
        ) { market in
            let view = try await market.storedBoard(BoardQuery(currency: .usd))
            #expect(view.rows.count == 30 && view.rows.map(\.number) == (1...30).map { $0 })
            // The list of the backend is half a minute old, so its halved prices change nothing.
            #expect(view.rows[0].row.value(.current) == 90_000)
        }
    }

    @Test(arguments: [("string-error", "JSON-RPC client is unavailable"), ("empty-response", "unexpected response")])
    func `an error that is a text alone and an empty response are said, and the next start works`(
        fault: String, words: String
    ) async throws {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("status-go"))
        try await backend.fail(#"{"path": "wallet_startWallet", "status_go": "\#(fault)", "times": -1}"#)
        let failed = await hub.run(Self.list)
        #expect(failed.output.isEmpty && failed.messages.contains(words), "\(failed.all)")
        try await backend.control("faults", method: .delete)
        hub.clock.advance(by: .seconds(120))
        let run = await hub.run(Self.list)
        #expect(run.output == "coin-0\ncoin-1\ncoin-2\n", "\(run.all)")
    }

    @Test func `nothing that arrives after the board was closed is stored`() async throws {
        let backend = try Backend("--tokens", "30")
        let hub = try MarketHub(backend.config("status-go"))
        try await backend.fail(
            #"{"path": "wallet_unsubscribeFromLeaderboard", "status_go": "update-after-close", "times": -1}"#)
        await hub.run(Self.list)
        let before = await hub.run("market list --offline --plain=id,price,as_of").output
        try await backend.control("market", #"{"tick": 3}"#)
        try await backend.control("clock", #"{"advance": 30}"#)
        #expect(await hub.run("market list --offline --plain=id,price,as_of").output == before)
    }

    @Test func `the wallet lists, checks and plans, and signs nothing`() async throws {
        let backend = try Backend("--tokens", "3")
        let hub = try MarketHub(backend.config("status-go"))
        let accounts = await hub.run("market wallet accounts --plain=name")
        #expect(accounts.output == "main\nwatched\n", "\(accounts.all)")
        #expect(await hub.run("market wallet networks --plain=chain_id,prefix").output == "1\teth\n10\toeth\n")
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        #expect(await hub.run("market wallet check eth:\(address)").output == "\(address) on Mainnet: valid\n")
        let typo = await hub.run("market wallet check \(address.dropLast())D")
        #expect(typo.exit == 65 && typo.messages.contains("its checksum is wrong"))
        let other = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
        let own = await hub.run("market wallet plan 0.5 --from main --to main")
        #expect(own.exit == 1 && own.output.contains("! the recipient is the sender"), "\(own.all)")
        let plan = await hub.run("market wallet plan 0.5 --from main --to \(other)")
        #expect(plan.exit == 0 && plan.output.contains("fee      0.00021 ETH, about 15 s"), "\(plan.all)")
        let link = "'ethereum:\(other.lowercased())@1?value=5e17'"
        let asked = await hub.run("market wallet check \(link)")
        #expect(asked.output.contains("on Mainnet: valid\n  asks for 500000000000000000 base units"), "\(asked.all)")
        #expect(asked.messages.contains("has no checksum"), "\(asked.all)")
        #expect(await hub.run("market wallet plan 0.5 --from main --to \(link)").exit == 0)
        let less = await hub.run("market wallet plan 0.4 --from main --to \(link)")
        #expect(less.exit == 65 && less.messages.contains("the link asks for 0.5, not 0.4"), "\(less.all)")
        let wrong = await hub.run("market wallet plan 0.5 --token usdc --from main --to \(link)")
        #expect(wrong.exit == 65 && wrong.messages.contains("asks for the network's own coin"), "\(wrong.all)")
        let nothing = await hub.run("market wallet plan 0 --from main --to \(other)")
        #expect(
            nothing.output.contains("! the amount is zero") && !nothing.output.contains("in time"), "\(nothing.all)")
        let tooMuch = await hub.run("market wallet plan 2 --from main --to \(other)")
        #expect(tooMuch.exit == 1 && tooMuch.output.contains("0.00021 more is needed for the fees"), "\(tooMuch.all)")
        #expect(await hub.run("market wallet plan 1 --from watched --to \(other)").exit == 1)
        // A token has its own balance and digits; its fees are in the network's coin.
        let token = await hub.run("market wallet plan 25.5 --token usdc --from main --to \(other)")
        #expect(token.exit == 0 && token.output.contains("25.5 USDC from main"), "\(token.all)")
        #expect(token.output.contains("balance  100 USDC") && token.output.contains("0.00021 ETH"), "\(token.all)")
        let many = await hub.run("market wallet plan 100.000001 --token usdc --from main --to \(other)")
        #expect(many.exit == 1 && many.output.contains("the balance is 100"), "\(many.all)")
        let digits = await hub.run("market wallet plan 0.0000001 --token usdc --from main --to \(other)")
        #expect(digits.messages.contains("more than 6 digits"), "\(digits.all)")
        let twins = await hub.run("market wallet plan 1 --token twin --from main --to \(other)")
        #expect(twins.messages.contains("several tokens of Mainnet have the symbol TWIN"), "\(twins.all)")
        let second = "0x" + String(repeating: "c3", count: 20)
        let named = await hub.run(
            "market wallet plan 1 --token \(second) --from main --to \(other) --json=coin,problems")
        #expect(named.output.contains("the balance is 0"), "\(named.all)")
        let unknown = await hub.run("market wallet plan 1 --token nothing --from main --to \(other)")
        #expect(unknown.messages.contains("no token of Mainnet is named"), "\(unknown.all)")
        // An older status-go sends the tokens of all networks in lists.
        try await backend.fail(#"{"path": "wallet_getTokensByChain", "status_go": "not-found", "times": -1}"#)
        let older = await hub.run("market wallet plan 1 --token usdc --from main --to \(other) --plain=token")
        #expect(older.output.lowercased() == "0x" + String(repeating: "a1", count: 20) + "\n", "\(older.all)")
        let methods = try await backend.log().compactMap { $0["rpc"]?.string }
        #expect(!methods.contains { $0.contains("sign") || $0.contains("send") || $0.contains("build") })
    }

    @Test func `a token of the wallet is the coin that has its contract on its chain`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko"))
        await hub.run("market list")
        let price = await hub.run("market price coin-5 --json=price --offline").output
        let plan = "market wallet plan 1 --from main --to 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
        let known = await hub.run("\(plan) --token wrapped5 --json=coin,coin_id,value,currency")
        #expect(
            known.output.contains(#""coin":"WRAPPED5""#) && known.output.contains(#""coin_id":"coin-5""#),
            "\(known.all)")
        let worth = try #require(price.split(separator: ":").last?.split(separator: "}").first)
        #expect(
            known.output.contains("\"value\":\(worth)") && known.output.contains(#""currency":"usd""#), "\(known.all)")
        #expect(await hub.run("\(plan) --token wrapped5").output.contains(", Coin 5\n"))
        // hub's id of the coin names the contract that it has on the network.
        let named = await hub.run("\(plan) --token coin-5 --plain=coin,coin_id")
        #expect(named.output == "WRAPPED5\tcoin-5\n", "\(named.all)")
        // The same address on another chain is another token.
        let elsewhere = await hub.run("\(plan) --token wrapped9 --network oeth --json=coin,coin_id,value")
        #expect(elsewhere.output.contains(#""coin":"WRAPPED9","coin_id":null,"value":null"#), "\(elsewhere.all)")
        #expect(await hub.run("\(plan) --token coin-9 --network oeth").messages.contains("no token of Optimism"))
        #expect(try await backend.paths().count { $0.hasSuffix("coins/list") } == 1)
    }

    @Test func `status-go alone says which coin a contract is of, and is not believed where the symbol differs`()
        async throws
    {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("status-go"))
        await hub.run("market list")
        let six = "0x" + String(repeating: "0", count: 39) + "6"
        let price = await hub.run("market price \(six) --plain=id")
        #expect(price.exit == 0 && price.output == "coin-6\n", "\(price.all)")
        let plan = "market wallet plan 1 --from main --to 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
        #expect(await hub.run("\(plan) --token c3 --plain=coin,coin_id").output == "C3\tcoin-6\n")
        #expect(await hub.run("\(plan) --token coin-6 --plain=coin,coin_id").output == "C3\tcoin-6\n")
        for (symbol, last) in [("other", "7"), ("new", "8")] {
            let plain = await hub.run("\(plan) --token \(symbol) --json=coin_id,value")
            #expect(plain.output.contains(#""coin_id":null,"value":null"#), "\(plain.all)")
            #expect(await hub.run("market price \(six.dropLast())\(last)").exit == 1)
        }
        // It was asked once: the lists are of this hour.
        let calls = try await backend.log().compactMap { $0["rpc"]?.string }
        #expect(calls.count { $0 == "networks_getFlatEthereumChains" } > 0, "\(calls)")
        // An older one does not say it.
        let older = try Backend("--tokens", "20")
        try await older.fail(#"{"path": "wallet_getTokensByChain", "status_go": "not-found", "times": -1}"#)
        let second = try MarketHub(older.config("status-go"))
        await second.run("market list")
        let unknown = await second.run("market price \(six)")
        #expect(unknown.exit == 1 && unknown.messages.contains("no token is known with a contract"), "\(unknown.all)")
    }

    @Test func `a coin past the first page is named, held and watched for`() async throws {
        let backend = try Backend("--tokens", "300")
        let hub = try MarketHub(backend.config("status-go"))
        let price = await hub.run("market price coin-280 --plain=id")
        #expect(price.exit == 0 && price.output == "coin-280\n", "\(price.all)")
        #expect(await hub.run("market price \"Coin 281\" --plain=id").output == "coin-281\n")
        #expect(await hub.run("market portfolio buy 2 coin-280 --price 1 --date 2026-01-03").exit == 0)
        hub.clock.advance(by: .seconds(120))
        let held = await hub.run("market portfolio --json=token,value")
        #expect(
            held.output.hasPrefix(#"[{"token":"coin-280","value":"#) && !held.output.contains("null"), "\(held.all)")
        let none = await hub.run("market price coin-900")
        #expect(none.exit == 1 && none.messages.contains("no token named"), "\(none.all)")
    }
}
