import Commands
import MarketDomain

/// `hub market list`: the board.
enum ListCommand {
    private static let words = Arguments<String>("WORD", .zeroOrMore, help: "only tokens that match all words")
    private static let sort = Option<BoardColumn>(
        "sort", "FIELD", help: "sort by " + BoardColumn.allCases.map(\.rawValue).joined(separator: ", "))
    private static let page = Option<Int>("page", "N", in: 1...100_000, help: "page of the list, from 1")
    private static let refresh = Flag("refresh", help: "fetch prices even if they are recent")

    static let command = Command(
        "list", summary: "list tokens by market cap",
        discussion: [
            "Prices older than `max_age` are fetched first, within the limits of the provider. Without a network the last list is shown, "
                + "with its age."
        ],
        examples: [
            Example("hub market list --limit 10", "the ten largest"),
            Example("hub market list --sort change_24h --limit 10", "the largest gains"),
            Example("hub market list --currency eur --page 2", "in euros, the second page"),
            Example("hub market list --json=id,price,as_of", "for a script"),
        ],
        parameters: [
            words, sort, SharedOptions.reverse, SharedOptions.limit, page, MarketOptions.currency, refresh,
        ], fields: PriceFields.all(.usd)
    ) { (market: MarketPlugin, input: Input) in
        var query = BoardQuery(currency: MarketOptions.currency(input, market))
        query.words = input[words]
        query.isOffline = input.offline
        query.isForced = input[refresh]
        let order = (input[sort] ?? .rank).order
        query.order =
            input[SharedOptions.reverse]
            ? LeaderboardOrder(order.column, isDescending: !order.isDescending) : order
        let number = input[page] ?? 1
        query.limit = input.rowLimit(input[page] == nil ? 50 : nil)
        if number > 1 {
            query.limit = min(query.limit, input[SharedOptions.limit] ?? 50)
            query.offset = (number - 1) * query.limit
        }
        let view = try await market.board(query)
        return output(view, query, page: number, now: market.clock.now)
    }

    private static func output(_ view: BoardView, _ query: BoardQuery, page: Int, now: Instant) -> Output {
        let fields = PriceFields.all(query.currency)
        guard let source = view.origin.source else {
            var output = Output.list([], fields, empty: OriginNotes.nothing(view.origin, currency: query.currency))
                .noting(all: OriginNotes.notes(view.origin, seen: nil, now: now))
            output.exit = .no
            return output
        }
        var output = Output.list(
            view.rows, fields, empty: Diagnostic(query.words.isEmpty ? "No tokens on this page" : "No tokens match"))
        // The total is that of the provider; what is filtered is among the known tokens only.
        let total = query.words.isEmpty ? max(view.total ?? 0, view.count) : view.count
        let shown = NumberFormat.grouped(view.rows.count)
        let count =
            query.offset + view.rows.count < total
            ? "\(shown) of \(NumberFormat.grouped(total)), more: --page \(page + 1)" : nil
        let seen = view.rows.shownAsOf
        output = output.noting(all: OriginNotes.notes(view.origin, seen: seen, now: now, count: count))
        if view.unread.rows > 0 || view.unread.fields > 0 {
            output = output.noting(
                .warning(
                    "\(source.provider.rawValue) sent \(NumberFormat.counted(view.unread.rows, "unreadable row")) and "
                        + NumberFormat.counted(view.unread.fields, "unreadable value"),
                    code: "unreadable-rows"))
        }
        return output
    }
}

/// A column to sort by.
enum BoardColumn: String, ChoiceArgument {
    case rank, name, symbol, price, change_1h, change_24h, change_7d, volume, market_cap

    /// The order of the column.
    var order: LeaderboardOrder {
        switch self {
        case .rank: LeaderboardOrder(.rank)
        case .name: LeaderboardOrder(.name)
        case .symbol: LeaderboardOrder(.symbol)
        case .price: LeaderboardOrder(.price)
        case .change_1h: LeaderboardOrder(.change1h)
        case .change_24h: LeaderboardOrder(.change24h)
        case .change_7d: LeaderboardOrder(.change7d)
        case .volume: LeaderboardOrder(.volume)
        case .market_cap: LeaderboardOrder(.marketCap)
        }
    }
}

extension Output {
    /// The same output with notes beside it.
    func noting(all notes: [Diagnostic]) -> Output { notes.reduce(self) { $0.noting($1) } }
}
