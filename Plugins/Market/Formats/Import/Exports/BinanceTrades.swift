import BigInteger

/// The trade history of Binance. Newer files write each amount with its coin, as in `0.5BTC`; older ones have a column for the fee's coin.
struct BinanceTrades {
    static let title = "Binance trade history"
    static let headings = [
        ["dateutc", "date", "time"], ["pair", "market"], ["side", "type"], ["executed", "amount"], ["amount", "total"],
        ["fee"],
    ]

    /// What pairs end in. AEUR is not one of them, since more coins that end in A are traded for euros.
    private static let quotes = [
        "ARS", "AUD", "BIDR", "BKRW", "BNB", "BRL", "BTC", "BUSD", "BVND", "COP", "CZK", "DAI", "DOGE", "DOT", "ETH",
        "EUR", "EURI",
        "FDUSD", "GBP", "GYEN", "IDRT", "JPY", "MXN", "NGN", "PAX", "PLN", "RON", "RUB", "SOL", "TRX", "TRY", "TUSD",
        "UAH",
        "USDC", "USDP", "USDS", "USDT", "UST", "USTC", "VAI", "XMR", "XRP", "ZAR",
    ]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let isNew: Bool
    private let time, pair, side, base, quote, fee, feeCoin: Int?

    init(_ table: ImportedTable, offset: Int) {
        self.table = table
        isNew = table.column("executed") != nil
        time = table.column("dateutc", "date", "time")
        pair = table.column("pair", "market")
        side = table.column("side", "type")
        base = table.column(isNew ? "executed" : "amount")
        quote = table.column(isNew ? "amount" : "total")
        fee = table.column("fee")
        feeCoin = table.column("feecoin")
        let amounts = table.cells(of: [base, quote, fee])
        numbers = ImportedNumbers(isNew ? amounts.map { String($0.prefix { !$0.isLetter }) } : amounts)
        dates = ImportedDates(
            table.cells(of: [time]), hasShortYears: true, offset: table.column("dateutc") == nil ? offset : 0)
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows { file.add([row]) { () throws(RowProblem) in try result(row) } }
        return file
    }

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        let kind = row[side].lowercased()
        guard kind == "buy" || kind == "sell" else { throw RowProblem(unknown: row[side], in: "side") }
        let names = try assets(row)
        guard let coin = try amount(row[base], names.base), let other = try amount(row[quote], names.quote) else {
            throw RowProblem("the amount is zero")
        }
        var entry = ImportedEntry(rows: [row.number], moment: try dates.moment(row[time]), kind: .trade)
        entry.sent = kind == "buy" ? other : coin
        entry.received = kind == "buy" ? coin : other
        if let fee = try fee(row, names) { entry.fees = [fee] }
        entry.place = "Binance"
        return try entry.checked()
    }

    /// The coins of a row. The name of one may begin with digits, as 1INCH does, so amounts are not split at their first letter.
    private func assets(_ row: ImportedTable.Row) throws(RowProblem) -> TradingPair {
        let name = row[pair].uppercased()
        let ending = String(row[quote].uppercased().drop { !$0.isLetter })
        if !ending.isEmpty, name.hasSuffix(ending), name != ending {
            let start = String(name.dropLast(ending.count))
            return TradingPair(base: start.filter { !"-/_".contains($0) }, quote: ending)
        }
        guard let pair = TradingPair(name, quotes: Self.quotes) else { throw RowProblem(unknown: name, in: "pair") }
        return pair
    }

    private func amount(_ cell: String, _ symbol: String) throws(RowProblem) -> ImportedAmount? {
        let text = cell.uppercased().hasSuffix(symbol) ? String(cell.dropLast(symbol.count)) : cell
        return try numbers.amount(text, of: ImportedAsset(symbol: symbol), "amount")
    }

    private func fee(_ row: ImportedTable.Row, _ pair: TradingPair) throws(RowProblem) -> ImportedAmount? {
        let cell = row[fee]
        if feeCoin != nil, !row[feeCoin].isEmpty {
            return try numbers.amount(cell, of: ImportedAsset(symbol: row[feeCoin]), "fee")
        }
        for symbol in [pair.base, pair.quote] where cell.uppercased().hasSuffix(symbol) {
            return try amount(cell, symbol)
        }
        return try amount(cell, String(cell.uppercased().drop { !$0.isLetter }))
    }
}
