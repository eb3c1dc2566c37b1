import BigInteger
import Commands
import MarketDomain
import MarketKnownProviders

/// The commands about single tokens: `search`, `show`, `price` and `convert`.
enum TokenCommands {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words or beginnings of words")

    private static let hitFields = [
        Field<KnownToken>("id", "ID", help: "id of the token") { .text($0.key.text) },
        Field<KnownToken>("name", "NAME", help: "name of the token") { .text($0.token.name) },
        Field<KnownToken>("symbol", "SYMBOL", help: "ticker symbol") { .text($0.token.symbol) },
        Field<KnownToken>("rank", "RANK", help: "rank by market cap", align: .trailing) { FieldValue($0.rank) },
    ]

    static let search = Command(
        "search", summary: "find tokens by name, symbol or id",
        discussion: ["Known tokens are searched first, then the provider's catalogue."],
        examples: [
            Example("hub market search bit", "by the beginning of a name"),
            Example("hub market search btc --json=id", "for a script"),
        ], parameters: [words, SharedOptions.limit], fields: hitFields
    ) { (market: MarketPlugin, input: Input) in
        let limit = min(input.rowLimit(50), 10_000)
        let (tokens, origin) = try await market.search(input[words], limit: limit, isOffline: input.offline)
        let text = input[words].joined(separator: " ")
        return Output.matches(tokens, hitFields, none: Diagnostic("No token matches \"\(text)\""))
            .noting(all: OriginNotes.notes(origin, seen: nil, now: market.clock.now).filter { $0.code != "source" })
    }

    static let price = Command(
        "price", summary: "show the price of tokens",
        examples: [
            Example("hub market price btc", "one token"),
            Example("hub market price btc eth --currency eur", "two, in euros"),
        ], parameters: [MarketOptions.tokens, MarketOptions.currency], fields: PriceFields.all(.usd)
    ) { (market: MarketPlugin, input: Input) in
        let currency = MarketOptions.currency(input, market)
        var (tokens, notes): ([KnownToken], [Diagnostic]) = ([], [])
        for word in try await input.selectors(input[MarketOptions.tokens]) {
            let (token, note) = try await MarketOptions.token(word, market, input)
            tokens.append(token)
            note.map { notes.append($0) }
        }
        let (rows, origin) = try await market.prices(of: tokens, in: currency, isOffline: input.offline)
        let seen = rows.shownAsOf
        return Output.list(rows, PriceFields.all(currency, isNumbered: rows.contains { $0.number != nil }))
            .noting(all: notes + OriginNotes.notes(origin, seen: seen, now: market.clock.now))
    }

    static let show = Command(
        "show", summary: "show all details of a token",
        examples: [
            Example("hub market show btc", "price, changes, lists, position, alerts"),
            Example("hub market show btc --json", "for a script"),
        ], parameters: [MarketOptions.token, MarketOptions.currency], fields: PriceFields.all(.usd)
    ) { (market: MarketPlugin, input: Input) in
        let currency = MarketOptions.currency(input, market)
        let (token, note) = try await MarketOptions.token(input[MarketOptions.token], market, input)
        let details = try await market.details(of: token, in: currency, isOffline: input.offline)
        var output = Output.record(details.item, PriceFields.all(currency), human: lines(details, currency))
        if let note { output = output.noting(note) }
        return output.noting(
            all: OriginNotes.notes(details.origin, seen: [details.item].shownAsOf, now: market.clock.now))
    }

