import BigInteger
import Commands
import HubKit
import MarketDomain

/// The HTTP routes of the portfolio and its trades.
enum PortfolioRoutes {
    /// The routes that every entity has, for trades, the latest first.
    static let trades = PortfolioCommands.entity.web(at: "/api/market/trades") { market, query in
        let words = MarketWords.split(query.words)
        return try await market.tradeRecords().reversed().filter { trade in
            let own = MarketWords.split(trade.name)
            return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
        }
    }

    static let all = [
        Route(
            .get, "/api/market/portfolio", summary: "show positions, sums and gains by year in a currency",
            query: [.init("currency", "currency such as eur")],
            fields: fields
        ) {
            (market: MarketPlugin, request) in
            let currency = request.query["currency"].flatMap { Currency($0) } ?? market.currency
            let view = try await market.portfolio(in: currency, isOffline: true)
            let gains = try await market.gains().years.map(\.rounded)
            return .output(.record(Shown(view: view, gains: gains, now: market.clock.now), fields))
        },
        Route(
            .get, "/api/market/portfolio/history", summary: "list the value over days, or over max",
            query: [.init("currency", "currency such as eur"), .init("days", "number of days, or max")],
            fields: historyFields
        ) {
            (market: MarketPlugin, request) in
            let currency = request.query["currency"].flatMap { Currency($0) } ?? market.currency
            let history = try await market.portfolioHistory(in: currency, days: try TokenRoutes.days(request))
            return .output(.record(history, historyFields))
        },
        Route(
            .get, "/api/market/portfolio/sales", summary: "list the sales, each with the purchases that it used",
            query: [
                .init("year", "year of the sales, all years without it"),
                .init("basis", "rule for costs: fifo, lifo, hifo or average"), .init("as", "csv for a table in a file"),
            ], fields: SalesCommand.fields
        ) { (market: MarketPlugin, request) in
            let basis = request.query["basis"].map { CostBasis(rawValue: $0) }
            if case .some(nil) = basis { throw HubError(field: "basis", "must be fifo, lifo, hifo or average") }
            let sales = try await market.sales(
                in: try request.number("year", in: 1...9999), basis: basis.flatMap { $0 })
            switch request.query["as"] {
            case nil: return .output(.list(SalesCommand.rows(sales), SalesCommand.fields))
            case "csv":
                return .stream(contentType: "text/csv; charset=utf-8") { send in
                    try await send(SaleCSV.write(sales.rows, basis: sales.basis, symbols: sales.symbols))
                }
            default: throw HubError(field: "as", "must be csv")
            }
        },
        Route(
            .post, "/api/market/trades", summary: "record a purchase or sale",
            fields: PortfolioCommands.tradeFields
        ) { (market: MarketPlugin, request) in
            var form = try FormValues(request, market)
            let token = try await form.token("token", market)
            let kind = form.text("kind").flatMap(Trade.Kind.init)
            if kind == nil { form.note("kind", "must be buy or sell") }
            let amount = form.decimal("amount", example: "0.5")
            let price = form.decimal("price", example: "42000")
            let fee = form.decimal("fee", otherwise: 0, example: "12")
            let day = form.day("day", otherwise: market.clock.today)
            let time = form.text("time").map { try? TradeTime.parse(argument: $0).seconds }
            if case .some(nil) = time { form.note("time", "must be a time such as 08:26") }
            let currency = Currency(form.text("currency") ?? market.currency.code)
            if currency == nil { form.note("currency", "must be a currency code such as eur") }
            try form.check()
            guard let token, let kind, let currency else { throw HubError(field: "token", "must not be empty") }
            let record = try await market.addTrade(
                of: token, kind, amount: amount, price: price, fee: fee, in: currency, on: day,
                at: time.flatMap { $0 }, operation: request.operation)
            return .created(
                .record(try await market.trades.listed(record), PortfolioCommands.tradeFields),
                location: "/api/market/trades/\(record.id)")
        },
        Route(
            .put, "/api/market/trades/{id}",
            summary: "correct a trade", details: "by the fields that are given; `If-Match` holds the revision",
            fields: PortfolioCommands.tradeFields
        ) { (market: MarketPlugin, request) in
            let record = try await market.editTrade(
                try request.id, try change(request, market), expecting: try request.revision,
                operation: request.operation)
            return .output(.record(try await market.trades.listed(record), PortfolioCommands.tradeFields))
        },
    ]

    /// A changed trade, by the fields that are there.
    static func change(_ request: RouteRequest, _ market: MarketPlugin) throws -> TradeChange {
        var (form, change) = (try FormValues(request, market), TradeChange())
        if form.has("kind") {
            change.kind = form.text("kind").flatMap(Trade.Kind.init)
            if change.kind == nil { form.note("kind", "must be buy or sell") }
        }
        if form.has("amount") { change.amount = form.decimal("amount", example: "0.5") }
        if form.has("price") { change.price = form.decimal("price", example: "42000") }
        if form.has("fee") { change.fee = form.decimal("fee", otherwise: 0, example: "12") }
        if form.text("day") != nil { change.date = form.day("day", otherwise: market.clock.today) }
        if let text = form.text("time") {
            change.time = try? TradeTime.parse(argument: text).seconds
            if change.time == nil { form.note("time", "must be a time such as 08:26") }
        } else {
            change.dropsTime = form.has("time")
        }
        if let text = form.text("currency") {
            change.currency = Currency(text)
            if change.currency == nil { form.note("currency", "must be a currency code such as eur") }
        }
        try form.check()
        return change
    }

