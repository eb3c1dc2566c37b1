import BigInteger

/// The transaction report of Coinbase, of any year: columns of money have the currency in a column of their own, or in their names.
struct CoinbaseExport {
    static let title = "Coinbase"
    static let headings = [["timestamp"], ["transactiontype"], ["asset"], ["quantitytransacted"]]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let columns: Columns

    private struct Columns {
        let id, time, kind, asset, quantity, currency, subtotal, total, fees, notes: Int?
        /// The currency in the names of the columns, in the oldest reports.
        let commonCurrency: String?

        init(_ table: ImportedTable) {
            id = table.column("id", "transactionid")
            time = table.column("timestamp")
            kind = table.column("transactiontype")
            asset = table.column("asset")
            quantity = table.column("quantitytransacted")
            currency = table.column("pricecurrency", "spotpricecurrency")
            notes = table.column("notes")
            func money(_ ending: String) -> Int? { table.headings.firstIndex { $0.hasSuffix(ending) } }
            subtotal = money("subtotal")
            total = table.headings.firstIndex { $0.contains("totalinclusiveoffees") }
            fees = table.headings.firstIndex {
                !$0.contains("total") && ($0.hasSuffix("fees") || $0.hasSuffix("feesandorspread"))
            }
            commonCurrency = subtotal.map { String(table.headings[$0].dropLast(8)).uppercased() }
        }
    }

    init(_ table: ImportedTable) {
        self.table = table
        columns = Columns(table)
        numbers = ImportedNumbers(
            table.cells(of: [columns.quantity, columns.subtotal, columns.total, columns.fees]))
        dates = ImportedDates(table.cells(of: [columns.time]))
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        var conversions: [[String]: [ImportedTable.Row]] = [:]
        for row in table.rows {
            if ImportedTable.normalized(row[columns.kind]) == "convert" {
                // Newer reports have a row for each of the two coins.
                conversions[[row[columns.time], row[columns.notes]], default: []].append(row)
            } else {
                file.add([row]) { () throws(RowProblem) in try result(row) }
            }
        }
        for rows in conversions.values { convert(rows, &file) }
        file.sort()
        return file
    }

    private enum Meaning {
        case trade, received, moved(String), income(Trade.Income), gift, inside
    }

    /// The words of the report, as ``ImportedTable/normalized(_:)`` gives them.
    private static let meanings: [String: Meaning] = {
        let groups: [(Meaning, String)] = [
            (.trade, "buy sell advancedtradebuy advancedtradesell advancetradebuy advancetradesell recurringbuy"),
            (.received, "receive"),
            (.moved(""), "send deposit withdrawal fiatdeposit fiatwithdrawal"),
            (.moved("Coinbase Pro"), "prodeposit prowithdrawal"),
            (.moved("Coinbase Exchange"), "exchangedeposit exchangewithdrawal"),
            (.moved("Coinbase Prime"), "primedeposit primewithdrawal"),
            (.income(.staking), "stakingincome inflationreward"),
            (.income(.interest), "interestpayout interest"),
            (.income(.airdrop), "airdrop"),
            (.income(.other), "coinbaseearn learningreward rewardsincome rewardincome rewardspayout reward"),
            (
                .income(.other),
                "incentivesrewardspayout creditcardreward subscriptionrebate retailsimplepriceimprovement"
            ),
            (.income(.other), "subscriptionrebates24hours coinbaseonerewards"),
            (.gift, "donation"),
            (
                .inside,
                "retailstakingtransfer retailunstakingtransfer retaileth2deprecation vaultwithdrawal vaultdeposit"
            ),
            (.inside, "cashtosavings savingstocash portfoliotransfer"),
        ]
        return groups.reduce(into: [:]) { meanings, group in
            for word in group.1.split(separator: " ") { meanings[String(word)] = group.0 }
        }
    }()

    private func result(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        let word = ImportedTable.normalized(row[columns.kind])
        let asset = asset(row[columns.asset])
        if let asset, !asset.isCoin { return .omitted(.cash) }
        guard let meaning = Self.meanings[word] else {
            throw RowProblem(unknown: row[columns.kind], in: "transaction type")
        }
        if case .inside = meaning { return .omitted(.internalMove) }
        guard let coin = try numbers.amount(row[columns.quantity], of: asset, "quantity") else {
            throw RowProblem("the quantity is zero")
        }
        var entry = try entry([row], .transfer)
        entry.value = try money(row[columns.subtotal], row)
        switch meaning {
        case .trade:
            entry.kind = .trade
            try trade(&entry, coin, isSale: word.hasSuffix("sell"), row)
        case .received:
            entry.received = coin
            let isReward = ["Coinbase Earn", "Coinbase Rewards", "Coinbase Referral"].contains {
                row[columns.notes].contains($0)
            }
            if isReward {
                entry.kind = .income(.other)
            } else {
                (entry.place, entry.destination) = ("", "Coinbase")
            }
        case .moved(let place): move(&entry, coin, place, word, row)
        case .income(let income):
            entry.kind = .income(income)
            entry.received = coin
        case .gift:
            entry.kind = .gift
            entry.sent = coin
        case .inside: break
        }
        return try entry.checked()
    }