    private static func lines(_ details: TokenDetails, _ currency: Currency) -> [String] {
        let row = details.item.row
        func money(_ field: Price.Field) -> String? {
            row.value(field).map { PriceFormat.text($0, currency, trimsZeros: true) }
        }
        func large(_ field: Price.Field) -> String? { row.value(field).map(PriceFields.compact) }
        let changes = [("1 h", Price.Field.change1h), ("24 h", .change24h), ("7 d", .change7d), ("1 y", .change1y)]
            .compactMap { name, field in row.value(field).map { "\(name) \(PercentFormat.signed($0))" } }
        let facts: [(String, String?)] = [
            ("price", money(.current) ?? FiatFormat.unknown),
            ("change", changes.isEmpty ? nil : changes.joined(separator: ", ")),
            ("7 days", row.sparkline.map { ChartDrawing.bars($0.levels.map(Double.init), columns: 28) }),
            ("24 hours", money(.low24h).flatMap { low in money(.high24h).map { "\(low) to \($0)" } }),
            ("market cap", large(.marketCap)), ("volume", large(.volume24h)), ("supply", large(.circulatingSupply)),
            ("all-time high", money(.allTimeHigh)),
            ("lists", details.lists.isEmpty ? nil : details.lists.joined(separator: ", ")),
            (
                "portfolio",
                details.position.map { position in
                    let value = position.value.map { ", worth \(FiatFormat.text($0, currency))" } ?? ""
                    return "\(position.amount)\(value)"
                }
            ),
            ("alerts", details.alerts.isEmpty ? nil : details.alerts.map(\.name).joined(separator: ", ")),
        ]
        let number = details.item.number.map { ", #\(NumberFormat.grouped($0))" } ?? ""
        return ["\(row.token.name) \(row.token.symbol) (\(details.item.key.text)\(number))"]
            + facts.compactMap { name, value in
                value.map { "  \(name.padded(to: 15))\($0)" }
            }
    }

    private static let amount = Argument<NumberArgument>("AMOUNT", help: "amount, an exact decimal")
    private static let from = Argument<String>("FROM", help: "token or currency", completion: MarketOptions.completion)
    private static let to = Argument<String>("TO", help: "token or currency", completion: MarketOptions.completion)

    private struct Conversion: Sendable {
        let amount: BigDecimal
        let from: String
        let result: BigDecimal
        let to: String
    }

    private static let conversionFields = [
        Field<Conversion>("amount", "AMOUNT", help: "amount") { .decimal($0.amount.description) },
        Field<Conversion>("from", "FROM", help: "token or currency of the amount") { .text($0.from) },
        Field<Conversion>("result", "RESULT", help: "amount in the other, rounded once") {
            .decimal($0.result.description)
        },
        Field<Conversion>("to", "TO", help: "token or currency of the result") { .text($0.to) },
    ]

    static let convert = Command(
        "convert", summary: "convert between tokens and currencies",
        discussion: [
            "The result is exact and rounded once, half up, to the digits of its currency or to eight. A smaller one has four digits."
        ],
        examples: [
            Example("hub market convert 0.5 btc usd", "a token into a currency"),
            Example("hub market convert 1000 eur btc", "a currency into a token"),
        ], parameters: [amount, from, to], fields: conversionFields
    ) { (market: MarketPlugin, input: Input) in
        let (first, second) = (
            try await unit(input[from], market, input), try await unit(input[to], market, input)
        )
        let amount = try MarketOptions.decimal(input[amount], market)
        let (result, origin, seen) = try await market.convert(
            amount, from: first, to: second, isOffline: input.offline)
        let row = Conversion(amount: amount, from: first.name, result: result, to: second.name)
        let digits = second.currency.map { max($0.fractionDigits, result.scale) }
        let text = digits.map { result.text(fractionDigits: $0) } ?? result.description
        let line =
            "\(NumberFormat.grouped(row.amount.description)) \(row.from) = \(NumberFormat.grouped(text)) \(row.to)"
        return Output.record(row, conversionFields, human: [line])
            .noting(all: OriginNotes.notes(origin, seen: seen, now: market.clock.now))
    }

    /// A code of a currency that tokens are quoted in, or else a token. A coin such as BTC is the token when it is known.
    private static func unit(_ word: String, _ market: MarketPlugin, _ input: Input) async throws -> ConversionUnit {
        if let currency = Currency(word), FiatCodes.all.contains(currency.code) { return .currency(currency) }
        return .token(try await MarketOptions.token(word, market, input).token)
    }
}
