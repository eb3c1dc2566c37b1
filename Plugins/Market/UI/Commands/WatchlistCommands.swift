import Commands
import MarketDomain
import MarketKnownProviders

/// `hub market watchlist` and its subcommands.
enum WatchlistCommands {
    static let tree = Command(
        group: "watchlist", aliases: ["watchlists"], summary: "lists of tokens",
        examples: [
            Example("hub market watchlist add btc eth", "to the list favorites"),
            Example("hub market watchlist", "with prices"),
        ], view: "list", subcommands: [list, add, remove])

    private static let name = Option<String>(
        "list", "NAME", help: "name of the list (default: \(MarketPlugin.defaultList))",
        completion: .from(MarketPlugin.self) { market, _ in
            try await market.watchlists().map { CompletionWord($0.name, NumberFormat.counted($0.ids.count, "token")) }
        })
    private static let all = Flag("all", help: "show the names of all lists")
    private static let place = Option<Int>("at", "N", in: 1...100_000, help: "position in the list")

    /// The columns of lists.
    static let listFields = [
        Field<Watchlist>("name", "NAME", help: "name of the list") { .text($0.name) },
        Field<Watchlist>("count", "TOKENS", help: "number of tokens", align: .trailing) { .integer($0.ids.count) },
        Field<Watchlist>("tokens", "IDS", help: "ids of the tokens", column: .ifRoom(1)) { FieldValue($0.ids) },
    ]

    private static let sort = Option<BoardColumn>("sort", "FIELD", help: "sort field, as of hub market list")

    private static let list = Command(
        "list", summary: "show a watchlist with prices",
        examples: [
            Example("hub market watchlist", "the list favorites, in its order"),
            Example("hub market watchlist list --list defi --sort change_24h", "another list, by change"),
            Example("hub market watchlist list --all", "all lists"),
        ], parameters: [name, all, sort, SharedOptions.reverse, MarketOptions.currency],
        fields: PriceFields.all(.usd)
    ) { (market: MarketPlugin, input: Input) in
        if input[all] {
            return .list(try await market.watchlists(), listFields, empty: empty)
        }
        let currency = MarketOptions.currency(input, market)
        let wanted = input[name] ?? MarketPlugin.defaultList
        let (found, origin) = try await market.watchlist(wanted, in: currency, isOffline: input.offline)
        var rows = found
        if let column = input[sort] {
            let order = column.order
            rows = LeaderboardOrder(order.column, isDescending: order.isDescending != input[SharedOptions.reverse])
                .sorted(rows.sorted { ($0.number ?? .max) < ($1.number ?? .max) })
        } else if input[SharedOptions.reverse] {
            rows.reverse()
        }
        let seen = rows.shownAsOf
        let notes = rows.isEmpty ? [] : OriginNotes.notes(origin, seen: seen, now: market.clock.now)
        let nothing = rows.isEmpty ? Self.empty(wanted, beside: try await market.watchlists()) : empty
        return Output.list(
            rows, PriceFields.all(currency, isNumbered: rows.contains { $0.number != nil }), empty: nothing
        ).noting(all: notes)
    }

    /// What is said of an empty list: the lists that hold tokens, such as those of an import.
    private static func empty(_ name: String, beside lists: [Watchlist]) -> Diagnostic {
        let others = lists.filter { $0.name != name && !$0.ids.isEmpty }
        guard !others.isEmpty else { return empty }
        return Diagnostic(
            "No tokens in the list \(name)",
            suggestions: others.prefix(3).map {
                Example(
                    "hub market watchlist list --list \(ShellWords.quote($0.name))",
                    NumberFormat.counted($0.ids.count, "token"))
            } + [Example("hub market watchlist add btc eth", "add two")])
    }

    private static let empty = Diagnostic(
        "No tokens in this list", suggestions: [Example("hub market watchlist add btc eth", "add two")])

    private static let add = Command(
        "add", summary: "add tokens to a list",
        examples: [
            Example("hub market watchlist add btc eth", "to the list favorites"),
            Example("hub market watchlist add ada --list defi", "to another list, created if needed"),
            Example("hub market watchlist add eth --at 1", "at its top"),
        ], parameters: [MarketOptions.tokens, name, place], changes: true
    ) { (market: MarketPlugin, input: Input) in
        var chosen: [KnownToken] = []
        for word in try await input.selectors(input[MarketOptions.tokens]) {
            chosen.append(try await MarketOptions.tokenToChange(word, market, input))
        }
        let (wanted, names) = (listName(input), chosen.map(\.token.symbol).joined(separator: ", "))
        if input.dryRun { return .done("Would add \(names) to \(wanted)") }
        let added = try await market.addToWatchlist(
            wanted, chosen.map(\.key), place: input[place], operation: Operation(input))
        if added.isEmpty, input[place] == nil { return .done("\(wanted) has \(names) already") }
        return .edited(added.isEmpty ? "Moved \(names) in \(wanted)" : "Added \(names) to \(wanted)")
    }

    private static let remove = Command(
        "rm", summary: "remove tokens from a list",
        examples: [
            Example("hub market watchlist rm eth", "from the list favorites"),
            Example("hub market watchlist rm ada --list defi", "from another list"),
        ], parameters: [MarketOptions.tokens, name], changes: true
    ) { (market: MarketPlugin, input: Input) in
        let wanted = listName(input)
        let ids = try await market.watchlists().first { $0.name == wanted }?.ids ?? []
        var chosen: [KnownToken] = []
        for word in try await input.selectors(input[MarketOptions.tokens]) {
            let found = try await market.tokens(named: word, isOffline: true)
            chosen.append(found.first { ids.contains($0.key.text) } ?? found[0])
        }
        let names = chosen.map(\.token.symbol).joined(separator: ", ")
        if input.dryRun { return .done("Would remove \(names) from \(wanted)") }
        try await market.removeFromWatchlist(wanted, chosen.map(\.key), operation: Operation(input))
        return .edited("Removed \(names) from \(wanted)")
    }

    private static func listName(_ input: Input) -> String {
        let cleaned = TokenLabel.cleaned(input[name] ?? "")
        return cleaned.isEmpty ? MarketPlugin.defaultList : cleaned
    }
}
