import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain

/// `hub market portfolio` and its subcommands.
enum PortfolioCommands {
    static let tree = Command(
        group: "portfolio", summary: "holdings with their value and gains",
        examples: [
            Example("hub market portfolio buy 0.5 btc --price 42000 --fee 12 --date 2026-01-03", "record a purchase"),
            Example("hub market portfolio", "positions with value and gain"),
        ], view: "list",
        subcommands: [
            PortfolioListCommand.command, buy, sell, edit, history, gains, SalesCommand.command, remove, restore,
            PortfolioFileCommands.importing,
            PortfolioFileCommands.exporting,
        ])

    /// The commands and parameters that follow from the description of trades.
    static let entity = EntityCommands(
        TradeRecord.kind, valueName: "TRADE", oneForm: "id, words, or last", manyForms: "ids, words, last",
        fields: tradeFields
    ) { (market: MarketPlugin, typed) in
        try await market.tradeRecords().filter { $0.id.hasPrefix(typed) || $0.symbol.lowercased().hasPrefix(typed) }
    } in: { market in
        market.trades
    }

    /// The columns of trades.
    static let tradeFields: [Field<ListedEntity<TradeRecord>>] = [
        Field("id", "ID", help: "id of the trade") { .id($0.summary.id, shown: $0.shortID.count) },
        Field("date", "DATE", help: "day of the trade") { .day($0.summary.trade.date) },
        Field("time", "TIME", help: "time of the day, if it is known", column: .ifRoom(1)) { row in
            row.summary.trade.time.map { .text("\(TradeTime(seconds: $0))") } ?? .null
        },
        Field("kind", "KIND", help: "buy or sell") { .text($0.summary.trade.kind.rawValue) },
        Field("token", "TOKEN", help: "id of the token", column: .onRequest) { .text($0.summary.trade.tokenID) },
        Field("symbol", "COIN", help: "symbol of the token") { .text($0.summary.symbol) },
        Field("amount", "AMOUNT", help: "number of tokens", align: .trailing) {
            .decimal($0.summary.trade.amount.description)
        },
        Field("price", "PRICE", help: "price of one token", align: .trailing) {
            .decimal($0.summary.trade.price.description)
        },
        Field("fee", "FEE", help: "fee of the trade", align: .trailing) { .decimal($0.summary.trade.fee.description) },
        Field("currency", "CURRENCY", help: "currency of price and fee", cell: { $0.summary.trade.currency.name }) {
            .text($0.summary.trade.currency.code)
        },
    ]

    private static let amount = Argument<NumberArgument>("AMOUNT", help: "number of tokens, an exact decimal")
    private static let price = Option<NumberArgument>(
        "price", "PRICE", help: "price of one token; default: current price")
    private static let fee = Option<NumberArgument>("fee", "FEE", help: "fee of the whole trade")
    private static let date = Option<DateExpression>("date", "DATE", help: "day of the trade (default: today)")
    private static let time = Option<TradeTime>(
        "time", "HH:MM", help: "time of the day, for the order of a day's trades")

    private static let buy = trade(
        .buy, "buy", "record a purchase",
        examples: [
            Example("hub market portfolio buy 0.5 btc --price 42000 --fee 12 --date 2026-01-03", "with fee and day"),
            Example("hub market portfolio buy 2 eth", "today, at the current price"),
        ])

    private static let sell = trade(
        .sell, "sell", "record a sale",
        examples: [
            Example("hub market portfolio sell 0.1 btc --price 60000", "today"),
            Example("hub market portfolio sell 0.1 btc --price 55000 --currency eur", "for euros"),
        ])

    private static func trade(
        _ kind: Trade.Kind, _ verb: String, _ summary: String, examples: [Example]
    ) -> Command {
        Command(
            verb, summary: summary,
            discussion: [
                "Amounts, prices and fees are kept exactly as typed. Trades in different currencies are kept separate, each with its own gains."
            ], examples: examples,
            parameters: [amount, MarketOptions.token, price, fee, date, time, MarketOptions.currency],
            fields: tradeFields, changes: true
        ) { (market: MarketPlugin, input: Input) in
            let currency = MarketOptions.currency(input, market)
            let token = try await MarketOptions.tokenToChange(input[MarketOptions.token], market, input)
            let day = input[date]?.day(today: market.clock.today, .back) ?? market.clock.today
            let paid = try await price(of: token, in: currency, on: day, market, input)
            let amount = try MarketOptions.decimal(input[amount], market)
            let fee = try input[fee].map { typed throws(HubError) in try MarketOptions.decimal(typed, market) } ?? 0
            let what = "\(verb) \(amount) \(token.token.symbol) at \(paid) \(currency.name) on \(day)"
            if input.dryRun { return .done("Would \(what)") }
            let record = try await market.addTrade(
                of: token, kind, amount: amount, price: paid, fee: fee, in: currency, on: day,
                at: input[time]?.seconds, operation: Operation(input))
            let row = try await market.trades.listed(record)
            return .edited("\(row.shortID): \(what)", row, tradeFields)
        }
    }

