import BigInteger
package import CivilDate
package import Commands
import HubKit
package import MarketDomain
import MarketKnownProviders
import Storage

/// The part of the portfolio that a view shows, and how its ledger is kept.
package struct PortfolioFilter: Hashable, Sendable {
    /// The name of a portfolio; nil for all of them.
    package var portfolio: String?
    /// The name of a place; nil for all of them.
    package var place: String?
    /// A tag; nil for all entries.
    package var tag: String?
    /// Whether the tokens of each place are matched with each other only.
    package var isPerPlace = false

    package init() {}

    private static func isSame(_ wanted: String?, _ name: String) -> Bool {
        wanted.map { $0.lowercased() == name.lowercased() } ?? true
    }

    /// Whether an entry is wanted. A transfer is at both of its places.
    package func includes(_ trade: Trade) -> Bool {
        let details = trade.details
        return Self.isSame(portfolio, details.portfolio)
            && (Self.isSame(place, details.place) || trade.kind == .transfer && Self.isSame(place, details.destination))
            && (tag == nil || details.tags.contains { Self.isSame(tag, $0) })
    }

    /// Whether tokens that are held are wanted: those of a tag are the ones whose purchase has it.
    func includes(_ key: Ledger.Key, _ lot: Lot) -> Bool {
        Self.isSame(portfolio, key.portfolio) && Self.isSame(place, key.place ?? place ?? "")
            && (tag == nil || lot.purchase.details.tags.contains { Self.isSame(tag, $0) })
    }
}

/// The portfolio in one currency.
package struct PortfolioView: Sendable {
    /// The positions and their sums.
    package let summary: PortfolioSummary
    /// The tokens of the positions, by the text of their keys.
    package let tokens: [String: KnownToken]
    /// The other currencies in which entries are priced.
    package let otherCurrencies: [Currency]
    /// The realized gain of the current year; nil without disposals and income.
    package let realized: SaleReport.Year?
    /// What is left out, and what is not known.
    package let remarks: LedgerRemarks
    /// The rule for costs.
    package let basis: CostBasis
    /// Where the prices come from.
    package let origin: PriceOrigin
    /// When the oldest of the prices was seen; nil without prices.
    package let pricedAt: Instant?
}

/// A disposal of more tokens than were held, which no gain and no position includes.
package struct LeftOutSale: Sendable {
    /// The disposal.
    package let shortfall: Ledger.Shortfall
    /// The symbol of the token.
    package let symbol: String

    /// The disposal in words: `2 BTC on 2025-02-01`.
    package var name: String { "\(shortfall.amount) \(symbol) on \(shortfall.trade.date)" }

    private var noun: String {
        switch shortfall.use {
        case .sell: "sale"
        case .swap: "swap"
        case .gift: "gift"
        case .loss: "loss"
        case .fee: "fee"
        case nil: "transfer"
        }
    }

    /// The sentence about it.
    package var sentence: String {
        let place = shortfall.key.place.map { $0.isEmpty ? " at no named place" : " at \($0)" } ?? ""
        return "the \(noun) of \(name) is left out: \(shortfall.held) \(symbol) were held\(place)"
    }
}

/// What no sum of a ledger includes.
package struct LedgerRemarks: Sendable {
    /// The disposals of more than was held.
    package let leftOut: [LeftOutSale]
    /// The days for which a rate of exchange is missing, by currency.
    package let missingRates: [Currency: [CivilDate]]
    /// The days for which the closing price of a token is missing that has no other value, by symbol.
    package let missingCloses: [String: [CivilDate]]

    private static func days(_ days: [CivilDate]) -> String {
        "\(days[0])" + (days.count > 1 ? " and \(NumberFormat.counted(days.count - 1, "more day"))" : "")
    }

    /// The sentence about missing closing prices; nil for none.
    package var closeSentence: String? {
        let coins = missingCloses.sorted { $0.key < $1.key }
        guard !coins.isEmpty else { return nil }
        let names = coins.prefix(5).map { "\($0.key) on \(Self.days($0.value))" }.joined(separator: ", ")
        let rest = coins.count > 5 ? ", and of \(NumberFormat.counted(coins.count - 5, "more coin"))" : ""
        return "no closing price is stored of \(names)\(rest); entries without a value there stay unknown"
    }

    /// The sentences about missing rates.
    package var rateSentences: [String] {
        missingRates.sorted { $0.key.code < $1.key.code }.map { currency, days in
            "no rate of \(currency.name) is known for \(Self.days(days)); those amounts are not included"
        }
    }
}

