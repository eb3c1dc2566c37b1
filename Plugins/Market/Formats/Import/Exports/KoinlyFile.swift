import BigInteger

/// The transactions of Koinly, as it exports them, and its template for all kinds of them.
struct KoinlyFile {
    static let title = "Koinly"
    static let headings = [
        ["date", "koinlydate", "dateutc"], ["sentamount"], ["sentcurrency"], ["receivedamount"], ["receivedcurrency"],
    ]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let columns: Columns

    private struct Columns {
        let date, kind, label, from, to, note, id: Int?
        let sent, sentCurrency, received, receivedCurrency, fee, feeCurrency, value, valueCurrency: Int?
        /// The currency in the name of the column of the value, as in `Net Value (EUR)`.
        let commonCurrency: Currency?

        init(_ table: ImportedTable) {
            date = table.column("date", "koinlydate", "dateutc")
            kind = table.column("type", "txtype")
            label = table.column("label", "tag")
            from = table.column("sendingwallet", "fromwallet", "fromwalletname")
            to = table.column("receivingwallet", "towallet", "towalletname")
            note = table.column("description")
            id = table.column("koinlyid", "id")
            sent = table.column("sentamount")
            sentCurrency = table.column("sentcurrency")
            received = table.column("receivedamount")
            receivedCurrency = table.column("receivedcurrency")
            fee = table.column("feeamount")
            feeCurrency = table.column("feecurrency")
            let common = table.headings.firstIndex { $0.hasPrefix("netvalue") && $0.count == 11 }
            commonCurrency = common.flatMap { Currency(table.headings[$0].dropFirst(8)) }
            value = table.column("networthamount", "netvalueamount") ?? common
            valueCurrency = table.column("networthcurrency", "netvaluecurrency")
        }
    }

    init(_ table: ImportedTable) {
        self.table = table
        columns = Columns(table)
        numbers = ImportedNumbers(table.cells(of: [columns.sent, columns.received, columns.fee, columns.value]))
        dates = ImportedDates(table.cells(of: [columns.date]))
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows { file.add([row]) { () throws(RowProblem) in try result(row) } }
        return file
    }

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        switch ImportedTable.normalized(row[columns.label]) {
        case "ignored": return .omitted(.unfinished)
        case "topool", "frompool", "senttopool", "receivedfrompool": return .omitted(.internalMove)
        default: break
        }
        var entry = ImportedEntry(rows: [row.number], moment: try dates.moment(row[columns.date]), kind: .transfer)
        entry.sent = try amount(row, columns.sent, columns.sentCurrency, "sent amount")
        entry.received = try amount(row, columns.received, columns.receivedCurrency, "received amount")
        if let fee = try amount(row, columns.fee, columns.feeCurrency, "fee") { entry.fees = [fee] }
        entry.kind = try kind(row, entry)
        let currency = columns.valueCurrency.map { Currency(row[$0]) } ?? columns.commonCurrency
        if let value = try numbers.number(row[columns.value], "value"), let currency, !value.isZero {
            entry.value = Money(value.magnitude, currency)
        }
        entry.note = TokenLabel.cleaned(row[columns.note])
        entry.place = TokenLabel.cleaned(row[entry.sent == nil && entry.kind != .transfer ? columns.to : columns.from])
        if entry.kind == .transfer { entry.destination = TokenLabel.cleaned(row[columns.to]) }
        entry.id = row[columns.id].isEmpty ? nil : row[columns.id]
        return try entry.checked()
    }

    /// Its export writes a number after the symbol of some coins: `LUNA;1`.
    private func amount(
        _ row: ImportedTable.Row, _ column: Int?, _ currency: Int?, _ name: String
    ) throws(RowProblem) -> ImportedAmount? {
        try numbers.amount(row[column], of: ImportedAsset(symbol: row[currency].prefix { $0 != ";" }), name)
    }

    private func kind(_ row: ImportedTable.Row, _ entry: ImportedEntry) throws(RowProblem) -> ImportedEntry.Kind {
        let label = ImportedTable.normalized(row[columns.label])
        let word = ImportedTable.normalized(row[columns.kind])
        if let sent = entry.sent, let received = entry.received {
            guard label.isEmpty || label == "swap" || label == "trade" || ImportedWords.kind(label) == .trade else {
                throw RowProblem(unknown: row[columns.label], in: "label")
            }
            return sent.asset == received.asset ? .transfer : .trade
        }
        guard !label.isEmpty else {
            guard word.isEmpty || ImportedWords.kind(word) == .transfer else {
                throw RowProblem("a \(TokenLabel.cleaned(row[columns.kind])) has one side alone")
            }
            return .transfer
        }
        guard let kind = ImportedWords.kind(label), kind != .trade else {
            throw RowProblem(unknown: row[columns.label], in: "label")
        }
        return kind
    }
}

