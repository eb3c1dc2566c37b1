import BigInteger
import CSV
import CivilDate

/// Trades as a table: hub's own columns, and those of other programs by their usual names.
package enum TradeCSV {
    /// The columns that are written.
    package static let header = [
        "date", "kind", "token", "symbol", "amount", "price", "fee", "currency", "trade", "total", "received",
        "received_symbol", "received_amount", "fee_token", "fee_symbol", "fee_value", "income", "place", "destination",
        "portfolio", "note", "tags",
    ]

    private enum Column: CaseIterable {
        case trade, date, kind, id, symbol, name, amount, holdings, price, fee, currency, total, received
        case receivedSymbol, receivedAmount, feeToken, feeSymbol, feeValue, income, place, destination, portfolio, note
        case tags

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
            case .total: ["total", "totalvalue"]
            case .received: ["received", "receivedtoken"]
            case .receivedSymbol: ["receivedsymbol"]
            case .receivedAmount: ["receivedamount"]
            case .feeToken: ["feetoken"]
            case .feeSymbol: ["feesymbol"]
            case .feeValue: ["feevalue"]
            case .income: ["income"]
            case .place: ["place", "wallet", "exchange"]
            case .destination: ["destination"]
            case .portfolio: ["portfolio"]
            case .note: ["note", "notes", "comment"]
            case .tags: ["tags"]
            }
        }
    }

    private static let kinds: [String: Trade.Kind] = [
        "bought": .buy, "purchase": .buy, "": .buy, "sold": .sell, "sale": .sell,
    ]

    /// What moves tokens between places of their owner, or of which the file does not say whether it does.
    private static let transfers: Set<String> = [
        "deposit", "withdrawal", "withdraw", "in", "out", "send", "receive", "sent", "received",
    ]

    /// The kind of a word, with the source of an income.
    private static func kind(_ word: String) -> (kind: Trade.Kind, income: Trade.Income?)? {
        if let income = Trade.Income(rawValue: word), income != .other { return (.income, income) }
        return (Trade.Kind(rawValue: word) ?? kinds[word]).map { ($0, nil) }
    }

    /// Writes entries; `symbols` are by token id.
    package static func write(_ trades: [Trade], symbols: [String: String]) -> [UInt8] {
        trades.reduce(into: CSVWriter.line(header)) { bytes, trade in
            let details = trade.details
            let total: BigDecimal? = if case .total(let total)? = trade.value { total } else { nil }
            let feeValue: BigDecimal? = if case .coin(_, let value) = trade.fee { value } else { nil }
            let (received, coin) = (trade.received, trade.fee.coin)
            func symbol(_ tokens: Trade.Tokens?) -> String { tokens.flatMap { symbols[$0.tokenID] } ?? "" }
            func text(_ number: BigDecimal?) -> String { number?.description ?? "" }
            bytes += CSVWriter.line([
                moment(trade), trade.kind.rawValue, trade.tokenID, symbols[trade.tokenID] ?? "", "\(trade.amount)",
                text(trade.price), text(coin?.amount ?? trade.fee.money), trade.currency.name, trade.id, text(total),
                received?.tokenID ?? "", symbol(received), text(received?.amount), coin?.tokenID ?? "", symbol(coin),
                text(feeValue), details.income?.rawValue ?? "", details.place, details.destination, details.portfolio,
                details.note, details.tags.joined(separator: ", "),
            ])
        }
    }

    private static func moment(_ trade: Trade) -> String {
        let (year, month, day) = trade.date.components
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        let time = trade.time.map { seconds in
            "T" + [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        }
        return date + (time ?? "")
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
        guard let (kind, income) = kind(word) else {
            let message =
                transfers.contains(word)
                ? "a \(word) is not a trade and changes no gain; write transfer with place and destination, or buy or sell"
                : "invalid kind; write \(Trade.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            result.issues.append(.init(line: line, message: message))
            return
        }
        // In a list of holdings the price is the one of today, not what was paid.
        let isHoldings = columns[.amount] == nil
        func reference(_ id: Column, _ symbol: Column) -> TokenReference? {
            cell(id).map { TokenReference($0) } ?? cell(symbol).map { .symbol($0.uppercased()) }
        }
        var text = TradeText(
            line: line, token: cell(.id) ?? cell(.symbol) ?? cell(.name) ?? "",
            amount: cell(isHoldings ? .holdings : .amount) ?? "")
        text.kind = cell(.kind) == nil ? nil : kind
        text.reference = reference(.id, .symbol) ?? cell(.name).map { .name($0) }
        text.symbol = cell(.symbol)
        if !isHoldings { (text.price, text.total) = (cell(.price), cell(.total)) }
        (text.fee, text.currency, text.date, text.tradeID) = (cell(.fee), cell(.currency), cell(.date), cell(.trade))
        text.received = (reference(.received, .receivedSymbol), cell(.receivedSymbol), cell(.receivedAmount))
        text.feeToken = (reference(.feeToken, .feeSymbol), cell(.feeSymbol))
        text.feeValue = cell(.feeValue)
        text.details = details(cell)
        if let income { text.details.income = income }
        result.add(text)
    }

    private static func details(_ cell: (Column) -> String?) -> Trade.Details {
        var details = Trade.Details()
        details.income = cell(.income).flatMap { Trade.Income(rawValue: $0.lowercased()) }
        details.place = TokenLabel.cleaned(cell(.place) ?? "")
        details.destination = TokenLabel.cleaned(cell(.destination) ?? "")
        details.portfolio = TokenLabel.cleaned(cell(.portfolio) ?? "")
        details.note = Trade.Details.cleanedNote(cell(.note) ?? "")
        details.tags = Trade.Details.tags(cell(.tags) ?? "")
        return details
    }
}
