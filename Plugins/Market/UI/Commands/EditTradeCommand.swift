import BigInteger
import Commands
import HubKit
import MarketDomain

/// `hub market portfolio edit`: corrects an entry of the ledger.
enum EditTradeCommand {
    private static let amount = Option<NumberArgument>(
        "amount", "AMOUNT", help: "number of tokens, an exact decimal")
    private static let received = Option<NumberArgument>(
        "received", "AMOUNT", help: "number of tokens that a swap gave")
    private static let date = Option<DateExpression>("date", "DATE", help: "day of the entry")
    private static let currency = Option<Currency>("currency", "CODE", help: "currency of price and fee")
    private static let kind = Option<Trade.Kind>(
        "kind", "KIND", help: "buy, sell, income, gift-received, gift-given, loss, fee, transfer or swap")

    static let command = Command(
        "edit", summary: "correct an entry",
        discussion: [
            "What is not given stays as it is, and an empty text removes it: --note \"\". Another day drops the time of the day, unless --time is given."
        ],
        examples: [
            Example("hub market portfolio edit last --price 42500", "the price of the entry that was recorded last"),
            Example("hub market portfolio edit last --date 2026-01-03 --time 08:26", "its day and time"),
            Example("hub market portfolio edit last --place ledger --note \"first coins\"", "its place and a remark"),
        ],
        parameters: [
            PortfolioCommands.entity.one, kind, amount, received, TradeOptions.price, TradeOptions.total,
            TradeOptions.unknownPrice, TradeOptions.fee, TradeOptions.feeToken, TradeOptions.feeValue, date,
            TradeOptions.time, currency, TradeOptions.income, TradeOptions.place, TradeOptions.destination,
            TradeOptions.portfolio, TradeOptions.note,
        ], fields: PortfolioCommands.tradeFields, changes: true
    ) { (market: MarketPlugin, input: Input) in
        var change = try await change(market, input)
        let amount = try TradeOptions.decimal(received, input, market)
        guard change != TradeChange() || amount != nil else {
            throw HubError(
                .usage, code: "missing-option", "nothing to change is given",
                hint: "add --kind, --amount, --price, --fee, --date, --time, --currency, --place or --note")
        }
        let old = try await market.trades.select(input[PortfolioCommands.entity.one], asking: input)
        if let amount {
            guard let known = old.trade.received else { throw HubError(Trade.Problem.received) }
            change.received = Trade.Tokens(tokenID: known.tokenID, amount: amount)
        }
        if input.dryRun { return .done("Would correct \(old.name)") }
        let record = try await market.editTrade(old.id, change, expecting: old.revision, operation: Operation(input))
        let row = try await market.trades.listed(record)
        let time = record.trade.time.map { " at \(TradeTime(seconds: $0))" } ?? ""
        return .edited(
            "\(row.shortID): \(PortfolioCommands.sentence(record, isDone: true))\(time)", row,
            PortfolioCommands.tradeFields)
    }

    private static func change(_ market: MarketPlugin, _ input: Input) async throws -> TradeChange {
        var change = TradeChange()
        (change.kind, change.currency, change.time) = (input[kind], input[currency], input[TradeOptions.time]?.seconds)
        change.amount = try TradeOptions.decimal(amount, input, market)
        change.value = try TradeOptions.value(input, market)
        change.dropsValue = input[TradeOptions.unknownPrice]
        change.fee = try await TradeOptions.fee(input, market)
        change.date = input[date]?.day(today: market.clock.today, .back)
        change.income = input[TradeOptions.income]
        change.place = input[TradeOptions.place].map { TokenLabel.cleaned($0) }
        change.destination = input[TradeOptions.destination].map { TokenLabel.cleaned($0) }
        change.portfolio = input[TradeOptions.portfolio].map { TokenLabel.cleaned($0) }
        change.note = input[TradeOptions.note].map { Trade.Details.cleanedNote($0) }
        return change
    }
}
