import BigInteger
import MarketDomain
import MarketFormats
import TestSupport
import Testing
import Time

struct CoinPaprikaTests {
    private let arrival = MarketPages.arrival

    private func row(_ id: String, rank: Int, _ quote: String) -> String {
        """
        {"id":"\(id)","name":"Name \(id)","symbol":"SYM","rank":\(rank),"total_supply":21000000,"max_supply":null,
        "beta_value":0.9,"first_data_at":"2010-07-17T00:00:00Z","last_updated":"2026-09-21T14:10:00Z",
        "quotes":{"EUR":{"price":1},"USD":\(quote)}}
        """
    }

    @Test func `tickers come in the order of ranks, in one currency`() throws {
        let body =
            "["
            + [
                row(
                    "eth", rank: 2,
                    #"{"price":3120.55,"volume_24h":null,"percent_change_24h":-0.42,"market_cap":1e400}"#),
                row("new", rank: 0, "{}"), row("btc", rank: 1, #"{"price":91204.1,"percent_change_15m":1}"#),
                row("odd", rank: 3, "null"), "17",
            ].joined(separator: ",") + "]"
        let page = try CoinPaprikaTickers(currency: .usd).page(Array(body.utf8), arrival: arrival)
        #expect(page.rows.map(\.token.id) == ["btc", "eth", "odd", "new"])
        #expect(page.droppedRows == 1 && page.lostFields == 1 && page.sentCount == 5)
        #expect(page.rows[1].price.value(.current) == decimal("3120.55") && page.rows[1].price.value(.marketCap) == nil)
        #expect(page.rows[3].rank == nil && page.rows[0].price.value(.totalSupply) == 21_000_000)
        let euros = try CoinPaprikaTickers(currency: currency("eur")).page(Array(body.utf8), arrival: arrival)
        #expect(euros.rows[1].price.value(.current) == 1)
    }

    @Test func `errors and searches`() throws {
        #expect(throws: GatewayError.malformed("id not found")) {
            try CoinPaprikaTickers(currency: .usd).page(Array(#"{"error":"id not found"}"#.utf8), arrival: arrival)
        }
        let hits = try CoinPaprikaSearch.hits(
            Array(#"{"currencies":[{"id":"btc-bitcoin","name":"Bitcoin","symbol":"BTC","rank":1}],"people":[]}"#.utf8))
        #expect(hits.map(\.token.name) == ["Bitcoin"])
    }

    @Test func `contracts are read, and rows without one left out`() throws {
        let found = try CoinPaprikaContracts.contracts(
            Array(
                #"[{"address":"0xD26114","id":"omg-omisego","type":"ERC20","active":true},{"address":null,"id":"a"},{"id":"b"},7,"#
                    .utf8) + Array(#"{"address":"0x1 2","id":"c"}]"#.utf8), chain: "ethereum")
        #expect(found.map(\.id) == ["omg-omisego"] && found.map(\.contract.address) == ["0xd26114"])
        #expect(throws: GatewayError.self) {
            try CoinPaprikaContracts.contracts(Array(#"{"error":"id not found"}"#.utf8), chain: "ethereum")
        }
        let list = try CoinGeckoSearch.list(
            Array(
                (#"[{"id":"1inch","symbol":"1inch","name":"1inch","platforms":{"ethereum":"0x1111","solana":"Ab"}},"#
                    + #"{"id":"bitcoin","symbol":"btc","name":"Bitcoin","platforms":{"":""}},"#
                    + #"{"id":"x","symbol":"x","name":"X","platforms":null},{"id":"y","symbol":"y","name":"Y"}]"#).utf8)
        )
        #expect(list.map(\.contracts.count) == [2, 0, 0, 0] && list.map(\.token.id) == ["1inch", "bitcoin", "x", "y"])
        #expect(list[0].contracts.map(\.address) == ["0x1111", "Ab"])
    }

    @Test func `the cost of tickers is linear`() {
        Scaling.expectLinear(
            "CoinPaprikaTickers", size: 200,
            { count in
                Array(
                    ("[" + (0..<count).map { row("c\($0)", rank: $0 + 1, #"{"price":1.5}"#) }.joined(separator: ",")
                        + "]").utf8)
            }
        ) { _ = try? CoinPaprikaTickers(currency: .usd).page($0, arrival: arrival) }
    }
}
