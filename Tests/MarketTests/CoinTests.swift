import BigInteger
import HubKit
import MarketDomain
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
