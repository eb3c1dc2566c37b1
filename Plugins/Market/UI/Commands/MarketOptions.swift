import BigInteger
package import Commands
package import MarketDomain

extension Currency: ArgumentValue {
    /// Parses a currency code such as `eur`.
    package static func parse(argument: String) throws(InvalidArgument) -> Currency {
        guard let currency = Currency(argument) else {
            throw InvalidArgument(expected: "a currency code such as eur or btc")
        }
        return currency
    }
}

extension CostBasis: ChoiceArgument {}

/// The options and arguments that several commands share.
enum MarketOptions {
    static let currency = Option<Currency>(
        "currency", "CODE", help: "currency of prices, such as eur or btc", hasEnvironmentVariable: true)
    static let basis = Option<CostBasis>("basis", "RULE", help: "cost basis of sales: fifo, lifo, hifo or average")
    static let completion = Completion.from(MarketPlugin.self) { market, typed in
        try await market.search([typed], limit: 50, isOffline: true).tokens.map {
            CompletionWord(id: $0.key.text, name: $0.label)
        }
    }
    static let token = Argument<String>("TOKEN", help: "token: id, symbol or name", completion: completion)
    static let tokens = Arguments<String>(
        "TOKEN", .oneOrMore, help: "tokens: ids, symbols or names, or - for stdin", completion: completion)

    /// The exact decimal that was typed. Throws `usage` for one that the locale does not have, or with two readings.
    static func decimal(_ argument: NumberArgument, _ market: MarketPlugin) throws(HubError) -> BigDecimal {
        let text = try argument.number(market.config).text
        if let number = BigDecimal(text) { return number }
        throw HubError(.usage, code: "invalid-number", "the number \(text.prefix(20))… has too many digits")
    }

    /// The currency of `--currency`, or of the config.
    static func currency(_ input: Input, _ market: MarketPlugin) -> Currency { input[currency] ?? market.currency }

    /// The token that a word names; of several with one symbol the best-ranked one, and a remark that says so.
    static func token(
        _ word: String, _ market: MarketPlugin, _ input: Input
    ) async throws -> (token: KnownToken, note: Diagnostic?) {
        let found = try await market.tokens(named: word, isOffline: input.offline)
        guard found.count > 1 else { return (found[0], nil) }
        let others = found.dropFirst().prefix(3).map(\.key.text).joined(separator: ", ")
        return (
            found[0],
            Diagnostic("\"\(word)\" is taken as \(found[0].label) (\(found[0].key.text)), not \(others)", level: .aside)
        )
    }

    /// The token that a word names, for a change: the user chooses among several of one symbol.
    static func tokenToChange(_ word: String, _ market: MarketPlugin, _ input: Input) async throws -> KnownToken {
        let found = try await market.tokens(named: word, isOffline: input.offline)
        if let clear = found.clearChoice { return clear }
        let candidates = found.map { Candidate(id: $0.key.text, name: $0.label) }
        let picked = try await input.pick(candidates, named: word, noun: "tokens")
        return found.first { $0.key.text == picked.id } ?? found[0]
    }
}
