import CivilDate
package import HubKit
package import MarketDomain
import Storage

extension TradeRecord: EntityRecord, EntitySummary {
    /// The day of the trade.
    package var distinction: String { trade.date.description }
}

extension TradeRecord {
    /// The description of trades, from which their selectors and trash follow.
    package static let kind: EntityKind<TradeRecord> = EntityKind(
        one: "trade", many: "trades", command: "hub market portfolio", table: "market_trade",
        idTables: ["market_trade", "market_alert"], topics: MarketEvents.tradeTopics,
        selectors: .names(words: MarketWords.split) { try $1.trades(inTrash: $0) },
        rules: EntityKind<TradeRecord>.Rules(destroy: { try $1.destroyTrade($0) }), tags: tagRules,
        past: past, find: { try $1.trade($0) })

    private static let past = EntityPast { id, rows in
        let table = "market_trade"
        guard rows.has(table) else { return [] }
        let known = try await rows.now { try $0.trade(id) }
        func text(_ column: String) -> String { rows.text(column, of: table) }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func tokens(_ amount: String, _ token: String) -> String {
            token.isEmpty ? "" : "\(amount) \(known?.symbol(of: token) ?? token)"
        }
        func money(_ column: String) -> String {
            let sum = text(column)
            return sum.isEmpty || sum == "0" ? "" : "\(sum) \(text("currency").uppercased())"
        }
        let received = tokens(text("received_amount"), text("received_token"))
        let kind = text("kind").replacing("-", with: " ")
        let name = "\(kind) \(tokens(text("amount"), text("token")))\(received.isEmpty ? "" : " for \(received)")"
        let fee = text("fee_token").isEmpty ? money("fee") : tokens(text("fee"), text("fee_token"))
        return [
            ("name", name), ("price", money("price")), ("total", money("total")), ("fee", fee), ("date", text("day")),
            ("time", Int(text("time")).map { "\(two($0 / 3600)):\(two($0 / 60 % 60))" } ?? ""),
            ("source", text("income")),
            ("place", text("place")), ("destination", text("destination")), ("portfolio", text("portfolio")),
            ("note", text("note")), ("tags", text("tags").replacing("\n", with: ", ")),
        ]
    }

    /// Tags are compared without case.
    private static let tagRules: EntityTags<TradeRecord> = EntityTags({ $0.tags }, folded: { $0.lowercased() }) {
        let used = try $0.trades().flatMap(\.tags)
        return Dictionary(grouping: used) { $0.lowercased() }.sorted { $0.key < $1.key }.map {
            TagUsage($0.value[0], count: $0.value.count)
        }
    } tagged: { wanted, words, transaction in
        let words = MarketWords.split(words)
        return try transaction.trades().filter { record in
            let (own, name) = (Set(record.tags.map { $0.lowercased() }), MarketWords.split(record.name))
            return wanted.allSatisfy { own.contains($0.lowercased()) }
                && words.allSatisfy { word in name.contains { $0.hasPrefix(word) } }
        }
    } change: { id, transaction, change in
        let record = try TradeRecord.kind.live(id, in: transaction)
        var new = TradeChange()
        var tags = record.tags
        change(&tags)
        new.tags = Trade.Details.tags(tags.joined(separator: ","))
        guard new.tags != record.tags else { return nil }
        let trade: Trade
        do throws(Trade.Problem) { trade = try new.applied(to: record.trade) } catch { throw HubError(error) }
        return try transaction.storeTrade(trade)
    }
}

/// The words of names, to be compared.
package enum MarketWords {
    /// Returns the words of a text in lower case.
    package static func split(_ text: String) -> [String] {
        text.lowercased().split { $0.isWhitespace }.map(String.init)
    }
}
