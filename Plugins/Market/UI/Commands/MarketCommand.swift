import Commands

/// `hub market` and its subcommands.
enum MarketCommand {
    static let tree = Command(
        group: "market", nouns: ["token", "tokens"], summary: "prices, portfolio, alerts",
        examples: [
            Example("hub market", "the largest tokens"),
            Example("hub market portfolio buy 0.5 btc --price 42000", "record a purchase"),
        ], view: "list",
        subcommands: [
            ListCommand.command, WatchCommand.command, TokenCommands.search, TokenCommands.show, TokenCommands.price,
            TokenCommands.convert,
            ChartCommand.command, WatchlistCommands.tree, PortfolioCommands.tree, RateCommands.tree,
            AlertCommands.tree, CoinCommands.tree,
            ProviderCommands.sync, ProviderCommands.status, ProviderCommands.tree, WalletCommands.tree,
        ]
    ).advising([
        "top": "did you mean hub market list?",
        "buy": "did you mean hub market portfolio buy?", "sell": "did you mean hub market portfolio sell?",
        "favorites": "did you mean hub market watchlist?", "holdings": "did you mean hub market portfolio?",
    ])
}
