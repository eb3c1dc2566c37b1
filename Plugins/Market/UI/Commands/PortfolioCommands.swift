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

    /// An entry in a sentence: `buy 0.5 BTC at 42000 USD on 2026-01-03`.
    static func sentence(_ record: TradeRecord) -> String {
        let trade = record.trade
        let value: String? =
            switch trade.value {
            case .each(let price)?: " at \(price) \(trade.currency.name)"
            case .total(let total)?: " \(trade.kind == .swap ? "worth" : "for") \(total) \(trade.currency.name)"
            case nil where trade.kind.hasValue && trade.kind != .giftGiven: " of unknown value"
            case nil: nil
            }
        return "\(record.name)\(value ?? "") on \(trade.date)"
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

    private static let remove = entity.remove(examples: [
        Example("hub market portfolio rm last", "the last recorded trade"),
        Example("hub market portfolio rm last --yes", "without confirmation"),
    ])

    private static let restore = entity.restore(examples: [
        Example("hub market portfolio restore last", "the last removed trade"),
        Example("hub market portfolio restore 7kt", "by id, as shown by hub trash list"),
    ])
}