/// What the entries of a ledger are filtered by.
package struct LedgerNames: Sendable {
    /// The names of portfolios.
    package let portfolios: [String]
    /// The names of wallets and exchanges.
    package let places: [String]
    /// The tags.
    package let tags: [String]
}

/// The realized gains.
package struct PortfolioGains: Sendable {
    /// The currency of all sums.
    package let currency: Currency
    /// The sums by year, the latest year first.
    package let years: [SaleReport.Year]
    /// What no sum includes.
    package let remarks: LedgerRemarks
    /// The rule for costs.
    package let basis: CostBasis
}

/// The disposals, one by one.
package struct PortfolioSales: Sendable {
    /// The currency of all sums.
    package let currency: Currency
    /// The rows, in the order of the disposals.
    package let rows: [SaleReport.Row]
    /// The symbols of all tokens, by their ids.
    package let symbols: [String: String]
    /// What no row includes.
    package let remarks: LedgerRemarks
    /// The rule for costs.
    package let basis: CostBasis
}

/// The entries with the ledger that they make.
struct WorkedLedger: Sendable {
    let records: [TradeRecord]
    let ledger: Ledger
    let rates: ExchangeRates

    /// The symbols of all tokens, by their ids.
    var symbols: [String: String] {
        records.reduce(into: [:]) { symbols, record in symbols.merge(record.symbols) { first, _ in first } }
    }

    private func missingCloses(where isWanted: (Trade) -> Bool) -> [Valuation.TokenDay] {
        guard !ledger.missingCloses.isEmpty else { return [] }
        let wanted = Set(records.map(\.trade).filter(isWanted).flatMap(\.closesOfValue))
        return ledger.missingCloses.filter(wanted.contains)
    }

    /// What no sum includes, of the entries that are wanted.
    func remarks(where isWanted: (Trade) -> Bool) -> LedgerRemarks {
        let symbols = symbols
        let leftOut = ledger.shortfalls.filter { isWanted($0.trade) }.map {
            LeftOutSale(shortfall: $0, symbol: symbols[$0.key.tokenID] ?? $0.key.tokenID)
        }
        return LedgerRemarks(
            leftOut: leftOut,
            missingRates: Dictionary(grouping: ledger.missingRates, by: \.currency).mapValues { $0.map(\.day) },
            missingCloses: Dictionary(grouping: missingCloses(where: isWanted)) {
                symbols[$0.tokenID] ?? TokenKey($0.tokenID).id
            }.mapValues { $0.map(\.day) })
    }
}

extension MarketPlugin {
    /// Returns the positions with their values, after fetching prices that are too old.
    package func portfolio(
        in currency: Currency, basis: CostBasis? = nil, _ filter: PortfolioFilter = PortfolioFilter(), isOffline: Bool
    ) async throws -> PortfolioView {
        let basis = basis ?? config[MarketKeys.costBasis]
        var filter = filter
        if filter.place != nil { filter.isPerPlace = true }
        if filter.tag != nil, basis == .average || basis == .pool {
            throw HubError(
                .usage, code: "tag-of-average", "an average has no tags: it is one of all purchases",
                hint: "add --basis fifo")
        }
        let worked = try await workedLedger(basis, in: currency, filter, isOffline: isOffline)
        let ledger = worked.ledger
        let wanted = PortfolioSummary(ledger, prices: [:]) { filter.includes($0, $1) }
        let keys = wanted.positions.map { TokenKey($0.tokenID) }.sorted { $0.text < $1.text }
        let (rows, origin) = try await refreshTokens(keys, in: currency, isOffline: isOffline)
        let prices = rows.compactMap { key, row in row.value(.current).map { (key.text, $0) } }
        let tokens = try await store.read { transaction in
            Dictionary(
                try keys.compactMap { key in try transaction.token(key).map { (key.text, $0) } }
            ) { first, _ in first }
        }
        let year = clock.today.components.year
        return PortfolioView(
            summary: PortfolioSummary(ledger, prices: Dictionary(prices) { first, _ in first }) {
                filter.includes($0, $1)
            },
            tokens: tokens,
            otherCurrencies: Set(worked.records.map(\.trade.currency)).subtracting([currency]).sorted {
                $0.code < $1.code
            },
            realized: SaleReport(ledger) { filter.includes($0) }.years.first { $0.year == year },
            remarks: worked.remarks { filter.includes($0) }, basis: basis, origin: origin,
            pricedAt: rows.values.compactMap(\.seenAt).min())
    }

