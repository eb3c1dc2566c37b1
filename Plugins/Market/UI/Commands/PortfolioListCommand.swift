import BigInteger
import Commands
import MarketDomain

/// `hub market portfolio list`: positions with value and gain.
enum PortfolioListCommand {
    /// A position, or the sums of all.
    struct Row: Sendable {
        let name: String
        let key: String
        let amount: BigDecimal?
        let price: BigDecimal?
        let value: BigDecimal?
        let cost: BigDecimal?
        let gain: BigDecimal?
        let percent: BigDecimal?
        let share: BigDecimal?
        let currency: Currency
        let uncosted: BigDecimal?
        let isByClose: Bool
    }

    /// The suggestions of an empty portfolio.
    static let empty = Diagnostic(
        "No entries",
        suggestions: [
            Example("hub market portfolio buy 0.5 btc --price 42000", "record a purchase"),
            Example("hub market portfolio import FILE", "ticker, cointop or CSV"),
        ])

    private static func fields(_ currency: Currency) -> [Field<Row>] {
        [
            Field("coin", "COIN", help: "symbol of the token") { .text($0.name) },
            Field("token", "TOKEN", help: "id of the token", column: .onRequest) { .text($0.key) },
            Field("amount", "AMOUNT", help: "number of tokens", align: .trailing) { exact($0.amount) },
            Field(
                "price", "PRICE \(currency.name)", help: "price of one", align: .trailing,
                cell: { row in unknown(row.price, row) { PriceFormat.column($0, row.currency) } }
            ) { exact($0.price) },
            money("value", "VALUE \(currency.name)", help: "value of all") { $0.value },
            money(
                "cost", "COST \(currency.name)", help: "purchase cost, with fees, as far as it is known", isOfCost: true
            ) { $0.cost },
            money(
                "gain", "GAIN \(currency.name)", help: "value less cost, of tokens with a known cost", isOfCost: true
            ) { $0.gain },
            Field(
                "gain_percent", "GAIN", help: "gain in percent of the cost", align: .trailing,
                cell: { row in unknown(row.percent, row) { PercentFormat.signed($0, fractionDigits: 1) } },
                tone: { PriceFields.tone($0.percent, 1) }
            ) { $0.percent.map { .decimal($0.text(fractionDigits: 2)) } ?? .null },
            Field(
                "share_percent", "SHARE", help: "share of the value", align: .trailing, column: .ifRoom(1),
                cell: { $0.share.map { PercentFormat.unsigned($0, fractionDigits: 0) } ?? "" }
            ) { $0.share.map { .decimal($0.text(fractionDigits: 2)) } ?? .null },
            Field("currency", "CURRENCY", help: "currency of the sums", column: .onRequest) {
                .text($0.currency.code)
            },
            exact("value", "value of all, not rounded") { $0.value },
            exact("cost", "purchase cost, not rounded") { $0.cost },
            exact("gain", "value less cost, not rounded") { $0.gain },
            Field(
                "cost_by_close", "COST BY CLOSE", help: "whether a part of the cost is by the close of the day",
                column: .onRequest
            ) { .bool($0.isByClose) },
            Field(
                "unknown_cost_amount", "UNKNOWN COST", help: "number of tokens whose cost is not known",
                align: .trailing, column: .onRequest
            ) { exact($0.uncosted) },
        ]
    }

    private static func exact(_ value: BigDecimal?) -> FieldValue {
        value.map { .decimal($0.description) } ?? .null
    }

    private static func unknown(_ value: BigDecimal?, _ row: Row, _ text: (BigDecimal) -> String) -> String {
        value.map(text) ?? (row.amount == nil ? "" : FiatFormat.unknown)
    }

    private static func exact(
        _ name: String, _ help: String, _ value: @escaping @Sendable (Row) -> BigDecimal?
    ) -> Field<Row> {
        Field("exact_\(name)", "EXACT \(name.uppercased())", help: help, align: .trailing, column: .onRequest) {
            exact(value($0))
        }
    }

    /// A sum, rounded once.
    private static func money(
        _ name: String, _ title: String, help: String, isOfCost: Bool = false,
        _ value: @escaping @Sendable (Row) -> BigDecimal?
    ) -> Field<Row> {
        Field(
            name, title, help: help, align: .trailing,
            cell: { row in
                value(row).map {
                    ByClose.cell(
                        NumberFormat.grouped($0.text(fractionDigits: row.currency.fractionDigits)),
                        isOfCost && row.isByClose)
                } ?? FiatFormat.unknown
            }
        ) { row in value(row).map { .decimal($0.text(fractionDigits: row.currency.fractionDigits)) } ?? .null }
    }

