import BigInteger
import CivilDate
import MarketDomain
import TestSupport
import Testing

/// The rules of the ledger in docs/market.md, by their numbers.
struct LedgerTests {
    private let usd = Valuation(in: .usd)

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private func entry(
        _ kind: Trade.Kind, _ amount: String, _ token: String = "btc", value: Trade.Value? = nil,
        received: Trade.Tokens? = nil, fee: Trade.Fee = .nothing, _ date: String = "2026-01-03",
        currency: Currency = .usd, place: String = "", to destination: String = "", portfolio: String = ""
    ) throws -> Trade {
        var details = Trade.Details()
        (details.place, details.destination, details.portfolio) = (place, destination, portfolio)
        return try Trade(
            id: "\(kind)-\(amount)-\(date)", tokenID: token, kind: kind, amount: decimal(amount), value: value,
            received: received, fee: fee, currency: currency, date: day(date), details: details)
    }

    private func held(_ ledger: Ledger, _ token: String = "btc") -> [Lot] {
        ledger.lots.filter { $0.key.tokenID == token }.values.flatMap { $0 }
    }

    @Test func `a swap is a sale and a purchase at one value`() throws {
        let ledger = try Ledger(
            [
                entry(.buy, "2", "eth", value: .total(3000), "2025-01-01"),
                entry(
                    .swap, "1", "eth", value: .total(2500), received: .init(tokenID: "btc", amount: decimal("0.04")),
                    fee: .money(10)),
            ], basis: .fifo, in: usd)
        #expect(ledger.disposals.map(\.gain) == [990] && ledger.disposals.map(\.use) == [.swap])
        #expect(held(ledger).map(\.cost) == [2500] && held(ledger, "eth").map(\.cost) == [1500])
        #expect(SaleReport(ledger).rows.map(\.isLongTerm) == [true])
    }

