import BigInteger
import CivilDate
import Hashing
package import HubKit
package import MarketDomain

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
        let (tokens, failures) = await resolve(found, isOffline: isOffline)
        func token(_ reference: TokenReference, _ line: Int) -> KnownToken? {
            if let token = tokens[reference] { return token }
            let reason = failures[reference] ?? "no token named \"\(reference.text)\""
            problems.append(PortfolioImportProblem(line: line, message: reason))
            return nil
        }
        var trades: [(trade: Trade, source: String, label: String, words: [String])] = []
        var repeats: [String: Int] = [:]
        for item in found.trades {
            guard let token = token(item.token, item.line) else { continue }
            // The same line twice in a file is two trades; the same file twice is not.
            let identity = [
                format.rawValue, token.key.text, item.kind.rawValue, item.amount.description,
                item.price?.description ?? "", item.fee.description, item.currency?.code ?? "",
                item.date?.description ?? "",
            ].joined(separator: "|")
            repeats[identity, default: 0] += 1
            var hash = FNV1a()
            hash.add("\(identity)|\(repeats[identity] ?? 0)".utf8)
            do throws(Trade.Problem) {
                let trade = try Trade(
                    id: Identifier.make(), tokenID: token.key.text, kind: item.kind, amount: item.amount,
                    price: item.price ?? 0, fee: item.fee, currency: item.currency ?? currency,
                    date: item.date ?? clock.today)
                let words = item.price == nil ? ["no price in the file; its cost counts as 0"] : []
                trades.append(
                    (trade, hash.hexadecimal, "\(item.kind.rawValue) \(item.amount) \(token.token.symbol)", words))
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
        let items: [PortfolioImportItem]
        if isDryRun {
            items = try await store.read { transaction in
                try transaction.plan(newTrades) + transaction.plan(newLists) + transaction.plan(newAlerts, currency)
            }.map(\.item)
        } else {
            items = try await store.write(operation) { transaction in
                let planned =
                    try transaction.plan(newTrades) + transaction.plan(newLists)
                    + transaction.plan(newAlerts, currency)
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

    /// Finds the tokens of a file. One that no provider knows is in neither table; one that could not be asked for has a reason.
    private func resolve(
        _ file: PortfolioImport, isOffline: Bool
    ) async -> (tokens: [TokenReference: KnownToken], failures: [TokenReference: String]) {
        var (found, failures): ([TokenReference: KnownToken], [TokenReference: String]) = ([:], [:])
        for reference in file.references {
            do { found[reference] = try await tokens(named: reference.text, isOffline: isOffline).first } catch {
                if let error = error as? HubError, error.kind != .notFound { failures[reference] = error.message }
            }
        }
        return (found, failures)
    }

    /// Returns all trades as a table.
    package func exportPortfolio() async throws -> [UInt8] {
        let records = try await tradeRecords()
        return TradeCSV.write(
            records.map(\.trade),
            symbols: Dictionary(records.map { ($0.trade.tokenID, $0.symbol) }) { first, _ in first })
    }
}

extension PortfolioImport {
    /// The tokens that the file names, each once.
    fileprivate var references: Set<TokenReference> {
        Set(trades.map(\.token) + watchlists.flatMap(\.tokens) + alerts.map(\.token))
    }
}

extension TokenReference {
    /// The word to look for.
    fileprivate var text: String {
        switch self {
        case .id(let text), .symbol(let text), .name(let text): text
        }
    }
}

/// One change of an import, and how it is made.
private struct ImportStep: Sendable {
    let item: PortfolioImportItem
    let perform: @Sendable (Transaction) throws -> Void
}

extension Transaction {
    fileprivate func plan(
        _ trades: [(trade: Trade, source: String, label: String, words: [String])]
    ) throws -> [ImportStep] {
        try trades.map { trade, source, label, words in
            let isKnown = try hasTrade(from: source)
            return ImportStep(
                item: PortfolioImportItem(
                    outcome: isKnown ? .unchanged : .new, id: trade.id, name: label, words: words)
            ) { try $0.insertTrade(trade, source: source) }
        }
    }

    fileprivate func plan(_ lists: [(name: String, keys: [TokenKey])]) throws -> [ImportStep] {
        try lists.map { name, keys in
            let old = try watchlist(name)
            var list = old
            for key in keys { _ = list.add(key.text) }
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

    fileprivate func plan(_ alerts: [(KnownToken, AlertCondition)], _ currency: Currency) throws -> [ImportStep] {
        let known = try self.alerts()
        return alerts.map { token, condition in
            let record = AlertRecord(
                id: Identifier.make(), key: token.key, symbol: token.token.symbol, condition: condition,
                currency: currency, isEnabled: true, command: nil, revision: 1, deletedAt: nil)
            let isKnown = known.contains {
                $0.key == record.key && $0.condition == condition && $0.currency == currency
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
