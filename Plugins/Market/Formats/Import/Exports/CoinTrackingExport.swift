import BigInteger

/// The trade table of CoinTracking, and the form that it imports. The amounts have a fee in their own currency in them.
struct CoinTrackingExport {
    static let title = "CoinTracking"
    static let headings = [
        ["type"], ["buy", "buyamount"], ["sell", "sellamount"], ["date", "tradedate"],
        ["cur", "buycurrency", "curbuy"],
    ]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let date, kind, place, note, id: Int?
    private let buy, sell, fee: Side

    /// An amount, its currency, and its value in the currency that the table names.
    private struct Side {
        let amount, currency, value: Int?
        let valueCurrency: Currency?

        init(_ table: ImportedTable, _ name: String) {
            let names = [name, name + "amount"]
            amount = table.column(names)
            // Without a name of its own the currency is in the next column.
            currency =
                table.column(name + "currency", "cur" + name)
                ?? amount.flatMap { $0 + 1 < table.headings.count && table.headings[$0 + 1] == "cur" ? $0 + 1 : nil }
            let own = table.headings.firstIndex { $0.hasPrefix(name + "valuein") && $0.count == name.count + 10 }
            // The full table has the values in BTC and in money after each currency.
            let after = currency.flatMap { $0 + 2 < table.headings.count ? $0 + 2 : nil }
            let common = after.flatMap {
                table.headings[$0].hasPrefix("valuein") && table.headings[$0].count == 10 ? $0 : nil
            }
            value = own ?? common
            valueCurrency = value.flatMap { Currency(table.headings[$0].suffix(3)) }
        }
    }

    init(_ table: ImportedTable) {
        self.table = table
        date = table.column("date", "tradedate")
        kind = table.column("type")
        place = table.column("exchange")
        note = table.column("comment")
        id = table.column("tradeid", "id")
        (buy, sell, fee) = (Side(table, "buy"), Side(table, "sell"), Side(table, "fee"))
        numbers = ImportedNumbers(table.cells(of: [buy.amount, sell.amount, fee.amount, buy.value, sell.value]))
        dates = ImportedDates(table.cells(of: [date]))
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows { file.add([row]) { () throws(RowProblem) in try result(row) } }
        return file
    }

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        let word = row[kind].lowercased().replacing("(non taxable)", with: "")
        guard let kind = ImportedWords.kind(word) else { throw RowProblem(unknown: row[kind], in: "type") }
        var entry = ImportedEntry(rows: [row.number], moment: try dates.moment(row[date]), kind: kind)
        entry.received = try amount(row, buy, "buy amount")
        entry.sent = try amount(row, sell, "sell amount")
        if kind == .trade, entry.sent == nil || entry.received == nil { throw RowProblem("a trade has one side alone") }
        for side in [buy, sell] where entry.value == nil {
            if let value = try numbers.number(row[side.value], "value"), let currency = side.valueCurrency,
                !value.isZero
            {
                entry.value = Money(value.magnitude, currency)
            }
        }
        takeFee(try amount(row, fee, "fee"), from: &entry)
        entry.note = TokenLabel.cleaned(row[note])
        let place = TokenLabel.cleaned(row[place])
        if kind == .transfer, entry.sent == nil { entry.destination = place } else { entry.place = place }
        entry.id = row[id].isEmpty ? nil : row[id]
        return try entry.checked()
    }

    private func amount(_ row: ImportedTable.Row, _ side: Side, _ name: String) throws(RowProblem) -> ImportedAmount? {
        try numbers.amount(row[side.amount], of: ImportedAsset(symbol: row[side.currency]), name)
    }

    /// Takes the fee out of the side that has it in it. A fee in a third currency has a row of its own.
    private func takeFee(_ fee: ImportedAmount?, from entry: inout ImportedEntry) {
        guard let fee else { return }
        if let sent = entry.sent, sent.asset == fee.asset, sent.amount > fee.amount {
            entry.sent?.amount = sent.amount - fee.amount
            entry.fees = [fee]
        } else if let received = entry.received, received.asset == fee.asset, entry.kind == .trade {
            entry.received?.amount = received.amount + fee.amount
            entry.fees = [fee]
        }
    }
}
