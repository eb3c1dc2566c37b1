import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The HTTP routes of the board. Reading never goes out to a provider; the page asks for newer prices by `refresh`.
enum BoardRoutes {
    /// The maximum number of rows or ids in one request.
    private static let maximumCount = 500

    static let all = [
        Route(
            .get, "/api/market/board", summary: "list a part of the board",
            query: [
                .init("q", "words to search for"),
                .init("offset", "number of rows to leave out", .integer(0...1_000_000)),
                .limit(of: "rows"), .init("sort", "column of the order"),
                .init("reverse", "1 for the reverse order"),
            ],
            fields: BoardPart.fields
        ) {
            (market: MarketPlugin, request) in
            var query = BoardQuery(currency: market.currency)
            query.words = MarketWords.split(request.query["q"] ?? "")
            query.order = try order(request)
            query.offset = try request.number("offset", in: 0...1_000_000) ?? 0
            query.limit = try request.number("limit", in: 1...maximumCount) ?? 100
            let view = try await market.storedBoard(query)
            return .output(.record(BoardPart(view, market), BoardPart.fields))
        },
        Route(
            .get, "/api/market/prices", summary: "list prices",
            query: [.init("ids", "ids of tokens, separated by commas")],
            fields: BoardPart.priceFields
        ) {
            (market: MarketPlugin, request) in
            let keys = try keys(request.query["ids"]?.split(separator: ",").map(String.init) ?? [])
            let (rows, origin) = try await market.storedPrices(of: keys)
            return .output(.record(BoardPart(rows, origin, market), BoardPart.priceFields))
        },
        Route(
            .post, "/api/market/refresh",
            summary: "fetch prices",
            details:
                "of rows of the board, after the `first` ones, and of `ids`, if they are old; they are kept fresh for ten "
                + "minutes, or until the same `reader` names others",
            body: #"{"first": 0, "rows": 100, "ids": ["bitcoin"], "reader": "desk", "force": false}"#,
            fields: BoardPart.priceFields
        ) { (market: MarketPlugin, request) in
            let json = try request.json(example: #"{"rows": 100, "ids": ["bitcoin"]}"#)
            let first = json["first"] == nil ? 0 : try json.number("first", in: 0...100_000)
            let rowCount = json["rows"] == nil ? 0 : try json.number("rows", in: 0...10_000)
            let keys = try keys(json["ids"]?.array?.compactMap(\.string) ?? [])
            // Each open page is a reader of its own.
            let reader =
                "page " + String((json["reader"]?.string ?? "").prefix(40).filter { $0.isLetter || $0.isNumber })
            let origin = try await market.refreshShown(
                rows: first..<first + rowCount, tokens: keys, as: reader, isForced: json["force"]?.bool ?? false)
            return .output(.record(BoardPart([], origin, market), BoardPart.priceFields))
        },
        Route(
            .get, "/api/market/search", summary: "find tokens",
            query: [.init("q", "words to search for"), .init("all", "1 to ask the provider too")],
            fields: hitFields
        ) {
            (market: MarketPlugin, request) in
            let words = MarketWords.split(request.query["q"] ?? "")
            guard !words.isEmpty else { return .output(.list([], hitFields)) }
            let found = try await market.search(words, limit: 20, isOffline: request.query["all"] != "1")
            return .output(.list(found.tokens, hitFields))
        },
        Route(
            .get, "/api/market/providers", summary: "list the providers with age and remaining calls",
            fields: ProviderCommands.fields
        ) {
            (market: MarketPlugin, _) in .output(.list(try await market.providers(), ProviderCommands.fields))
        },
        Route(
            .post, "/api/market/providers/{id}/test", summary: "check that a provider responds",
            details: "which costs one call",
            fields: ProviderCommands.testFields
        ) {
            (market: MarketPlugin, request) in
            guard let provider = Provider(rawValue: try request.id) else {
                throw HubError(.notFound, code: "provider-unknown", "no provider named \"\(try request.id)\"")
            }
            return .output(.list(try await market.testProviders([provider]), ProviderCommands.testFields))
        },
    ]

    /// The order that `sort` and `reverse` name.
    static func order(_ request: RouteRequest) throws -> LeaderboardOrder {
        guard let word = request.query["sort"] else { return LeaderboardOrder(.rank) }
        guard let column = BoardColumn(rawValue: word) else {
            throw HubError(
                field: "sort", "must be one of \(BoardColumn.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let order = column.order
        return request.query["reverse"] == "1"
            ? LeaderboardOrder(order.column, isDescending: !order.isDescending) : order
    }

    private static func keys(_ ids: [String]) throws -> [TokenKey] {
        guard ids.count <= maximumCount else { throw HubError(field: "ids", "must be at most \(maximumCount) ids") }
        return ids.map { TokenKey($0) }
    }

    private static let hitFields = [
        Field<KnownToken>("id", "ID", help: "id of the token") { .text($0.key.text) },
        Field<KnownToken>("name", "NAME", help: "name of the token") { .text($0.token.name) },
        Field<KnownToken>("symbol", "SYMBOL", help: "ticker symbol") { .text($0.token.symbol) },
        Field<KnownToken>("rank", "RANK", help: "rank by market cap") { FieldValue($0.rank) },
    ]
}

/// A part of the board with its source, as the page reads it.
struct BoardPart: Sendable {
    let rows: [RankedRow]
    let origin: PriceOrigin
    let currency: Currency
    let now: Instant
    var count = 0
    var total: Int?
    var hasMore = false

    init(_ rows: [RankedRow], _ origin: PriceOrigin, _ market: MarketPlugin) {
        (self.rows, self.origin, currency, now) = (rows, origin, market.currency, market.clock.now)
    }

    init(_ view: BoardView, _ market: MarketPlugin) {
        self.init(view.rows, view.origin, market)
        (count, total, hasMore) = (view.count, view.total, view.hasMore)
    }

    static let fields =
        priceFields + [
            Field("count", "COUNT", help: "number of known tokens that match") { .integer($0.count) },
            Field("total", "TOTAL", help: "number of tokens that the provider has") { FieldValue($0.total) },
            Field("has_more", "MORE", help: "whether the provider has tokens that are not known yet") {
                .bool($0.hasMore)
            },
            Field("sparklines", "SPARKLINES", help: "levels of seven days of each row, from 0 to 255") { part in
                .list(
                    part.rows.map { row in
                        .list((row.row.sparkline?.levels ?? []).map { .integer(Int($0)) })
                    })
            },
        ]

    static let priceFields = [
        Field<BoardPart>("currency", "CURRENCY", help: "currency of the prices") { .text($0.currency.code) },
        Field<BoardPart>("origin", "ORIGIN", help: "source of the prices") {
            RouteFields.origin($0.origin, now: $0.now)
        },
        Field<BoardPart>("rows", "ROWS", help: "tokens with their prices") { .list($0.rows.map(RouteFields.row)) },
    ]
}
