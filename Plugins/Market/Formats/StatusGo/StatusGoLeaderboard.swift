import BigInteger
import JSON
package import MarketDomain
import Time

/// A page of the leaderboard as status-go sends it.
package struct StatusGoPage: Hashable, Sendable {
    /// The result of a request; status-go sends the number.
    package enum Outcome: Hashable, Sendable {
        case success
        /// A newer request replaced this one.
        case superseded
        case failed
    }

    /// The outcome; an update without a code is a success.
    package let outcome: Outcome
    /// The number of the page, from 1; 0 for a page that failed, which then says nothing else either.
    package let page: Int
    /// The number of rows of a page.
    package let size: Int
    /// The number of all tokens; nil if it is not sent.
    package let total: Int?
    /// The currency; nil when it is empty, which means US dollars.
    package let currency: Currency?
    /// The rows.
    package let rows: MarketPage
}

/// New prices of tokens of the live page.
package struct StatusGoPrices: Sendable {
    /// The number of the page.
    package let page: Int
    /// The number of rows of a page.
    package let size: Int
    /// The currency; nil when it is empty.
    package let currency: Currency?
    /// The prices by token id.
    package let prices: [(id: String, price: Price)]
    /// The number of prices that could not be read, or that name no token.
    package let droppedRows: Int
}

/// Decodes the messages of the signals of the leaderboard. Their numbers have no nulls: a price of 0 is not known.
enum StatusGoLeaderboard {
    private enum Member {
        case id, symbol, name, image
        case number(Price.Field)
    }

    /// Rows and prices of all versions: the names of a field differ between them.
    private static let members: [(name: String, member: Member)] = [
        ("id", .id), ("symbol", .symbol), ("name", .name), ("image", .image), ("current_price", .number(.current)),
        ("price", .number(.current)), ("market_cap", .number(.marketCap)), ("total_volume", .number(.volume24h)),
        ("volume_24h", .number(.volume24h)), ("price_change_percentage_24h", .number(.change24h)),
        ("percent_change_24h", .number(.change24h)),
    ]
    private static let keys = JSONKeys(members.map(\.name))
    private static let kinds = members.map(\.member)
    private static let pageKeys = JSONKeys([
        "page", "page_size", "all_cryptocurrency_count", "currency", "error_code", "cryptocurrencies",
    ])
    private static let pricesKeys = JSONKeys(["page", "page_size", "currency", "prices"])

    static func page(_ message: String, arrival: Instant) throws(GatewayError) -> StatusGoPage {
        let page: StatusGoPage? = try WireReader.read(Array(message.utf8)) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.object) else { return nil }
            var (page, size, total, code, currency) = (0, 0, -1, 1, "")
            var (rows, sent, dropped, lost) = ([MarketRow](), 0, 0, 0)
            while let index = try cursor.nextMember(pageKeys) {
                switch index {
                case 0: page = try cursor.integerOrZero()
                case 1: size = try cursor.integerOrZero()
                case 2: if case .value(let number) = try cursor.integerField() { total = number }
                case 3: currency = try cursor.textOrEmpty()
                case 4: code = try cursor.integerOrZero()
                case 5:
                    guard try cursor.begin(.array) else { continue }
                    while try cursor.nextElement() {
                        sent += 1
                        guard let builder = try element(&cursor), let row = builder.row(arrival: arrival) else {
                            dropped += 1
                            continue
                        }
                        lost += builder.lostFields
                        rows.append(row)
                    }
                default: try cursor.skip()
                }
            }
            return StatusGoPage(
                outcome: code == 1 ? .success : code == 2 ? .superseded : .failed, page: page, size: size,
                total: total >= 0 ? total : nil, currency: Currency(currency.filter { !$0.isWhitespace }),
                rows: MarketPage(rows: rows, sentCount: sent, droppedRows: dropped, lostFields: lost))
        }
        guard let page else { throw .malformed("a page that is not an object") }
        return page
    }

    static func prices(_ message: String, arrival: Instant) throws(GatewayError) -> StatusGoPrices {
        let prices: StatusGoPrices? = try WireReader.read(Array(message.utf8)) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.object) else { return nil }
            var (page, size, currency, dropped) = (0, 0, "", 0)
            var prices: [(id: String, price: Price)] = []
            while let index = try cursor.nextMember(pricesKeys) {
                switch index {
                case 0: page = try cursor.integerOrZero()
                case 1: size = try cursor.integerOrZero()
                case 2: currency = try cursor.textOrEmpty()
                case 3:
                    guard try cursor.begin(.array) else { continue }
                    while try cursor.nextElement() {
                        guard let builder = try element(&cursor), let id = builder.id.flatMap({ Token(id: $0)?.id })
                        else {
                            dropped += 1
                            continue
                        }
                        prices.append((id, builder.price(arrival: arrival)))
                    }
                default: try cursor.skip()
                }
            }
            return StatusGoPrices(
                page: page, size: size, currency: Currency(currency.filter { !$0.isWhitespace }), prices: prices,
                droppedRows: dropped)
        }
        guard let prices else { throw .malformed("prices that are not an object") }
        return prices
    }

    private static func element(_ cursor: inout JSONCursor) throws(JSONCursor.Problem) -> MarketRowBuilder? {
        guard try cursor.begin(.object) else { return nil }
        var builder = MarketRowBuilder()
        while let index = try cursor.nextMember(keys) {
            guard index != JSONKeys.other else {
                try cursor.skip()
                continue
            }
            switch kinds[index] {
            case .number(let field): builder.setUnlessZeroPrice(field, try cursor.decimalField())
            case .id: if case .value(let text) = try cursor.textField() { builder.id = text }
            case .symbol: builder.setText(\.symbol, try cursor.textField())
            case .name: builder.setText(\.name, try cursor.textField())
            case .image: builder.setImage(try cursor.textField())
            }
        }
        return builder
    }
}

extension MarketRowBuilder {
    /// A change of 0 is a change; another value of 0 is not known.
    fileprivate mutating func setUnlessZeroPrice(_ field: Price.Field, _ value: FieldValue<BigDecimal>) {
        if field.isChange { set(field, value) } else { setUnlessZero(field, value) }
    }
}
