package import BigInteger
package import CivilDate
package import Commands
import HubKit
package import MarketDomain
import Storage

/// The portfolio in one currency.
package struct PortfolioView: Sendable {
    /// The positions and their sums.
    package let summary: PortfolioSummary
    /// The tokens of the positions, by the text of their keys.
    package let tokens: [String: KnownToken]
    /// The currencies of lots that this view leaves out.
    package let otherCurrencies: [Currency]
    /// The realized gain of the current year in this currency; nil without sales.
    package let realized: Ledger.YearGain?
    /// The sales of more tokens than were held, which are left out.
    package let leftOut: [LeftOutSale]
    /// The rule for costs.
    package let basis: CostBasis
    /// Where the prices come from.
    package let origin: PriceOrigin
    /// When the oldest of the prices was seen; nil without prices.
    package let pricedAt: Instant?
}

/// A sale of more tokens than were held in its currency, which no gain and no position includes.
package struct LeftOutSale: Sendable {
    /// The sale.
    package let shortfall: Ledger.Shortfall
    /// The symbol of the token.
    package let symbol: String

    /// The sale in words: `2 BTC on 2025-02-01`.
    package var name: String { "\(shortfall.trade.amount) \(symbol) on \(shortfall.trade.date)" }
    /// The sentence about it.
    package var sentence: String {
        "the sale of \(name) is left out: \(shortfall.held) \(symbol) bought in \(shortfall.trade.currency.name) were held"
    }
}

/// The realized gains.
package struct PortfolioGains: Sendable {
    /// The sums by year and currency, the latest year first.
    package let years: [Ledger.YearGain]
    /// The sales that no sum includes.
    package let leftOut: [LeftOutSale]
    /// The rule for costs.
    package let basis: CostBasis
}

/// The sales, one by one.
package struct PortfolioSales: Sendable {
    /// The rows, in the order of the sales.
    package let rows: [SaleReport.Row]
    /// The symbols of all tokens, by their ids.
    package let symbols: [String: String]
    /// The sales that no row includes.
    package let leftOut: [LeftOutSale]
    /// The rule for costs.
    package let basis: CostBasis
}

extension MarketPlugin {
    /// Returns the positions with their values, after fetching prices that are too old.
    package func portfolio(
        in currency: Currency, basis: CostBasis? = nil, isOffline: Bool
    ) async throws -> PortfolioView {
        let basis = basis ?? config[MarketKeys.costBasis]
        let records = try await tradeRecords()
        let ledger = Ledger(records.map(\.trade), basis: basis)
        let keys = ledger.lots.keys.filter { $0.currency == currency }.map { TokenKey($0.tokenID) }
            .sorted { $0.text < $1.text }
        let (rows, origin) = try await refreshTokens(keys, in: currency, isOffline: isOffline)
        let prices = rows.compactMap { key, row in row.value(.current).map { (key.text, $0) } }
        let tokens = try await store.read { transaction in
            Dictionary(
                try keys.compactMap { key in try transaction.token(key).map { (key.text, $0) } }
            ) { first, _ in first }
        }
        let year = clock.today.components.year
        return PortfolioView(
            summary: PortfolioSummary(ledger, in: currency, prices: Dictionary(prices) { first, _ in first }),
            tokens: tokens,
            otherCurrencies: Set(ledger.lots.keys.map(\.currency)).subtracting([currency]).sorted { $0.code < $1.code },
            realized: ledger.gains.first { $0.year == year && $0.currency == currency },
            leftOut: leftOut(ledger, records), basis: basis, origin: origin,
            pricedAt: rows.values.compactMap(\.seenAt).min())
    }

    /// Returns the trades in the order of their days.
    package func tradeRecords() async throws -> [TradeRecord] { try await store.read { try tradeRecords($0) } }

    /// Returns the realized gains by year and currency, the latest year first, and the sales that they leave out.
    package func gains(basis: CostBasis? = nil) async throws -> PortfolioGains {
        let basis = basis ?? config[MarketKeys.costBasis]
        let records = try await tradeRecords()
        let ledger = Ledger(records.map(\.trade), basis: basis)
        return PortfolioGains(years: ledger.gains, leftOut: leftOut(ledger, records), basis: basis)
    }

