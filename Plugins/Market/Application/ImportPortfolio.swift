import BigInteger
import CivilDate
package import Commands
import Hashing
import HubKit
package import MarketDomain
import Storage

/// A format of files with trades.
package enum PortfolioFormat: String, CaseIterable, Sendable {
    case csv, ticker, cointop

    /// The format of a file by its name and beginning.
    package static func detect(name: String, _ text: String) -> PortfolioFormat {
        if name.hasSuffix(".toml") { return .cointop }
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return .ticker }
        if name.hasSuffix(".csv") { return .csv }
        if text.contains("[portfolio]") || text.contains("[favorites]") { return .cointop }
        let first = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
        return first.contains(",") ? .csv : .ticker
    }
}

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

    /// None: a file stands alone.
    package var file: String? { nil }
    /// The whole line.
    package var column: Int { 1 }
    /// None.
    package var subject: String? { nil }
    /// None: the line number is enough.
    package var excerptLines: [String] { [] }
}

extension MarketPlugin {
    /// Imports trades, lists and alerts of a file of ticker or cointop, or a table. What was imported before is not imported
    /// again. Throws `invalid` for a file that is none of these.
    package func importPortfolio(
        _ bytes: [UInt8], name: String, as format: PortfolioFormat?, in currency: Currency, isOffline: Bool,
        isDryRun: Bool, keepsAll: Bool, operation: Operation
    ) async throws -> ImportReport<PortfolioImportItem, PortfolioImportProblem> {
        let (found, format) = try read(bytes, name: name, as: format)
        let resolved = try await resolve(found, isOffline: isOffline)
        var planned = PlannedImport(found, resolved, format)
        for trade in found.trades {
            planned.add(trade, in: currency, on: clock.today, isOffline: isOffline || self.isOffline)
        }
        for list in found.watchlists { planned.add(list) }
        for alert in found.alerts { planned.add(alert) }

        var report = ImportReport<PortfolioImportItem, PortfolioImportProblem>(keepsAll: keepsAll)
        report.itemName = "trade"
        report.skip(planned.problems)
        if found.references.contains(where: resolved.isNoToken) {
            report.notes.append(
                "hub has prices of crypto tokens only, not of stocks; hub market search WORD finds a token")
        }
        for item in try await store(planned, in: currency, isDryRun: isDryRun, operation) { report.add(item) }
        return report
    }

    private func read(
        _ bytes: [UInt8], name: String, as format: PortfolioFormat?
    ) throws -> (PortfolioImport, PortfolioFormat) {
        let text = String(decoding: bytes, as: UTF8.self)
        let format = format ?? PortfolioFormat.detect(name: name, text)
        do throws(PortfolioImport.Issue) {
            switch format {
            case .csv: return (try TradeCSV.read(bytes), format)
            case .ticker: return (try TickerConfig.read(text), format)
            case .cointop: return (try CointopConfig.read(text), format)
            }
        } catch {
            throw HubError(
                .invalid, code: "unreadable-file", "\(name):\(error.line): \(error.message)",
                hint: "--as csv, ticker or cointop names the format")
        }
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
            symbols: Dictionary(records.map { ($0.trade.tokenID, $0.symbol) }) { first, _ in first })
    }
}

/// What a file would store, with the tokens that were found for it, and what of it cannot be used.
private struct PlannedImport: Sendable {
    private(set) var trades: [PlannedTrade] = []
    private(set) var lists: [(name: String, keys: [TokenKey])] = []
    private(set) var alerts: [(KnownToken, AlertCondition)] = []
    private(set) var problems: [PortfolioImportProblem]
    private let resolved: ResolvedTokens
    private let format: PortfolioFormat
    /// The number of lines that say the same.
    private var repeats: [String: Int] = [:]

    init(_ file: PortfolioImport, _ resolved: ResolvedTokens, _ format: PortfolioFormat) {
        problems = file.issues.map { PortfolioImportProblem(line: $0.line, message: $0.message) }
        self.resolved = resolved
        self.format = format
    }

