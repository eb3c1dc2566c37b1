import BigInteger
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The HTTP routes of the portfolio and its trades.
enum PortfolioRoutes {
    /// The routes that every entity has, for trades, the latest first.
    static let trades = PortfolioCommands.entity.web(at: "/api/market/trades") { market, query in
        let words = MarketWords.split(query.words)
        return try await market.tradeRecords().reversed().filter { trade in
            let own = MarketWords.split(trade.name)
            return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
                && query.tag.map { tag in trade.tags.contains { $0.lowercased() == tag.lowercased() } } ?? true
        }
    }

    static let all = [
        Route(
            .get, "/api/market/portfolio", summary: "show positions, sums and gains by year in a currency",
            query: currencyQuery + filterQuery, fields: fields
        ) {
            (market: MarketPlugin, request) in
            let currency = request.query["currency"].flatMap { Currency($0) } ?? market.currency
            let view = try await market.portfolio(in: currency, filter(request), isOffline: true)
            let gains = try await market.gains(in: currency, filter(request), isOffline: true).years
            return .output(
                .record(
                    Shown(view: view, gains: gains, names: try await market.ledgerNames(), now: market.clock.now),
                    fields))
        },
        Route(
            .get, "/api/market/portfolio/history", summary: "list the value over days, or over max",
            query: currencyQuery + [.init("days", "number of days, or max")] + filterQuery, fields: historyFields
        ) {
            (market: MarketPlugin, request) in
            let currency = request.query["currency"].flatMap { Currency($0) } ?? market.currency
            let history = try await market.portfolioHistory(
                in: currency, days: try TokenRoutes.days(request), filter(request))
            return .output(.record(history, historyFields))
        },
        Route(
            .get, "/api/market/portfolio/sales", summary: "list the disposals, each with the purchases that it used",
            query: [.init("year", "year of the disposals, all years without it", .integer(1...9999))] + currencyQuery
                + [
                    .init("basis", "rule for costs: fifo, lifo, hifo, average or pool"),
                    .init("as", "csv for a table in a file"),
                ] + filterQuery, fields: ReportCommand.fields
        ) { (market: MarketPlugin, request) in
            let basis = request.query["basis"].map { CostBasis(rawValue: $0) }
            if case .some(nil) = basis {
                throw HubError(field: "basis", "must be fifo, lifo, hifo, average or pool")
            }
            let sales = try await market.sales(
                in: try request.number("year", in: 1...9999),
                currency: request.query["currency"].flatMap { Currency($0) }, basis: basis.flatMap { $0 },
                filter(request), isOffline: true)
            switch request.query["as"] {
            case nil: return .output(.list(ReportCommand.rows(sales), ReportCommand.fields))
            case "csv":
                return .stream(contentType: "text/csv; charset=utf-8") { send in
                    try await send(
                        SaleCSV.write(sales.rows, in: sales.currency, basis: sales.basis, symbols: sales.symbols))
                }
            default: throw HubError(field: "as", "must be csv")
            }
        },
        Route(
            .post, "/api/market/trades", summary: "record an entry of the ledger",
            details: "such as a purchase, sale, swap or transfer",
            body: example, required: ["token", "kind", "amount"], fields: PortfolioCommands.tradeFields
        ) { (market: MarketPlugin, request) in
            let trade = try await TradeForm.trade(request, market)
            let record = try await market.addTrade(trade, operation: request.operation)
            return .created(
                .record(try await market.trades.listed(record), PortfolioCommands.tradeFields),
                location: "/api/market/trades/\(record.id)")
        },
        Route(
            .put, "/api/market/trades/{id}",
            summary: "correct an entry of the ledger",
            details: "by the fields that are given; `If-Match` holds the revision", body: example,
            fields: PortfolioCommands.tradeFields
        ) { (market: MarketPlugin, request) in
            let id = try request.id
            let record = try await market.editTrade(
                id, try await TradeForm.change(request, market), expecting: try request.revision,
                operation: request.operation)
            return .output(.record(try await market.trades.listed(record), PortfolioCommands.tradeFields))
        },
    ]

