package import BigInteger
package import CivilDate

/// A token as a file of another program names it; the application finds out which one is meant.
package enum TokenReference: Hashable, Sendable {
    /// An id of CoinGecko.
    case id(String)
    /// A ticker symbol, in upper case.
    case symbol(String)
    case name(String)
    /// A ticker symbol of something else than a token.
    case stock(String)

    /// The reference of a cell or a word: an id is in lower case, a symbol in upper case.
    package init(_ text: String) {
        let text = TokenLabel.cleaned(text)
        if text.contains(where: \.isWhitespace) {
            self = .name(text)
        } else if text == text.uppercased() {
            self = .symbol(text)
        } else if text == text.lowercased() {
            self = .id(text)
        } else {
            self = .name(text)
        }
    }
}

/// What a file of another program holds: trades, watchlists and alerts, and what could not be read of it.
package struct PortfolioImport: Hashable, Sendable {
    /// A purchase or sale.
    package struct ImportedTrade: Hashable, Sendable {
        /// The line in the file, counted from 1; of a value that has no line, its place in its list.
        package let line: Int
        /// The token.
        package let token: TokenReference
        /// Whether it was bought or sold.
        package let kind: Trade.Kind
        /// The number of tokens, above zero.
        package let amount: BigDecimal
        /// The price of one token; nil when the file does not say what was paid.
        package let price: BigDecimal?
        /// The fee.
        package let fee: BigDecimal
        /// The currency of price and fee; nil when the file has none.
        package let currency: Currency?
        /// The day; nil when the file has none.
        package let date: CivilDate?
        /// The time of the day in seconds; nil when the file has none.
        package let time: Int?
        /// The symbol beside an id of the token; nil without one.
        package let symbol: String?
        /// The id of the trade in a file that hub wrote; nil in others.
        package let tradeID: String?
    }

    /// A list of tokens.
    package struct ImportedWatchlist: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The tokens in their order.
        package let tokens: [TokenReference]
    }

    /// A price alert.
    package struct ImportedAlert: Hashable, Sendable {
        /// The token.
        package let token: TokenReference
        /// What it waits for.
        package let condition: AlertCondition
    }

    /// A part of the file that was skipped, and why.
    package struct Issue: Error, Hashable, Sendable {
        /// The line, counted from 1; of a value that has no line, its place in its list.
        package let line: Int
        /// What is wrong, and how to fix it.
        package let message: String
    }

    /// The trades in the order of the file.
    package var trades: [ImportedTrade] = []
    /// The watchlists in the order of the file.
    package var watchlists: [ImportedWatchlist] = []
    /// The alerts in the order of the file.
    package var alerts: [ImportedAlert] = []
    /// The parts that were skipped.
    package var issues: [Issue] = []

    package init() {}

    /// Adds a trade of texts; a negative amount is a sale. What is wrong becomes an issue.
    mutating func addTrade(
        line: Int, token: String, kind: Trade.Kind? = nil, amount: String, price: String? = nil, fee: String? = nil,
        currency: String? = nil, date: String? = nil, reference: TokenReference? = nil, symbol: String? = nil,
        tradeID: String? = nil
    ) {
        do throws(Issue) {
            guard !TokenLabel.cleaned(token).isEmpty else { throw Issue(line: line, message: "the token is missing") }
            let signed = try PortfolioImport.number(amount, "amount", line)
            guard !signed.isZero else { throw Issue(line: line, message: "the amount is zero") }
            if kind == .sell, signed.isNegative {
                throw Issue(line: line, message: "the amount of a sale is negative; write it without a sign")
            }
            let price = try price.map { text throws(Issue) in try PortfolioImport.number(text, "price", line) }
            let fee = try fee.map { text throws(Issue) in try PortfolioImport.number(text, "fee", line) } ?? 0
            guard !(price?.isNegative ?? false), !fee.isNegative else {
                throw Issue(line: line, message: "price and fee cannot be negative")
            }
            let code = try currency.map { text throws(Issue) in
                guard let code = Currency(text) else {
                    throw Issue(line: line, message: "invalid currency \"\(text.prefix(20))\"")
                }
                return code
            }
            let day = try date.map { text throws(Issue) in
                guard let day = PortfolioImport.moment(text) else {
                    throw Issue(line: line, message: "invalid date \"\(text.prefix(30))\"; write it as 2026-01-31")
                }
                return day
            }
            trades.append(
                ImportedTrade(
                    line: line, token: reference ?? TokenReference(token),
                    kind: kind ?? (signed.isNegative ? .sell : .buy),
                    amount: signed.magnitude, price: price, fee: fee, currency: code, date: day?.day,
                    time: day?.time, symbol: symbol.map { TokenLabel.cleaned($0).uppercased() }, tradeID: tradeID))
        } catch {
            issues.append(error)
        }
    }

    /// Amounts are exact: what could be read in two ways, such as `1,234`, is refused.
    static func number(_ text: String, _ what: String, _ line: Int) throws(Issue) -> BigDecimal {
        guard let number = BigDecimal(text) ?? BigDecimal(text, syntax: .json) else {
            let hint = text.contains(",") ? "; write it with a point and without separators" : ""
            throw Issue(line: line, message: "invalid \(what) \"\(text.prefix(30))\"\(hint)")
        }
        return number
    }

    /// The day of a date, with the time of the day in seconds for a time such as `2026-01-31T10:00:00Z` or `2026-01-31 10:00`.
    private static func moment(_ text: String) -> (day: CivilDate, time: Int?)? {
        let rest = text.dropFirst(10)
        guard rest.isEmpty || rest.first == "T" || rest.first == " ", let day = CivilDate(text.prefix(10)) else {
            return nil
        }
        let parts = rest.dropFirst().prefix { $0 == ":" || ("0"..."9").contains($0) }.split(separator: ":").map {
            Int($0)
        }
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return (day, nil) }
        let second = parts.count > 2 ? parts[2] ?? 0 : 0
        return (day, hour * 3600 + minute * 60 + min(second, 59))
    }
}
