package import HubKit
package import Storage

/// The events that Market publishes.
package enum MarketEvents {
    /// Prices, names or the order of tokens changed: read them again.
    package static let priceChanged: Topic = "domain.market/price-changed"
    /// The user's lists changed.
    package static let watchlistsChanged: Topic = "domain.market/watchlists-changed"
    /// Trades of the portfolio changed.
    package static let tradesChanged: Topic = "domain.market/trades-changed"
    /// Alerts changed.
    package static let alertsChanged: Topic = "domain.market/alerts-changed"
    /// An alert was raised.
    package static let alertRaised: Topic = "app.market/alert-raised"
    /// What a provider does changed: a link was lost, a limit was met.
    package static let providersChanged: Topic = "gate.market/providers-changed"

    /// More rows of the board are visible than before.
    package static let interestChanged: Topic = "app.market/interest-changed"

    /// The events of trades as entities: one for all changes.
    package static let tradeTopics = EntityTopics(added: tradesChanged, changed: tradesChanged, removed: tradesChanged)
    /// The events of alerts as entities.
    package static let alertTopics = EntityTopics(added: alertsChanged, changed: alertsChanged, removed: alertsChanged)

    /// The event declarations for the plugin descriptor.
    package static let declarations = [
        TopicDeclaration(
            priceChanged, delivery: .live, "Prices, names or the order of tokens changed.", subject: "none"),
        TopicDeclaration(
            watchlistsChanged, "A watchlist was changed.", subject: "name of the list", fields: [name]),
        TopicDeclaration(
            tradesChanged, "A trade was added, changed, removed or restored.", subject: "trade id", fields: [name]),
        TopicDeclaration(
            alertsChanged, "An alert was added, changed, removed or restored.", subject: "alert id", fields: [name]),
        TopicDeclaration(
            alertRaised, "A price fulfilled the condition of an alert.", subject: "alert id",
            fields: [
                name, .init("token", .string, "The key of the token, such as bitcoin."),
                .init("condition", .string, "The condition, such as > 100000."),
                .init("price", .string, "The price, an exact decimal."), .init("currency", .string, "The currency."),
                .init("percent", .string, optional: true, "The change in percent, of an alert about a change."),
                .init("provider", .string, "The source of the price."),
                .init("crossed_offline", .boolean, "Whether no fresh prices were known while it crossed the bound."),
                .init("notify", .object, "The title and body of a desktop notification."),
            ]),
        TopicDeclaration(
            providersChanged, delivery: .live, "The state of a provider changed.", subject: "none"),
        TopicDeclaration(
            interestChanged, delivery: .live, "More rows of the board are visible than before.", subject: "none"),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The name of the list, token or alert.")
}
