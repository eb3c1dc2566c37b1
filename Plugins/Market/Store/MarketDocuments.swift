import Storage

/// What hubs exchange of the market: trades, lists, definitions of alerts, and which tokens are one coin. Prices are fetched by each, and
/// the state of an alert is of the machine that looks at them.
enum MarketDocuments {
    static let all = [
        DocumentKind("coins", tables: [DocumentTable("market_link", subject: "token")]),
        DocumentKind(
            "trades", noun: ("trade", "trades"),
            tables: [
                DocumentTable(
                    "market_trade", subject: "id",
                    rules: [
                        "revision": .revision, "created_at": .least, "changed_at": .greatest, "deleted_at": .trash,
                    ],
                    // Of two different trades no third one is made.
                    groups: [
                        ["token", "kind", "amount", "price", "total", "received_token", "received_amount", "currency"],
                        ["fee", "fee_token", "fee_value"], ["day", "time"],
                    ])
            ], match: ["day", "token", "kind", "amount", "price"]),
        DocumentKind(
            "watchlists", noun: ("watchlist", "watchlists"), tables: [DocumentTable("market_watch", subject: "list")]),
        DocumentKind(
            "alerts", noun: ("alert", "alerts"),
            tables: [
                DocumentTable(
                    "market_alert", subject: "id",
                    rules: [
                        // A command runs only on the machine on which it was given: who has the password of one machine runs nothing on
                        // another.
                        "command": .local,
                        "revision": .revision, "created_at": .least, "changed_at": .greatest, "deleted_at": .trash,
                    ])
            ], match: ["token", "condition", "currency"]),
    ]
}