    static let command = Command(
        "list", summary: "show positions with value and gain",
        examples: [
            Example("hub market portfolio", "in the configured currency"),
            Example(
                "hub market portfolio list --currency eur --basis average", "in euros, by average cost"),
            Example("hub market portfolio list --json=coin,value,gain", "for a script"),
            Example("hub market portfolio list --place ledger", "what is held at one place"),
        ], parameters: [MarketOptions.currency, MarketOptions.basis] + TradeOptions.filters + [TradeOptions.perPlace],
        fields: fields(.usd)
    ) { (market: MarketPlugin, input: Input) in
        let currency = MarketOptions.currency(input, market)
        let view = try await market.portfolio(
            in: currency, basis: input[MarketOptions.basis],
            TradeOptions.filter(input, perPlace: input[TradeOptions.perPlace]), isOffline: input.offline)
        return output(view, showsTotal: input.showsTable, now: market.clock.now)
    }

    private static func output(_ view: PortfolioView, showsTotal: Bool, now: Instant) -> Output {
        let summary = view.summary
        var rows = summary.positions.map { position in
            Row(
                name: view.tokens[position.tokenID]?.token.symbol ?? position.tokenID, key: position.tokenID,
                amount: position.amount, price: position.price, value: position.value, cost: position.cost,
                gain: position.gain, percent: position.gainPercent, share: summary.share(of: position),
                currency: summary.currency, uncosted: position.uncostedAmount,
                isByClose: position.isCostByClose)
        }
        // Programs sum up themselves; a total among the rows would be counted twice.
        if showsTotal, !rows.isEmpty {
            rows.append(
                Row(
                    name: "total", key: "", amount: nil, price: nil, value: summary.value, cost: summary.cost,
                    gain: summary.gain, percent: summary.gainPercent, share: nil, currency: summary.currency,
                    uncosted: nil, isByClose: summary.positions.contains(where: \.isCostByClose)))
        }
        var output = Output.list(rows, fields(summary.currency), empty: empty)
        if !summary.positions.isEmpty {
            output = output.noting(all: OriginNotes.notes(view.origin, seen: view.pricedAt, now: now))
        }
        if !summary.unpriced.isEmpty {
            let names = summary.unpriced.prefix(5).joined(separator: ", ")
            output = output.noting(
                .warning(
                    "no price for \(names); not included in the total", code: "unpriced"))
        }
        let uncosted = summary.uncosted.map { position in
            "\(position.uncostedAmount) \(view.tokens[position.tokenID]?.token.symbol ?? position.tokenID)"
        }
        if !uncosted.isEmpty {
            let names = uncosted.prefix(5).joined(separator: ", ") + (uncosted.count > 5 ? " and others" : "")
            output = output.noting(
                .warning(
                    "the cost of \(names) is not known; the gain is that of the others", code: "unknown-cost",
                    hint: "hub market portfolio edit TRADE --price PRICE sets a price"))
        }
        output = output.noting(all: notes(view.remarks))
        if summary.positions.contains(where: \.isCostByClose) { output = output.noting(ByClose.note) }
        if !summary.positions.isEmpty {
            output = output.noting(Diagnostic(basis(view), level: .aside))
        }
        return output
    }

    /// The warnings about what no sum includes; `closes` says whether missing closing prices matter to the sums.
    static func notes(_ remarks: LedgerRemarks, closes: Bool = true) -> [Diagnostic] {
        remarks.leftOut.map {
            .warning($0.sentence, code: "oversold", hint: "hub market portfolio history lists the entries")
        }
            + remarks.rateSentences.map {
                .warning($0, code: "rate-missing", hint: "hub market rates fetch, or hub market rates import FILE")
            }
            + ((closes ? remarks.closeSentence : nil).map {
                [
                    .warning(
                        $0, code: "close-missing",
                        hint: "views without --offline fetch them; hub market portfolio edit ENTRY --total sets a value"
                    )
                ]
            } ?? [])
    }

    /// The rule for costs, and the realized gain of the year.
    private static func basis(_ view: PortfolioView) -> String {
        let rule = "Cost by \(view.basis.name)"
        guard let realized = view.realized else { return rule }
        let digits = view.summary.currency.fractionDigits
        let gain = realized.gain.text(fractionDigits: digits)
        return "\(rule); realized this year: \(realized.gain.isNegative ? "" : "+")\(NumberFormat.grouped(gain)) "
            + view.summary.currency.name
    }
}