    @Test func `a swap takes the price of the day of either side, or its gain is not known`() throws {
        let trades = try [
            entry(.buy, "2", "eth", value: .each(1000), "2025-01-01"),
            entry(.swap, "1", "eth", received: .init(tokenID: "btc", amount: decimal("0.5"))),
        ]
        func gains(_ prices: [String: BigDecimal]) throws -> [BigDecimal?] {
            let day = try day("2026-01-03")
            let known = prices.map { (Valuation.TokenDay(tokenID: $0, day: day), Money($1, .usd)) }
            let valuation = Valuation(in: .usd, prices: Dictionary(uniqueKeysWithValues: known))
            return SaleReport(Ledger(trades, basis: .fifo, in: valuation)).rows.map(\.gain)
        }
        #expect(
            try gains(["eth": 1500, "btc": 9000]) == [500] && gains(["btc": 4000]) == [1000] && gains([:]) == [nil])
        let unknown = Ledger(trades, basis: .fifo, in: usd)
        #expect(held(unknown).map(\.cost) == [nil] && SaleReport(unknown).years.first?.unknownGains == 1)
        #expect(SaleReport(unknown).years.first?.gain == 0)
    }

    @Test func `what has no value of its own counts at the close of its day, and says so`() throws {
        let trades = try [
            entry(.income, "1", "ada", "2026-01-01"), entry(.giftReceived, "1", "btc", "2026-01-01"),
            entry(.buy, "1", value: .each(10), fee: .coin(.init(tokenID: "ada", amount: decimal("0.5")), value: nil)),
            entry(.swap, "1", received: .init(tokenID: "eth", amount: 2), "2026-01-04"),
            entry(.giftGiven, "1", "eth", "2026-01-05"), entry(.sell, "0.5", value: .each(50), "2026-01-06"),
        ]
        let closes: [(String, String, BigDecimal, Currency)] = [
            ("ada", "2026-01-01", 4, currency("eur")), ("btc", "2026-01-01", 20, .usd), ("ada", "2026-01-03", 6, .usd),
            ("eth", "2026-01-04", 15, .usd),
        ]
        let prices = try closes.map { (Valuation.TokenDay(tokenID: $0.0, day: try day($0.1)), Money($0.2, $0.3)) }
        let rates = ExchangeRates([.usd: [.init(day: try day("2026-01-01"), units: 2)]])
        let valuation = Valuation(in: .usd, rates: rates, prices: Dictionary(uniqueKeysWithValues: prices))
        let ledger = Ledger(trades, basis: .fifo, in: valuation)
        #expect(ledger.missingCloses.isEmpty && ledger.incomes.map(\.value) == [8])
        #expect(ledger.incomes.map(\.isByClose) == [true])
        // A fee in a coin, a swap of what was a gift, half of what it brought, and what was bought with a fee in a coin.
        #expect(ledger.disposals.map(\.use) == [.fee, .swap, .gift, .sell])
        #expect(ledger.disposals.flatMap(\.parts).map(\.proceeds) == [3, 30, 15, 25])
        #expect(ledger.disposals.flatMap(\.parts).map(\.cost) == [4, 20, 15, decimal("6.5")])
        #expect(
            ledger.disposals.flatMap(\.parts).map(\.byClose)
                == [[.proceeds, .cost], [.proceeds, .cost], [.proceeds, .cost], [.cost]])
        let year = try #require(SaleReport(ledger).years.first)
        #expect(year.gainsByClose == 4 && year.incomeByClose == 1 && year.exactIncome == 8)
        let positions = PortfolioSummary(ledger, prices: [:]).positions
        #expect(positions.count == 3 && positions.allSatisfy(\.isCostByClose))
        // Without prices all of that is unknown, and the days are named.
        let bare = Ledger(trades, basis: .fifo, in: usd)
        #expect(
            bare.missingCloses.map { "\($0.tokenID) \($0.day)" } == [
                "ada 2026-01-01", "btc 2026-01-01", "ada 2026-01-03", "btc 2026-01-04", "eth 2026-01-04",
            ])
        #expect(bare.disposals.flatMap(\.parts).allSatisfy { $0.byClose.isEmpty })
        for basis in [CostBasis.average, .pool] {
            let parts = Ledger(trades, basis: basis, in: valuation).disposals.flatMap(\.parts)
            #expect(parts.allSatisfy { $0.byClose.contains(.cost) }, "\(basis)")
        }
    }

    @Test func `a transfer is no gain, and its fee in the coin is`() throws {
        let fee = Trade.Fee.coin(.init(tokenID: "btc", amount: decimal("0.1")), value: 3)
        let trades = try [
            entry(.buy, "1", value: .each(10), "2025-01-01", place: "a"),
            entry(.transfer, "0.5", fee: fee, "2025-02-01", place: "a", to: "b"),
            entry(.sell, "0.5", value: .each(40), "2025-03-01", place: "b"),
        ]
        for isPerPlace in [false, true] {
            let ledger = Ledger(trades, basis: .fifo, in: usd, perPlace: isPerPlace)
            #expect(ledger.disposals.map(\.use) == [.fee, .sell] && ledger.disposals.map(\.gain) == [2, 15])
            #expect(ledger.shortfalls.isEmpty && held(ledger).map(\.amount) == [decimal("0.4")])
        }
        let early = try Ledger(
            [entry(.buy, "1", value: .each(10), place: "a"), entry(.sell, "1", value: .each(1), place: "b")],
            basis: .fifo, in: usd, perPlace: true)
        #expect(early.shortfalls.map(\.key.place) == ["b"] && early.disposals.isEmpty)
    }

    @Test func `gifts, losses and income`() throws {
        let ledger = try Ledger(
            [
                entry(.income, "1", value: .each(10), "2025-01-01"), entry(.giftReceived, "1", value: .total(6)),
                entry(.giftGiven, "0.5"), entry(.giftGiven, "0.5", value: .total(9)), entry(.loss, "0.5"),
                entry(.fee, "0.5", value: .total(7)),
            ], basis: .fifo, in: usd)
        #expect(ledger.disposals.map(\.gain) == [0, 4, -3, 4] && ledger.lots.isEmpty)
        #expect(SaleReport(ledger).years.map(\.income) == [0, 10])
    }

    @Test func `a cost that is not known is not zero`() throws {
        let trades = try [
            entry(.buy, "1", "btc", "2025-01-01"), entry(.buy, "1", value: .each(10), "2025-02-01"),
            entry(.sell, "0.5", value: .each(30), "2025-03-01"),
        ]
        let fifo = Ledger(trades, basis: .fifo, in: usd)
        #expect(SaleReport(fifo).rows.map(\.gain) == [nil] && SaleReport(fifo).rows.map(\.proceeds) == [15])
        let summary = PortfolioSummary(fifo, prices: ["btc": 20])
        #expect(summary.value == 30 && summary.cost == 10 && summary.gain == 10)
        #expect(summary.uncosted.map(\.uncostedAmount) == [decimal("0.5")])
        // What has a cost is dearer than what has none, and an average with an unknown part is not known.
        #expect(SaleReport(Ledger(trades, basis: .hifo, in: usd)).rows.map(\.gain) == [10])
        #expect(SaleReport(Ledger(trades, basis: .average, in: usd)).rows.map(\.gain) == [nil])
    }

    @Test func `amounts in other currencies count at the rate of their day`() throws {
        let rates = ExchangeRates([
            .usd: [.init(day: try day("2025-01-03"), units: 1), .init(day: try day("2025-06-02"), units: 2)]
        ])
        let trades = try [
            // A Sunday, after a rate of Friday.
            entry(.buy, "1", value: .each(100), "2025-01-05", currency: currency("eur")),
            entry(.sell, "1", value: .each(100), "2025-06-02", currency: currency("eur")),
        ]
        #expect(Ledger(trades, basis: .fifo, in: Valuation(in: .usd, rates: rates)).disposals.map(\.gain) == [100])
        #expect(Ledger(trades, basis: .fifo, in: Valuation(in: currency("eur"))).disposals.map(\.gain) == [0])
        let unknown = Ledger(trades, basis: .fifo, in: usd)
        #expect(SaleReport(unknown).rows.map(\.gain) == [nil])
        #expect(unknown.missingRates.map(\.day) == trades.map(\.date))
        let stale = try ExchangeRates([.usd: [.init(day: day("2025-01-03"), units: 1)]])
        #expect(
            try stale.units(of: .usd, on: day("2025-01-10")) == 1 && stale.units(of: .usd, on: day("2025-01-11")) == nil
        )
        #expect(try stale.units(of: .usd, on: day("2025-01-02")) == nil)
    }

    /// The example of the manual of HMRC, CG51560: the pool, and shares that are bought back within 30 days.
    @Test func `share pools use the same day, then 30 days, then the average`() throws {
        let ledger = try Ledger(
            [
                entry(.buy, "9500", value: .total(9500), "2024-04-01"),
                entry(.sell, "4000", value: .total(6000), "2024-08-30"),
                entry(.buy, "500", value: .total(850), "2024-09-11"),
            ], basis: .pool, in: usd)
        let rows = SaleReport(ledger).rows
        #expect(rows.map(\.part.amount) == [500, 3500] && rows.map(\.cost) == [850, 3500])
        #expect(rows.map(\.gain) == [-100, 1750] && rows.map(\.heldDays) == [nil, nil])
        #expect(held(ledger).map(\.amount) == [6000] && held(ledger).map(\.cost) == [6000])
        let same = try Ledger(
            [
                entry(.buy, "1", value: .total(1), "2024-01-01"), entry(.sell, "1", value: .total(9), "2024-02-01"),
                entry(.buy, "1", value: .total(5), "2024-02-01"),
            ], basis: .pool, in: usd)
        #expect(SaleReport(same).rows.map(\.gain) == [4] && SaleReport(same).rows.map(\.heldDays) == [0])
    }

    @Test func `portfolios do not share their tokens`() throws {
        let trades = try [
            entry(.buy, "1", value: .each(1), portfolio: "one"), entry(.sell, "1", value: .each(2), portfolio: "two"),
        ]
        #expect(Ledger(trades, basis: .fifo, in: usd).shortfalls.map(\.key.portfolio) == ["two"])
    }

    @Test(arguments: [
        ("2024-01-05", "2025-01-05", false), ("2024-01-05", "2025-01-06", true), ("2024-02-29", "2025-02-28", false),
        ("2024-02-29", "2025-03-01", true), ("2023-03-01", "2024-02-29", false),
    ])
    func `over a year begins after the same day`(bought: String, sold: String, isOver: Bool) throws {
        let ledger = try Ledger(
            [entry(.buy, "1", value: .each(1), bought), entry(.sell, "1", value: .each(3), sold)], basis: .fifo, in: usd
        )
        let report = SaleReport(ledger)
        #expect(report.rows.map(\.isLongTerm) == [isOver] && report.years.map(\.longTermGain) == [isOver ? 2 : 0])
    }

    @Test func `entries have sensible values`() throws {
        #expect(throws: Trade.Problem.valueOfKind) { try entry(.loss, "1", value: .each(1)) }
        #expect(throws: Trade.Problem.received) { try entry(.swap, "1") }
        #expect(throws: Trade.Problem.received) {
            try entry(.buy, "1", received: .init(tokenID: "eth", amount: 1))
        }
        #expect(throws: Trade.Problem.places) { try entry(.transfer, "1", place: "a", to: "a") }
        #expect(throws: Trade.Problem.places) { try entry(.sell, "1", place: "a", to: "b") }
        #expect(throws: Trade.Problem.feeOfFee) { try entry(.fee, "1", fee: .money(1)) }
        #expect(throws: Trade.Problem.fee) {
            try entry(.buy, "1", fee: .coin(.init(tokenID: "eth", amount: 0), value: nil))
        }
        // A kind that cannot have a price drops it.
        var change = TradeChange()
        change.kind = .loss
        #expect(try change.applied(to: entry(.sell, "1", value: .each(1))).value == nil)
        change.kind = .income
        change.income = .staking
        #expect(try change.applied(to: entry(.buy, "1", value: .each(1))).details.income == .staking)
    }
}
