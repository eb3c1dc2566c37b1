import CSV
import CivilDate

/// Trades as a table: hub's own columns, and those of other programs by their usual names.
package enum TradeCSV {
    /// The columns that are written.
    package static let header = ["date", "kind", "token", "symbol", "amount", "price", "fee", "currency", "trade"]

    private enum Column: CaseIterable {
        case trade, date, kind, id, symbol, name, amount, holdings, price, fee, currency

        /// The headings that are understood, in lower case and without blanks, dashes and underscores.
        var headings: [String] {
            switch self {
            case .trade: ["trade", "tradeid"]
            case .date: ["date", "time", "timestamp", "datetime", "day"]
            case .kind: ["kind", "type", "side", "action"]
            case .id: ["token", "id", "coinid", "tokenid"]
            case .symbol: ["symbol", "ticker", "asset", "coin"]
            case .name: ["name", "coinname"]
            case .amount: ["amount", "quantity", "qty", "units"]
            case .holdings: ["holdings"]
            case .price: ["price", "unitprice", "unitcost", "priceperunit", "pricepercoin", "costprice", "buyprice"]
            case .fee: ["fee", "fees", "fixedcost", "commission"]
            case .currency: ["currency", "pricecurrency", "quote"]
            }
        }
    }

    private static let kinds: [String: Trade.Kind] = [
        "buy": .buy, "bought": .buy, "purchase": .buy, "": .buy, "sell": .sell, "sold": .sell, "sale": .sell,
    ]

    /// What moves tokens between places of their owner, or of which the file does not say whether it does.
    private static let transfers: Set<String> = [
        "deposit", "withdrawal", "withdraw", "in", "out", "transfer", "send", "receive", "sent", "received",
    ]

    /// Writes trades; `symbols` are by token id.
    package static func write(_ trades: [Trade], symbols: [String: String]) -> [UInt8] {
        trades.reduce(into: CSVWriter.line(header)) { bytes, trade in
            let (year, month, day) = trade.date.components
            let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
            let time = trade.time.map { seconds in
                "T" + [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
            }
            bytes += CSVWriter.line([
                date + (time ?? ""), trade.kind.rawValue, trade.tokenID, symbols[trade.tokenID] ?? "",
                "\(trade.amount)",
                "\(trade.price)", "\(trade.fee)", trade.currency.name, trade.id,
            ])
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// Reads a table; it throws when its first line has no columns of a token and an amount. A row that cannot be read is an
    /// issue, the others are kept.
    package static func read(_ bytes: [UInt8]) throws(PortfolioImport.Issue) -> PortfolioImport {
        var parser = CSVParser()
        let items = parser.feed(bytes) + parser.finish()
        var result = PortfolioImport()
        var columns: [Column: Int] = [:]
        for item in items {
            switch item {
            case .fault(let fault): result.issues.append(.init(line: fault.line, message: "this row \(fault.reason)"))
            case .record(let record):
                if record.isBlank { continue }
                if columns.isEmpty {
                    columns = try header(record)
                } else {
                    add(record, columns, to: &result)
                }
            }
        }
        if columns.isEmpty { throw PortfolioImport.Issue(line: 1, message: "the table is empty") }
        return result
    }

    private static func header(_ record: CSVRecord) throws(PortfolioImport.Issue) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (index, cell) in record.cells.enumerated() {
            let heading = String(cell.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" })
            for column in Column.allCases where columns[column] == nil && column.headings.contains(heading) {
                columns[column] = index
            }
        }
        let hasToken = columns[.id] != nil || columns[.symbol] != nil || columns[.name] != nil
        guard hasToken, columns[.amount] != nil || columns[.holdings] != nil else {
            throw PortfolioImport.Issue(
                line: record.lines.lowerBound, message: "the first line must name columns; needed are token and amount")
        }
        return columns
    }

    private static func add(_ record: CSVRecord, _ columns: [Column: Int], to result: inout PortfolioImport) {
        let line = record.lines.lowerBound
        func cell(_ column: Column) -> String? {
            guard let index = columns[column], index < record.cells.count else { return nil }
            var text = record.cells[index].drop(while: \.isWhitespace)
            while text.last?.isWhitespace ?? false { text.removeLast() }
            return text.isEmpty ? nil : String(text)
        }
        let word = cell(.kind)?.lowercased() ?? ""
        guard let kind = kinds[word] else {
            let message =
                transfers.contains(word)
                ? "a \(word) is not a trade and changes no gain; write buy or sell if tokens were bought or sold"
                : "invalid kind; write buy or sell"
            result.issues.append(.init(line: line, message: message))
            return
        }
        // In a list of holdings the price is the one of today, not what was paid.
        let isHoldings = columns[.amount] == nil
        let amount = cell(isHoldings ? .holdings : .amount) ?? ""
        let reference =
            cell(.id).map { TokenReference($0) } ?? cell(.symbol).map { .symbol($0.uppercased()) }
            ?? cell(.name).map { .name($0) }
        result.addTrade(
            line: line, token: cell(.id) ?? cell(.symbol) ?? cell(.name) ?? "",
            kind: cell(.kind) == nil ? nil : kind, amount: amount, price: isHoldings ? nil : cell(.price),
            fee: cell(.fee), currency: cell(.currency), date: cell(.date), reference: reference,
            symbol: cell(.symbol), tradeID: cell(.trade))
    }
}
