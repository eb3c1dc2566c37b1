import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// `hub market portfolio` and its subcommands.
enum PortfolioCommands {
    static let tree = Command(
        group: "portfolio", summary: "ledger of holdings, with their value and gains",
        examples: [
            Example("hub market portfolio buy 0.5 btc --price 42000 --fee 12 --date 2026-01-03", "record a purchase"),
            Example("hub market portfolio", "positions with value and gain"),
        ], view: "list",
        subcommands: [
            PortfolioListCommand.command
        ] + TradeCommands.all + [EditTradeCommand.command, history, GainsCommand.command, ReportCommand.command]
            + entity.tagging { verb in
                [
                    Example("hub market portfolio \(verb) last savings", "one tag of the newest entry"),
                    Example("hub market portfolio \(verb) last savings longterm", "two tags"),
                ]
            } + [remove, restore, PortfolioFileCommands.importing, PortfolioFileCommands.exporting])

    /// The commands and parameters that follow from the description of trades.
    static let entity = EntityCommands(
        TradeRecord.kind, valueName: "TRADE", oneForm: "id, words, or last", manyForms: "ids, words, last",
        fields: tradeFields
    ) { (market: MarketPlugin, typed) in
        try await market.tradeRecords().filter { $0.id.hasPrefix(typed) || $0.symbol.lowercased().hasPrefix(typed) }
    } in: { market in
        market.trades
    }

    /// An entry in a sentence, before and after it is recorded: `buy 0.5 BTC for 42,000 USD each on 2026-01-03`, `bought 0.5 BTC …`.
    static func sentence(_ record: TradeRecord, isDone: Bool) -> String {
        let trade = record.trade
        let isPaid = trade.kind == .buy || trade.kind == .sell
        let value: String? =
            switch trade.value {
            case .each(let price)?: " \(isPaid ? "for" : "worth") \(money(price, trade)) each"
            case .total(let total)?: " \(isPaid ? "for" : "worth") \(money(total, trade))"
            case nil where trade.kind.hasValue && trade.kind != .giftGiven: " of unknown value"
            case nil: nil
            }
        return "\(action(record, isDone: isDone))\(value ?? "") on \(trade.date)"
    }

    private static func money(_ sum: BigDecimal, _ trade: Trade) -> String {
        "\(NumberFormat.grouped(sum.description)) \(trade.currency.name)"
    }

    private static func action(_ record: TradeRecord, isDone: Bool) -> String {
        let trade = record.trade
        func verb(_ plan: String, _ done: String) -> String { isDone ? done : plan }
        func tokens(_ amount: BigDecimal, _ symbol: String) -> String {
            "\(NumberFormat.grouped(amount.description)) \(symbol)"
        }
        let own = tokens(trade.amount, record.symbol)
        switch trade.kind {
        case .buy: return "\(verb("buy", "bought")) \(own)"
        case .sell: return "\(verb("sell", "sold")) \(own)"
        case .swap:
            let received = trade.received.map { " for \(tokens($0.amount, record.symbol(of: $0.tokenID)))" } ?? ""
            return "\(verb("swap", "swapped")) \(own)\(received)"
        case .transfer: return "\(verb("transfer", "transferred")) \(own)"
        case .income:
            let source = trade.details.income.map { $0 == .other ? "income" : $0.rawValue } ?? "income"
            return "\(verb("receive", "received")) \(own) as \(source)"
        case .giftReceived: return "\(verb("receive", "received")) \(own) as a gift"
        case .giftGiven: return "\(verb("give", "gave")) \(own) as a gift"
        case .loss: return "\(verb("lose", "lost")) \(own)"
        case .fee: return "\(verb("pay", "paid")) a fee of \(own)"
        }
    }

    private static let history = Command(
        "history", summary: "list the entries of the ledger",
        examples: [
            Example("hub market portfolio history", "all entries"),
            Example("hub market portfolio history btc", "of one token"),
            Example("hub market portfolio history --since 2026-01-01 --json", "of this year, for a script"),
        ],
        parameters: [tokenFilter] + TradeOptions.filters + [
            SharedOptions.since, SharedOptions.until, SharedOptions.limit, SharedOptions.trash,
        ],
        fields: tradeFields
    ) { (market: MarketPlugin, input: Input) in
        var found = input[SharedOptions.trash] ? try await market.trades.trash() : try await market.tradeRecords()
        let words = input[tokenFilter].map { $0.lowercased() }
        if !words.isEmpty {
            found = found.filter { record in
                record.trade.tokenIDs.contains {
                    words.contains($0) || words.contains(record.symbol(of: $0).lowercased())
                }
            }
        }
        let filter = TradeOptions.filter(input)
        found = found.filter { filter.includes($0.trade) }
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
            count: Output.count(shown.count, of: found.count, "entries"), empty: PortfolioListCommand.empty)
    }

    private static let tokenFilter = Arguments<String>(
        "TOKEN", .zeroOrMore, help: "only these tokens, by symbol or id", completion: MarketOptions.completion)

    private static let remove = entity.remove(
        examples: [
            Example("hub market portfolio rm last", "the last recorded trade"),
            Example("hub market portfolio rm last --yes", "without confirmation"),
        ], label: { "trade \($0.shortID) (\($0.summary.shownName))" })

    private static let restore = entity.restore(examples: [
        Example("hub market portfolio restore last", "the last removed trade"),
        Example("hub market portfolio restore 7kt", "by id, as shown by hub trash list"),
    ])
}
