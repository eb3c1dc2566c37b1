package import BigInteger
import CivilDate

/// The disposals of a ledger, a row for each purchase that one used, and the income.
///
/// Money is rounded so that it adds up: each row has the share by which the rounded sum of its year grows. So the sums of rows
/// are the exact sums, rounded once, and an amount without smaller digits stays as it is. A row whose cost or proceeds are not
/// known is in no sum.
package struct SaleReport: Hashable, Sendable {
    /// Tokens that were disposed of, of one purchase or of an average.
    package struct Row: Hashable, Sendable {
        /// The disposal.
        package let disposal: Ledger.Disposal
        /// What was used.
        package let part: Ledger.Disposal.Part
        /// What was received, without the fee; nil when it is not known.
        package let proceeds: BigDecimal?
        /// What was paid for the tokens; nil when it is not known.
        package let cost: BigDecimal?
        /// The share of the fee; nil when it is not known.
        package let fee: BigDecimal?

        /// The entry of the disposal.
        package var sale: Trade { disposal.trade }
        /// The proceeds less the cost; nil when one of them is not known.
        package var gain: BigDecimal? { if let proceeds, let cost { proceeds - cost } else { nil } }
        /// The days from the purchase to the sale; nil for an average, and for a purchase after the sale.
        package var heldDays: Int? {
            part.acquired.map { sale.date.daysSinceEpoch - $0.daysSinceEpoch }.flatMap { $0 < 0 ? nil : $0 }
        }
        /// Whether the tokens were held for more than a year; nil for an average, and for a purchase after the sale.
        package var isLongTerm: Bool? {
            heldDays == nil ? nil : part.acquired.map { sale.date > SaleReport.anniversary(of: $0) }
        }
    }

    /// The sums of a year. Those of disposals are exactly the sums of the rows.
    package struct Year: Hashable, Sendable {
        /// The year of the disposals.
        package let year: Int
        /// What was received, without fees.
        package internal(set) var proceeds = BigDecimal.zero
        /// What was paid for the tokens.
        package internal(set) var cost = BigDecimal.zero
        /// The gain of tokens that were held for more than a year.
        package internal(set) var longTermGain = BigDecimal.zero
        /// The value of what was received as income.
        package internal(set) var income = BigDecimal.zero
        /// The same as ``proceeds``, not rounded.
        package internal(set) var exactProceeds = BigDecimal.zero
        /// The same as ``cost``, not rounded.
        package internal(set) var exactCost = BigDecimal.zero
        /// The same as ``income``, not rounded.
        package internal(set) var exactIncome = BigDecimal.zero
        /// The number of rows whose gain is not known, which no sum includes.
        package internal(set) var unknownGains = 0
        /// The number of entries of income whose value is not known.
        package internal(set) var unknownIncome = 0
        /// The number of rows of which a sum is by a closing price, and that are included.
        package internal(set) var gainsByClose = 0
        /// The number of entries of income whose value is by a closing price.
        package internal(set) var incomeByClose = 0

        package init(year: Int) { self.year = year }

        /// The proceeds less the cost.
        package var gain: BigDecimal { proceeds - cost }
    }

    /// The currency of all sums.
    package let currency: Currency
    /// The rows, in the order of the disposals.
    package let rows: [Row]
    /// The sums, the latest year first.
    package let years: [Year]

    /// Reports the disposals and the income of a ledger whose entries are wanted.
    package init(_ ledger: Ledger, where isWanted: (Trade) -> Bool = { _ in true }) {
        currency = ledger.currency
        let digits = ledger.currency.fractionDigits
        var sums: [Int: Sums] = [:]
        var years: [Int: Year] = [:]
        rows = ledger.disposals.filter { isWanted($0.trade) }.flatMap { disposal in
            let year = disposal.trade.date.components.year
            return disposal.parts.map { part in
                var own = sums[year] ?? Sums()
                let row = own.row(disposal, part, digits)
                sums[year] = own
                years[year, default: Year(year: year)].add(row)
                return row
            }
        }
        for income in ledger.incomes where isWanted(income.trade) {
            let year = income.trade.date.components.year
            var own = sums[year] ?? Sums()
            years[year, default: Year(year: year)].income += income.value.map { own.income.add($0, digits) } ?? 0
            years[year]?.exactIncome += income.value ?? 0
            if income.value == nil { years[year]?.unknownIncome += 1 }
            if income.isByClose { years[year]?.incomeByClose += 1 }
            sums[year] = own
        }
        self.years = years.values.sorted { $0.year > $1.year }
    }

    /// The same day one year later; of a leap day, the last day of February.
    static func anniversary(of day: CivilDate) -> CivilDate {
        let (year, month, number) = day.components
        return CivilDate(year: year + 1, month: month, day: number)
            ?? CivilDate(year: year + 1, month: month, day: number - 1) ?? day.adding(days: 365)
    }

    /// The sums of a year while its rows are added.
    private struct Sums {
        var (proceeds, cost, fee, income) = (Sum(), Sum(), Sum(), Sum())

        /// The row of a part. One whose gain is not known is rounded by itself.
        mutating func row(_ disposal: Ledger.Disposal, _ part: Ledger.Disposal.Part, _ digits: Int) -> Row {
            guard let exactProceeds = part.proceeds, let exactCost = part.cost, let exactFee = part.fee else {
                return Row(
                    disposal: disposal, part: part, proceeds: part.proceeds?.rounded(fractionDigits: digits),
                    cost: part.cost?.rounded(fractionDigits: digits), fee: part.fee?.rounded(fractionDigits: digits))
            }
            return Row(
                disposal: disposal, part: part, proceeds: proceeds.add(exactProceeds, digits),
                cost: cost.add(exactCost, digits), fee: fee.add(exactFee, digits))
        }
    }

    /// A sum, exact and rounded.
    private struct Sum {
        var (exact, rounded) = (BigDecimal.zero, BigDecimal.zero)

        /// Adds a value and returns by how much the rounded sum grows.
        mutating func add(_ value: BigDecimal, _ fractionDigits: Int) -> BigDecimal {
            exact += value
            let before = rounded
            rounded = exact.rounded(fractionDigits: fractionDigits)
            return rounded - before
        }
    }
}

extension SaleReport.Year {
    /// Adds a row.
    fileprivate mutating func add(_ row: SaleReport.Row) {
        guard let gain = row.gain, let proceeds = row.proceeds, let cost = row.cost else {
            unknownGains += 1
            return
        }
        self.proceeds += proceeds
        self.cost += cost
        exactProceeds += row.part.proceeds ?? 0
        exactCost += row.part.cost ?? 0
        if row.isLongTerm ?? false { longTermGain += gain }
        if !row.part.byClose.isEmpty { gainsByClose += 1 }
    }
}
