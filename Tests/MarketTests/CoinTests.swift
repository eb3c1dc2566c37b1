import BigInteger
import HTTPClient
import HubKit
import MarketDomain
import MarketKnownProviders
import Storage
import TestSupport
import Testing

@testable import Market

/// One coin, one id, whichever ids its providers have.
@Suite(.timeLimit(.minutes(20)))
struct CoinTests {
    private let source = PriceSource(.coingecko, .usd)

    private func row(_ id: String, _ symbol: String, _ name: String) throws -> MarketRow {
        var price = Price()
        price[.current] = Price.Observation(1, at: Instant(milliseconds: 1_790_000_000_000))
        return MarketRow(token: try #require(Token(id: id, symbol: symbol, name: name)), price: price)
    }

    @Test func `a coin stays one coin when another one takes its name`() async throws {
        let hub = try MarketHub([#"market.providers = ["coingecko", "coinpaprika"]"#])
        let other = PriceSource(.coinpaprika, .usd)
        try await hub.market { market in
            _ = try await market.addToWatchlist("favorites", [TokenKey("dot")], operation: Operation("test"))
            try await market.store([try row("dot", "dot", "Dot")], from: source)
            try await market.store([try row("new-dot", "dot", "Dot")], from: other)
            let known = try await market.coinIDs()
            #expect(known.map(\.key.text) == ["coinpaprika:new-dot"] && known.map(\.match) == [.name])
            // A second coin of the same name would leave open which one is meant.
            try await market.store([try row("old-dot", "dot", "Dot")], from: other)
            try await market.store([try row("dot-2", "dot", "Dot")], from: source)
            let found = try await market.store.read {
                (
                    try $0.counterpart(of: TokenKey("dot"), in: .coinpaprika),
                    try $0.coin(of: TokenKey("coinpaprika:new-dot")), try $0.coin(of: TokenKey("coinpaprika:old-dot"))
                )
            }
            #expect(found.0?.id == "new-dot" && found.1.text == "dot" && found.2.text == "coinpaprika:old-dot")
        }
    }

    @Test func `ids of the same words are one coin, whatever the names are`() async throws {
        let hub = try MarketHub([#"market.providers = ["coingecko", "coinpaprika"]"#])
        try await hub.market { market in
            try await market.store([try row("ripple", "xrp", "XRP")], from: source)
            try await market.store([try row("xrp-ripple", "XRP", "XRP Ledger")], from: PriceSource(.coinpaprika, .usd))
            let coin = try await market.store.read { try $0.coin(of: TokenKey("coinpaprika:xrp-ripple")) }
            #expect(coin == TokenKey("ripple"))
        }
    }

    @Test func `a contract comes before an id and a name, and a person before it`() async throws {
        let hub = try MarketHub([#"market.providers = ["coingecko", "coinpaprika"]"#])
        let other = PriceSource(.coinpaprika, .usd)
        func contract(_ id: String, _ address: String, _ chain: String = "ethereum") throws -> CoinContract {
            CoinContract(
                id: id, symbol: "x", name: "X", contract: try #require(Contract(chain: chain, address: address)))
        }
        try await hub.market { market in
            _ = try await market.addToWatchlist("favorites", [TokenKey("usd-coin")], operation: Operation("test"))
            try await market.store([try row("usd-coin", "usdc", "USDC"), try row("dot", "dot", "Dot")], from: source)
            // One has the same words, one the same contract.
            try await market.store(
                [
                    try row("usdc-usd-coin", "usdc", "USDC"), try row("usdc-real", "usdc", "USD Coin"),
                    try row("x-dot", "dot", "Dot"),
                ],
                from: other)
            let before = try await market.store.read { try $0.counterpart(of: TokenKey("usd-coin"), in: .coinpaprika) }
            #expect(before?.id == "usdc-usd-coin")
            try await market.storeContracts(
                [try contract("usd-coin", "0xA0b8"), try contract("dot", "0x1"), try contract("sol", "So1", "solana")],
                of: .coingecko)
            try await market.storeContracts(
                [
                    try contract("usdc-real", "0xa0B8"), try contract("x-dot", "0x2"),
                    try contract("sol-sol", "so1", "solana"),
                ],
                of: .coinpaprika)
            let found = try await market.store.read {
                (
                    try $0.counterpart(of: TokenKey("usd-coin"), in: .coinpaprika),
                    try $0.coin(of: TokenKey("coinpaprika:usdc-real")),
                    // The same name on one chain, and another contract there.
                    try $0.counterpart(of: TokenKey("dot"), in: .coinpaprika),
                    // The case of letters counts where it does.
                    try $0.counterpart(of: TokenKey("sol"), in: .coinpaprika)
                )
            }
            #expect(found.0?.id == "usdc-real" && found.1.text == "usd-coin" && found.2 == nil && found.3 == nil)
            #expect(try await market.coinIDs().map(\.match) == [.contract])
            _ = try await market.linkCoins(
                TokenKey("coinpaprika:usdc-real"), TokenKey("dot"), operation: Operation("test"))
            #expect(try await market.store.read { try $0.coin(of: TokenKey("coinpaprika:usdc-real")) }.text == "dot")
        }
    }

    @Test func `contracts are fetched once, and an address names a coin`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko", "coinpaprika"))
        let address = "0x" + String(repeating: "0", count: 38) + "0d"
        #expect(await hub.run("market price \(address) --offline").exit != 0)
        #expect(try await backend.paths().isEmpty)
        await hub.run("market watchlist add coin-13")
        hub.clock.advance(by: .seconds(90))
        try await backend.control("log", method: .delete)
        let coins = await hub.run("market coins --plain=coin,id,match")
        #expect(coins.output == "coin-13\tcoinpaprika:cp-coin-13\tcontract\n", "\(coins.all)")
        let calls = try await backend.paths()
        #expect(calls.filter { $0.hasSuffix("coins/list") }.count == 1 && calls.count == 4, "\(calls)")
        let price = await hub.run("market price \(address.uppercased().replacing("0X", with: "0x")) --plain=id")
        #expect(price.output == "coin-13\n", "\(price.all)")
        await hub.run("market coins")
        let none = await hub.run("market price 0x" + String(repeating: "9", count: 40))
        #expect(none.messages.contains("no token is known with a contract at 0x999"), "\(none.all)")
        #expect(
            try await backend.paths().filter { $0.contains("/contracts/") || $0.hasSuffix("coins/list") }.count == 4)
        try hub.write("date,kind,token,amount,price\n2026-01-03,buy,\(address),1,1\n", to: "t.csv")
        let file = await hub.run("market portfolio import \(hub.folder)/t.csv")
        #expect(file.exit == 0 && file.all.contains("1 new"), "\(file.all)")
        #expect(await hub.run("market portfolio --plain=token").output == "coin-13\n")
    }

    @Test func `while hub serves, contracts are fetched once a week, and only if a coin is named`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko", "coinpaprika"))
        try await hub.market { market in
            #expect(try await !market.needsContracts())
            _ = try await market.addToWatchlist("favorites", [TokenKey("coin-13")], operation: Operation("test"))
            #expect(try await market.needsContracts())
            try await backend.control("log", method: .delete)
            let service = Task { try await ContractService(market: market).run() }
            defer { service.cancel() }
            /// Lets the service work until it waits so long: a clock that moves on meanwhile would end its requests.
            func pass(_ pause: Duration) async throws {
                while !hub.clock.hasWaiter(for: pause) { try await Task.sleep(for: .milliseconds(1)) }
                hub.clock.advance(by: pause)
            }
            /// Lets an hour pass until the lists were fetched so many times.
            func hours(until fetches: Int) async throws -> Int {
                for hour in 0..<1000 {
                    if try await backend.paths().count(where: { $0.hasSuffix("coins/list") }) == fetches { return hour }
                    try await pass(.seconds(3600))
                }
                return 1000
            }
            try await pass(.seconds(60))
            #expect(try await hours(until: 1) < 1000)
            #expect(try await hours(until: 2) >= 167)
            func coin() async throws -> TokenKey {
                try await market.store.read { try $0.coin(of: TokenKey("coinpaprika:cp-coin-13")) }
            }
            while !hub.clock.hasWaiter(for: .seconds(3600)) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await coin() == TokenKey("coin-13"))
        }
    }

    @Test func `a person says what is one coin and what is not, and takes it back`() async throws {
        let backend = try Backend("--tokens", "20")
        let hub = try MarketHub(backend.config("coingecko", "coinpaprika"))
        await hub.run("market list")
        #expect(await hub.run("market coins").exit == 0)
        await hub.run("market portfolio buy 1 coin-3 --price 5 --date 2026-01-03")
        await hub.run("market watchlist add coin-3 coin-7")
        let link = await hub.run("market coins link coin-3 coin-7")
        #expect(link.exit == 0 && link.output.contains("one coin, coin-7"), "\(link.all)")
        #expect(
            await hub.run("market coins --json=coin,id,match").output
                == #"[{"coin":"coin-7","id":"coin-3","match":"word"}]"# + "\n")
        #expect(await hub.run("market watchlist --plain=id").output == "coin-7\n")
        #expect(await hub.run("market portfolio --plain=token").output == "coin-7\n")
        let back = await hub.run("undo")
        #expect(back.exit == 0, "\(back.all)")
        #expect(await hub.run("market watchlist --plain=id").output == "coin-3\ncoin-7\n")
        #expect(await hub.run("market coins link coin-3 coin-3").exit == 64)
        // What hub takes as one coin can be taken apart.
        try await hub.market { market in
            try await market.store([try row("cp-coin-7", "C3", "Coin 7")], from: PriceSource(.coinpaprika, .usd))
        }
        #expect(await hub.run("market coins --plain=id").output == "coinpaprika:cp-coin-7\n")
        #expect(await hub.run("market coins unlink coinpaprika:cp-coin-7").exit == 0)
        #expect(await hub.run("market coins --json").output == "[]\n")
        #expect(await hub.run("market coins unlink coinpaprika:cp-coin-7").messages.contains("is not linked"))
    }
}