    /// Adds a trade; `currency` and `day` are for a line without them.
    mutating func add(
        _ item: PortfolioImport.ImportedTrade, in currency: Currency, on day: CivilDate, isOffline: Bool
    ) {
        guard let token = writtenToken(item, isOffline: isOffline) ?? token(item.token, item.line) else { return }
        do throws(Trade.Problem) {
            let trade = try Trade(
                id: item.tradeID.flatMap { $0.utf8.count == Identifier.length && Identifier.isPrefix($0) ? $0 : nil }
                    ?? Identifier.make(),
                tokenID: token.key.text, kind: item.kind, amount: item.amount, price: item.price ?? 0,
                fee: item.fee, currency: item.currency ?? currency, date: item.date ?? day, time: item.time)
            let identity = item.identity(token, format)
            repeats[identity, default: 0] += 1
            trades.append(
                PlannedTrade(
                    trade: trade, token: token, identity: identity, place: repeats[identity] ?? 0,
                    isWritten: item.tradeID != nil, hasPrice: item.price != nil, remark: resolved.remarks[item.token]))
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

    /// Returns the token as a table that hub wrote has it, which is all that is needed to store a trade of a token that
    /// cannot be looked up.
    private func writtenToken(_ item: PortfolioImport.ImportedTrade, isOffline: Bool) -> KnownToken? {
        let isUnreachable = isOffline || resolved.failures[item.token] != nil
        let isUsed = resolved.unknown.contains(item.token) && (isUnreachable || item.tradeID != nil)
        return isUsed ? item.writtenToken : nil
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

/// A trade of a file that is to be stored.
private struct PlannedTrade: Sendable {
    let trade: Trade
    let token: KnownToken
    /// What the line says, apart from the time of the day.
    let identity: String
    /// Its number among the lines that say the same, from 1: the same line twice in a file is two trades.
    let place: Int
    /// Whether the file names the trade that hub wrote.
    let isWritten: Bool
    let hasPrice: Bool
    let remark: String?

    /// The mark of the line in this file and any copy of it.
    var source: String {
        var hash = FNV1a()
        hash.add("\(identity)|\(place)".utf8)
        return hash.hexadecimal
    }

    var words: [String] {
        (hasPrice ? [] : ["no price in the file; its cost counts as 0"]) + (remark.map { [$0] } ?? [])
    }
}

extension PortfolioImport.ImportedTrade {
    /// The token of a line that has its id and its symbol.
    fileprivate var writtenToken: KnownToken? {
        // What is called like its symbol may be no id.
        guard case .id(let text) = token, let symbol, tradeID != nil || text.uppercased() != symbol else { return nil }
        let key = TokenKey(text)
        return Token(id: key.id, symbol: symbol, name: symbol).map { KnownToken(key: key, token: $0, rank: nil) }
    }

    /// What the line says, apart from the time of the day.
    fileprivate func identity(_ token: KnownToken, _ format: PortfolioFormat) -> String {
        [
            format.rawValue, token.key.text, kind.rawValue, amount.description, price?.description ?? "",
            fee.description, currency?.code ?? "", date?.description ?? "",
        ].joined(separator: "|")
    }
}

extension Trade {
    /// What makes two trades the same to a person: all but the id and the time of the day.
    fileprivate var likeness: String {
        [tokenID, kind.rawValue, "\(amount)", "\(price)", "\(fee)", currency.code, "\(date)"].joined(separator: "|")
    }
}

extension MarketPlugin {
    /// The steps that store the trades of a file. One that is stored already, by hand or by an import, stays; one that hub wrote
    /// and that was edited in the file is changed.
    fileprivate func plan(_ trades: [PlannedTrade], _ transaction: Transaction) throws -> [ImportStep] {
        let live = try tradeRecords(transaction).map(\.trade)
        let counts = Dictionary(grouping: live, by: \.likeness).mapValues(\.count)
        var places: [String: Int] = [:]
        return try trades.map { item in
            let trade = item.trade.of(token: try preferred(item.token.key, transaction).text)
            let own = item.isWritten ? try transaction.trade(trade.id) : nil
            places[trade.likeness, default: 0] += 1
            let isLike = places[trade.likeness] ?? 0 <= counts[trade.likeness] ?? 0
            let outcome: ImportOutcome
            if let own {
                let stored = live.first { $0.id == own.id }
                outcome = own.deletedAt != nil || stored == trade ? .unchanged : .updated
            } else {
                outcome = try isLike || transaction.hasTrade(from: item.source) ? .unchanged : .new
            }
            let name = "\(trade.kind.rawValue) \(trade.amount) \(item.token.token.symbol)"
            return ImportStep(
                item: PortfolioImportItem(outcome: outcome, id: trade.id, name: name, words: item.words)
            ) { transaction in
                if try transaction.token(item.token.key) == nil {
                    try transaction.storeToken(item.token.token, item.token.key, rank: item.token.rank)
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
