import BigInteger
import CivilDate

/// The transaction history of Binance: a row for each change of a balance. The halves of a trade have one time, or are a second apart.
struct BinanceStatements {
    static let title = "Binance transaction history"
    static let headings = [["utctime", "time"], ["account"], ["operation"], ["coin"], ["change"]]

    private let table: ImportedTable
    private let numbers: ImportedNumbers
    private let dates: ImportedDates
    private let time, account, operation, coin, change, remark: Int?

    init(_ table: ImportedTable, offset: Int) {
        self.table = table
        time = table.column("utctime", "time")
        account = table.column("account")
        operation = table.column("operation")
        coin = table.column("coin")
        change = table.column("change")
        remark = table.column("remark")
        numbers = ImportedNumbers(table.cells(of: [change]))
        dates = ImportedDates(
            table.cells(of: [time]), hasShortYears: true, offset: table.column("utctime") == nil ? offset : 0)
    }

    /// A row whose cells are read.
    private struct Change {
        let row: ImportedTable.Row
        let moment: ImportedMoment
        let operation: BinanceOperation
        let asset: ImportedAsset
        let amount: BigDecimal
        let remark: String

        var isFee: Bool { operation == .fee }
    }

    /// The rows of one time that are halves of the same.
    private struct Group: Hashable {
        let operation: BinanceOperation
        let second: Int
        /// The remark that tells conversions of small amounts apart.
        let remark: String
    }

    func file() -> ImportedFile {
        var file = ImportedFile(title: Self.title, table)
        var groups: [Group: [Change]] = [:]
        for row in table.rows {
            do throws(RowProblem) {
                let change = try read(row)
                if change.operation.isHalf {
                    groups[group(of: change), default: []].append(change)
                } else {
                    file.add([row]) { () throws(RowProblem) in try single(change) }
                }
            } catch {
                file.add([row]) { () throws(RowProblem) in throw error }
            }
        }
        joinNeighbours(&groups)
        for (group, changes) in groups { add(changes, group.operation, &file) }
        file.sort()
        return file
    }

    private func group(of change: Change) -> Group {
        let kind = change.isFee ? BinanceOperation.trade : change.operation
        let second = change.moment.day.daysSinceEpoch * 86_400 + (change.moment.time ?? 0)
        return Group(operation: kind, second: second, remark: kind == .dust ? change.remark : "")
    }

    private func read(_ row: ImportedTable.Row) throws(RowProblem) -> Change {
        let place = ImportedTable.normalized(row[account])
        guard !place.contains("futures"), !place.contains("margin") else {
            let isMove = row[operation].lowercased().hasPrefix("transfer")
            guard isMove else { throw RowProblem("the account \"\(TokenLabel.cleaned(row[account]))\" is not read") }
            return try change(row, .inside)
        }
        guard let meaning = BinanceOperation(row[operation]) else {
            throw RowProblem(unknown: row[operation], in: "operation")
        }
        return try change(row, meaning)
    }

    private func change(_ row: ImportedTable.Row, _ operation: BinanceOperation) throws(RowProblem) -> Change {
        guard let asset = ImportedAsset(symbol: row[coin]) else { throw RowProblem("the coin is missing") }
        guard let amount = try numbers.number(row[change], "change"), !amount.isZero else {
            throw RowProblem("the change is zero")
        }
        return Change(
            row: row, moment: try dates.moment(row[time]), operation: operation, asset: asset, amount: amount,
            remark: row[remark])
    }

    private func single(_ change: Change) throws(RowProblem) -> RowResult {
        if change.operation == .inside { return .omitted(.internalMove) }
        var entry = entry([change], .transfer)
        entry.note = TokenLabel.cleaned(
            [change.row[operation], change.remark].filter { !$0.isEmpty }.joined(separator: ": "))
        let amount = ImportedAmount(change.amount.magnitude, change.asset)
        if case .income(let income) = change.operation {
            guard !change.amount.isNegative else { throw RowProblem("a reward is negative") }
            entry.kind = .income(income)
            entry.received = amount
        } else if change.amount.isNegative {
            entry.sent = amount
        } else {
            entry.received = amount
            entry.place = ""
            entry.destination = "Binance"
        }
        return try entry.checked()
    }

    private func entry(_ changes: [Change], _ kind: ImportedEntry.Kind) -> ImportedEntry {
        var entry = ImportedEntry(rows: changes.map(\.row.number), moment: changes[0].moment, kind: kind)
        entry.place = "Binance"
        return entry
    }

    /// Joins halves that are a second apart: all of one are given, all of the other received.
    private func joinNeighbours(_ groups: inout [Group: [Change]]) {
        for group in groups.keys.sorted(by: { $0.second < $1.second }) {
            let next = Group(operation: group.operation, second: group.second + 1, remark: group.remark)
            guard let own = groups[group], let others = groups[next], let first = sign(own), let second = sign(others),
                first != second
            else { continue }
            groups[group] = own + others
            groups[next] = nil
        }
        func sign(_ changes: [Change]) -> Bool? {
            let signs = Set(changes.filter { !$0.isFee }.map(\.amount.isNegative))
            return signs.count == 1 ? signs.first : nil
        }
    }

    private func add(_ changes: [Change], _ operation: BinanceOperation, _ file: inout ImportedFile) {
        let changes = changes.sorted { $0.row.number < $1.row.number }
        if operation == .dust, let pairs = pairs(changes) {
            for pair in pairs { add(pair, .conversion, &file) }
            return
        }
        file.add(changes.map(\.row)) { () throws(RowProblem) in
            var (amounts, fees): ([ImportedAmount], [ImportedAmount]) = ([], [])
            for change in changes {
                var list = change.isFee ? fees : amounts
                let isSame = { (other: ImportedAmount) in
                    other.asset == change.asset && other.amount.isNegative == change.amount.isNegative
                }
                if let index = list.firstIndex(where: isSame) {
                    list[index].amount = list[index].amount + change.amount
                } else {
                    list.append(ImportedAmount(change.amount, change.asset))
                }
                if change.isFee { fees = list } else { amounts = list }
            }
            guard fees.allSatisfy({ $0.amount.isNegative }) else { throw RowProblem("a fee is given back") }
            var entry = entry(changes, .trade)
            let sent = amounts.filter { $0.amount.isNegative }
            let received = amounts.filter { !$0.amount.isNegative }
            let isWhole = sent.count == 1 && received.count == 1 || operation == .purchase && amounts.count == 1
            guard isWhole else { throw problem(sent, received) }
            entry.sent = sent.first.map { ImportedAmount($0.amount.magnitude, $0.asset) }
            entry.received = received.first
            entry.fees = fees.map { ImportedAmount($0.amount.magnitude, $0.asset) }
            return try entry.checked()
        }
    }

    private func problem(_ sent: [ImportedAmount], _ received: [ImportedAmount]) -> RowProblem {
        if sent.isEmpty || received.isEmpty { return RowProblem("the other half is missing") }
        return RowProblem("several coins changed within one second; the file does not say which belong together")
    }

    /// The pairs of conversions of small amounts that have one time and no remark: each coin and what it became, in turn.
    private func pairs(_ changes: [Change]) -> [[Change]]? {
        guard changes.count > 2, changes.count.isMultiple(of: 2) else { return nil }
        let pairs = stride(from: 0, to: changes.count, by: 2).map { [changes[$0], changes[$0 + 1]] }
        let order = Set(pairs.map { [$0[0].amount.isNegative, $0[1].amount.isNegative] })
        return order.count == 1 && order.first?[0] != order.first?[1] ? pairs : nil
    }
}
