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
    /// The coin of a provider's id changed.
    package static let coinsChanged: Topic = "domain.market/coins-changed"
    /// Alerts changed.
    package static let alertsChanged: Topic = "domain.market/alerts-changed"
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
            coinsChanged, "A person said of which coin a provider's id is.", subject: "id", fields: [name]),
        AlertRaisedBody.event.declaration,
        TopicDeclaration(
            providersChanged, delivery: .live, "The state of a provider changed.", subject: "none"),
        TopicDeclaration(
            interestChanged, delivery: .live, "More rows of the board are visible than before.", subject: "none"),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The name of the list, token or alert.")
}

/// The body of `app.market/alert-raised`.
struct AlertRaisedBody: EventBody {
    var name: String
    var token: String
    var condition: String
    var price: String
    var currency: String
    var percent: String?
    var provider: String
    var crossedOffline: Bool
    var notify: EventNotification

    static let example = AlertRaisedBody(
        name: "BTC > 100000 USD", token: "bitcoin", condition: "> 100000", price: "100012.5", currency: "usd",
        percent: nil, provider: "coingecko", crossedOffline: false,
        notify: EventNotification("BTC > 100000 USD", "BTC is at $100,012.50"))

    static let event = EventType(
        "app.market/alert-raised", "A price fulfilled the condition of an alert.", subject: "alert id",
        like: "4a03xd9m2qwz5v8rjh41",
        fields: [
            EventField("name", \AlertRaisedBody.name, "The name of the list, token or alert."),
            EventField("token", \AlertRaisedBody.token, "The key of the token, such as bitcoin."),
            EventField("condition", \AlertRaisedBody.condition, "The condition, such as > 100000."),
            EventField("price", \AlertRaisedBody.price, "The price, an exact decimal."),
            EventField("currency", \AlertRaisedBody.currency, "The currency."),
            EventField("percent", \AlertRaisedBody.percent, "The change in percent, of an alert about a change."),
            EventField("provider", \AlertRaisedBody.provider, "The source of the price."),
            EventField(
                "crossed_offline", \AlertRaisedBody.crossedOffline,
                "Whether no fresh prices were known while it crossed the bound."),
            EventField("notify", \AlertRaisedBody.notify, "The title and body of a desktop notification."),
        ])
}
