package import BigInteger
package import CivilDate

/// A token as a file of another program names it; the application finds out which one is meant.
package enum TokenReference: Hashable, Sendable {
    /// An id, such as `bitcoin`.
    case id(String)
    /// A ticker symbol, in upper case.
    case symbol(String)
    case name(String)
    /// A ticker symbol in upper case, and the name that tells it from others with that symbol.
    case symbolAndName(String, String)
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

/// What a file of another program holds: entries of the ledger, watchlists and alerts, and what could not be read of it.
package struct PortfolioImport: Hashable, Sendable {
    /// A number of tokens in a file.
    package struct Tokens: Hashable, Sendable {
        /// The token.
        package let token: TokenReference
        /// The symbol beside an id of the token; nil without one.
        package let symbol: String?
        /// The number, above zero.
        package let amount: BigDecimal

        /// Creates a number of tokens; the symbol is cleaned as names of strangers are.
        package init(_ token: TokenReference, symbol: String? = nil, amount: BigDecimal) {
            self.token = token
            self.symbol = symbol.map { TokenLabel.cleaned($0).uppercased() }
            self.amount = amount
        }
    }

    /// An entry of the ledger. What the file does not say is nil or empty.
    package struct ImportedTrade: Hashable, Sendable {
        /// The line in the file, counted from 1; of a value that has no line, its place in its list.
        package let line: Int
        /// The tokens; of a swap, those that were given.
        package let tokens: Tokens
        /// What happened.
        package let kind: Trade.Kind
        /// What they were worth; nil when the file does not say it.
        package var value: Trade.Value?
        /// What a swap gave.
        package var received: Tokens?
        /// The fee in the currency.
        package var fee = BigDecimal.zero
        /// The fee in a coin, which stands in place of ``fee``.
        package var feeTokens: Tokens?
        /// What the fee in a coin was worth in the currency.
        package var feeValue: BigDecimal?
        /// The currency of value and fee; nil for the one of the import.
        package var currency: Currency?
        /// The day; nil for the day of the import.
        package var date: CivilDate?
        /// The time of the day in seconds.
        package var time: Int?
        /// Places, portfolio, note, tags, and the source of an income.
        package var details = Trade.Details()
        /// The id of the entry in a file that hub wrote; nil in others.
        package var tradeID: String?
        /// What marks the entry in every copy of the file of another program; nil for all that the row says but its time.
        package var identity: String?
        /// Whether an id of a token in the file is one for certain, and not a word that may also be a name.
        package var hasTokenIDs = false

        package init(line: Int, _ kind: Trade.Kind, _ tokens: Tokens) {
            self.line = line
            self.kind = kind
            self.tokens = tokens
        }

        /// The token.
        package var token: TokenReference { tokens.token }
        /// The number of tokens, above zero.
        package var amount: BigDecimal { tokens.amount }
        /// The price of one token; nil when the file does not say it.
        package var price: BigDecimal? { if case .each(let price)? = value { price } else { nil } }
        /// All tokens of the entry.
        package var references: [Tokens] { [tokens] + [received, feeTokens].compactMap { $0 } }
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
        /// The beginning of the row; empty where there is nothing to see.
        package var excerpt = ""
    }

    /// Rows of which nothing is kept, as it should be.
    package struct Omission: Hashable, Sendable {
        /// The reason.
        package let reason: ImportedFile.Omission
        /// The number of rows.
        package let count: Int
    }

    /// The entries of the ledger in the order of the file.
    package var trades: [ImportedTrade] = []
    /// The watchlists in the order of the file.
    package var watchlists: [ImportedWatchlist] = []
    /// The alerts in the order of the file.
    package var alerts: [ImportedAlert] = []
    /// The parts that were skipped.
    package var issues: [Issue] = []
    /// The rows that are left out.
    package var omitted: [Omission] = []

    package init() {}

    /// Adds a purchase or sale of texts; a negative amount is a sale. What is wrong becomes an issue.
    mutating func addTrade(
        line: Int, token: String, amount: String, price: String? = nil, fee: String? = nil, currency: String? = nil,
        reference: TokenReference? = nil
    ) {
        var text = TradeText(line: line, token: token, amount: amount)
        (text.price, text.fee, text.currency, text.reference) = (price, fee, currency, reference)
        add(text)
    }

    /// Adds an entry of texts. What is wrong becomes an issue.
    mutating func add(_ text: TradeText) {
        do throws(Issue) { trades.append(try text.trade()) } catch { issues.append(error) }
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
    static func moment(_ text: String) -> (day: CivilDate, time: Int?)? {
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
