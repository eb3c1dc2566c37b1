import BigInteger

/// The ledgers of Kraken: a row for each change of a balance. Rows with one reference are one transaction.
struct KrakenLedgers {
    static let title = "Kraken ledgers"
    static let headings = [["txid"], ["refid"], ["time"], ["type"], ["asset"], ["amount"], ["fee"]]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let id, reference, time, kind, subkind, asset, amount, fee: Int?

    init(_ table: ImportedTable) {
        self.table = table
        id = table.column("txid")
        reference = table.column("refid")
        time = table.column("time")
        kind = table.column("type")
        subkind = table.column("subtype")
        asset = table.column("asset")
        amount = table.column("amount")
        fee = table.column("fee")
        numbers = ImportedNumbers(table.cells(of: [amount, fee]))
        dates = ImportedDates(table.cells(of: [time]))
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        var groups: [[ImportedTable.Row]] = []
        var places: [String: Int] = [:]
        for row in table.rows {
            // A deposit or withdrawal is there twice: first without an id, until it is done.
            if row[id].isEmpty {
                file.omitted[.unfinished, default: []].append(row.number)
            } else if row[reference].isEmpty {
                groups.append([row])
            } else if let place = places[row[reference]] {
                groups[place].append(row)
            } else {
                places[row[reference]] = groups.count
                groups.append([row])
            }
        }
        for rows in groups { add(rows, &file) }
        file.sort()
        return file
    }

    private func add(_ rows: [ImportedTable.Row], _ file: inout ImportedFile) {
        if rows.count > 1, !rows.allSatisfy({ isTrade($0) }), !isMove(rows) {
            // Rewards of several coins, for example, have one reference.
            for row in rows { file.add([row]) { () throws(RowProblem) in try single(row) } }
        } else if isMove(rows) {
            file.omitted[.internalMove, default: []] += rows.map(\.number)
        } else if isTrade(rows[0]) {
            file.add(rows) { () throws(RowProblem) in try trade(rows) }
        } else {
            file.add(rows) { () throws(RowProblem) in try single(rows[0]) }
        }
    }

    private static let tradeWords: Set<String> = ["trade", "spend", "receive", "conversion", "sale", "adjustment"]
    private static let tradeSubwords: Set<String> = ["delistingconversion", "dustsweeping"]
    private static let moveSubwords: Set<String> = [
        "spottostaking", "stakingfromspot", "spotfromstaking", "stakingtospot", "spottofutures", "spotfromfutures",
        "allocation", "deallocation", "autoallocate", "autoallocation", "migration",
    ]

    private func word(_ row: ImportedTable.Row) -> String { row[kind].lowercased() }
    private func subword(_ row: ImportedTable.Row) -> String { row[subkind].lowercased() }

    private func isTrade(_ row: ImportedTable.Row) -> Bool {
        Self.tradeWords.contains(word(row)) || Self.tradeSubwords.contains(subword(row))
    }

    /// Whether rows move a coin inside of Kraken: by their words, or because they cancel each other.
    private func isMove(_ rows: [ImportedTable.Row]) -> Bool {
        let words: Set<String> = ["transfer", "earn", "custodytransfer"]
        guard rows.allSatisfy({ words.contains(word($0)) }) else { return false }
        if rows.allSatisfy({ Self.moveSubwords.contains(subword($0)) }) { return true }
        guard rows.count == 2, KrakenAssets.asset(rows[0][asset]) == KrakenAssets.asset(rows[1][asset]),
            let first = try? numbers.number(rows[0][amount], "amount"),
            let second = try? numbers.number(rows[1][amount], "amount")
        else { return false }
        return (first + second).isZero && !first.isZero
    }

    private func entry(_ rows: [ImportedTable.Row], _ kind: ImportedEntry.Kind) throws(RowProblem) -> ImportedEntry {
        var entry = ImportedEntry(rows: rows.map(\.number), moment: try dates.moment(rows[0][time]), kind: kind)
        entry.place = "Kraken"
        return entry
    }

    /// The sum of the amounts of each asset, and of their fees, which amounts do not include.
    private func trade(_ rows: [ImportedTable.Row]) throws(RowProblem) -> RowResult {
        var (amounts, fees): ([ImportedAmount], [ImportedAmount]) = ([], [])
        func add(_ number: BigDecimal, _ asset: ImportedAsset, to list: inout [ImportedAmount]) {
            if let index = list.firstIndex(where: { $0.asset == asset }) {
                list[index].amount = list[index].amount + number
            } else {
                list.append(ImportedAmount(number, asset))
            }
        }
        for row in rows where row[asset].uppercased() != KrakenAssets.feeCredit {
            guard let coin = KrakenAssets.asset(row[asset]) else { throw RowProblem("the asset is missing") }
            add(try numbers.number(row[amount], "amount") ?? 0, coin, to: &amounts)
            add(try numbers.number(row[fee], "fee") ?? 0, coin, to: &fees)
        }
        guard !fees.contains(where: { $0.amount.isNegative }) else { throw RowProblem("the fee is negative") }
        let sent = amounts.filter { $0.amount.isNegative }
        let received = amounts.filter { !$0.amount.isNegative && !$0.amount.isZero }
        if amounts.allSatisfy({ !$0.asset.isCoin }) { return .omitted(.cash) }
        guard sent.count == 1, received.count == 1 else {
            let isHalf = sent.count + received.count < 2
            throw RowProblem(
                isHalf
                    ? "the other half of this \(word(rows[0])) is missing"
                    : "several coins are given or received at once; what each of them was worth is not said")
        }
        var entry = try entry(rows, .trade)
        entry.sent = ImportedAmount(sent[0].amount.magnitude, sent[0].asset)
        entry.received = received[0]
        entry.fees = fees.filter { !$0.amount.isZero }
        // The trades of Kraken have this as their id.
        entry.id = rows[0][reference].isEmpty ? rows[0][id] : rows[0][reference]
        return try entry.checked()
    }

