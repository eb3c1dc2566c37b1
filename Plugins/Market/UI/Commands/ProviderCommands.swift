import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// `hub market providers` and `hub market status`.
enum ProviderCommands {
    static let tree = Command(
        group: "providers", aliases: ["provider"], summary: "sources of prices",
        examples: [
            Example("hub market providers", "with age and remaining calls"),
            Example("hub market providers test", "test each of them"),
        ], prominence: .more, view: "list", subcommands: [list, test])

    /// The columns of providers.
    static let fields: [Field<ProviderView>] = [
        Field("provider", "PROVIDER", help: "name of the provider") { .text($0.provider.rawValue) },
        Field(
            "currency", "CURRENCY", help: "currency of its last list",
            cell: { $0.currencies.map(\.name).joined(separator: " ") }
        ) { FieldValue($0.currency?.code) },
        Field("currencies", "CURRENCIES", help: "currencies of all its lists", column: .onRequest) {
            FieldValue($0.currencies.map(\.code))
        },
        Field("tokens", "TOKENS", help: "number of known tokens", align: .trailing) { .integer($0.tokenCount) },
        Field("fetched_at", "FETCHED", help: "time when its list was last fetched") { FieldValue($0.fetchedAt) },
        Field("calls_left_minute", "CALLS LEFT", help: "remaining calls in this minute", align: .trailing) {
            FieldValue($0.callsLeft)
        },
        Field("calls_month", "THIS MONTH", help: "calls in this month", align: .trailing, column: .ifRoom(1)) {
            FieldValue($0.callsThisMonth)
        },
        Field("limited_until", "LIMITED UNTIL", help: "time before which no call is made", column: .ifRoom(2)) {
            FieldValue($0.limitedUntil)
        },
        Field("attribution", "ATTRIBUTION", help: "attribution required by the source", column: .onRequest) {
            .text($0.provider.attribution)
        },
    ]

    private static let list = Command(
        "list", summary: "list the providers with age and remaining calls",
        examples: [
            Example("hub market providers", "in the configured order"),
            Example("hub market providers list --json", "for a script"),
        ], fields: fields
    ) { (market: MarketPlugin, _: Input) in .list(try await market.providers(), fields) }

    private static let names = Arguments<Provider>("PROVIDER", .zeroOrMore, help: "providers (default: those in use)")

    /// The columns of tests.
    static let testFields: [Field<ProviderTest>] = [
        Field("provider", "PROVIDER", help: "name of the provider") { .text($0.provider.rawValue) },
        Field("state", "STATE", help: "ok or failing", tone: { $0.isOK ? .good : .bad }) {
            .text($0.isOK ? "ok" : "failing")
        },
        Field("detail", "DETAIL", help: "response, or reason of the failure") { .text($0.detail) },
    ]

    private static let test = Command(
        "test", summary: "check that providers respond",
        discussion: ["Each test costs one call. Exits with 1 if one of them fails."],
        examples: [
            Example("hub market providers test", "those in use"),
            Example("hub market providers test demo", "one of them"),
        ], parameters: [names], fields: testFields
    ) { (market: MarketPlugin, input: Input) in
        guard !input.offline else {
            throw HubError(.unavailable, code: "offline", "a test needs the network", hint: "run it without --offline")
        }
        let results = try await market.testProviders(input[names])
        var output = Output.list(results, testFields)
        if results.contains(where: { !$0.isOK }) { output.exit = .no }
        return output
    }

    static let sync = Command(
        "sync", summary: "fetch prices now",
        discussion: ["Fetches the list, and the prices of tokens that you hold, watch or have alerts on."],
        examples: [
            Example("hub market sync", "from the first provider that responds"),
            Example("hub market sync --quiet", "for cron"),
        ], prominence: .more, fields: SyncResult.fields
    ) { (market: MarketPlugin, input: Input) in
        guard !input.offline else {
            throw HubError(.unavailable, code: "offline", "sync needs the network", hint: "run it without --offline")
        }
        return try SyncResult.output(try await market.syncPrices(), empty: Diagnostic("Nothing was fetched"))
    }

    private static let statusFields: [Field<StatusLine>] = [
        Field("name", "NAME", help: "board, alerts or provider") { .text($0.name) },
        Field("state", "STATE", help: "state") { .text($0.state) },
        Field("detail", "DETAIL", help: "details") { .text($0.detail) },
    ]

    static let status = Command(
        "status", summary: "show the age of prices, alerts and limits",
        examples: [
            Example("hub market status", "one line each"),
            Example("hub market status --json", "for a script"),
        ], prominence: .more, fields: statusFields
    ) { (market: MarketPlugin, _: Input) in .list(try await market.statusLines(), statusFields) }
}

extension Provider: ChoiceArgument {}
