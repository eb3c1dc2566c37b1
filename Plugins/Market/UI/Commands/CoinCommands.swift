import Commands
import MarketDomain
import MarketKnownProviders

/// `hub market coins`: the ids that providers have for one coin.
enum CoinCommands {
    static let tree = Command(
        group: "coins", aliases: ["coin"], summary: "ids that are one coin",
        examples: [
            Example("hub market coins", "the ids that are known"),
            Example("hub market coins link ltc doge", "two ids are one coin"),
        ], prominence: .more, view: "list", subcommands: [list, link, unlink])

    private static let fields: [Field<CoinID>] = [
        Field("coin", "COIN", help: "id that lists, trades and alerts have") { .text($0.coin.text) },
        Field("name", "NAME", help: "name of the coin") { .text($0.name) },
        Field("id", "ID", help: "other id of the same coin") { .text($0.key.text) },
        Field("match", "KNOWN BY", help: "word, contract, id or name: how it is known") { .text($0.match.rawValue) },
    ]

    private static let list = Command(
        "list", summary: "list the ids that are one coin",
        discussion: [
            "Each provider has ids of its own. hub takes two as one coin if you say so, if they have a contract in common, if "
                + "they have the same words, or if they are the only ones with both their name and their symbol.",
            "The lists of contracts are fetched at most once a week.",
        ],
        examples: [
            Example("hub market coins", "those of your lists, trades and alerts"),
            Example("hub market coins list --json", "for a script"),
        ], fields: fields
    ) { (market: MarketPlugin, input: Input) in
        try await market.refreshContracts(isOffline: input.offline)
        return .list(
            try await market.coinIDs(), fields,
            empty: Diagnostic(
                "No coin has several ids",
                suggestions: [Example("hub market coins link ltc doge", "link two")]))
    }

    private static let first = Argument<String>("ID", help: "id, symbol or name", completion: MarketOptions.completion)
    private static let second = Argument<String>(
        "COIN", help: "id, symbol or name of the same coin", completion: MarketOptions.completion)

    private static let link = Command(
        "link", summary: "say that two ids are one coin",
        discussion: [
            "Lists, trades and alerts of both are of one coin from now on. The prices of both stay as they are."
        ],
        examples: [
            Example("hub market coins link ltc doge", "the first one is the coin of the second one"),
            Example("hub market coins link ltc doge --dry-run", "show what would change"),
        ], parameters: [first, second], changes: true
    ) { (market: MarketPlugin, input: Input) in
        let one = try await MarketOptions.tokenToChange(input[first], market, input)
        let other = try await MarketOptions.tokenToChange(input[second], market, input)
        if input.dryRun { return .done("Would link \(one.key.text) and \(other.key.text)") }
        let coin = try await market.linkCoins(one.key, other.key, operation: Operation(input))
        return .edited("\(one.key.text) and \(other.key.text): one coin, \(coin.text)")
    }

    private static let unlink = Command(
        "unlink", summary: "say that an id is a coin of its own",
        examples: [
            Example("hub market coins unlink ltc", "take two coins apart"),
            Example("hub market coins unlink ltc --dry-run", "show what would change"),
        ], parameters: [first], changes: true
    ) { (market: MarketPlugin, input: Input) in
        let token = try await MarketOptions.tokenToChange(input[first], market, input)
        if input.dryRun { return .done("Would unlink \(token.key.text)") }
        try await market.unlinkCoin(token.key, operation: Operation(input))
        return .edited("\(token.key.text): a coin of its own")
    }
}
