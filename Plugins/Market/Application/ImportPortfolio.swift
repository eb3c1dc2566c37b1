import BigInteger
import CivilDate
package import Commands
import Hashing
import HubKit
package import MarketDomain
import MarketKnownProviders
import Storage

/// A trade, list or alert of an imported file.
package struct PortfolioImportItem: ImportedItem {
    /// The outcome.
    package let outcome: ImportOutcome
    /// The id of the trade or alert; empty for a list.
    package let id: String
    /// The trade, list or alert in words.
    package let name: String
    /// Remarks.
    package let words: [String]
}

/// A part of an imported file that was skipped.
package struct PortfolioImportProblem: ImportIssue {
    /// The line in the file.
    package let line: Int
    /// The reason.
    package let message: String
    /// The beginning of the line; empty where there is nothing to see.
    package var excerpt = ""

    /// None: a file stands alone.
    package var file: String? { nil }
    /// The whole line.
    package var column: Int { 1 }
    /// None.
    package var subject: String? { nil }
    /// The line as it begins.
    package var excerptLines: [String] { excerpt.isEmpty ? [] : [excerpt] }
}

extension MarketPlugin {
    /// Imports the entries, lists and alerts of a file of another program, or of a table. What was imported before is not imported
    /// again. The first value says what the file is and holds. Throws `invalid` for a file that cannot be read.
    package func importPortfolio(
        _ bytes: [UInt8], name: String, _ reading: PortfolioFileReading, in currency: Currency, isOffline: Bool,
        isDryRun: Bool, keepsAll: Bool, operation: Operation
    ) async throws -> (introduction: [String], report: ImportReport<PortfolioImportItem, PortfolioImportProblem>) {
        let file = try PortfolioFile(bytes, name: name, reading)
        let found = file.contents
        let resolved = try await resolve(found, isOffline: isOffline)
        var planned = PlannedImport(found, resolved, source: file.source)
        for trade in found.trades {
            planned.add(trade, in: currency, on: clock.today, isOffline: isOffline || self.isOffline)
        }
        for list in found.watchlists { planned.add(list) }
        for alert in found.alerts { planned.add(alert) }

        var report = ImportReport<PortfolioImportItem, PortfolioImportProblem>(keepsAll: keepsAll)
        report.itemName = file.rowCount == nil ? "trade" : "row"
        report.skip(planned.problems.sorted { $0.line < $1.line })
        if found.references.contains(where: resolved.isNoToken) {
            report.notes.append(
                file.rowCount == nil
                    ? "hub has prices of crypto tokens only, not of stocks; hub market search WORD finds a token"
                    : "--token SYMBOL=ID says which token a symbol means; hub market search WORD finds its id")
        }
        for item in try await store(planned, in: currency, isDryRun: isDryRun, operation) { report.add(item) }
        return (file.introduction(name: name), report)
    }

    /// Stores what is new in a file, and returns its items.
    private func store(
        _ planned: PlannedImport, in currency: Currency, isDryRun: Bool, _ operation: Operation
    ) async throws -> [PortfolioImportItem] {
        let steps = { @Sendable (transaction: Transaction) throws -> [ImportStep] in
            try self.plan(planned.trades, transaction) + self.plan(planned.lists, transaction)
                + self.plan(planned.alerts, currency, transaction)
        }
        if isDryRun { return try await store.read { try steps($0).map(\.item) } }
        return try await store.write(operation) { transaction in
            let steps = try steps(transaction)
            for step in steps where step.item.outcome != .unchanged { try step.perform(transaction) }
            if planned.trades.count > 0 {
                try transaction.emit(
                    Event(MarketEvents.tradesChanged, subject: "") { body in
                        body.name("name")
                        body.value(NumberFormat.counted(planned.trades.count, "trade"))
                    })
            }
            return steps.map(\.item)
        }
    }

    /// Returns all trades as a table.
    package func exportPortfolio() async throws -> [UInt8] {
        let records = try await tradeRecords()
        return TradeCSV.write(
            records.map(\.trade),
            symbols: records.reduce(into: [:]) { $0.merge($1.symbols) { first, _ in first } })
    }
}

