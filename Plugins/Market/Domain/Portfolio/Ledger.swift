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
        /// Tokens of the sale that come from one purchase, or from an average.
        package struct Part: Hashable, Sendable {
            /// The purchase; nil for an average of several.
            package let purchase: Trade?
            /// The number of tokens.
            package let amount: BigDecimal
            /// What was paid for them.
            package let cost: BigDecimal
            /// Their share of the fee of the sale.
            package let fee: BigDecimal
        }

        /// The sale.
        package let trade: Trade
        /// The purchases that were sold, in their order.
        package let parts: [Part]

        /// What was paid for the tokens.
        package var cost: BigDecimal { parts.reduce(0) { $0 + $1.cost } }
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
        /// The same with sums of the digits of the currency, rounded once; so the gain is the difference of what is shown.
        package var rounded: YearGain {
            YearGain(
                year: year, currency: currency, proceeds: proceeds.rounded(fractionDigits: currency.fractionDigits),
                cost: cost.rounded(fractionDigits: currency.fractionDigits))
        }
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
                if let parts = books[key]?.sell(trade, basis) {
                    disposals.append(Disposal(trade: trade, parts: parts))
                    applied.append(trade)
                } else {
                    shortfalls.append(Shortfall(trade: trade, held: held))
                }
            }
        }
        lots = books.compactMapValues { $0.held.isZero ? nil : $0.lots(basis) }
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

/// The lots of one token in one currency while trades are worked through: a heap whose first lot is sold next.
private struct Book {
    private typealias Entry = (lot: Lot, number: Int)
    private var heap: [Entry] = []
    private var count = 0
    private(set) var held: BigDecimal = 0

    /// The lots in the order in which they are sold.
    func lots(_ basis: CostBasis) -> [Lot] { heap.sorted { Self.isSoldBefore($0, $1, basis) }.map(\.lot) }

    private static func isSoldBefore(_ one: Entry, _ other: Entry, _ basis: CostBasis) -> Bool {
        switch basis {
        case .fifo, .average: one.number < other.number
        case .lifo: one.number > other.number
        case .hifo: one.lot.isDearer(than: other.lot) || !other.lot.isDearer(than: one.lot) && one.number < other.number
        }
    }

    mutating func buy(_ trade: Trade, _ basis: CostBasis) {
        held += trade.amount
        if basis == .average, !heap.isEmpty {
            heap[0].lot.add(trade)
            return
        }
        heap.append((Lot(trade), count))
        count += 1
        var place = heap.count - 1
        while place > 0, Self.isSoldBefore(heap[place], heap[(place - 1) / 2], basis) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The purchases that are sold; nil, and nothing is sold, when there are too few tokens.
    mutating func sell(_ trade: Trade, _ basis: CostBasis) -> [Ledger.Disposal.Part]? {
        guard trade.amount <= held else { return nil }
        var (left, fee, parts) = (trade.amount, trade.fee, [Ledger.Disposal.Part]())
        while left > 0 {
            let part = min(left, heap[0].lot.amount)
            let feeShare = CostBasis.share(of: fee, part, of: left)
            parts.append(
                Ledger.Disposal.Part(
                    purchase: heap[0].lot.isMixed ? nil : heap[0].lot.purchase, amount: part,
                    cost: heap[0].lot.take(part), fee: feeShare))
            left -= part
            fee -= feeShare
            if heap[0].lot.amount.isZero { removeFirst(basis) }
        }
        held -= trade.amount
        return parts
    }

    private mutating func removeFirst(_ basis: CostBasis) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while true {
            var first = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if Self.isSoldBefore(heap[child], heap[first], basis) { first = child }
            }
            if first == place { return }
            heap.swapAt(place, first)
            place = first
        }
    }
}