    /// A position as the page reads it.
    static func position(
        _ position: PortfolioSummary.Position, _ currency: Currency, share: BigDecimal?, token: KnownToken?
    ) -> FieldValue {
        .object([
            .init("id", .text(position.tokenID)), .init("name", FieldValue(token?.token.name)),
            .init("symbol", FieldValue(token?.token.symbol)), .init("amount", .decimal(position.amount.description)),
            .init("price", RouteFields.decimal(position.price)),
            .init("digits", RouteFields.digits(of: position.price, currency)),
            .init("value", RouteFields.money(position.value, currency)),
            .init("cost", RouteFields.money(position.cost, currency)),
            .init("gain", RouteFields.money(position.gain, currency)),
            .init("gain_percent", RouteFields.decimal(position.gainPercent?.rounded(fractionDigits: 2))),
            .init("share", RouteFields.decimal(share?.rounded(fractionDigits: 1))),
        ])
    }

    private struct Shown: Sendable {
        let view: PortfolioView
        let gains: [Ledger.YearGain]
        let now: Instant

        func money(_ value: (PortfolioSummary) -> BigDecimal) -> FieldValue {
            RouteFields.money(value(view.summary), view.summary.currency)
        }
    }

    private static let fields = [
        Field<Shown>("currency", "CURRENCY", help: "currency of the sums") { .text($0.view.summary.currency.code) },
        Field<Shown>("value", "VALUE", help: "value of the positions with a price") { $0.money(\.value) },
        Field<Shown>("cost", "COST", help: "purchase cost, with fees") { $0.money(\.cost) },
        Field<Shown>("gain", "GAIN", help: "value less cost") { $0.money(\.gain) },
        Field<Shown>("gain_percent", "GAIN", help: "gain in percent of the cost") {
            RouteFields.decimal($0.view.summary.gainPercent?.rounded(fractionDigits: 2))
        },
        Field<Shown>("basis", "BASIS", help: "rule for costs: fifo, lifo, hifo or average") {
            .text($0.view.basis.rawValue)
        },
        Field<Shown>("positions", "POSITIONS", help: "positions, the most valuable first") { shown in
            let summary = shown.view.summary
            return .list(
                summary.positions.map { one in
                    position(
                        one, summary.currency, share: summary.share(of: one), token: shown.view.tokens[one.tokenID])
                })
        },
        Field<Shown>("gains", "GAINS", help: "realized gains by year and currency, the latest year first") { shown in
            .list(
                shown.gains.map { gain in
                    .object([
                        .init("year", .integer(gain.year)), .init("currency", .text(gain.currency.code)),
                        .init("proceeds", RouteFields.money(gain.proceeds, gain.currency)),
                        .init("cost", RouteFields.money(gain.cost, gain.currency)),
                        .init("gain", RouteFields.money(gain.gain, gain.currency)),
                    ])
                })
        },
        Field<Shown>("other_currencies", "OTHER CURRENCIES", help: "currencies of lots that are not included") {
            FieldValue($0.view.otherCurrencies.map(\.code))
        },
        Field<Shown>("unpriced", "UNPRICED", help: "ids of tokens without a price") {
            FieldValue($0.view.summary.unpriced)
        },
        Field<Shown>("shortfalls", "SHORTFALLS", help: "sales of more than was held, which are left out") { shown in
            FieldValue(shown.view.leftOut.map(\.sentence))
        },
        Field<Shown>("as_of", "AS OF", help: "time of the oldest price") { FieldValue($0.view.pricedAt) },
        Field<Shown>("origin", "ORIGIN", help: "source of the prices") {
            RouteFields.origin($0.view.origin, now: $0.now)
        },
    ]

    private static let historyFields = [
        Field<PortfolioHistoryView>("points", "POINTS", help: "milliseconds since 1970 and value, the earliest first") {
            TokenRoutes.points($0.series)
        },
        Field<PortfolioHistoryView>(
            "time_weighted_percent", "TIME-WEIGHTED",
            help: "return in percent, however much was paid in and taken out, and when"
        ) { $0.timeWeighted.map { .number("\($0)") } ?? .null },
        Field<PortfolioHistoryView>(
            "money_weighted_percent", "MONEY-WEIGHTED",
            help: "return in percent of the money at the time it was paid in"
        ) { $0.moneyWeighted.map { .number("\($0)") } ?? .null },
        Field<PortfolioHistoryView>("missing", "MISSING", help: "names of tokens whose past prices are not known") {
            FieldValue($0.missing)
        },
        Field<PortfolioHistoryView>("pending", "PENDING", help: "names of tokens whose past prices come later") {
            FieldValue($0.pending)
        },
        Field<PortfolioHistoryView>("attribution", "ATTRIBUTION", help: "line that names the source") {
            FieldValue($0.provider?.attribution)
        },
    ]
}