    /// Returns the sales of a year, nil for all, each with the purchases that it used.
    package func sales(in year: Int? = nil, basis: CostBasis? = nil) async throws -> PortfolioSales {
        let basis = basis ?? config[MarketKeys.costBasis]
        let records = try await tradeRecords()
        let ledger = Ledger(records.map(\.trade), basis: basis)
        func isWanted(_ trade: Trade) -> Bool { year.map { $0 == trade.date.components.year } ?? true }
        return PortfolioSales(
            rows: SaleReport(ledger).rows.filter { isWanted($0.sale) }, symbols: Self.symbols(records),
            leftOut: leftOut(ledger, records).filter { isWanted($0.shortfall.trade) }, basis: basis)
    }

    private static func symbols(_ records: [TradeRecord]) -> [String: String] {
        Dictionary(records.map { ($0.trade.tokenID, $0.symbol) }) { first, _ in first }
    }

    private func leftOut(_ ledger: Ledger, _ records: [TradeRecord]) -> [LeftOutSale] {
        let symbols = Self.symbols(records)
        return ledger.shortfalls.map { shortfall in
            LeftOutSale(shortfall: shortfall, symbol: symbols[shortfall.trade.tokenID] ?? shortfall.trade.tokenID)
        }
    }

    /// Stores a trade. Throws `invalid` for amounts out of range, and `oversold` when more would be sold than is held on that
    /// day or later.
    package func addTrade(
        of token: KnownToken, _ kind: Trade.Kind, amount: BigDecimal, price: BigDecimal, fee: BigDecimal,
        in currency: Currency, on day: CivilDate, at time: Int? = nil, operation: Operation
    ) async throws -> TradeRecord {
        let trade: Trade
        do throws(Trade.Problem) {
            trade = try Trade(
                id: Identifier.make(), tokenID: token.key.text, kind: kind, amount: amount, price: price, fee: fee,
                currency: currency, date: day, time: time)
        } catch {
            throw HubError(error)
        }
        return try await store.write(operation) { transaction in
            let trade = trade.of(token: try preferred(token.key, transaction).text)
            let known = try tradeRecords(transaction)
            try refuseOversold(known.map(\.trade) + [trade], before: known, symbol: token.token.symbol)
            try transaction.insertTrade(trade)
            let record = try TradeRecord.kind.item(trade.id, in: transaction)
            try transaction.emit(MarketEvents.tradesChanged, record)
            return record
        }
    }

    /// Changes a trade; what `change` does not say stays. Throws as ``addTrade`` does, and `changed` if the trade has another
    /// revision than `revision`.
    package func editTrade(
        _ id: String, _ change: TradeChange, expecting revision: Int? = nil, operation: Operation
    ) async throws -> TradeRecord {
        try await store.write(operation) { transaction in
            let record = try TradeRecord.kind.live(id, expecting: revision, in: transaction)
            let trade: Trade
            do throws(Trade.Problem) { trade = try change.applied(to: record.trade) } catch { throw HubError(error) }
            guard trade != record.trade else { return record }
            let known = try tradeRecords(transaction)
            try refuseOversold(
                known.map { $0.id == id ? trade : $0.trade }, before: known, symbol: record.symbol)
            try transaction.updateTrade(trade)
            let changed = try TradeRecord.kind.item(id, in: transaction)
            try transaction.emit(MarketEvents.tradesChanged, changed)
            return changed
        }
    }

    /// Throws `oversold` if more sales exceed what was held than before.
    private func refuseOversold(_ trades: [Trade], before: [TradeRecord], symbol: String) throws(HubError) {
        let old = Ledger(before.map(\.trade), basis: .fifo).shortfalls
        let new = Ledger(trades, basis: .fifo).shortfalls
        guard new.count > old.count, let shortfall = new.last(where: { !old.contains($0) }) else { return }
        let sale = shortfall.trade
        throw HubError(
            .invalid, code: "oversold",
            "\(sale.amount) \(symbol) cannot be sold on \(sale.date): \(shortfall.held) are held in \(sale.currency.name)",
            hint: "hub market portfolio history lists the trades")
    }
}

extension HubError {
    /// The error of values that are not a trade.
    init(_ problem: Trade.Problem) {
        let text =
            switch problem {
            case .amount: "the amount must be above zero"
            case .price: "the price cannot be negative"
            case .fee: "the fee cannot be negative"
            }
        self.init(.invalid, code: "invalid-trade", text)
    }
}
