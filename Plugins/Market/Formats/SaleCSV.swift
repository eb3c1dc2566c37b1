import BigInteger
import CSV

/// The sales of a portfolio as a table for a tax return or a spreadsheet.
package enum SaleCSV {
    private static let header = [
        "sold", "acquired", "held_days", "token", "symbol", "amount", "proceeds", "cost", "fee", "gain", "currency",
        "basis", "sale", "purchase",
    ]

    /// Writes the rows of a report; `symbols` are by token id.
    package static func write(_ rows: [SaleReport.Row], basis: CostBasis, symbols: [String: String]) -> [UInt8] {
        rows.reduce(into: CSVWriter.line(header)) { bytes, row in
            let (sale, digits) = (row.sale, row.sale.currency.fractionDigits)
            let money = [row.proceeds, row.cost, row.fee, row.gain].map { $0.text(fractionDigits: digits) }
            bytes += CSVWriter.line(
                [
                    "\(sale.date)", row.part.purchase.map { "\($0.date)" } ?? "",
                    row.heldDays.map(String.init) ?? "", sale.tokenID, symbols[sale.tokenID] ?? "",
                    "\(row.part.amount)",
                ] + money + [sale.currency.name, basis.name, sale.id, row.part.purchase?.id ?? ""])
        }
    }
}
