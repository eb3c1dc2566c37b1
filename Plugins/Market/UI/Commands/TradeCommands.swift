import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// `hub market portfolio buy`, `sell` and the commands for all other kinds of entries.
enum TradeCommands {
    static let all = [buy, sell, swap, transfer, income, gift, loss, fee]

    /// What a command records, apart from what its options say.
    private struct Entry {
        var kind: Trade.Kind
        var amount: BigDecimal
        var token: KnownToken
        var received: (token: KnownToken, amount: BigDecimal)?
        var income: Trade.Income?
        var places: (from: String, to: String)?
    }

    /// What stands for a price that is not given.
    private enum Otherwise {
        /// The price of now; for another day it must be given.
        case required
        /// The price of now; for another day it is not known.
        case ifToday
        /// Nothing.
        case nothing
    }

    private static let buy = trade(
        .buy, "buy", "record a purchase",
        examples: [
            Example("hub market portfolio buy 0.5 btc --price 42000 --fee 12 --date 2026-01-03", "with fee and day"),
            Example("hub market portfolio buy 2 eth", "today, at the current price"),
            Example(
                "hub market portfolio buy 3 ada --total 1.25 --currency eur --place kraken",
                "with the sum that was paid"),
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
        command(
            verb, summary,
            discussion: [
                "Amounts, prices and fees are kept exactly as typed. A fee in a coin is also a disposal of that coin."
            ], examples: examples,
            parameters: [TradeOptions.amount, MarketOptions.token] + valued, otherwise: .required
        ) { market, input in
            try await entry(kind, market, input)
        }
    }

    private static let valued: [any ParameterDeclaration] =
        [TradeOptions.price, TradeOptions.total, TradeOptions.unknownPrice] + TradeOptions.common

    private static let receivedAmount = Argument<NumberArgument>(
        "RECEIVED", help: "number of tokens that were received")
    private static let receivedToken = Argument<String>(
        "FOR", help: "token that was received: id, symbol or name", completion: MarketOptions.completion)

    private static let swap = command(
        "swap", "record that one token was given for another",
        discussion: [
            "Without --price (of the token that was given) or --total, a swap has the value of the current price, or that of the close of its day if it is not today."
        ],
        examples: [
            Example("hub market portfolio swap 1 eth 0.04 btc --total 2400 --date 2026-02-03", "ETH for BTC"),
            Example("hub market portfolio swap 0.5 eth 1000 ada --fee 0.001 --fee-in eth", "today, with a fee in ETH"),
        ],
        parameters: [TradeOptions.amount, MarketOptions.token, receivedAmount, receivedToken] + valued,
        otherwise: .ifToday
    ) { market, input in
        var entry = try await entry(.swap, market, input)
        entry.received = (
            try await MarketOptions.tokenToChange(input[receivedToken], market, input),
            try MarketOptions.decimal(input[receivedAmount], market)
        )
        return entry
    }

    private static let transfer = command(
        "transfer", "record that tokens moved between own places",
        discussion: [
            "A transfer is not a sale. Its fee in a coin is paid at the place where it begins; the amount is what arrives."
        ],
        examples: [
            Example("hub market portfolio transfer 0.2 btc --from kraken --to ledger", "to a wallet"),
            Example(
                "hub market portfolio transfer 0.2 btc --to ledger --fee 0.0001 --fee-in btc",
                "with the fee of the network"),
        ],
        parameters: [TradeOptions.amount, MarketOptions.token, TradeOptions.source, TradeOptions.destination]
            + TradeOptions.common.filter { $0.parameter.name != "place" }, otherwise: .nothing
    ) { market, input in
        var entry = try await entry(.transfer, market, input)
        entry.places = (input[TradeOptions.source] ?? "", input[TradeOptions.destination] ?? "")
        guard entry.places?.from != "" || entry.places?.to != "" else {
            throw HubError(
                .usage, code: "place-missing", "a transfer goes from one place to another",
                hint: "add --from PLACE, --to PLACE or both")
        }
        return entry
    }

    private static let income = command(
        "income", "record tokens that were received as income",
        discussion: [
            "What they were worth is the income and their cost. Without --price or --total it is the current price, or the close of the day if it is not today."
        ],
        examples: [
            Example("hub market portfolio income 0.01 eth --source staking --price 2500", "a reward of today"),
            Example("hub market portfolio income 100 ada --source airdrop --unknown-price", "of unknown value"),
        ],
        parameters: [TradeOptions.amount, MarketOptions.token, TradeOptions.income] + valued, otherwise: .ifToday
    ) { market, input in
        var entry = try await entry(.income, market, input)
        entry.income = input[TradeOptions.income] ?? .other
        return entry
    }

    private enum Direction: String, CaseIterable, ChoiceArgument { case received, given }
    private static let direction = Argument<Direction>("DIRECTION", help: "received or given")

    private static let gift = command(
        "gift", "record tokens that were received or given as a gift",
        discussion: [
            "The price of a received gift, or else the close of the day, is what counts as its cost. A given gift leaves at its cost, without a gain, unless it has a price."
        ],
        examples: [
            Example("hub market portfolio gift received 0.1 eth --price 1800 --date 2026-01-05", "with its cost"),
            Example("hub market portfolio gift given 0.1 btc --note birthday", "without a gain"),
        ],
        parameters: [direction, TradeOptions.amount, MarketOptions.token] + valued, otherwise: .nothing
    ) { market, input in
        try await entry(input[direction] == .given ? .giftGiven : .giftReceived, market, input)
    }

    private static let loss = command(
        "loss", "record tokens that were lost or stolen",
        discussion: ["The proceeds are zero, so the whole cost is a loss."],
        examples: [
            Example("hub market portfolio loss 0.05 btc --note \"lost keys\"", "today"),
            Example("hub market portfolio loss 0.5 eth --place kraken --date 2026-05-04", "at an exchange"),
        ],
        parameters: [TradeOptions.amount, MarketOptions.token] + TradeOptions.common, otherwise: .nothing
    ) { market, input in try await entry(.loss, market, input) }

    private static let fee = command(
        "fee", "record tokens that were spent as a fee alone",
        discussion: ["A fee that belongs to another entry is better recorded with it: --fee 0.001 --fee-in eth."],
        examples: [
            Example("hub market portfolio fee 0.002 eth --note approval", "today, at the current price"),
            Example("hub market portfolio fee 0.002 eth --price 2500 --date 2026-05-04", "of another day"),
        ],
        parameters: [TradeOptions.amount, MarketOptions.token]
            + valued.filter { !$0.parameter.name.hasPrefix("fee") }, otherwise: .ifToday
    ) { market, input in try await entry(.fee, market, input) }

    private static func entry(_ kind: Trade.Kind, _ market: MarketPlugin, _ input: Input) async throws -> Entry {
        Entry(
            kind: kind, amount: try MarketOptions.decimal(input[TradeOptions.amount], market),
            token: try await MarketOptions.tokenToChange(input[MarketOptions.token], market, input))
    }

    private static func command(
        _ verb: String, _ summary: String, discussion: [String], examples: [Example],
        parameters: [any ParameterDeclaration], otherwise: Otherwise,
        _ entry: @escaping @Sendable (MarketPlugin, Input) async throws -> Entry
    ) -> Command {
        let names = Set(parameters.map { $0.parameter.name })
        return Command(
            verb, summary: summary, discussion: discussion, examples: examples, parameters: parameters,
            fields: PortfolioCommands.tradeFields, changes: true
        ) { (market: MarketPlugin, input: Input) in
            let entry = try await entry(market, input)
            let currency = MarketOptions.currency(input, market)
            let day = input[TradeOptions.date]?.day(today: market.clock.today, .back) ?? market.clock.today
            let given = names.contains("price") ? try TradeOptions.value(input, market) : nil
            let isUnknown = names.contains("unknown-price") && input[TradeOptions.unknownPrice]
            var value = given
            if given == nil, !isUnknown {
                value = try await price(of: entry.token, in: currency, on: day, otherwise, market, input)
            }
            var fee = names.contains("fee") ? try await TradeOptions.fee(input, market) ?? Trade.Fee.nothing : .nothing
            if entry.kind == .transfer {
                fee = try await valued(fee, entry.token, in: currency, on: day, market, input)
            }
            var details = TradeOptions.details(input, hasPlace: names.contains("place"))
            details.income = entry.income
            if let places = entry.places {
                details.place = TokenLabel.cleaned(places.from)
                details.destination = TokenLabel.cleaned(places.to)
            }
            let trade: Trade
            do throws(Trade.Problem) {
                trade = try Trade(
                    id: Identifier.make(), tokenID: entry.token.key.text, kind: entry.kind, amount: entry.amount,
                    value: value,
                    received: entry.received.map { Trade.Tokens(tokenID: $0.token.key.text, amount: $0.amount) },
                    fee: fee, currency: currency, date: day, time: input[TradeOptions.time]?.seconds, details: details)
            } catch { throw HubError(error) }
            return try await record(trade, entry, market, input)
        }
    }

    private static func record(
        _ trade: Trade, _ entry: Entry, _ market: MarketPlugin, _ input: Input
    ) async throws -> Output {
        let tokens = [entry.token] + (entry.received.map { [$0.token] } ?? [])
        let symbols = Dictionary(tokens.map { ($0.key.text, $0.token.symbol) }) { first, _ in first }
        let planned = TradeRecord(trade: trade, symbols: symbols, revision: 1, deletedAt: nil)
        if input.dryRun { return .done("Would \(PortfolioCommands.sentence(planned, isDone: false))") }
        let record = try await market.addTrade(trade, operation: Operation(input))
        let row = try await market.trades.listed(record)
        let what = PortfolioCommands.sentence(planned, isDone: true)
        return .edited("\(row.shortID): \(what)", row, PortfolioCommands.tradeFields)
    }

    /// The value of a coin fee of a transfer, which has no price of its own: the current price, if it is of today.
    private static func valued(
        _ fee: Trade.Fee, _ token: KnownToken, in currency: Currency, on day: CivilDate, _ market: MarketPlugin,
        _ input: Input
    ) async throws -> Trade.Fee {
        guard case .coin(let tokens, nil) = fee, tokens.tokenID == token.key.text,
            let price = try await price(of: token, in: currency, on: day, .ifToday, market, input)
        else { return fee }
        return .coin(tokens, value: price.total(of: tokens.amount))
    }

    /// The price that stands for one that is not given.
    private static func price(
        of token: KnownToken, in currency: Currency, on day: CivilDate, _ otherwise: Otherwise,
        _ market: MarketPlugin, _ input: Input
    ) async throws -> Trade.Value? {
        if otherwise == .nothing { return nil }
        let hint = "add --price PRICE, --total VALUE or --unknown-price"
        guard day == market.clock.today else {
            if otherwise == .ifToday { return nil }
            throw HubError(.usage, code: "price-missing", "the price on \(day) is not known", hint: hint)
        }
        let (rows, origin) = try await market.prices(of: [token], in: currency, isOffline: input.offline)
        guard origin.isFresh, let now = rows.first?.row.value(.current) else {
            if otherwise == .ifToday { return nil }
            throw HubError(.unavailable, code: "price-missing", "the current price is not known", hint: hint)
        }
        return .each(now)
    }
}
