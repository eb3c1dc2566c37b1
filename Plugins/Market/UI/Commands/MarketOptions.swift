import BigInteger
package import Commands
package import MarketDomain
import MarketKnownProviders

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
extension Trade.Kind: ChoiceArgument {}

/// A time of the day such as `08:26` or `08:26:53`.
struct TradeTime: ArgumentValue, CustomStringConvertible {
    /// Seconds since midnight.
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    static func parse(argument: String) throws(InvalidArgument) -> TradeTime {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap {
            $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { throw InvalidArgument(expected: "a time such as 08:26") }
        return TradeTime(seconds: (numbers[0] * 60 + numbers[1]) * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    /// The time as it is parsed, without seconds of zero.
    var description: String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].prefix(seconds.isMultiple(of: 60) ? 2 : 3)
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// The options and arguments that several commands share.
enum MarketOptions {
    static let currency = Option<Currency>(
        "currency", "CODE", help: "currency of prices, such as eur or btc", hasEnvironmentVariable: true)
    static let basis = Option<CostBasis>(
        "basis", "RULE", help: "cost basis of sales: fifo, lifo, hifo, average or pool")
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
