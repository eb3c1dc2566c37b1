import Commands
import MarketDomain

/// `hub market watch`: the live board.
enum WatchCommand {
    static let command = Command(
        "watch", summary: "watch prices live in the terminal",
        discussion: [
            "Keys: q quits; arrows, space, g and G move; # n s p 1 2 7 v m sort by rank, name, symbol, price, change in 1 "
                + "hour, 24 hours and 7 days, volume and market cap; r reverses the order; w adds the selected token to the "
                + "watchlist or removes it; W shows the watchlist only; / filters by words as you type; R fetches now.",
            "In a pipe, or with --json, each changed price is one line.",
        ],
        examples: [
            Example("hub market watch", "the largest tokens"),
            Example("hub market watch --json=id,price,as_of", "changed prices as JSON lines"),
        ], parameters: [MarketOptions.currency], fields: PriceFields.all(.usd)
    ) { (market: MarketPlugin, input: Input) in
        let currency = MarketOptions.currency(input, market)
        if input.showsTable, let screen = input.console.fullScreen() {
            defer { screen.close() }
            try await BoardLoop(market: market, screen: screen, currency: currency, isOffline: input.offline).run()
            return .nothing
        }
        let fields = PriceFields.all(currency)
        return Output(
            .stream(fields.map(\.descriptor), PriceStream(market, currency, fields, isOffline: input.offline)))
    }
}