    private func single(_ row: ImportedTable.Row) throws(RowProblem) -> RowResult {
        guard row[asset].uppercased() != KrakenAssets.feeCredit else { return .omitted(.internalMove) }
        guard let coin = KrakenAssets.asset(row[asset]) else { throw RowProblem("the asset is missing") }
        let income = try income(row)
        guard coin.isCoin else { return .omitted(.cash) }
        let change = try numbers.number(row[amount], "amount") ?? 0
        let cost = try numbers.number(row[fee], "fee") ?? 0
        guard !cost.isNegative else { throw RowProblem("the fee is negative") }
        guard !change.isZero else { throw RowProblem("the amount is zero") }
        var entry = try entry([row], .transfer)
        entry.id = row[id]
        entry.note = TokenLabel.cleaned([row[kind], row[subkind]].filter { !$0.isEmpty }.joined(separator: " "))
        guard let income else {
            if change.isNegative {
                entry.sent = ImportedAmount(change.magnitude, coin)
            } else {
                entry.received = ImportedAmount(change, coin)
                entry.place = ""
                entry.destination = "Kraken"
            }
            if !cost.isZero { entry.fees = [ImportedAmount(cost, coin)] }
            return try entry.checked()
        }
        // The fee of a reward is kept back.
        guard change > cost else { throw RowProblem("a reward is negative") }
        entry.kind = .income(income)
        entry.received = ImportedAmount(change - cost, coin)
        return try entry.checked()
    }

    /// The income of a row; nil for a deposit or withdrawal.
    private func income(_ row: ImportedTable.Row) throws(RowProblem) -> Trade.Income? {
        switch (word(row), subword(row)) {
        case ("deposit", _), ("withdrawal", _): return nil
        case ("staking", _), ("earn", "reward"), ("transfer", "reward"): return .staking
        case ("dividend", _): return .interest
        case ("transfer", "airdrop"), ("earn", "airdrop"): return .airdrop
        case ("reward", _), ("invite bonus", _), ("credit", _): return .other
        case ("transfer", ""):
            throw RowProblem(
                "a transfer without a subtype may be an airdrop, a fork or a move; write airdrop as its subtype")
        default:
            if isTrade(row) { throw RowProblem("the other half of this \(word(row)) is missing") }
            throw RowProblem(
                unknown: [row[kind], row[subkind]].filter { !$0.isEmpty }.joined(separator: " "), in: "type")
        }
    }
}

/// The trades of Kraken, which its ledgers have too, as two rows each.
struct KrakenTrades {
    static let title = "Kraken trades"
    static let headings = [["txid", "ordertxid"], ["pair"], ["time"], ["type"], ["cost"], ["fee"], ["vol"]]

    private let table: ImportedTable

    init(_ table: ImportedTable) { self.table = table }

    func file() -> ImportedFile {
        let columns = ["cost", "fee", "vol", "margin"].map { table.column($0) }
        let numbers = ImportedNumbers(table.cells(of: columns))
        let dates = ImportedDates(table.cells(of: [table.column("time")]))
        var file = ImportedFile(title: Self.title, table)
        for row in table.rows {
            file.add([row]) { () throws(RowProblem) in
                let kind = row[table.column("type")].lowercased()
                guard kind == "buy" || kind == "sell" else { throw RowProblem(unknown: kind, in: "type") }
                guard let pair = KrakenAssets.pair(row[table.column("pair")]) else {
                    throw RowProblem(unknown: row[table.column("pair")], in: "pair")
                }
                if let margin = try numbers.number(row[columns[3]], "margin"), !margin.isZero {
                    throw RowProblem("a trade on margin is not read")
                }
                let (base, quote) = (KrakenAssets.asset(pair.base), KrakenAssets.asset(pair.quote))
                var entry = ImportedEntry(
                    rows: [row.number], moment: try dates.moment(row[table.column("time")]), kind: .trade)
                let volume = try numbers.amount(row[columns[2]], of: base, "volume")
                let cost = try numbers.amount(row[columns[0]], of: quote, "cost")
                guard let volume, let cost else { throw RowProblem("the amount is zero") }
                entry.sent = kind == "buy" ? cost : volume
                entry.received = kind == "buy" ? volume : cost
                if let fee = try numbers.amount(row[columns[1]], of: quote, "fee") { entry.fees = [fee] }
                entry.id = row[table.column("txid")].isEmpty ? nil : row[table.column("txid")]
                entry.place = "Kraken"
                return try entry.checked()
            }
        }
        return file
    }
}
