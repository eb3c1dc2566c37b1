import BigInteger
import CivilDate
import MarketDomain
import TestSupport
import Testing

struct ImportTests {
    @Test func `ticker's file gives lists and lots`() throws {
        let result = try TickerConfig.read(
            """
            # a comment
            show-summary: true
            watchlist:
              - NET
              - "BTC.X"   # CoinCap
              - ethereum.cg
            lots:
              - symbol: "BTC.X"
                quantity: 0.5
                unit_cost: 42000.10
                fixed_cost: 7
              - symbol: ETH-EUR
                quantity: -1
                unit_cost: 2000
              - symbol: SOL1
                quantity: many
            groups:
              - name: 'crypto'
                watchlist: [BTC-USD, doge.cb]
                holdings:
                - symbol: ADA.X
                  quantity: 1200
                  unit_cost: 0.5
            """)
        #expect(result.watchlists.map(\.name) == ["ticker", "crypto"])
        #expect(result.watchlists[0].tokens == [.stock("NET"), .symbol("BTC"), .id("ethereum")])
        #expect(result.watchlists[1].tokens == [.symbol("BTC"), .symbol("DOGE")])
        #expect(result.trades.map(\.token) == [.symbol("BTC"), .symbol("ETH"), .symbol("ADA")])
        #expect(
            result.trades.map(\.kind) == [.buy, .sell, .buy]
                && result.trades.map(\.amount) == [decimal("0.5"), 1, 1200])
        #expect(result.trades[0].price == decimal("42000.1") && result.trades[0].fee == 7 && result.trades[0].line == 8)
        #expect(result.trades.map(\.currency) == [.usd, Currency("eur"), .usd])
        #expect(result.issues.map(\.message) == ["invalid amount \"many\""] && result.issues.map(\.line) == [15])
    }

    @Test(arguments: [
        ("watchlist: &a\n  - x", 1), ("a: {b: 1", 1), ("a: {b}", 1), ("a: {b: 1} c", 1), ("a: [1]]", 1),
        ("a: " + String(repeating: "[", count: 100_000), 1), ("a: |\n  text", 1), ("watchlist: [a", 1),
        ("a: \"b", 1),
        ("\ta: 1", 1), ("a:\n    b: 1\n  c: 2", 3), ("a: 1\njust text", 2),
        (String(repeating: "- ", count: 100) + "x", 1),
    ])
    func `other YAML is refused with its line`(text: String, line: Int) {
        #expect { try TickerConfig.read(text) } throws: { ($0 as? PortfolioImport.Issue)?.line == line }
    }

    @Test func `maps in braces and numbers with underscores are read`() throws {
        let result = try TickerConfig.read(
            """
            watchlist: [ "BTC.X" , {a: 1}, ]
            lots:
              - {symbol: ETH-USD, quantity: 2}
              - { symbol: 'SOL.X', quantity: 1_000, unit_cost: 1_0.5, } # a comment
            groups: [{name: "a, b}", holdings: [{symbol: ADA.X, quantity: 3}]}]
            """)
        #expect(result.watchlists.map(\.tokens) == [[.symbol("BTC")]] && result.issues.map(\.line) == [1])
        #expect(result.trades.map(\.token) == [.symbol("ETH"), .symbol("SOL"), .symbol("ADA")])
        #expect(result.trades.map(\.amount) == [2, 1000, 3] && result.trades[1].price == decimal("10.5"))
    }

    @Test func `an empty file has nothing`() throws {
        for text in ["", "# nothing", "---\n", "watchlist:", "watchlist: []", "lots: 5"] {
            #expect(try TickerConfig.read(text) == PortfolioImport())
        }
    }

    @Test func `cointop's file gives favorites, holdings and alerts`() throws {
        let result = try CointopConfig.read(
            """
            currency = "USD"
            [favorites]
              names = ["Bitcoin", "Ethereum\\u001b[31m"]
              symbols = ["ada"]
            [portfolio]
              holdings = [["Bitcoin", "0.1", "50100.83", "AUD"], ["Ethereum", "5"], ["Dogecoin", 1.5, 2],
                ["Cardano", "1,000"], ["Nothing"]]
            [price_alerts]
              alerts = [["Bitcoin", ">", "50000", "once"], ["Bitcoin", "<=", "20000.5", "once"], ["Bitcoin", "?", "1"], []]
            """)
        #expect(result.watchlists.map(\.tokens) == [[.name("Bitcoin"), .name("Ethereum"), .symbol("ADA")]])
        #expect(result.trades.map(\.token) == [.name("Bitcoin"), .name("Ethereum"), .name("Dogecoin")])
        #expect(
            result.trades.map(\.price) == [decimal("50100.83"), nil, 2] && result.trades[2].amount == decimal("1.5"))
        #expect(result.trades[0].currency == Currency("aud") && result.trades[1].currency == nil)
        #expect(result.alerts.map(\.condition) == [.above(50_000), .below(decimal("20000.5"))])
        #expect(result.issues.count == 4 && result.issues[0].message.contains("without separators"))
        #expect(throws: PortfolioImport.Issue.self) { try CointopConfig.read("[favorites") }
    }

    @Test func `tables of trades go both ways`() throws {
        let trades = try [
            Trade(
                id: "1", tokenID: "bitcoin", kind: .buy, amount: decimal("0.000000000000000001"),
                price: decimal("42000.1"),
                fee: 12, currency: .usd, date: #require(CivilDate("2026-01-03")), time: 58_805),
            Trade(
                id: "2", tokenID: "odd,\"id\"", kind: .sell, amount: 3, price: 0, currency: currency("eur"),
                date: #require(CivilDate("0999-12-31"))),
        ]
        let bytes = TradeCSV.write(trades, symbols: ["bitcoin": "BTC"])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "date,kind,token,symbol,amount,price,fee,currency,trade,total,received,received_symbol,received_amount,fee_token,fee_symbol,fee_value,income,place,destination,portfolio,note,tags\r\n2026-01-03T16:20:05,buy,bitcoin,BTC,0.000000000000000001,42000.1,12,USD,1,,,"
            ))
        let read = try TradeCSV.read(bytes)
        #expect(read.issues.isEmpty && read.trades.map(\.amount) == trades.map(\.amount))
        #expect(read.trades.map(\.price) == trades.map(\.price) && read.trades.map(\.date) == trades.map(\.date))
        #expect(read.trades.map(\.time) == [58_805, nil] && read.trades.map(\.tradeID) == ["1", "2"])
        #expect(read.trades.map(\.kind) == [.buy, .sell] && read.trades[0].token == .id("bitcoin"))
    }

    @Test func `tables of other programs are read by their headings`() throws {
        let result = try TradeCSV.read(
            Array(
                """
                Timestamp;Side;Coin;Qty;Unit Price;Fees
                2026-01-03T10:00:00Z;BUY;btc;0.5;42000;1.5

                2026-02-30;buy;btc;1;1;0
                2026-03-01 10:00;sell;BTC;-1;1;0
                2026-03-01;swap;BTC;1;1;0
                2026-03-02;sell;BTC;0.25;50000;
                2026-03-03;buy;;1;1;
                2026-03-04;buy;BTC;1,5;1;
                """.utf8))
        #expect(result.trades.map(\.line) == [2, 7] && result.trades.map(\.token) == [.symbol("BTC"), .symbol("BTC")])
        #expect(result.issues.map(\.line) == [4, 5, 6, 8, 9])
        let holdings = try TradeCSV.read(
            Array("name,symbol,price,holdings,balance\nBitcoin,BTC,90000,0.5,45000\n".utf8))
        #expect(holdings.trades.map(\.price) == [nil] && holdings.trades.map(\.amount) == [decimal("0.5")])
        for text in ["", "a,b\n1,2", "\n\n"] {
            #expect(throws: PortfolioImport.Issue.self) { try TradeCSV.read(Array(text.utf8)) }
        }
    }

    @Test func `moving tokens is no trade`() throws {
        let result = try TradeCSV.read(
            Array(
                "kind,symbol,amount,price\nwithdrawal,BTC,0.4,150\nDeposit,BTC,0.4,\nin,BTC,1,1\nbuy,BTC,1,100\n".utf8))
        #expect(result.trades.map(\.line) == [5] && result.issues.map(\.line) == [2, 3, 4])
        #expect(result.issues[0].message.hasPrefix("a withdrawal is not a trade"))
    }

    @Test func `rates of the European Central Bank are read`() throws {
        let result = try ReferenceRates.read(
            Array("Date,USD,JPY,CYP,\n2026-11-20,1.0876,N/A,,\n2026-11-19,1.09,163.5,x,\n2026-13-01,1,1,1,\n".utf8))
        #expect(result.rates[.usd]?.map(\.units) == [decimal("1.0876"), decimal("1.09")])
        #expect(result.rates[currency("jpy")]?.map(\.day) == [CivilDate("2026-11-19")].compactMap { $0 })
        #expect(result.issues.map(\.line) == [3, 4] && result.rates.count == 2)
        for text in ["", "USD,Date\n1,2", "Date,US\n2026-01-01,1"] {
            #expect(throws: ReferenceRates.Issue.self) { try ReferenceRates.read(Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        ("2024-03-11T16:20:00Z", 58_800), ("2024-03-11 08:05", 29_100), ("2024-03-11T16:20:05.123+01:00", 58_805),
        ("2024-03-11", nil), ("2024-03-11T25:00", nil),
    ])
    func `the time of a row is kept`(text: String, time: Int?) throws {
        let result = try TradeCSV.read(Array("date,symbol,amount\n\(text),BTC,1\n".utf8))
        #expect(result.trades.map(\.time) == [time] && result.trades[0].date == CivilDate("2024-03-11"))
    }

    @Test func `files with mutations are refused or read, never fatal`() {
        var generator = SeededGenerator(seed: 91)
        let sample =
            "watchlist:\n  - BTC.X\nlots:\n  - symbol: \"A\"\n    quantity: 1 # c\ngroups:\n  - name: 'g'\n    watchlist: [a, b]\n"
        var accepted = 0
        for _ in 0..<5000 {
            var bytes = Array(sample.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes.remove(at: place)
                } else {
                    bytes.insert(
                        [0x20, 0x0A, 0x2D, 0x3A, 0x22, 0x5B, 0x23].randomElement(using: &generator) ?? 0x20, at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if (try? TickerConfig.read(text)) != nil { accepted += 1 }
            _ = try? CointopConfig.read(text)
            _ = try? TradeCSV.read(bytes)
        }
        #expect(accepted > 500)
    }

    @Test func `the cost of imports is linear`() {
        Scaling.expectLinear(
            "TickerConfig", size: 500,
            { count in
                "lots:\n" + (0..<count).map { "  - symbol: C\($0)\n    quantity: \($0).5\n    unit_cost: 1\n" }.joined()
            }
        ) { _ = try? TickerConfig.read($0) }
        Scaling.expectLinear(
            "TradeCSV", size: 500,
            { count in
                Array(
                    ("date,kind,token,amount,price\n" + (0..<count).map { "2026-01-03,buy,c\($0),1.5,\($0)\n" }.joined())
                        .utf8)
            }
        ) { _ = try? TradeCSV.read($0) }
    }
}
