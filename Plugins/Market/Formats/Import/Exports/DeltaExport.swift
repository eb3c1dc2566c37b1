import BigInteger

/// The transactions of Delta, as it exports them and in its template.
struct DeltaExport {
    static let title = "Delta"
    static let headings = [
        ["date"], ["way", "type"], ["baseamount"], ["basecurrencyname", "basecurrency"], ["quoteamount"],
        ["quotecurrency"],
    ]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let date, way, baseAmount, base, baseType, quoteAmount, quote, feeAmount, fee, from, to, exchange,
        note: Int?

    init(_ table: ImportedTable) {
        self.table = table
        date = table.column("date")
        way = table.column("way", "type")
        baseAmount = table.column("baseamount")
        base = table.column("basecurrencyname", "basecurrency")
        baseType = table.column("basetype")
        quoteAmount = table.column("quoteamount")
        quote = table.column("quotecurrency", "quotecurrencyname")
        feeAmount = table.column("feeamount")
        fee = table.column("feecurrencyname", "feecurrency")
        from = table.column("sentreceivedfrom")
        to = table.column("sentto")
        exchange = table.column("exchange")
        note = table.column("notes")
        numbers = ImportedNumbers(table.cells(of: [baseAmount, quoteAmount, feeAmount]))
        dates = ImportedDates(table.cells(of: [date]))
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows { file.add([row]) { () throws(RowProblem) in try result(row) } }
        return file
    }

    /// The asset of a symbol with its name in brackets, as in `SOL (Solana)`.
    private static func asset(_ text: String, isMoney: Bool = false) -> ImportedAsset? {
        let symbol = text.prefix { $0 != "(" }
        guard let open = text.firstIndex(of: "("), text.last == ")", !isMoney else {
            return ImportedAsset(symbol: symbol)
        }
        let name = TokenLabel.cleaned(String(text[text.index(after: open)...].dropLast()))
        guard case .coin(.symbol(let word))? = ImportedAsset(symbol: symbol), !name.isEmpty else {
            return ImportedAsset(symbol: symbol)
        }
        return .coin(.symbolAndName(word, name))
    }

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        switch row[baseType].uppercased() {
        case "", "CRYPTO": break
        case "FIAT", "FOREX": return .omitted(.cash)
        default: throw RowProblem("it is not a coin: \(TokenLabel.cleaned(row[baseType].lowercased()))")
        }
        let word = row[way].uppercased()
        if word == "DIVIDEND", row[baseAmount].isEmpty { return .omitted(.cash) }
        var entry = ImportedEntry(rows: [row.number], moment: try dates.moment(row[date]), kind: .transfer)
        let coin = try numbers.amount(row[baseAmount], of: Self.asset(row[base]), "base amount")
        let other = try numbers.amount(row[quoteAmount], of: Self.asset(row[quote]), "quote amount")
        entry.note = TokenLabel.cleaned(row[note])
        entry.place = TokenLabel.cleaned(row[exchange])
        switch word {
        case "BUY", "SELL":
            entry.kind = .trade
            entry.sent = word == "BUY" ? other : coin
            entry.received = word == "BUY" ? coin : other
            guard coin != nil else { throw RowProblem("the amount is zero") }
        case "DEPOSIT": deposit(&entry, coin, row)
        case "WITHDRAW", "TRANSFER":
            entry.sent = coin
            if word == "TRANSFER" { entry.received = coin }
            entry.place = place(row[from])
            entry.destination = place(row[to])
        case "DIVIDEND":
            entry.kind = .income(.other)
            entry.received = coin
        default: throw RowProblem(unknown: row[way], in: "way")
        }
        if case .cash(let currency)? = other?.asset, entry.kind != .trade, let other {
            entry.value = Money(other.amount, currency)
        }
        if let fee = try numbers.amount(row[feeAmount], of: Self.asset(row[fee]), "fee") { entry.fees = [fee] }
        return try entry.checked()
    }

    private func deposit(_ entry: inout ImportedEntry, _ coin: ImportedAmount?, _ row: ImportedTable.Row) {
        entry.received = coin
        // Where it comes from may be a reason instead of a place.
        if row[from] == row[from].uppercased(), case .income(let income)? = ImportedWords.kind(row[from]) {
            entry.kind = .income(income)
            entry.place = place(row[to]).isEmpty ? entry.place : place(row[to])
        } else {
            entry.place = place(row[from])
            entry.destination = place(row[to])
        }
    }

    /// Its words for places that are not named are none.
    private func place(_ text: String) -> String {
        ["MY_WALLET", "OTHER", "OTHER_WALLET", "EXCHANGE"].contains(text.uppercased()) ? "" : TokenLabel.cleaned(text)
    }
}
