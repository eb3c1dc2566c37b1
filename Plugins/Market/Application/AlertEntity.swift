package import HubKit
package import MarketDomain

extension AlertRecord: EntityRecord, EntitySummary {}

extension AlertRecord {
    /// The description of alerts, from which their selectors and trash follow.
    package static let kind: EntityKind<AlertRecord> = EntityKind(
        one: "alert", many: "alerts", command: "hub market alerts", table: "market_alert",
        idTables: ["market_trade", "market_alert"], topics: MarketEvents.alertTopics,
        selectors: .names(words: MarketWords.split) { try $1.alerts(inTrash: $0) },
        rules: EntityKind<AlertRecord>.Rules(destroy: { try $1.destroyAlert($0) }), past: past,
        find: { try $1.alert($0) })

    private static let past = EntityPast { id, rows in
        let table = "market_alert"
        guard rows.has(table) else { return [] }
        let symbol = try await rows.now { try $0.alert(id) }?.symbol ?? rows.text("token", of: table)
        let condition = "\(rows.text("condition", of: table)) \(rows.text("currency", of: table).uppercased())"
        return [
            ("name", "\(symbol) \(condition)"), ("state", rows.text("enabled", of: table) == "1" ? "on" : "off"),
            ("command", rows.text("command", of: table)),
        ]
    }
}
