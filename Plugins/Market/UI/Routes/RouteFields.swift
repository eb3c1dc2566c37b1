import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The shapes that several routes send. Numbers are exact decimals, and the domain says how many digits of a price are shown.
enum RouteFields {
    typealias Member = FieldValue.Member

    /// A token with its price.
    static func row(_ item: RankedRow) -> FieldValue { .object(members(item)) }

    static func members(_ item: RankedRow) -> [Member] {
        let row = item.row
        let price = row.value(.current)
        return [
            Member("id", .text(item.key.text)), Member("number", FieldValue(item.number)),
            Member("name", .text(row.token.name)), Member("symbol", .text(row.token.symbol)),
            Member("price", decimal(price)), Member("digits", digits(of: price, item.currency)),
            Member("change_1h", decimal(row.value(.change1h))), Member("change_24h", decimal(row.value(.change24h))),
            Member("change_7d", decimal(row.value(.change7d))), Member("volume", decimal(row.value(.volume24h))),
            Member("market_cap", decimal(row.value(.marketCap))), Member("as_of", FieldValue([item].shownAsOf)),
        ]
    }

    /// An exact number; null when it is not known.
    static func decimal(_ value: BigDecimal?) -> FieldValue { value.map { .decimal($0.description) } ?? .null }

    /// A sum of money, rounded once to the digits of its currency.
    static func money(_ value: BigDecimal?, _ currency: Currency) -> FieldValue {
        value.map { .decimal($0.text(fractionDigits: currency.fractionDigits)) } ?? .null
    }

    /// The number of digits that a price of this size is shown with.
    static func digits(of price: BigDecimal?, _ currency: Currency) -> FieldValue {
        .integer(
            price.map { PriceFormat.fractionDigits(of: $0.magnitude, currency) } ?? currency.fractionDigits)
    }

    /// Where prices come from, and what stood in the way of newer ones.
    static func origin(_ origin: PriceOrigin, now: Instant) -> FieldValue {
        let provider = origin.source?.provider
        return .object([
            Member("provider", FieldValue(provider?.rawValue)),
            Member("attribution", FieldValue(provider?.attribution)), Member("url", FieldValue(provider?.url)),
            Member("is_fresh", .bool(origin.isFresh)), Member("is_offline", .bool(origin.isOffline)),
            Member(
                "problems",
                FieldValue(origin.failures.map { "\($0.provider.rawValue) \($0.error.text(now: now))" })),
        ])
    }
}

/// The values of a form, with all that is wrong with them.
struct FormValues {
    private let json: JSONValue
    private let decimalMark: DecimalMark
    private var problems: [FieldProblem] = []

    init(_ request: RouteRequest, _ market: MarketPlugin) throws {
        json = try request.json(example: #"{"token": "bitcoin"}"#)
        decimalMark = market.config.decimalMark(of: json)
    }

    /// Whether there is such a member, blank or not.
    func has(_ name: String) -> Bool { json[name] != nil }

    /// The text of a member without spaces around it; nil when it is missing or blank.
    func text(_ name: String) -> String? {
        let words = json[name]?.string?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        return words.isEmpty ? nil : words
    }

    /// The text of a member as it is; nil when it is none.
    func raw(_ name: String) -> String? { json[name]?.string }

    /// The texts of a list; nil when it is none.
    func list(_ name: String) -> [String]? { json[name]?.array?.compactMap(\.string) }

    /// Whether a member is true.
    func isTrue(_ name: String) -> Bool { json[name]?.bool ?? false }

    /// An exact number as it was typed. Notes a problem when it is missing, unless `otherwise` stands for it, and when it has
    /// two readings.
    mutating func decimal(_ name: String, otherwise: BigDecimal? = nil, example: String) -> BigDecimal {
        guard let text = text(name) else {
            if let otherwise { return otherwise }
            note(name, "must not be empty")
            return 0
        }
        do throws(TypedNumber.Problem) {
            if let number = BigDecimal(try TypedNumber(text, decimalMark).text) { return number }
            note(name, "has too many digits")
        } catch {
            if case .ambiguous = error {
                note(name, "has two readings", hint: error.hint)
            } else {
                note(name, "must be a number such as \(example)", hint: error.hint)
            }
        }
        return 0
    }

    /// A day; notes a problem when it is none.
    mutating func day(_ name: String, otherwise: CivilDate) -> CivilDate {
        guard let text = text(name) else { return otherwise }
        if let day = CivilDate(text) { return day }
        note(name, "must be a date such as 2026-11-20")
        return otherwise
    }

    /// The token that a text names, the best-ranked of several; notes a problem when there is none.
    mutating func token(_ name: String, _ market: MarketPlugin) async throws -> KnownToken? {
        guard let text = text(name) else {
            note(name, "must not be empty")
            return nil
        }
        do {
            return try await market.tokens(named: text, isOffline: false).first
        } catch let error as HubError where error.code == "token-not-found" {
            note(name, error.message, hint: error.hint)
            return nil
        }
    }

    /// Whether a value is not right.
    func isWrong(_ name: String) -> Bool { problems.contains { $0.field == name } }

    /// Notes that a value is not right.
    mutating func note(_ name: String, _ message: String, hint: String? = nil) {
        problems.append(FieldProblem(field: name, message, hint: hint))
    }

    /// Throws what was noted.
    func check() throws(HubError) {
        guard let first = problems.first else { return }
        var error = HubError(.invalid, code: "form-invalid", "\"\(first.field)\" \(first.message)")
        error.problems = problems
        throw error
    }
}
