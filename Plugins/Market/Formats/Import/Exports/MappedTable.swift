import BigInteger

/// A table of any program, with what its columns mean as a person says it.
package struct MappedTable {
    /// A meaning of a column.
    package enum Field: String, CaseIterable, Sendable {
        case date, kind, token, symbol, amount, price, total, currency, fee, sent, received, value, id, note, place,
            destination
        case feeCurrency = "fee-currency"
        case sentCurrency = "sent-currency"
        case receivedCurrency = "received-currency"
        case valueCurrency = "value-currency"
    }

    /// A column with its meaning: `Quantity Transacted=amount`.
    package struct Mapping: Hashable, Sendable {
        /// The heading as it is written in the file.
        package let column: String
        /// The meaning.
        package let field: Field

        /// Parses `COLUMN=field`; nil for anything else.
        package init?(_ text: String) {
            guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
                let field = Field(rawValue: text[text.index(after: equals)...].lowercased())
            else { return nil }
            column = String(text[..<equals])
            self.field = field
        }
    }

    static let title = "mapped table"

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let columns: [Field: Int]

    /// Reads the table that has all columns of `mappings`; throws with the columns that it has instead.
    init(_ file: [UInt8], _ mappings: [Mapping]) throws(PortfolioImport.Issue) {
        let wanted = mappings.map { ImportedTable.normalized($0.column) }
        guard let table = ImportedTable(file, where: { Set($0).isSuperset(of: wanted) }) else {
            let names = ImportedTable(file, where: { $0.count > 1 })?.names ?? []
            let first = wanted.indices.first { !names.map(ImportedTable.normalized).contains(wanted[$0]) } ?? 0
            let shown = names.prefix(40).map { "\"\(TokenLabel.cleaned($0))\"" }.joined(separator: ", ")
            throw PortfolioImport.Issue(
                line: 1,
                message: "no column \"\(mappings[first].column)\"; the columns are \(shown.isEmpty ? "none" : shown)")
        }
        self.table = table
        let columns = Self.columns(of: table, mappings)
        self.columns = columns
        let amounts: [Field] = [.amount, .price, .total, .fee, .sent, .received, .value]
        numbers = ImportedNumbers(table.cells(of: amounts.map { columns[$0] }))
        dates = ImportedDates(table.cells(of: [columns[.date]]))
        let hasAmount = columns[.amount] != nil && (columns[.token] ?? columns[.symbol]) != nil
        guard columns[.date] != nil, hasAmount || columns[.sent] != nil || columns[.received] != nil else {
            throw PortfolioImport.Issue(
                line: 1, message: "needed are date, and symbol with amount, or sent and received with their currencies")
        }
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows { file.add([row]) { () throws(RowProblem) in try result(row) } }
        return file
    }

    /// The columns of the meanings: those of the mappings, and others that are named like a meaning.
    private static func columns(of table: ImportedTable, _ mappings: [Mapping]) -> [Field: Int] {
        var columns: [Field: Int] = [:]
        for mapping in mappings { columns[mapping.field] = table.column(ImportedTable.normalized(mapping.column)) }
        for field in Field.allCases where columns[field] == nil {
            guard let column = table.column(ImportedTable.normalized(field.rawValue)), !columns.values.contains(column)
            else { continue }
            columns[field] = column
        }
        return columns
    }

    private func text(_ row: ImportedTable.Row, _ field: Field) -> String { row[columns[field]] }

    private func amount(_ row: ImportedTable.Row, _ field: Field, _ asset: ImportedAsset?) throws(RowProblem)
        -> ImportedAmount?
    {
        try numbers.amount(text(row, field), of: asset, field.rawValue)
    }

    private func asset(_ row: ImportedTable.Row, _ field: Field) -> ImportedAsset? {
        ImportedAsset(symbol: text(row, field))
    }

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        var entry = ImportedEntry(rows: [row.number], moment: try dates.moment(text(row, .date)), kind: .trade)
        let currency = asset(row, .currency)
        if columns[.sent] != nil || columns[.received] != nil {
            entry.sent = try amount(row, .sent, asset(row, .sentCurrency))
            entry.received = try amount(row, .received, asset(row, .receivedCurrency))
            entry.kind = try kind(row) ?? (entry.sent == nil || entry.received == nil ? .transfer : .trade)
        } else {
            try side(&entry, row, currency)
        }
        if let fee = try amount(row, .fee, asset(row, .feeCurrency) ?? currency) { entry.fees = [fee] }
        if let value = try amount(row, .value, asset(row, .valueCurrency) ?? currency),
            case .cash(let code) = value.asset
        {
            entry.value = Money(value.amount, code)
        }
        entry.note = TokenLabel.cleaned(text(row, .note))
        entry.place = TokenLabel.cleaned(text(row, .place))
        entry.destination = TokenLabel.cleaned(text(row, .destination))
        entry.id = text(row, .id).isEmpty ? nil : text(row, .id)
        return try entry.checked()
    }

    private func kind(_ row: ImportedTable.Row) throws(RowProblem) -> ImportedEntry.Kind? {
        let word = text(row, .kind)
        guard !word.isEmpty else { return nil }
        guard let kind = ImportedWords.kind(word) else { throw RowProblem(unknown: word, in: "kind") }
        return kind
    }

    private static let outWords: Set<String> = [
        "sell", "sold", "sale", "withdrawal", "withdraw", "send", "sent", "out", "cryptowithdrawal", "giftsent",
        "donation",
        "charity",
    ]

    /// One coin with an amount, which is sold or leaves by its kind or by a negative amount.
    private func side(_ entry: inout ImportedEntry, _ row: ImportedTable.Row, _ currency: ImportedAsset?)
        throws(RowProblem)
    {
        let id = text(row, .token)
        let coin = id.isEmpty ? asset(row, .symbol) : .coin(TokenReference(id))
        guard let coin = try amount(row, .amount, coin) else { throw RowProblem("the amount is zero") }
        let isNegative = try numbers.number(text(row, .amount), "amount")?.isNegative ?? false
        entry.kind = try kind(row) ?? .trade
        let leaves =
            switch entry.kind {
            case .loss, .payment, .fee: true
            case .income: false
            case .trade, .transfer, .gift:
                isNegative || Self.outWords.contains(ImportedTable.normalized(text(row, .kind)))
            }
        if leaves { entry.sent = coin } else { entry.received = coin }
        var other = try amount(row, .total, currency)
        if other == nil, let price = try amount(row, .price, currency) {
            other = ImportedAmount(price.amount * coin.amount, price.asset)
        }
        guard let other else { return }
        if entry.kind == .trade {
            if leaves { entry.received = other } else { entry.sent = other }
        } else if case .cash(let code) = other.asset {
            entry.value = Money(other.amount, code)
        }
    }
}
