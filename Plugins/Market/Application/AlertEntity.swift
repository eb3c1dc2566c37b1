package import HubKit
package import MarketDomain

extension AlertRecord: EntityRecord, EntitySummary {}

extension AlertRecord {
    /// The description of alerts, from which their selectors and trash follow.
    package static let kind: EntityKind<AlertRecord> = EntityKind(
        one: "alert", many: "alerts", command: "hub market alerts", table: "market_alert",
        idTables: ["market_trade", "market_alert"], topics: MarketEvents.alertTopics,
        selectors: .names(words: MarketWords.split) { try $1.alerts(inTrash: $0) },
        rules: EntityKind<AlertRecord>.Rules(destroy: { try $1.destroyAlert($0) }), find: { try $1.alert($0) })
}