    private func entry(_ rows: [ImportedTable.Row], _ kind: ImportedEntry.Kind) throws(RowProblem) -> ImportedEntry {
        var entry = ImportedEntry(rows: rows.map(\.number), moment: try dates.moment(rows[0][columns.time]), kind: kind)
        entry.id = rows.lazy.map { $0[columns.id] }.first { !$0.isEmpty }
        entry.note = TokenLabel.cleaned(rows[0][columns.notes])
        entry.place = "Coinbase"
        return entry
    }

    /// ETH2 was the name of staked ETH.
    private func asset(_ symbol: String) -> ImportedAsset? {
        ImportedAsset(symbol: symbol.uppercased() == "ETH2" ? "ETH" : symbol)
    }

    private func currency(_ row: ImportedTable.Row) -> Currency? {
        Currency(columns.currency == nil ? columns.commonCurrency ?? "" : row[columns.currency])
    }

    private func money(_ cell: String, _ row: ImportedTable.Row) throws(RowProblem) -> Money? {
        guard let number = try numbers.number(cell, "amount of money"), let currency = currency(row) else { return nil }
        return Money(number.magnitude, currency)
    }

    private func trade(
        _ entry: inout ImportedEntry, _ coin: ImportedAmount, isSale: Bool, _ row: ImportedTable.Row
    ) throws(RowProblem) {
        guard let currency = currency(row) else { throw RowProblem("the currency is missing") }
        var other: ImportedAmount?
        if let words = try words(row[columns.notes], "for"), let asset = asset(words.asset), asset != .cash(currency) {
            // Against another coin; the amount has the fee in it.
            other = ImportedAmount(words.amount, asset)
            entry.value = try money(row[columns.total], row) ?? entry.value
        } else {
            other = entry.value.map { ImportedAmount($0.amount, .cash(currency)) }
            let fee = try money(row[columns.fees], row)
            if let fee, !fee.amount.isZero { entry.fees = [ImportedAmount(fee.amount, .cash(currency))] }
        }
        if other?.amount.isZero ?? false { other = nil }
        entry.sent = isSale ? coin : other
        entry.received = isSale ? other : coin
    }

    private func move(
        _ entry: inout ImportedEntry, _ coin: ImportedAmount, _ place: String, _ word: String, _ row: ImportedTable.Row
    ) {
        // What is deposited on another exchange of Coinbase leaves.
        let isOther = !place.isEmpty
        let isOut = word == "send" || word.hasSuffix(isOther ? "deposit" : "withdrawal")
        if isOut { entry.sent = coin }
        if !isOut || isOther { entry.received = coin }
        if isOther { entry.sent = coin }
        entry.place = isOut ? "Coinbase" : place
        entry.destination = isOut ? place : "Coinbase"
    }

    /// Reads what follows a word in notes such as `Converted 1.5 ETH to 0.05 BTC` or `Bought 1 ETH for 2,000.5 USDC on …`.
    private func words(_ notes: String, _ link: String) throws(RowProblem) -> (amount: BigDecimal, asset: String)? {
        var words = notes.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(of: link), place + 2 < words.count else { return nil }
        words.removeSubrange(...place)
        // A sign of a currency may stand by itself.
        if words[0].unicodeScalars.allSatisfy({ $0.properties.generalCategory == .currencySymbol }) {
            words.removeFirst()
        }
        guard words.count > 1, let amount = try numbers.number(words[0], "amount in the notes") else { return nil }
        return (amount.magnitude, words[1])
    }

    private func convert(_ rows: [ImportedTable.Row], _ file: inout ImportedFile) {
        let from = rows[0][columns.notes].split(separator: " ").dropFirst(2).first.map(String.init) ?? ""
        let given = rows.filter { $0[columns.asset] == from }
        let taken = rows.filter { $0[columns.asset] != from }
        for index in 0..<max(given.count, taken.count) {
            let (left, right) = (
                index < given.count ? given[index] : nil, index < taken.count ? taken[index] : nil
            )
            let both = [left, right].compactMap(\.self)
            file.add(both) { () throws(RowProblem) in
                guard let to = try words(both[0][columns.notes], "to"), let target = asset(to.asset),
                    let source = asset(from)
                else { throw RowProblem("the notes do not say what was converted to what") }
                guard right == nil || asset(right?[columns.asset] ?? "") == target else {
                    throw RowProblem("the notes name other coins than the row")
                }
                guard source != target else { return .omitted(.internalMove) }
                var entry = try entry(both, .trade)
                // The fee is kept out of what is received.
                let giving = left ?? both[0]
                entry.value = try money(giving[columns.total], giving)
                if entry.value == nil { entry.value = try money(giving[columns.subtotal], giving) }
                entry.sent =
                    try left.map { row throws(RowProblem) in
                        try numbers.amount(row[columns.quantity], of: source, "quantity")
                    } ?? nil
                if entry.sent == nil, let words = try words(both[0][columns.notes], "Converted") {
                    entry.sent = ImportedAmount(words.amount, source)
                }
                entry.received = ImportedAmount(to.amount, target)
                return try entry.checked()
            }
        }
    }
}