    private static let newAmount = Option<NumberArgument>(
        "amount", "AMOUNT", help: "number of tokens, an exact decimal")
    private static let newPrice = Option<NumberArgument>("price", "PRICE", help: "price of one token")
    private static let newDate = Option<DateExpression>("date", "DATE", help: "day of the trade")
    private static let newCurrency = Option<Currency>("currency", "CODE", help: "currency of price and fee")
    private static let newKind = Option<Trade.Kind>("kind", "KIND", help: "buy or sell")

    private static let edit = Command(
        "edit", summary: "correct a trade",
        discussion: [
            "What is not given stays as it is. Another day drops the time of the day, unless --time is given."
        ],
        examples: [
            Example("hub market portfolio edit last --price 42500", "the price of the trade that was recorded last"),
            Example("hub market portfolio edit last --date 2026-01-03 --time 08:26", "its day and time"),
        ],
        parameters: [entity.one, newKind, newAmount, newPrice, fee, newDate, time, newCurrency], fields: tradeFields,
        changes: true
    ) { (market: MarketPlugin, input: Input) in
        func decimal(_ option: Option<NumberArgument>) throws(HubError) -> BigDecimal? {
            try input[option].map { typed throws(HubError) in try MarketOptions.decimal(typed, market) }
        }
        var change = TradeChange()
        (change.kind, change.currency, change.time) = (input[newKind], input[newCurrency], input[time]?.seconds)
        (change.amount, change.price, change.fee) = (try decimal(newAmount), try decimal(newPrice), try decimal(fee))
        change.date = input[newDate]?.day(today: market.clock.today, .back)
        guard change != TradeChange() else {
            throw HubError(
                .usage, code: "missing-option", "nothing to change is given",
                hint: "add --kind, --amount, --price, --fee, --date, --time or --currency")
        }
        let old = try await market.trades.select(input[entity.one], asking: input)
        if input.dryRun { return .done("Would correct \(old.name)") }
        let record = try await market.editTrade(
            old.id, change, expecting: old.revision, operation: Operation(input))
        let row = try await market.trades.listed(record)
        let (trade, time) = (record.trade, record.trade.time.map { " at \(TradeTime(seconds: $0))" } ?? "")
        return .edited(
            "\(row.shortID): \(record.name) at \(trade.price) \(trade.currency.name) on \(trade.date)\(time)", row,
            tradeFields)
    }

    /// The price of `--price`; for a trade of today the price now.
    private static func price(
        of token: KnownToken, in currency: Currency, on day: CivilDate, _ market: MarketPlugin, _ input: Input
    ) async throws -> BigDecimal {
        if let given = input[price] { return try MarketOptions.decimal(given, market) }
        let hint = "add --price PRICE"
        guard day == market.clock.today else {
            throw HubError(
                .usage, code: "price-missing", "the price on \(day) is not known", hint: hint)
        }
        let (rows, origin) = try await market.prices(of: [token], in: currency, isOffline: input.offline)
        guard origin.isFresh, let now = rows.first?.row.value(.current) else {
            throw HubError(.unavailable, code: "price-missing", "the current price is not known", hint: hint)
        }
        return now
    }

    private static let history = Command(
        "history", summary: "list the trades",
        examples: [
            Example("hub market portfolio history", "all trades"),
            Example("hub market portfolio history btc", "of one token"),
            Example("hub market portfolio history --since 2026-01-01 --json", "of this year, for a script"),
        ],
        parameters: [tokenFilter, SharedOptions.since, SharedOptions.until, SharedOptions.limit, SharedOptions.trash],
        fields: tradeFields
    ) { (market: MarketPlugin, input: Input) in
        var found = input[SharedOptions.trash] ? try await market.trades.trash() : try await market.tradeRecords()
        let words = input[tokenFilter].map { $0.lowercased() }
        if !words.isEmpty {
            found = found.filter { words.contains($0.symbol.lowercased()) || words.contains($0.trade.tokenID) }
        }
        let today = market.clock.today
        if let since = input[SharedOptions.since]?.day(today: today, .back) {
            found = found.filter { $0.trade.date >= since }
        }
        if let until = input[SharedOptions.until]?.day(today: today, .back) {
            found = found.filter { $0.trade.date <= until }
        }
        let shown = Array(found.prefix(input.rowLimit()))
        return .list(
            try await market.trades.listed(shown), tradeFields,
            count: Output.count(shown.count, of: found.count, "trades"), empty: PortfolioListCommand.empty)
    }