/// What a file would store, with the tokens that were found for it, and what of it cannot be used.
private struct PlannedImport: Sendable {
    private(set) var trades: [PlannedTrade] = []
    private(set) var lists: [(name: String, keys: [TokenKey])] = []
    private(set) var alerts: [(KnownToken, AlertCondition)] = []
    private(set) var problems: [PortfolioImportProblem]
    private let resolved: ResolvedTokens
    /// The name of the format in the marks of rows.
    private let source: String
    /// The number of lines that say the same.
    private var repeats: [String: Int] = [:]

    init(_ file: PortfolioImport, _ resolved: ResolvedTokens, source: String) {
        problems = file.issues.map {
            PortfolioImportProblem(line: $0.line, message: $0.message, excerpt: $0.excerpt)
        }
        self.resolved = resolved
        self.source = source
    }

    /// Adds an entry; `currency` and `day` are for a line without them.
    mutating func add(
        _ item: PortfolioImport.ImportedTrade, in currency: Currency, on day: CivilDate, isOffline: Bool
    ) {
        var tokens: [KnownToken] = []
        for reference in item.references {
            guard
                let token = writtenToken(reference, item, isOffline: isOffline)
                    ?? token(reference.token, item.line)
            else { return }
            tokens.append(token)
        }
        do throws(Trade.Problem) {
            let trade = try item.trade(tokens, in: currency, on: day)
            let identity = item.identity ?? item.contents(trade, source)
            repeats[identity, default: 0] += 1
            trades.append(
                PlannedTrade(
                    trade: trade, tokens: tokens, identity: identity, place: repeats[identity] ?? 0,
                    isWritten: item.tradeID != nil,
                    remarks: item.references.compactMap { resolved.remarks[$0.token] }))
        } catch {
            problems.append(PortfolioImportProblem(line: item.line, message: HubError(error).message))
        }
    }

    mutating func add(_ list: PortfolioImport.ImportedWatchlist) {
        let missing = list.tokens.filter(resolved.isNoToken).map { "\"\($0.text)\"" }
        let reasons =
            (missing.isEmpty ? [] : ["no token named \(missing.joined(separator: ", "))"])
            + list.tokens.compactMap { resolved.failures[$0] }
        problems += reasons.map { PortfolioImportProblem(line: 0, message: "list \(list.name): \($0)") }
        lists.append((list.name, list.tokens.compactMap { resolved.tokens[$0]?.key }))
    }

    mutating func add(_ alert: PortfolioImport.ImportedAlert) {
        if let token = token(alert.token, 0) { alerts.append((token, alert.condition)) }
    }

    /// Returns the token as a table that hub wrote has it, which is all that is needed to store an entry of a token that
    /// cannot be looked up.
    private func writtenToken(
        _ tokens: PortfolioImport.Tokens, _ item: PortfolioImport.ImportedTrade, isOffline: Bool
    ) -> KnownToken? {
        let isUnreachable = isOffline || resolved.failures[tokens.token] != nil
        let isByHub = item.tradeID != nil
        let isUsed = resolved.unknown.contains(tokens.token) && (isUnreachable || isByHub)
        return isUsed ? tokens.written(isByHub: isByHub, hasTokenIDs: item.hasTokenIDs) : nil
    }

    private mutating func token(_ reference: TokenReference, _ line: Int) -> KnownToken? {
        if let token = resolved.tokens[reference] { return token }
        let reason = resolved.failures[reference] ?? "no token named \"\(reference.text)\""
        problems.append(PortfolioImportProblem(line: line, message: reason))
        return nil
    }
}

extension ResolvedTokens {
    /// Whether no provider has the token.
    fileprivate func isNoToken(_ reference: TokenReference) -> Bool {
        tokens[reference] == nil && failures[reference] == nil
    }
}

/// One change of an import, and how it is made.
private struct ImportStep: Sendable {
    let item: PortfolioImportItem
    let perform: @Sendable (Transaction) throws -> Void
}

/// An entry of a file that is to be stored.
private struct PlannedTrade: Sendable {
    let trade: Trade
    /// Its tokens, that of the entry first.
    let tokens: [KnownToken]
    /// What the line says, apart from the time of the day.
    let identity: String
    /// Its number among the lines that say the same, from 1: the same line twice in a file is two entries.
    let place: Int
    /// Whether the file names the entry that hub wrote.
    let isWritten: Bool
    let remarks: [String]

