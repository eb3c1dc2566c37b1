import BigInteger
import CivilDate
import MarketDomain
import TestSupport
import Testing

/// Files of other programs, row by row.
struct ExportTests {
    private static func read(_ text: String, name: String = "export.csv") throws -> ImportedFile {
        try #require(ImportedFile.read(Array(text.utf8), name: name)).file
    }

    /// The entries as lines: rows, kind, what left, what came, fees.
    private static func lines(_ file: ImportedFile) -> [String] {
        func text(_ amount: ImportedAmount?) -> String {
            guard let amount else { return "?" }
            switch amount.asset {
            case .cash(let currency): return "\(amount.amount) \(currency.name)"
            case .coin(.id(let text)): return "\(amount.amount) id:\(text)"
            case .coin(.symbol(let text)), .coin(.name(let text)), .coin(.stock(let text)):
                return "\(amount.amount) \(text)"
            case .coin(.symbolAndName(let text, let name)): return "\(amount.amount) \(text)/\(name)"
            }
        }
        return file.entries.map { entry in
            let fees = entry.fees.isEmpty ? "" : " fee " + entry.fees.map(text).joined(separator: ", ")
            let kind = if case .income(let income) = entry.kind { income.rawValue } else { "\(entry.kind)" }
            return "\(entry.rows) \(kind) \(text(entry.sent)) > \(text(entry.received))\(fees)"
        }
    }

    @Test(arguments: ExportSamples.all)
    func `a format is known by its header, and each row is booked, left out or listed once`(
        title: String, text: String
    ) throws {
        let forms = [
            text, "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"),
        ]
        let files = try forms.map { try Self.read($0) }
        for file in files {
            #expect(file.title == title && file == files[0])
            let rows = file.entries.flatMap(\.rows) + file.omitted.values.joined() + file.issues.map(\.row)
            #expect(rows.count == file.rowCount && Set(rows).count == rows.count, "\(rows)")
            #expect(!file.entries.isEmpty && file.issues.allSatisfy { !$0.message.isEmpty && !$0.excerpt.isEmpty })
        }
        // In UTF-16, as spreadsheets write it, and with the rows in any order.
        let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        if !text.hasPrefix("{") { #expect(ImportedFile.read(wide, name: "")?.file == files[0]) }
    }