    private static let example =
        #"{"token": "bitcoin", "kind": "buy", "amount": "0.5", "price": "42000", "total": null, "unknown_price": false, "#
        + #""fee": "12", "fee_token": null, "currency": "eur", "day": "2026-03-07", "time": "08:26", "place": "Kraken", "#
        + #""destination": "", "portfolio": "", "note": "", "tags": ["long"], "income": null, "received_token": null, "#
        + #""received_amount": null}"#

    private static let currencyQuery: [Route.Parameter] = [.init("currency", "currency such as eur")]
    private static let filterQuery: [Route.Parameter] = [
        .init("portfolio", "only this portfolio"), .init("place", "only this wallet or exchange"),
        .init("tag", "only entries with this tag"),
    ]

    /// The part of the portfolio that a request asks for.
    private static func filter(_ request: RouteRequest) -> PortfolioFilter {
        var filter = PortfolioFilter()
        (filter.portfolio, filter.place, filter.tag) = (
            request.query["portfolio"], request.query["place"], request.query["tag"]
        )
        return filter
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
            .init("cost_by_close", .bool(position.isCostByClose)),
            .init("unknown_cost_amount", .decimal(position.uncostedAmount.description)),
            .init("gain_percent", RouteFields.decimal(position.gainPercent?.rounded(fractionDigits: 2))),
            .init("share", RouteFields.decimal(share?.rounded(fractionDigits: 1))),
        ])
    }

    /// The sums of a year as the page reads them.
    private static func year(_ year: SaleReport.Year, _ currency: Currency) -> FieldValue {
        .object([
            .init("year", .integer(year.year)), .init("currency", .text(currency.code)),
            .init("proceeds", RouteFields.money(year.proceeds, currency)),
            .init("cost", RouteFields.money(year.cost, currency)),
            .init("gain", RouteFields.money(year.gain, currency)),
            .init("long_term_gain", RouteFields.money(year.longTermGain, currency)),
            .init("income", RouteFields.money(year.income, currency)),
            .init("unknown", .integer(year.unknownGains + year.unknownIncome)),
            .init("by_close", .integer(year.gainsByClose)), .init("income_by_close", .integer(year.incomeByClose)),
        ])
    }

    private struct Shown: Sendable {
        let view: PortfolioView
        let gains: [SaleReport.Year]
        let names: LedgerNames
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
        Field<Shown>("basis", "BASIS", help: "rule for costs: fifo, lifo, hifo, average or pool") {
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
        Field<Shown>("gains", "GAINS", help: "realized gains and income by year, the latest year first") { shown in
            .list(shown.gains.map { year($0, shown.view.summary.currency) })
        },
        Field<Shown>("other_currencies", "OTHER CURRENCIES", help: "other currencies in which entries are priced") {
            FieldValue($0.view.otherCurrencies.map(\.code))
        },
        Field<Shown>("unpriced", "UNPRICED", help: "ids of tokens without a price") {
            FieldValue($0.view.summary.unpriced)
        },
        Field<Shown>("unknown_cost", "UNKNOWN COST", help: "symbols of tokens whose cost is not known") { shown in
            FieldValue(
                shown.view.summary.uncosted.map { shown.view.tokens[$0.tokenID]?.token.symbol ?? $0.tokenID })
        },
        Field<Shown>("shortfalls", "SHORTFALLS", help: "disposals of more than was held, which are left out") { shown in
            FieldValue(shown.view.remarks.leftOut.map(\.sentence))
        },
        Field<Shown>("missing_rates", "MISSING RATES", help: "rates of exchange that are missing, in words") { shown in
            FieldValue(shown.view.remarks.rateSentences)
        },
        Field<Shown>("missing_closes", "MISSING CLOSES", help: "closing prices that are missing, in words") { shown in
            FieldValue(shown.view.remarks.closeSentence)
        },
        Field<Shown>("portfolios", "PORTFOLIOS", help: "names of all portfolios") { FieldValue($0.names.portfolios) },
        Field<Shown>("places", "PLACES", help: "names of all wallets and exchanges") { FieldValue($0.names.places) },
        Field<Shown>("tags", "TAGS", help: "all tags") { FieldValue($0.names.tags) },
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
