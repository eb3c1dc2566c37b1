package import BigInteger
import CivilDate

/// The trades of a portfolio, worked through by day: what is held, at which cost, and what was gained.
///
/// Tokens bought in one currency and sold in another would need a rate of exchange of that day; currencies are kept apart
/// instead, so each sum is of one currency.
package struct Ledger: Hashable, Sendable {
    /// A token in a currency.
    package struct Key: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The currency.
        package let currency: Currency

        package init(tokenID: String, currency: Currency) {
            self.tokenID = tokenID
            self.currency = currency
        }
    }

    /// A sale and what it gained.
    package struct Disposal: Hashable, Sendable {
        /// The sale.
        package let trade: Trade
        /// What was paid for the tokens.
        package let cost: BigDecimal

        /// What was received, without the fee.
        package var proceeds: BigDecimal { trade.amount * trade.price - trade.fee }
        /// The proceeds less the cost.
        package var gain: BigDecimal { proceeds - cost }
    }

    /// A sale of more tokens than were held. It is left out as a whole.
    package struct Shortfall: Hashable, Sendable {
        /// The sale.
        package let trade: Trade
        /// The number of tokens that were held in its currency.
        package let held: BigDecimal
    }

    /// The gains of a year in a currency.
    package struct YearGain: Hashable, Sendable {
        /// The year of the sales.
        package let year: Int
        /// The currency.
        package let currency: Currency
        /// What was received.
        package internal(set) var proceeds: BigDecimal
        /// What was paid for the tokens.
        package internal(set) var cost: BigDecimal

        package init(year: Int, currency: Currency, proceeds: BigDecimal, cost: BigDecimal) {
            self.year = year
            self.currency = currency
            self.proceeds = proceeds
            self.cost = cost
        }

        /// The proceeds less the cost, not rounded.
        package var gain: BigDecimal { proceeds - cost }
    }

    /// The rule for costs.
    package let basis: CostBasis
    /// The lots that are held, in the order in which they are sold.
    package private(set) var lots: [Key: [Lot]] = [:]
    /// The sales in their order.
    package private(set) var disposals: [Disposal] = []
    /// The sales that were left out.
    package private(set) var shortfalls: [Shortfall] = []

    /// Works through the trades in the order of their days and times; see ``Trade/ordered(_:)``.
    package init(_ trades: [Trade], basis: CostBasis) {
        self.basis = basis
        var books: [Key: Book] = [:]
        for trade in Trade.ordered(trades) {
            let key = Key(tokenID: trade.tokenID, currency: trade.currency)
            switch trade.kind {
            case .buy:
                books[key, default: Book()].buy(trade, basis)
                applied.append(trade)
            case .sell:
                let held = books[key]?.held ?? 0
                if let cost = books[key]?.sell(trade.amount) {
                    disposals.append(Disposal(trade: trade, cost: cost))
                    applied.append(trade)
                } else {
                    shortfalls.append(Shortfall(trade: trade, held: held))
                }
            }
        }
        lots = books.compactMapValues { $0.lots.isEmpty ? nil : $0.lots }
    }

    /// The trades that count, in the order of their days.
    package private(set) var applied: [Trade] = []

    /// The gains by year and currency, the latest year first, currencies by name.
    package var gains: [YearGain] {
        var sums: [Int: [Currency: YearGain]] = [:]
        for disposal in disposals {
            let (year, currency) = (disposal.trade.date.components.year, disposal.trade.currency)
            var sum = sums[year]?[currency] ?? YearGain(year: year, currency: currency, proceeds: 0, cost: 0)
            sum.proceeds += disposal.proceeds
            sum.cost += disposal.cost
            sums[year, default: [:]][currency] = sum
        }
        return sums.values.flatMap(\.values).sorted {
            $0.year == $1.year ? $0.currency.code < $1.currency.code : $0.year > $1.year
        }
    }
}

/// The lots of one token in one currency while trades are worked through.
private struct Book {
    private var all: [(lot: Lot, unitPrice: BigDecimal?)] = []
    /// Lots before this one are sold out.
    private var first = 0
    private(set) var held: BigDecimal = 0

    var lots: [Lot] { all[first...].map(\.lot) }

    mutating func buy(_ trade: Trade, _ basis: CostBasis) {
        held += trade.amount
        if basis == .average, first < all.count {
            all[first].lot.add(trade)
            all[first].unitPrice = nil
        } else {
            all.append((Lot(trade), trade.price))
        }
    }

    /// The cost of the tokens that are sold; nil, and nothing is sold, when there are too few.
    mutating func sell(_ amount: BigDecimal) -> BigDecimal? {
        guard amount <= held else { return nil }
        var (left, cost) = (amount, BigDecimal.zero)
        while left > 0 {
            let part = min(left, all[first].lot.amount)
            cost += all[first].lot.take(part, unitPrice: all[first].unitPrice)
            left -= part
            if all[first].lot.amount.isZero { first += 1 }
        }
        held -= amount
        return cost
    }
}
