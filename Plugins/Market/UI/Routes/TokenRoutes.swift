import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The HTTP routes of one token, and of the lists of tokens.
enum TokenRoutes {
    static let all = [
        Route(
            .get, "/api/market/tokens/{id}", summary: "show the details of a token, its lists, position and alerts",
            fields: fields
        ) {
            (market: MarketPlugin, request) in
            guard let token = try await market.tokens(named: try request.id, isOffline: true).first else {
                throw HubError(.notFound, code: "token-not-found", "no token named \"\(try request.id)\"")
            }
            let details = try await market.details(of: token, in: market.currency, isOffline: true)
            return .output(.record(Shown(details: details, currency: market.currency, now: market.clock.now), fields))
        },
        Route(
            .get, "/api/market/tokens/{id}/chart", summary: "list past prices over days, or over max, at most 240",
            query: [.init("days", "number of days, or max")],
            fields: chartFields
        ) {
            (market: MarketPlugin, request) in
            guard let token = try await market.tokens(named: try request.id, isOffline: true).first else {
                throw HubError(.notFound, code: "token-not-found", "no token named \"\(try request.id)\"")
            }
            let (series, provider) = try await market.rememberedChart(of: token, days: try days(request))
            return .output(
                .record(
                    Chart(
                        series: series.downsampled(to: 240), provider: provider,
                        maximumDays: try await market.maximumDays(of: provider)), chartFields))
        },
        Route(
            .get, "/api/market/watchlists", summary: "list the lists with their tokens",
            fields: WatchlistCommands.listFields
        ) {
            (market: MarketPlugin, _) in
            .output(.list(try await market.watchlists(), WatchlistCommands.listFields))
        },
        Route(
            .get, "/api/market/watchlists/{id}", summary: "list the tokens of a list in its order, with their prices",
            query: [.init("sort", "column of the order"), .init("reverse", "1 for the reverse order")],
            fields: BoardPart.fields
        ) {
            (market: MarketPlugin, request) in
            var (rows, origin) = try await market.watchlist(try request.id, in: market.currency, isOffline: true)
            if request.query["sort"] != nil {
                rows = try BoardRoutes.order(request).sorted(
                    rows.sorted { ($0.number ?? .max) < ($1.number ?? .max) })
            }
            var part = BoardPart(rows, origin, market)
            part.count = rows.count
            return .output(.record(part, BoardPart.fields))
        },
        Route(
            .put, "/api/market/watchlists/{id}",
            summary: "change a list of tokens", details: "adds and removes tokens, or moves one to a place from 1",
            body: #"{"add": ["bitcoin"], "remove": ["tether"], "place": 1}"#,
            fields: WatchlistCommands.listFields
        ) {
            (market: MarketPlugin, request) in
            let json = try request.json(example: #"{"add": ["bitcoin"], "remove": []}"#)
            let name = TokenLabel.cleaned(try request.id)
            guard !name.isEmpty else { throw HubError(field: "name", "must not be empty") }
            let added = (json["add"]?.array ?? []).compactMap(\.string).map { TokenKey($0) }
            let removed = (json["remove"]?.array ?? []).compactMap(\.string).map { TokenKey($0) }
            let place = json["place"] == nil ? nil : try json.number("place", in: 1...100_000)
            if !removed.isEmpty {
                try await market.removeFromWatchlist(name, removed, operation: request.operation)
            }
            if !added.isEmpty {
                _ = try await market.addToWatchlist(name, added, place: place, operation: request.operation)
            }
            return .output(.list(try await market.watchlists(), WatchlistCommands.listFields))
        },
    ]

    /// The days of a chart; nil for all.
    static func days(_ request: RouteRequest) throws -> Int? {
        request.query["days"] == "max" ? nil : try request.number("days", in: 1...36_500) ?? 7
    }

    private struct Shown: Sendable {
        let details: TokenDetails
        let currency: Currency
        let now: Instant
    }

    private static let fields = [
        Field<Shown>("currency", "CURRENCY", help: "currency of the prices") { .text($0.currency.code) },
        Field<Shown>("origin", "ORIGIN", help: "source of the price") {
            RouteFields.origin($0.details.origin, now: $0.now)
        },
        Field<Shown>("token", "TOKEN", help: "details of the token") { shown in
            let row = shown.details.item.row
            let more: [(String, Price.Field)] = [
                ("high_24h", .high24h), ("low_24h", .low24h), ("change_1y", .change1y), ("all_time_high", .allTimeHigh),
                ("supply", .circulatingSupply),
            ]
            return .object(
                RouteFields.members(shown.details.item)
                    + more.map { RouteFields.Member($0, RouteFields.decimal(row.value($1))) })
        },
        Field<Shown>("lists", "LISTS", help: "names of the lists that it is in") { FieldValue($0.details.lists) },
        Field<Shown>("position", "POSITION", help: "position in the token") { shown in
            shown.details.position.map { PortfolioRoutes.position($0, shown.currency, share: nil, token: nil) } ?? .null
        },
        Field<Shown>("alerts", "ALERTS", help: "alerts on it") { shown in
            .list(
                shown.details.alerts.map { alert in
                    .object([
                        .init("id", .text(alert.id)), .init("symbol", .text(alert.symbol)),
                        .init("kind", .text(alert.condition.kind)), .init("value", alert.condition.value),
                        .init("seconds", alert.condition.seconds), .init("currency", .text(alert.currency.code)),
                    ])
                })
        },
    ]

    private struct Chart: Sendable {
        let series: ChartSeries
        let provider: Provider
        let maximumDays: Int?
    }

    private static let chartFields = [
        Field<Chart>("attribution", "ATTRIBUTION", help: "line that names the source") {
            .text($0.provider.attribution)
        },
        Field<Chart>("maximum_days", "MAXIMUM DAYS", help: "number of past days that the provider has") {
            FieldValue($0.maximumDays)
        },
        Field<Chart>("points", "POINTS", help: "milliseconds since 1970 and price, the earliest first") {
            points($0.series)
        },
    ]

    /// The points of a drawing.
    static func points(_ series: ChartSeries) -> FieldValue {
        .list(series.points.map { .list([.number("\($0.time.milliseconds)"), .number("\($0.value)")]) })
    }
}
