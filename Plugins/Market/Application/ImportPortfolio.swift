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
        let text = String(decoding: bytes, as: UTF8.self)
        let format = format ?? PortfolioFormat.detect(name: name, text)
        let found: PortfolioImport
        do throws(PortfolioImport.Issue) {
            found =
                switch format {
                case .csv: try TradeCSV.read(bytes)
                case .ticker: try TickerConfig.read(text)
                case .cointop: try CointopConfig.read(text)
                }
        } catch {
            throw HubError(
                .invalid, code: "unreadable-file", "\(name):\(error.line): \(error.message)",
                hint: "--as csv, ticker or cointop names the format")
        }
        var report = ImportReport<PortfolioImportItem, PortfolioImportProblem>(keepsAll: keepsAll)
        report.itemName = "trade"
        var problems = found.issues.map { PortfolioImportProblem(line: $0.line, message: $0.message) }
        let resolved = try await resolve(found, isOffline: isOffline)
        let (tokens, failures) = (resolved.tokens, resolved.failures)
        func token(_ reference: TokenReference, _ line: Int) -> KnownToken? {
            if let token = tokens[reference] { return token }
            let reason = failures[reference] ?? "no token named \"\(reference.text)\""
            problems.append(PortfolioImportProblem(line: line, message: reason))
            return nil
        }
        var trades: [PlannedTrade] = []
        var repeats: [String: Int] = [:]
        for item in found.trades {
            // A table that hub wrote has all that is needed to store a trade of a token that cannot be looked up.
            let isUnreachable = isOffline || self.isOffline || failures[item.token] != nil
            let written =
                resolved.unknown.contains(item.token) && (isUnreachable || item.tradeID != nil)
                ? item.writtenToken : nil
            guard let token = written ?? token(item.token, item.line) else { continue }
            do throws(Trade.Problem) {
                let trade = try Trade(
                    id: item.tradeID.flatMap {
                        $0.utf8.count == Identifier.length && Identifier.isPrefix($0) ? $0 : nil
                    } ?? Identifier.make(),
                    tokenID: token.key.text, kind: item.kind, amount: item.amount, price: item.price ?? 0,
                    fee: item.fee,
                    currency: item.currency ?? currency, date: item.date ?? clock.today, time: item.time)
                let identity = item.identity(token, format)
                repeats[identity, default: 0] += 1
                trades.append(
                    PlannedTrade(
                        trade: trade, token: token, identity: identity, place: repeats[identity] ?? 0,
                        isWritten: item.tradeID != nil, hasPrice: item.price != nil,
                        remark: resolved.remarks[item.token]))
            } catch {
                problems.append(PortfolioImportProblem(line: item.line, message: HubError(error).message))
            }
        }
        let lists = found.watchlists.map { list in
            let missing = list.tokens.filter { tokens[$0] == nil && failures[$0] == nil }
            if !missing.isEmpty {
                let names = missing.map { "\"\($0.text)\"" }.joined(separator: ", ")
                problems.append(
                    PortfolioImportProblem(line: 0, message: "list \(list.name): no token named \(names)"))
            }
            for reference in list.tokens {
                if let reason = failures[reference] {
                    problems.append(PortfolioImportProblem(line: 0, message: "list \(list.name): \(reason)"))
                }
            }
            return (name: list.name, keys: list.tokens.compactMap { tokens[$0]?.key })
        }
        let alerts = found.alerts.compactMap { alert in token(alert.token, 0).map { ($0, alert.condition) } }
        report.skip(problems)
        if found.references.contains(where: { tokens[$0] == nil && failures[$0] == nil }) {
            report.notes.append(
                "hub has prices of crypto tokens only, not of stocks; hub market search WORD finds a token")
        }
        let (newTrades, newLists, newAlerts) = (trades, lists, alerts)
        let plan = { @Sendable (transaction: Transaction) throws -> [ImportStep] in
            try self.plan(newTrades, transaction) + self.plan(newLists, transaction)
                + self.plan(newAlerts, currency, transaction)
        }
        let items: [PortfolioImportItem]
        if isDryRun {
            items = try await store.read { try plan($0).map(\.item) }
        } else {
            items = try await store.write(operation) { transaction in
                let planned = try plan(transaction)
                for step in planned where step.item.outcome != .unchanged { try step.perform(transaction) }
                if newTrades.count > 0 {
                    try transaction.emit(
                        Event(MarketEvents.tradesChanged, subject: "") { body in
                            body.name("name")
                            body.value(NumberFormat.counted(newTrades.count, "trade"))
                        })
                }
                return planned.map(\.item)
            }
        }
        for item in items { report.add(item) }
        return report
    }

    /// Returns all trades as a table.
    package func exportPortfolio() async throws -> [UInt8] {
        let records = try await tradeRecords()
        return TradeCSV.write(
            records.map(\.trade),
            symbols: Dictionary(records.map { ($0.trade.tokenID, $0.symbol) }) { first, _ in first })
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
