import BigInteger
import CSV

/// The disposals of a portfolio as a table for a tax return or a spreadsheet.
package enum SaleCSV {
    private static let header = [
        "sold", "acquired", "held_days", "token", "symbol", "amount", "proceeds", "cost", "fee", "gain", "currency",
        "basis", "sale", "purchase", "kind", "place", "portfolio", "long_term",
        "by_close",
    ]

    /// Writes the rows of a report; `symbols` are by token id. What is not known is empty; `by_close` names the sums that closing
    /// prices gave.
    package static func write(
        _ rows: [SaleReport.Row], in currency: Currency, basis: CostBasis, symbols: [String: String]
    ) -> [UInt8] {
        rows.reduce(into: CSVWriter.line(header)) { bytes, row in
            let (sale, tokenID) = (row.sale, row.disposal.key.tokenID)
            let money = [row.proceeds, row.cost, row.fee, row.gain].map {
                $0?.text(fractionDigits: currency.fractionDigits) ?? ""
            }
            bytes += CSVWriter.line(
                [
                    "\(sale.date)", row.part.acquired.map { "\($0)" } ?? "", row.heldDays.map(String.init) ?? "",
                    tokenID, symbols[tokenID] ?? "", "\(row.part.amount)",
                ] + money + [
                    currency.name, basis.name, sale.id, row.part.purchase?.id ?? "", row.disposal.use.rawValue,
                    sale.details.place, sale.details.portfolio, row.isLongTerm.map { $0 ? "yes" : "no" } ?? "",
                    byClose(row.part.byClose).joined(separator: " "),
                ])
        }
    }

    /// The names of the sums that are by the closing price of a day.
    package static func byClose(_ sums: Set<Ledger.Disposal.Sum>) -> [String] {
        Ledger.Disposal.Sum.allCases.filter(sums.contains).map(\.rawValue)
    }
}
