import BigInteger
import CivilDate
import MarketDomain
import TestSupport
import Testing

struct PortfolioTests {
    private let usd = Valuation(in: .usd)

    private func trade(
        _ kind: Trade.Kind, _ amount: String, _ price: String, fee: String = "0", _ date: String = "2026-01-03",
        token: String = "btc", currency: Currency = .usd
    ) throws -> Trade {
        try Trade(
            id: "\(kind)-\(amount)", tokenID: token, kind: kind, amount: decimal(amount), price: decimal(price),
            fee: decimal(fee), currency: currency, date: #require(CivilDate(date)))
    }

    @Test func `lots are sold in the order of their purchase`() throws {
        let trades = try [
            trade(.buy, "1", "100", fee: "3", "2025-01-01"), trade(.buy, "1", "200", "2025-06-01"),
            trade(.sell, "1.5", "300", fee: "1", "2026-02-01"),
        ]
        let ledger = Ledger(trades, basis: .fifo, in: usd)
        #expect(ledger.disposals.map(\.cost) == [203] && ledger.disposals.map(\.gain) == [246])
        #expect(ledger.lots.values.first?.map(\.cost) == [100])
        let average = Ledger(trades, basis: .average, in: usd)
        #expect(average.disposals.map(\.cost) == [decimal("227.25")])
        let years = SaleReport(average).years
        #expect(years.map(\.year) == [2026] && years.first?.gain == decimal("221.75"))
    }

    @Test func `what was bought last, or cost most, is sold first`() throws {
        let trades = try [
            trade(.buy, "1", "100", fee: "3", "2025-01-01"), trade(.buy, "2", "99", fee: "9", "2025-06-01"),
            trade(.buy, "1", "103", "2025-07-01"), trade(.sell, "2", "300", fee: "1", "2026-02-01"),
        ]
        // 103 1/2 a piece before 103, of which the one of January was bought first.
        let dearest = Ledger(trades, basis: .hifo, in: usd)
        #expect(dearest.disposals.map(\.cost) == [207] && dearest.disposals.first?.parts.count == 1)
        #expect(dearest.lots.values.first?.map(\.purchase.price) == [100, 103])
        let last = SaleReport(Ledger(trades, basis: .lifo, in: usd)).rows
        #expect(last.map(\.cost) == [103, decimal("103.5")] && last.map(\.fee) == [decimal("0.5"), decimal("0.5")])
        #expect(last.map(\.heldDays) == [215, 245] && last.map(\.proceeds) == [decimal("299.5"), decimal("299.5")])
        let average = SaleReport(Ledger(trades, basis: .average, in: usd)).rows
        #expect(average.map(\.heldDays) == [nil] && average.map(\.part.purchase) == [nil])
    }

    @Test func `the rows of a report have the rounded sums of their year`() throws {
        let trades =
            try [trade(.buy, "3", "0.333", "2025-01-01")]
            + (1...3).map {
                try trade(.sell, "1", "0.337", "2026-02-0\($0)")
            }
        let ledger = Ledger(trades, basis: .fifo, in: usd)
        let rows = SaleReport(ledger).rows
        #expect(rows.map(\.cost) == ["0.33", "0.34", "0.33"].map(decimal))
        let sums = try #require(SaleReport(ledger).years.first)
        #expect(rows.reduce(0) { $0 + ($1.proceeds ?? 0) } == sums.proceeds && sums.proceeds == decimal("1.01"))
        #expect(rows.reduce(0) { $0 + ($1.gain ?? 0) } == sums.gain && sums.cost == 1 && sums.gain == decimal("0.01"))
    }

    @Test func `a third of a fee stays with what is left`() throws {
        let ledger = try Ledger(
            [
                trade(.buy, "3", "1", fee: "1"), trade(.sell, "1", "2", "2026-01-04"),
                trade(.sell, "1", "2", "2026-01-05"),
                trade(.sell, "1", "2", "2026-01-06"),
            ], basis: .fifo, in: usd)
        #expect(ledger.disposals.map(\.cost).reduce(0, +) == 4 && ledger.lots.isEmpty)
        #expect(ledger.disposals[0].cost.description == "1.333333333333333333333333")
        // Half of the last digit is rounded up.
        let smallest = "0." + String(repeating: "0", count: 23) + "1"
        let tie = try Ledger(
            [trade(.buy, "2", "0", fee: smallest), trade(.sell, "1", "0", "2026-01-04")], basis: .fifo, in: usd)
        #expect(tie.disposals.map(\.cost.description) == [smallest])
        #expect(tie.lots.values.first?.map(\.cost) == [0])
    }

    @Test func `days decide the order, and trades of one day their place in the list`() throws {
        let trades = try [
            trade(.sell, "1", "5", "2026-01-02"), trade(.buy, "1", "1", "2026-01-02"),
            trade(.buy, "1", "3", "2026-01-01"),
        ]
        let ledger = Ledger(trades, basis: .fifo, in: usd)
        #expect(ledger.disposals.map(\.gain) == [2] && ledger.shortfalls.isEmpty)
    }

    @Test func `times decide the order of a day, and what has none lies around them`() throws {
        func at(_ hour: Int?, _ kind: Trade.Kind, _ price: String) throws -> Trade {
            try Trade(
                id: "", tokenID: "eth", kind: kind, amount: 2, price: decimal(price), currency: .usd,
                date: #require(CivilDate("2024-03-11")), time: hour.map { $0 * 3600 })
        }
        // The order in which exchanges export.
        let newestFirst = try Ledger([at(16, .sell, "2150"), at(8, .buy, "2000")], basis: .fifo, in: usd)
        #expect(newestFirst.disposals.map(\.gain) == [300] && newestFirst.shortfalls.isEmpty)
        let around = try Ledger(
            [at(nil, .sell, "9"), at(12, .sell, "7"), at(12, .buy, "2"), at(nil, .buy, "1")], basis: .fifo, in: usd)
        #expect(around.shortfalls.isEmpty && around.disposals.map(\.gain) == [12, 14])
    }

    @Test func `a sale of more than is held is left out and reported`() throws {
        let trades = try [
            trade(.buy, "1", "1"), trade(.sell, "2", "5", "2026-01-04"),
            trade(.sell, "1", "5", "2026-01-05", token: "eth"), trade(.sell, "1", "4", "2026-01-06"),
        ]
        let ledger = Ledger(trades, basis: .fifo, in: usd)
        #expect(ledger.shortfalls.map(\.held) == [1, 0] && ledger.disposals.map(\.gain) == [3])
    }

    @Test func `trades have sensible values`() {
        #expect(throws: Trade.Problem.amount) { try trade(.buy, "0", "1") }
        #expect(throws: Trade.Problem.price) { try trade(.buy, "1", "-1") }
        #expect(throws: Trade.Problem.fee) { try trade(.buy, "1", "1", fee: "-1") }
    }

    /// Moment 9 of the commands.
    @Test func `the portfolio of the commands comes out`() throws {
        let ledger = try Ledger(
            [
                trade(.buy, "0.5", "60000"), trade(.buy, "2", "2800", token: "eth"),
                trade(.buy, "1200", "0.5", token: "ada"), trade(.buy, "1", "1", token: "zzz"),
            ], basis: .fifo, in: usd)
        let prices = ["btc": decimal("91204.10"), "eth": decimal("3120.55"), "ada": decimal("0.4512")]
        let summary = PortfolioSummary(ledger, prices: prices)
        #expect(summary.positions.map(\.tokenID) == ["btc", "eth", "ada", "zzz"] && summary.unpriced == ["zzz"])
        #expect(
            summary.positions.prefix(3).compactMap(\.value) == [
                decimal("45602.05"), decimal("6241.1"), decimal("541.44"),
            ])
        #expect(summary.value == decimal("52384.59") && summary.cost == 36200 && summary.gain == decimal("16184.59"))
        let percents = summary.positions.prefix(3).compactMap(\.gainPercent)
        #expect(percents.map { PercentFormat.signed($0, fractionDigits: 1) } == ["+52.0 %", "+11.4 %", "-9.8 %"])
        let shares = summary.positions.compactMap { summary.share(of: $0) }
        #expect(shares.map { PercentFormat.unsigned($0, fractionDigits: 0) } == ["87 %", "12 %", "1 %"])
        #expect(PercentFormat.signed(try #require(summary.gainPercent), fractionDigits: 1) == "+44.7 %")
    }

    @Test func `a cost of zero has no percentage`() throws {
        let summary = PortfolioSummary(
            Ledger([try trade(.buy, "1", "0")], basis: .average, in: usd), prices: ["btc": 5])
        #expect(summary.gainPercent == nil && summary.gain == 5)
        #expect(PortfolioSummary(Ledger([], basis: .fifo, in: usd), prices: [:]).value == 0)
    }

    @Test func `conversions agree with the model to the last digit`() throws {
        var generator = SeededGenerator(seed: 52)
        var (input, expected): ([String], [String]) = ([], [])
        for index in 0..<3000 {
            func number(_ bits: Int) -> BigDecimal {
                let magnitude = BigDecimalSamples.number(&generator, words: bits)
                return BigDecimal(magnitude, scale: Int.random(in: 0...40, using: &generator))
            }
            let (amount, price, other) = (number(4), number(2), index % 50 == 0 ? 0 : number(2))
            let code = ["usd", "jpy", "kwd", "btc"][index % 4]
            let digits = currency(code).fractionDigits
            input.append("\(amount) \(price) \(other) \(digits)")
            let fiat = Conversion.fiat(amount, at: price, in: currency(code)).amount.text(fractionDigits: digits)
            let converted = Conversion.convert(amount, at: price, toPrice: other, fractionDigits: 20)
            expected.append("\(fiat) \(converted?.text(fractionDigits: 20) ?? "-")")
        }
        #expect(try PythonProgram("Models/conversion_model.py").lines(input) == expected)
    }

    @Test func `the cost of a ledger is linear`() throws {
        Scaling.expectLinear(
            "Ledger", size: 500,
            { count in
                (0..<count).compactMap { index in
                    try? trade(index % 3 == 2 ? .sell : .buy, "1.5", "\(index).25", fee: "0.1")
                }
            }
        ) { trades in
            for basis in CostBasis.allCases { _ = Ledger(trades, basis: basis, in: usd) }
        }
    }
}

extension Ledger.Disposal {
    /// The cost of all parts that have one.
    var cost: BigDecimal { parts.reduce(0) { $0 + ($1.cost ?? 0) } }
    /// The gain of all parts that have one.
    var gain: BigDecimal { parts.reduce(0) { $0 + ($1.proceeds ?? 0) } - cost }
}

/// Random whole numbers.
enum BigDecimalSamples {
    static func number(_ generator: inout SeededGenerator, words: Int) -> BigInteger {
        (0..<Int.random(in: 1...words, using: &generator)).reduce(BigInteger(0)) { number, _ in
            number * BigInteger(UInt.max) + BigInteger(UInt.random(in: 0...UInt.max, using: &generator))
        }
    }
}