    /// Returns the entries in the order of their days.
    package func tradeRecords() async throws -> [TradeRecord] { try await store.read { try tradeRecords($0) } }

    /// Returns the names of portfolios, places and tags in use, each list by name.
    package func ledgerNames() async throws -> LedgerNames {
        let details = try await tradeRecords().map(\.trade.details)
        func names(_ all: [String]) -> [String] { Set(all).subtracting([""]).sorted() }
        return LedgerNames(
            portfolios: names(details.map(\.portfolio)), places: names(details.flatMap { [$0.place, $0.destination] }),
            tags: names(details.flatMap(\.tags)))
    }

    /// Returns the realized gains and the income by year, the latest year first, and what they leave out.
    package func gains(
        in currency: Currency? = nil, basis: CostBasis? = nil, _ filter: PortfolioFilter = PortfolioFilter(),
        isOffline: Bool
    ) async throws -> PortfolioGains {
        let basis = basis ?? config[MarketKeys.costBasis]
        let worked = try await workedLedger(basis, in: currency ?? self.currency, filter, isOffline: isOffline)
        return PortfolioGains(
            currency: worked.ledger.currency, years: SaleReport(worked.ledger) { filter.includes($0) }.years,
            remarks: worked.remarks { filter.includes($0) }, basis: basis)
    }

    /// Returns the disposals of a year, nil for all, each with the purchases that it used.
    package func sales(
        in year: Int? = nil, currency: Currency? = nil, basis: CostBasis? = nil,
        _ filter: PortfolioFilter = PortfolioFilter(), isOffline: Bool
    ) async throws -> PortfolioSales {
        let basis = basis ?? config[MarketKeys.costBasis]
        let worked = try await workedLedger(basis, in: currency ?? self.currency, filter, isOffline: isOffline)
        func isWanted(_ trade: Trade) -> Bool {
            filter.includes(trade) && year.map { $0 == trade.date.components.year } ?? true
        }
        return PortfolioSales(
            currency: worked.ledger.currency, rows: SaleReport(worked.ledger, where: isWanted).rows,
            symbols: worked.symbols, remarks: worked.remarks(where: isWanted), basis: basis)
    }

    /// Returns the ledger of all entries, after fetching rates of exchange and closing prices that are missing.
    func workedLedger(
        _ basis: CostBasis, in currency: Currency, _ filter: PortfolioFilter = PortfolioFilter(), isOffline: Bool
    ) async throws -> WorkedLedger {
        func stored() async throws -> WorkedLedger {
            try await store.read { try workedLedger($0, basis, in: currency, isPerPlace: filter.isPerPlace) }
        }
        var worked = try await stored()
        let closes = worked.ledger.missingCloses
        if !closes.isEmpty, try await fetchMissingCloses(closes, currency, isOffline: isOffline) {
            worked = try await stored()
        }
        let rates = worked.ledger.missingRates
        if !rates.isEmpty, try await fetchMissingRates(rates, currency, isOffline: isOffline) {
            worked = try await stored()
        }
        return worked
    }

    /// Returns the ledger of all entries with the rates and closing prices that are stored.
    func workedLedger(
        _ transaction: Transaction, _ basis: CostBasis, in currency: Currency, isPerPlace: Bool = false
    ) throws -> WorkedLedger {
        let records = try tradeRecords(transaction)
        let trades = records.map(\.trade)
        let prices = try transaction.closePrices(of: Set(trades.flatMap(\.closesOfValue)), in: currency)
        let currencies = Set(trades.map(\.currency) + prices.values.map(\.currency) + [currency])
        var rates = ExchangeRates()
        if currencies.count > 1, let first = trades.map(\.date).min(), let last = trades.map(\.date).max() {
            rates = try transaction.rates(of: currencies, from: first, to: last)
        }
        let ledger = Ledger(
            trades, basis: basis, in: Valuation(in: currency, rates: rates, prices: prices), perPlace: isPerPlace)
        return WorkedLedger(records: records, ledger: ledger, rates: rates)
    }
}