    private static let tokenFilter = Arguments<String>(
        "TOKEN", .zeroOrMore, help: "only these tokens, by symbol or id", completion: MarketOptions.completion)

    /// The gains of a year in a currency, with the sales that they leave out.
    private struct GainRow: Sendable {
        let gain: Ledger.YearGain
        let leftOut: [String]
    }

    private static let gainFields: [Field<GainRow>] = [
        Field("year", "YEAR", help: "year of the sales", cell: { "\($0.gain.year)" }) { .integer($0.gain.year) },
        Field("currency", "CURRENCY", help: "currency of the sums", cell: { $0.gain.currency.name }) {
            .text($0.gain.currency.code)
        },
        money("proceeds", "PROCEEDS", help: "amount received, without fees") { $0.proceeds },
        money("cost", "COST", help: "purchase cost, with fees") { $0.cost },
        money("gain", "GAIN", help: "proceeds less cost") { $0.gain },
        exact("proceeds", "amount received, without fees, not rounded") { $0.proceeds },
        exact("cost", "purchase cost, with fees, not rounded") { $0.cost },
        Field("left_out", "LEFT OUT", help: "sales of more than was held, not included", column: .onRequest) {
            FieldValue($0.leftOut)
        },
    ]

    private static func money(
        _ name: String, _ title: String, help: String, _ value: @escaping @Sendable (Ledger.YearGain) -> BigDecimal
    ) -> Field<GainRow> {
        Field(name, title, help: help, align: .trailing) {
            .decimal(value($0.gain.rounded).text(fractionDigits: $0.gain.currency.fractionDigits))
        }
    }

    private static func exact(
        _ name: String, _ help: String, _ value: @escaping @Sendable (Ledger.YearGain) -> BigDecimal
    ) -> Field<GainRow> {
        Field("exact_\(name)", "EXACT \(name.uppercased())", help: help, align: .trailing, column: .onRequest) {
            .decimal(value($0.gain).description)
        }
    }

    private static let gains = Command(
        "gains", summary: "show realized gains by year and currency",
        discussion: [
            "A sale of more tokens than were bought in its currency is left out with a warning; the exit code is 2 then."
        ],
        examples: [
            Example("hub market portfolio gains", "with the configured cost basis"),
            Example("hub market portfolio gains --basis average --json", "by average cost, for a script"),
        ], parameters: [MarketOptions.basis], fields: gainFields
    ) { (market: MarketPlugin, input: Input) in
        let gains = try await market.gains(basis: input[MarketOptions.basis])
        var output = Output.list(
            rows(gains), gainFields, count: "Cost by \(gains.basis.name)",
            empty: Diagnostic("No sales"))
        output = output.noting(all: PortfolioListCommand.leftOutNotes(gains.leftOut))
        if !gains.leftOut.isEmpty { output.exit = .partly }
        return output
    }

    /// The years, also those of which all sales are left out.
    private static func rows(_ gains: PortfolioGains) -> [GainRow] {
        func year(_ sale: LeftOutSale) -> Ledger.YearGain {
            let trade = sale.shortfall.trade
            return Ledger.YearGain(year: trade.date.components.year, currency: trade.currency, proceeds: 0, cost: 0)
        }
        func isSame(_ one: Ledger.YearGain, _ other: Ledger.YearGain) -> Bool {
            one.year == other.year && one.currency == other.currency
        }
        var years = gains.years
        for new in gains.leftOut.map(year) where !years.contains(where: { isSame($0, new) }) { years.append(new) }
        return years.sorted { ($1.year, $0.currency.code) < ($0.year, $1.currency.code) }.map { gain in
            GainRow(gain: gain, leftOut: gains.leftOut.filter { isSame(year($0), gain) }.map(\.name))
        }
    }

    private static let remove = entity.remove(examples: [
        Example("hub market portfolio rm last", "the last recorded trade"),
        Example("hub market portfolio rm last --yes", "without confirmation"),
    ])

    private static let restore = entity.restore(examples: [
        Example("hub market portfolio restore last", "the last removed trade"),
        Example("hub market portfolio restore 7kt", "by id, as shown by hub trash list"),
    ])
}