    /// The mark of the line in this file and any copy of it.
    var source: String {
        var hash = FNV1a()
        hash.add("\(identity)|\(place)".utf8)
        return hash.hexadecimal
    }

    var words: [String] {
        let isUnknown = trade.value == nil && (trade.kind == .buy || trade.kind == .sell)
        return (isUnknown ? ["no price in the file; its \(trade.kind == .buy ? "cost" : "gain") is not known"] : [])
            + remarks
    }
}

extension PortfolioImport.Tokens {
    /// The token of a line that has its id and its symbol.
    fileprivate func written(isByHub: Bool, hasTokenIDs: Bool) -> KnownToken? {
        // What is called like its symbol may be no id.
        guard case .id(let text) = token, let symbol = symbol ?? (hasTokenIDs ? text.uppercased() : nil),
            isByHub || hasTokenIDs || text.uppercased() != symbol
        else { return nil }
        let key = TokenKey(text)
        return Token(id: key.id, symbol: symbol, name: symbol).map { KnownToken(key: key, token: $0, rank: nil) }
    }
}

extension PortfolioImport.ImportedTrade {
    /// The entry with tokens that were found for ``references``.
    fileprivate func trade(
        _ found: [KnownToken], in currency: Currency, on day: CivilDate
    ) throws(Trade.Problem) -> Trade {
        var others = found.dropFirst().map(\.key.text)[...]
        let received = self.received.flatMap { tokens in
            others.popFirst().map { Trade.Tokens(tokenID: $0, amount: tokens.amount) }
        }
        let coin = feeTokens.flatMap { tokens in
            others.popFirst().map { Trade.Tokens(tokenID: $0, amount: tokens.amount) }
        }
        let known = tradeID.flatMap { $0.utf8.count == Identifier.length && Identifier.isPrefix($0) ? $0 : nil }
        return try Trade(
            id: known ?? Identifier.make(), tokenID: found[0].key.text, kind: kind, amount: amount, value: value,
            received: received, fee: coin.map { .coin($0, value: feeValue) } ?? .money(fee),
            currency: self.currency ?? currency, date: date ?? day, time: time, details: details)
    }

    /// What the line says, apart from the time of the day.
    fileprivate func contents(_ trade: Trade, _ source: String) -> String {
        // A purchase or sale for money keeps the mark that earlier versions gave it.
        let parts = [
            source, trade.tokenID, kind.rawValue, amount.description, price?.description ?? "",
            fee.description, currency?.code ?? "", date?.description ?? "",
        ]
        return (parts + trade.extras).joined(separator: "|")
    }
}

extension Trade {
    /// What an entry has beside the fields of a plain purchase or sale.
    fileprivate var extras: [String] {
        var parts: [String] = []
        func add(_ name: String, _ text: String?) { if let text, !text.isEmpty { parts.append("\(name)=\(text)") } }
        if case .total(let total)? = value { add("total", "\(total)") }
        add("received", received.map { "\($0.amount) \($0.tokenID)" })
        if case .coin(let tokens, let value) = fee {
            add("fee", "\(tokens.amount) \(tokens.tokenID)")
            add("fee_value", value?.description)
        }
        add("income", details.income?.rawValue)
        add("place", details.place)
        add("destination", details.destination)
        add("portfolio", details.portfolio)
        return parts
    }

    /// What makes two entries the same to a person: all but the id, the time of the day, the note and the tags.
    fileprivate var likeness: String {
        let parts = [
            tokenID, kind.rawValue, "\(amount)", price?.description ?? "", fee.money?.description ?? "", currency.code,
            "\(date)",
        ]
        return (parts + extras).joined(separator: "|")
    }
}

/// Stored entries that rows of a file may stand for, each for one row: a row with a time stands for an entry of that time, or
/// one without a time.
private struct LikeTrades {
    private var counts: [String: [Int?: Int]] = [:]

    init(_ trades: [Trade]) {
        for trade in trades { counts[trade.likeness, default: [:]][trade.time, default: 0] += 1 }
    }