/// The templates of Koinly for trades by their pair, and for deposits and withdrawals.
struct KoinlyTemplate {
    static let title = "Koinly template"
    static let headings = [["koinlydate"], ["pair", "currency"], ["amount"]]

    private let table: ImportedTable

    init(_ table: ImportedTable) { self.table = table }

    func file() -> ImportedFile {
        let columns = ["amount", "total", "feeamount", "networthamount"].map { table.column($0) }
        let numbers = ImportedNumbers(table.cells(of: columns))
        let dates = ImportedDates(table.cells(of: [table.column("koinlydate")]))
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows {
            file.add([row]) { () throws(RowProblem) in
                let moment = try dates.moment(row[table.column("koinlydate")])
                var entry = ImportedEntry(rows: [row.number], moment: moment, kind: .trade)
                entry.note = TokenLabel.cleaned(row[table.column("description")])
                if let pair = table.column("pair") {
                    guard let names = TradingPair(row[pair]) else { throw RowProblem(unknown: row[pair], in: "pair") }
                    try trade(&entry, names, row, numbers)
                } else {
                    try movement(&entry, row, numbers)
                }
                let fee = ImportedAsset(symbol: row[table.column("feecurrency")])
                if let fee = try numbers.amount(row[columns[2]], of: fee, "fee") { entry.fees = [fee] }
                return try entry.checked()
            }
        }
        return file
    }

    private func trade(
        _ entry: inout ImportedEntry, _ pair: TradingPair, _ row: ImportedTable.Row, _ numbers: ImportedNumbers
    ) throws(RowProblem) {
        let side = row[table.column("side")].lowercased()
        guard side == "buy" || side == "sell" else { throw RowProblem(unknown: side, in: "side") }
        let base = try numbers.amount(row[table.column("amount")], of: ImportedAsset(symbol: pair.base), "amount")
        let quote = try numbers.amount(row[table.column("total")], of: ImportedAsset(symbol: pair.quote), "total")
        guard let base, let quote else { throw RowProblem("the amount is zero") }
        entry.sent = side == "buy" ? quote : base
        entry.received = side == "buy" ? base : quote
        let id = row[table.column("tradeid")]
        entry.id = id.isEmpty ? nil : id
    }

    private func movement(
        _ entry: inout ImportedEntry, _ row: ImportedTable.Row, _ numbers: ImportedNumbers
    ) throws(RowProblem) {
        let label = row[table.column("label", "tag")]
        if label.isEmpty {
            entry.kind = .transfer
        } else {
            guard let kind = ImportedWords.kind(label), kind != .trade else {
                throw RowProblem(unknown: label, in: "label")
            }
            entry.kind = kind
        }
        let cell = row[table.column("amount")]
        let amount = try numbers.amount(cell, of: ImportedAsset(symbol: row[table.column("currency")]), "amount")
        if try numbers.number(cell, "amount")?.isNegative ?? false {
            entry.sent = amount
        } else {
            entry.received = amount
        }
        if let value = try numbers.number(row[table.column("networthamount")], "value"),
            let currency = Currency(row[table.column("networthcurrency")]), !value.isZero
        {
            entry.value = Money(value.magnitude, currency)
        }
    }
}
