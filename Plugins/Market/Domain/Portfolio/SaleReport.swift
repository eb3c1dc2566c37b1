package import BigInteger
import CivilDate

/// The sales of a ledger, a row for each purchase that a sale used.
///
/// Money is rounded so that it adds up: each row has the share by which the rounded sum of its year and currency grows. So the
/// sums of rows are those of ``Ledger/gains``, rounded once, and an amount without smaller digits stays as it is.
package struct SaleReport: Hashable, Sendable {
    /// Tokens that were sold, of one purchase or of an average.
    package struct Row: Hashable, Sendable {
        /// The sale.
        package let sale: Trade
        /// What was sold.
        package let part: Ledger.Disposal.Part
        /// What was received, without the fee.
        package let proceeds: BigDecimal
        /// What was paid for the tokens.
        package let cost: BigDecimal
        /// The share of the fee of the sale.
        package let fee: BigDecimal

        /// The proceeds less the cost.
        package var gain: BigDecimal { proceeds - cost }
        /// The days from the purchase to the sale; nil for an average.
        package var heldDays: Int? {
            part.purchase.map { sale.date.daysSinceEpoch - $0.date.daysSinceEpoch }
        }
        /// What was received, not rounded.
        package var exactProceeds: BigDecimal { part.amount * sale.price - part.fee }
    }

    /// The rows, in the order of the sales.
    package let rows: [Row]

    /// Reports the sales of a ledger.
    package init(_ ledger: Ledger) {
        struct Year: Hashable {
            let year: Int
            let currency: Currency
        }
        struct Sums {
            var (proceeds, cost, fee) = (Sum(), Sum(), Sum())
        }
        var sums: [Year: Sums] = [:]
        rows = ledger.disposals.flatMap { disposal in
            let (sale, digits) = (disposal.trade, disposal.trade.currency.fractionDigits)
            let year = Year(year: sale.date.components.year, currency: sale.currency)
            return disposal.parts.map { part in
                let exact = part.amount * sale.price - part.fee
                return Row(
                    sale: sale, part: part, proceeds: sums[year, default: Sums()].proceeds.add(exact, digits),
                    cost: sums[year, default: Sums()].cost.add(part.cost, digits),
                    fee: sums[year, default: Sums()].fee.add(part.fee, digits))
            }
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