    @Test func `reports of Coinbase are read in all their forms`() throws {
        let file = try Self.read(ExportSamples.coinbase)
        #expect(
            Self.lines(file) == [
                "[7] transfer 0.025 BTC > ?", "[8] transfer 10 ADA > 10 ADA", "[10, 9] trade 0.03 ETH > 0.7 SOL",
                "[12] staking ? > 0.01 ETH", "[13] trade 1 ETH > 2495 USDC",
                "[14] trade 0.002 BTC > 190 EUR fee 0.76 EUR",
                "[15] trade 900 EUR > 0.01 BTC fee 14.9 EUR", "[17] other ? > 3 XLM",
            ])
        #expect(file.omitted == [.internalMove: [6, 11], .cash: [16]] && file.issues.map(\.row) == [5])
        #expect(file.entries[1].destination == "Coinbase Pro" && file.entries[1].place == "Coinbase")
        #expect(file.entries[4].value == Money(2495, .usd) && file.entries[3].value == Money(20, currency("eur")))
        #expect(
            file.entries[6].id == "a2" && file.entries[6].day == CivilDate("2025-01-14")
                && file.entries[6].time == 32_400)
        #expect(
            Self.lines(try Self.read(ExportSamples.oldCoinbase)) == [
                "[3] trade 700 USD > 0.1 BTC fee 10 USD", "[4] trade 0.05 BTC > 450 USD fee 5 USD",
                "[5] transfer 0.01 BTC > ?", "[6] trade 0.02 BTC > 1.1 ETH",
            ])
    }

    @Test func `the rows of one reference of Kraken are one trade`() throws {
        let file = try Self.read(ExportSamples.krakenLedgers)
        #expect(
            Self.lines(file) == [
                "[4, 5] trade 100 EUR > 0.002 BTC fee 0.18 EUR", "[6, 7] trade 1 LTC > 0.025 ETH fee 0.0001 ETH",
                "[8, 9] trade 50 EUR > 300 DOGE", "[10] staking ? > 5 ADA", "[11] staking ? > 0.4 DOT",
                "[14] transfer 0.9212 LTC > ? fee 0.002 LTC", "[16] airdrop ? > 40 SGB",
            ])
        #expect(file.omitted == [.unfinished: [2], .cash: [3], .internalMove: [12, 13]])
        #expect(file.issues.map(\.row) == [15, 17, 18, 19])
        #expect(file.issues[2].message == "the other half of this trade is missing")
        let trades = try Self.read(ExportSamples.krakenTrades)
        #expect(
            Self.lines(trades) == [
                "[2] trade 100 EUR > 0.002 BTC fee 0.18 EUR", "[3] trade 100 ADA > 0.02 ETH fee 0.00005 ETH",
            ])
        // The two files name the same trade.
        #expect(trades.entries[0].id == "T1" && file.entries[0].id == "T1" && trades.issues.map(\.row) == [4, 5])
    }

    @Test(arguments: [
        ("XXBTZEUR", "XXBT", "ZEUR"), ("XETHXXBT", "XETH", "XXBT"), ("USDTZUSD", "USDT", "ZUSD"),
        ("XBTUSD", "XBT", "USD"),
        ("ADAETH", "ADA", "ETH"), ("XTZEUR", "XTZ", "EUR"), ("ZRXXBT", "ZRX", "XBT"), ("ETHPYUSD", "ETH", "PYUSD"),
        ("MATICEUR", "MATIC", "EUR"), ("DOTUSD", "DOT", "USD"), ("XBT/USDC", "XBT", "USDC"),
    ])
    func `pairs of Kraken are split`(pair: String, base: String, quote: String) throws {
        let header = "txid,pair,time,type,cost,fee,vol\n"
        let file = try Self.read(header + "1,\(pair),2024-01-01 00:00:00,buy,2,0,1\n")
        func symbol(_ text: String) -> String {
            let known = ["XXBT": "BTC", "XBT": "BTC", "XETH": "ETH", "ZEUR": "EUR", "ZUSD": "USD"]
            return known[text] ?? text
        }
        #expect(Self.lines(file) == ["[2] trade 2 \(symbol(quote)) > 1 \(symbol(base))"])
    }

    @Test func `the rows of one second of Binance are one trade, if they can be one`() throws {
        let file = try Self.read(ExportSamples.binanceStatements)
        #expect(
            Self.lines(file) == [
                "[2, 3, 4, 5] trade 199.56205 USDT > 601 DOGE fee 0.0006 BNB",
                "[6, 7, 8] trade 0.001 BTC > 99.9 EUR fee 0.0999 EUR", "[9, 10] trade 9.28 EUR > 0.0174 BNB",
                "[11, 14] trade 0.035 FET > 0.000063 BNB", "[12, 13] trade 3057.06 PEPE > 0.000034 BNB",
                "[15] transfer ? > 1.5 ETH", "[16] transfer 0.5 ETH > ?", "[17] interest ? > 0.004 ETH",
                "[20] trade ? > 50 USDT",
            ])
        #expect(file.omitted == [.internalMove: [18], .cash: [19]] && file.issues.map(\.row) == [21, 22, 23, 24, 25])
        #expect(
            Self.lines(try Self.read(ExportSamples.binanceTrades)) == [
                "[2] trade 0.18 SOL > 19.8054 BUSD fee 0.0198054 BUSD", "[3] trade 5 USDT > 10 1INCH fee 0.0001 BNB",
                "[4] trade 2100 EUR > 0.05 BTC fee 0.00005 BTC",
            ])
        #expect(
            Self.lines(try Self.read(ExportSamples.oldBinanceTrades)) == [
                "[2] trade 0.12 BTC > 2 ETH fee 0.002 ETH", "[3] trade 100 ADA > 2 BNB fee 0.001 BNB",
            ])
    }

    @Test(arguments: [
        ("a.csv", "2023-12-22 18:26:26"), ("Binance(UTC+2)_x.csv", "2023-12-22 16:26:26"),
        ("Binance(UTC--6).csv", "2023-12-23 00:26:26"), ("Binance(UTC-3:30).csv", "2023-12-22 21:56:26"),
    ])
    func `newer files of Binance have short years and the zone of their name`(name: String, time: String) throws {
        let rows = "User ID,Time,Account,Operation,Coin,Change,Remark\n1,23-12-22 18:26:26,Spot,Deposit,ETH,1,\n"
        let entry = try #require(Self.read(rows, name: name).entries.first)
        let seconds = try #require(entry.time)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        #expect("\(entry.day) \(clock.joined(separator: ":"))" == time)
    }

    @Test func `small conversions of Binance without a remark alternate, or are listed`() throws {
        let header = "User_ID,UTC_Time,Account,Operation,Coin,Change,Remark\n"
        func row(_ coin: String, _ change: String) -> String {
            "1,2020-11-24 15:44:58,Spot,Small assets exchange BNB,\(coin),\(change),\"\"\n"
        }
        let pairs = [row("XRP", "-0.1"), row("BNB", "0.01"), row("USDT", "-0.2"), row("BNB", "0.02")]
        #expect(
            Self.lines(try Self.read(header + pairs.joined())) == [
                "[2, 3] trade 0.1 XRP > 0.01 BNB", "[4, 5] trade 0.2 USDT > 0.02 BNB",
            ])
        let file = try Self.read(header + pairs[0] + pairs[2] + pairs[1] + pairs[3])
        #expect(file.entries.isEmpty && file.issues.map(\.row) == [2, 3, 4, 5])
    }

    @Test func `exports and templates of Koinly are read, with the numbers of any locale`() throws {
        let file = try Self.read(ExportSamples.koinly)
        #expect(
            Self.lines(file) == [
                "[4] trade 1000.5 EUR > 0.01 BTC fee 1.5 EUR", "[5] trade 0.5 LUNA > 0.02 ETH",
                "[6] transfer 0.005 BTC > 0.005 BTC fee 0.0001 BTC", "[7] other ? > 5 SOL", "[8] loss 0.001 BTC > ?",
                "[9] gift 0.001 BTC > ?", "[10] transfer ? > 0.1 DOT", "[13] payment 0.002 BTC > ?",
            ])
        #expect(file.omitted == [.cash: [11]] && file.issues.map(\.row) == [12])
        #expect(file.entries[1].value == Money(50, currency("eur")) && file.entries[5].note == "For Max")
        #expect(file.entries[2].place == "Kraken" && file.entries[2].destination == "Ledger")
        #expect(
            Self.lines(try Self.read(ExportSamples.koinlyTemplate)) == [
                "[2] trade 1000 USD > 1 BTC fee 5 USD", "[3] trade 0.5 BTC > 450 USD fee 3 USD",
            ])
        #expect(
            Self.lines(try Self.read(ExportSamples.koinlySimple)) == [
                "[2] mining ? > 20 BTC", "[3] transfer 1 BTC > ?",
            ])
        let universal = """
            Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash,Koinly ID
            2026-01-15 10:00:00 UTC,,,0.5,BTC,,,25000.00,USD,,,0xabc,TX1
            2026-01-16 12:00:00 UTC,1.0,ETH,,,,,,,to_pool,,0xdef,TX2
            """
        let template = try Self.read(universal)
        #expect(template.entries.map(\.id) == ["TX1"] && template.entries[0].value == Money(25_000, .usd))
        #expect(template.omitted == [.internalMove: [3]])
    }

    @Test func `amounts of CoinTracking have the fee in them`() throws {
        let file = try Self.read(ExportSamples.coinTracking)
        #expect(
            Self.lines(file) == [
                "[2] trade 481 EUR > 0.0055 BTC fee 19 EUR", "[3] trade 0.0022 BTC > 202 EUR fee 2 EUR",
                "[4] trade 0.04 BTC > 1 ETH", "[5] transfer ? > 0.001 BTC",
                "[6] transfer 0.0009 BTC > ? fee 0.0001 BTC",
                "[7] staking ? > 0.20003005 DFI", "[8] fee 0.001 BNB > ?", "[9] loss 0.5 DOT > ?",
                "[10] gift ? > 0.1 DOT",
            ])
        #expect(file.omitted == [.cash: [12]] && file.issues.map(\.row) == [11] && file.entries[0].place == "Kraken")
        let full = try Self.read(ExportSamples.fullCoinTracking)
        #expect(Self.lines(full) == ["[2] trade 0.03 USDT > 1.5 FLR", "[3] mining ? > 0.25 BTC"])
        #expect(full.entries[0].day == CivilDate("2026-03-26") && full.entries[0].time == 52_200)
        #expect(full.entries[1].value == Money(20_000, currency("eur")))
    }

    @Test func `transactions of Delta are read, in UTC and with the names of coins`() throws {
        let file = try Self.read(ExportSamples.delta)
        #expect(
            Self.lines(file) == [
                "[2] trade 0.6 BTC > 10 ETH fee 0.1 BNB", "[4] trade 100 SOL/Solana > 1800 USD fee 2 USD",
                "[5] transfer 0.1 DOT/Polkadot > ? fee 0.001 DOT/Polkadot", "[6] transfer 0.1 BTC > 0.1 BTC",
                "[7] other ? > 0.001 BTC",
            ])
        #expect(file.omitted == [.cash: [9]] && file.issues.map(\.row) == [8, 10])
        #expect(file.entries[1].day == CivilDate("2023-06-02") && file.entries[1].time == 12_714)
        #expect(file.entries[0].note == "ten of them" && file.entries[3].destination == "Ledger")
    }

    @Test func `activities of Ghostfolio are read from a table and from JSON`() throws {
        let file = try Self.read(ExportSamples.ghostfolio)
        #expect(
            Self.lines(file) == [
                "[3] trade 24000.25 USD > 0.5 id:bitcoin fee 19 USD", "[4] trade 2 ETH > 8000 EUR",
                "[5] trade 10000 EUR > 0.25 BTC fee 1 EUR", "[6] trade 1492.9 USD > 5 MSFT fee 19 USD",
            ])
        #expect(
            file.entries.map(\.day) == ["2021-09-16", "2021-11-17", "2022-01-02", "2021-09-16"].map { CivilDate($0) })
        #expect(file.omitted == [.cash: [2]] && file.issues.map(\.row) == [7])
        let json = try Self.read(ExportSamples.ghostfolioJSON)
        #expect(
            Self.lines(json) == [
                "[1] trade 24000.25 USD > 0.5 id:bitcoin fee 19 USD", "[2] trade 0.0000001 BTC > 0.006 USD",
            ])
        #expect(json.entries.map(\.time) == [nil, 37_800] && json.entries[0].place == "Cold wallet")
        #expect(json.omitted == [.cash: [3]] && json.issues.map(\.row) == [4])
    }

    @Test func `any table is read by what its columns mean`() throws {
        let text =
            "When|What|Coin|Qty|Paid|Unit|Cost\n31/01/2024 02:30 PM|BUY|btc|1,5|3.000,50|EUR|2\n"
            + "30/01/2024|staking|eth|0,1|||\n29/01/2024|sell|btc|-0,5|1.200|EUR|\n28/01/2024|odd|btc|1|1|EUR|\n"
        let words = ["When=date", "What=kind", "coin=symbol", "Qty=amount", "Paid=total", "Unit=currency", "Cost=fee"]
        let mapping = try words.map { try #require(MappedTable.Mapping($0)) }
        let file = try ImportedFile.read(Array(text.utf8), mapping: mapping)
        #expect(
            Self.lines(file) == [
                "[2] trade 3000.5 EUR > 1.5 BTC fee 2 EUR", "[3] staking ? > 0.1 ETH", "[4] trade 0.5 BTC > 1200 EUR",
            ])
        #expect(file.entries[0].time == 52_200 && file.issues.map(\.message) == ["the kind \"odd\" is not known"])
        let issue = #expect(throws: PortfolioImport.Issue.self) {
            try ImportedFile.read(Array(text.utf8), mapping: [#require(MappedTable.Mapping("Amount=amount"))])
        }
        #expect(issue?.message.contains("no column \"Amount\"; the columns are \"When\", \"What\", \"Coin\"") == true)
        #expect(throws: PortfolioImport.Issue.self) {
            try ImportedFile.read(Array(text.utf8), mapping: [#require(MappedTable.Mapping("Qty=amount"))])
        }
        #expect(["x", "=amount", "Qty=", "Qty=nothing"].allSatisfy { MappedTable.Mapping($0) == nil })
    }

    @Test(arguments: [
        ("1,000", "0.5", "1000"), ("1.000", "0,5", "1000"), ("1.000", "0.5", "1"), ("1,000", "0,5", "1"),
        ("1,000", "7", nil), ("1.000,5", "1,000.5", nil), ("-", "1", nil), ("12e-4", "1", "0.0012"),
        ("1 000,5", "1", "1000.5"),
    ])
    func `numbers have the decimal mark of their file`(text: String, other: String, expected: String?) throws {
        let header = "date;symbol;amount\n"
        let mapping = try ["date=date", "symbol=symbol", "amount=amount"].map { try #require(MappedTable.Mapping($0)) }
        let file = try ImportedFile.read(
            Array((header + "2024-01-01;BTC;\(text)\n2024-01-01;BTC;\(other)\n").utf8), mapping: mapping)
        #expect(file.entries.first { $0.rows == [2] }?.received?.amount == expected.map(decimal), "\(file.issues)")
        #expect(file.entries.count + file.issues.count == 2)
    }

    @Test(arguments: [
        ("2024-03-11T16:20:00Z", "2024-03-11", 58_800), ("2024-03-11 16:20:05.123 UTC", "2024-03-11", 58_805),
        ("2024-03-11 23:30:00-04:00", "2024-03-12", 12_600), ("2024-03-11T00:30+0100", "2024-03-10", 84_600),
        ("11.03.2024 16:20", "2024-03-11", 58_800), ("20240311", "2024-03-11", nil),
        ("1710174000", "2024-03-11", 58_800),
        ("1710174000123", "2024-03-11", 58_800), ("Mon, 11 Mar 2024 16:20:00 +0000", "2024-03-11", 58_800),
        ("2024/03/11 04:20 pm", "2024-03-11", 58_800), ("13/03/2024", "2024-03-13", nil),
        ("03/13/2024", "2024-03-13", nil),
        ("11 March 2024", "2024-03-11", nil), ("05/05/2024", "2024-05-05", nil), ("03/04/2024", nil, nil),
        ("2024-02-30", nil, nil), ("24:00", nil, nil), ("", nil, nil), ("2024-03-11 25:00", nil, nil),
        ("2024-03-11 10:00 CET", nil, nil), ("99999999999999999999", nil, nil),
    ])
    func `dates are read in the forms of all programs`(text: String, day: String?, time: Int?) throws {
        let mapping = try ["date=date", "symbol=symbol", "amount=amount"].map { try #require(MappedTable.Mapping($0)) }
        let file = try ImportedFile.read(Array("date;symbol;amount\n\(text);BTC;1\n".utf8), mapping: mapping)
        #expect(
            file.entries.first?.day == day.flatMap { CivilDate($0) } && file.entries.first?.time == time,
            "\(file.issues)")
        #expect(file.issues.isEmpty == (day != nil))
    }

    @Test func `other files are not taken for exports`() throws {
        let others = [
            "", "\n", "{", "{}", "[]", "a,b\n1,2\n",
            "date,kind,token,symbol,amount,price,fee,currency,trade\n2024-01-01,buy,btc,,1,1,,,\n",
            "Timestamp;Side;Coin;Qty;Unit Price;Fees\n", "watchlist:\n  - BTC.X\n",
            "Date,Symbol,Action,Quantity,Price\n2024-01-01,BTC,buy,1,1\n", String(repeating: "x,y\n", count: 100),
        ]
        for text in others { #expect(ImportedFile.read(Array(text.utf8), name: "") == nil, "\(text)") }
        // A format that is asked for is the only one that is looked for.
        let bytes = Array(ExportSamples.krakenLedgers.utf8)
        #expect(ImportedFile.read(bytes, name: "", from: .coinbase) == nil)
        #expect(ImportedFile.read(bytes, name: "", from: .kraken) != nil)
    }

    @Test(.seeded) func `whatever rows say, each is booked, left out or listed, once`() {
        var generator = SeededGenerator(seed: 34)
        let odd = [
            "", "0", "-", "1e400", "NaN", "\"", "\"a\nb\"", ";", "1,5", "BTC", "EUR", "buy", "2024-13-01", "\u{202E}x",
            "Converted 1 ETH to 2 BTC", "-1", "€5", "999999999999999999999999999999", "Ä",
        ]
        for (_, text) in ExportSamples.all where !text.hasPrefix("{") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let separator: Character = text.contains(";BTC;") || text.contains(";Fee;") ? ";" : ","
            for _ in 0..<200 {
                var changed = lines
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<changed.count, using: &generator)
                    var cells = changed[place].split(separator: separator, omittingEmptySubsequences: false).map(
                        String.init)
                    let cell = Int.random(in: 0..<max(cells.count, 1), using: &generator)
                    if cell < cells.count { cells[cell] = odd.randomElement(using: &generator) ?? "" }
                    changed[place] = cells.joined(separator: String(separator))
                    if Bool.random(using: &generator) {
                        changed.insert(changed[place], at: Int.random(in: 0...changed.count, using: &generator))
                    }
                }
                guard let file = ImportedFile.read(Array(changed.joined(separator: "\n").utf8), name: "")?.file else {
                    continue
                }
                let rows = file.entries.flatMap(\.rows) + file.omitted.values.joined() + file.issues.map(\.row)
                #expect(rows.count == file.rowCount && Set(rows).count == rows.count)
                for entry in file.entries {
                    let amounts = [entry.sent, entry.received].compactMap(\.self) + entry.fees
                    #expect(!amounts.isEmpty && amounts.allSatisfy { !$0.amount.isNegative && !$0.amount.isZero })
                }
            }
        }
    }

    /// Those that put rows together, and one that does not.
    @Test(arguments: [0, 2, 4, 10])
    func `the cost of exports is linear`(index: Int) {
        let (title, text) = ExportSamples.all[index]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let header = lines.prefix { !$0.contains("20") || $0.hasPrefix("Transaction report") }
        let rows = lines.dropFirst(header.count)
        Scaling.expectLinear("\(title) \(index)", size: 20) { count in
            Array(
                (header.joined(separator: "\n") + "\n"
                    + (0..<count).map { _ in rows.joined(separator: "\n") + "\n" }.joined()).utf8)
        } _: {
            _ = ImportedFile.read($0, name: "")
        }
    }
}