    /// Takes an entry like this one; false if there is none left.
    mutating func take(_ trade: Trade) -> Bool {
        let likeness = trade.likeness
        guard let times = counts[likeness] else { return false }
        func has(_ time: Int?) -> Bool { times[time] ?? 0 > 0 }
        let time: Int??
        if has(trade.time) {
            time = .some(trade.time)
        } else if trade.time != nil {
            time = has(nil) ? .some(nil) : nil
        } else {
            time = times.keys.filter(has).min { ($0 ?? -1) < ($1 ?? -1) }
        }
        guard let time else { return false }
        counts[likeness]?[time, default: 0] -= 1
        return true
    }
}

extension MarketPlugin {
    /// The steps that store the trades of a file. One that is stored already, by hand or by an import, stays; one that hub wrote
    /// and that was edited in the file is changed.
    fileprivate func plan(_ trades: [PlannedTrade], _ transaction: Transaction) throws -> [ImportStep] {
        let live = try tradeRecords(transaction).map(\.trade)
        let byID = Dictionary(live.map { ($0.id, $0) }) { first, _ in first }
        var others = LikeTrades(live)
        let planned = try trades.map { item in
            let trade = try item.trade.renamingTokens { try preferred(TokenKey($0), transaction).text }
            let own = item.isWritten ? try transaction.trade(trade.id) : nil
            let isKnown = try own != nil || transaction.hasTrade(from: item.source)
            // What is known stands for itself, and for no other row that says the same.
            if isKnown { _ = others.take(trade) }
            return (item: item, trade: trade, own: own, isKnown: isKnown)
        }
        return planned.map { item, trade, own, isKnown in
            let outcome: ImportOutcome
            if let own {
                outcome = own.deletedAt != nil || byID[own.id] == trade ? .unchanged : .updated
            } else {
                outcome = isKnown || others.take(trade) ? .unchanged : .new
            }
            let symbols = Dictionary(zip(item.trade.tokenIDs, item.tokens.map(\.token.symbol))) { first, _ in first }
            let name = TradeRecord(trade: item.trade, symbols: symbols, revision: 1, deletedAt: nil).name
            return ImportStep(
                item: PortfolioImportItem(outcome: outcome, id: trade.id, name: name, words: item.words)
            ) { transaction in
                for token in item.tokens where try transaction.token(token.key) == nil {
                    try transaction.storeToken(token.token, token.key, rank: token.rank)
                }
                if outcome == .updated {
                    try transaction.updateTrade(trade)
                } else {
                    try transaction.insertTrade(trade, source: item.source)
                }
            }
        }
    }

    fileprivate func plan(
        _ lists: [(name: String, keys: [TokenKey])], _ transaction: Transaction
    ) throws -> [ImportStep] {
        try lists.map { name, keys in
            let old = try watchlist(name, transaction)
            var list = old
            for key in keys { _ = list.add(try preferred(key, transaction).text) }
            let outcome: ImportOutcome = list == old ? .unchanged : old.ids.isEmpty ? .new : .updated
            let changed = list
            return ImportStep(
                item: PortfolioImportItem(
                    outcome: outcome, id: "", name: "list \(name)",
                    words: [NumberFormat.counted(list.ids.count - old.ids.count, "token")])
            ) { transaction in
                try transaction.storeWatchlist(changed)
                try transaction.emit(watchlist: name)
            }
        }
    }

    fileprivate func plan(
        _ alerts: [(KnownToken, AlertCondition)], _ currency: Currency, _ transaction: Transaction
    ) throws -> [ImportStep] {
        let known = try transaction.alerts()
        return try alerts.map { token, condition in
            let record = AlertRecord(
                id: Identifier.make(), key: try preferred(token.key, transaction), symbol: token.token.symbol,
                condition: condition, currency: currency, isEnabled: true, command: nil, revision: 1, deletedAt: nil)
            let isKnown = try known.contains {
                try preferred($0.key, transaction) == record.key && $0.condition == condition && $0.currency == currency
            }
            return ImportStep(
                item: PortfolioImportItem(
                    outcome: isKnown ? .unchanged : .new, id: record.id, name: "alert \(record.name)", words: [])
            ) { transaction in
                try transaction.insertAlert(record)
                try transaction.emit(MarketEvents.alertsChanged, record)
            }
        }
    }
}
