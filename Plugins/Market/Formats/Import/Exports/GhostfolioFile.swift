import BigInteger
import JSON

/// The activities of Ghostfolio: its export in JSON, and the table that it imports.
struct GhostfolioFile {
    static let title = "Ghostfolio"
    /// A table of it has a data source, or calls the symbol a code.
    static let headings = [
        ["date"], ["code", "datasource"], ["code", "symbol", "ticker"], ["quantity", "qty", "shares", "units"],
        ["action", "type"], ["currency", "ccy"],
    ]

    /// An activity as text, from either form.
    private struct Activity {
        let row: ImportedTable.Row
        let date, kind, symbol, source, quantity, price, fee, currency, note, place: String
    }

    private var activities: [Activity] = []
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private var file: ImportedFile

    /// Reads a table.
    init(_ table: ImportedTable) {
        func column(_ row: ImportedTable.Row, _ headings: String...) -> String { row[table.column(headings)] }
        activities = table.rows.map { row in
            Activity(
                row: row, date: column(row, "tradedate", "date"), kind: column(row, "action", "type"),
                symbol: column(row, "code", "symbol", "ticker"), source: column(row, "datasource"),
                quantity: column(row, "qty", "quantity", "shares", "units"),
                price: column(row, "price", "unitprice", "tradeprice", "value"),
                fee: column(row, "commission", "fee", "ibcommission"), currency: column(row, "ccy", "currency"),
                note: column(row, "comment", "note"), place: column(row, "account", "accountid"))
        }
        numbers = ImportedNumbers(activities.flatMap { [$0.quantity, $0.price, $0.fee] })
        dates = ImportedDates(activities.map(\.date), isDayFirst: true)
        file = ImportedFile(title: Self.title, table)
    }

    /// Reads JSON; nil for anything but an object with activities.
    init?(json bytes: [UInt8]) {
        guard let root = try? JSONReader.read(bytes), let list = root["activities"]?.array else { return nil }
        func names(_ key: String) -> [String: String] {
            (root[key]?.array ?? []).reduce(into: [:]) { names, element in
                if let id = element["id"]?.string, let name = element["name"]?.string { names[id] = name }
            }
        }
        let accounts = names("accounts")
        func text(_ value: JSONValue, _ name: String) -> String { value[name]?.scalarText ?? "" }
        activities = list.enumerated().map { index, value in
            let profile = value["SymbolProfile"]
            let symbol =
                text(value, "symbol").isEmpty ? profile.map { text($0, "symbol") } ?? "" : text(value, "symbol")
            let excerpt = "\(text(value, "type")) \(text(value, "quantity")) \(symbol) \(text(value, "date"))"
            return Activity(
                row: .init(number: index + 1, cells: [], excerpt: TokenLabel.cleaned(excerpt)),
                date: text(value, "date"),
                kind: text(value, "type"), symbol: symbol, source: text(value, "dataSource"),
                quantity: text(value, "quantity"), price: text(value, "unitPrice"), fee: text(value, "fee"),
                currency: text(value, "currency"), note: text(value, "comment"),
                place: accounts[text(value, "accountId")] ?? "")
        }
        numbers = ImportedNumbers([])
        dates = ImportedDates([])
        file = ImportedFile(title: Self.title)
        file.rowCount = activities.count
    }

    func read() -> ImportedFile {
        var file = file
        file.hasTokenIDs = true
        for activity in activities { file.add([activity.row]) { () throws(RowProblem) in try result(activity) } }
        file.sort()
        return file
    }

    private func result(_ activity: Activity) throws(RowProblem) -> RowResult {
        let kind = activity.kind.lowercased()
        switch kind {
        case "buy", "sell": break
        case "dividend", "interest", "fee": return .omitted(.cash)
        default: throw RowProblem(unknown: activity.kind, in: "type")
        }
        var moment = try dates.moment(activity.date)
        // It keeps days, and writes them as midnight.
        if moment.time == 0 { moment = ImportedMoment(day: moment.day, time: nil) }
        guard let currency = Currency(activity.currency) else { throw RowProblem("the currency is missing") }
        let coin = ImportedAsset.coin(try reference(activity))
        guard let amount = try numbers.amount(activity.quantity, of: coin, "quantity") else {
            throw RowProblem("the quantity is zero")
        }
        guard let price = try numbers.number(activity.price, "price") else { throw RowProblem("the price is missing") }
        var entry = ImportedEntry(rows: [activity.row.number], moment: moment, kind: .trade)
        let money = price.isZero ? nil : ImportedAmount(amount.amount * price.magnitude, .cash(currency))
        entry.sent = kind == "buy" ? money : amount
        entry.received = kind == "buy" ? amount : money
        if let fee = try numbers.amount(activity.fee, of: .cash(currency), "fee") { entry.fees = [fee] }
        entry.note = TokenLabel.cleaned(activity.note)
        entry.place = TokenLabel.cleaned(activity.place)
        return try entry.checked()
    }

    /// The coin of an activity: an id of CoinGecko, or a pair of Yahoo such as `BTCUSD` or `BTC-USD`.
    private func reference(_ activity: Activity) throws(RowProblem) -> TokenReference {
        let symbol = TokenLabel.cleaned(activity.symbol)
        guard !symbol.isEmpty else { throw RowProblem("the symbol is missing") }
        if activity.source.uppercased() == "COINGECKO" { return .id(symbol.lowercased()) }
        let name = symbol.uppercased()
        let parts = name.split(separator: "-")
        if parts.count == 2, FiatCodes.all.contains(parts[1].lowercased()) { return .symbol(String(parts[0])) }
        // Ghostfolio writes all coins of Yahoo against the dollar, whatever the currency of the activity is.
        let base = String(name.dropLast(3))
        if ["", "YAHOO"].contains(activity.source.uppercased()), parts.count == 1, name.hasSuffix("USD"),
            base.count > 1,
            !FiatCodes.all.contains(base.lowercased())
        {
            return .symbol(base)
        }
        return .stock(name)
    }
}
