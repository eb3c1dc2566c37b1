package import Time

/// A stored alert.
package struct AlertRecord: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The token.
    package let key: TokenKey
    /// The symbol of the token, or its key when it is not known.
    package let symbol: String
    /// What it waits for.
    package let condition: AlertCondition
    /// The currency of the condition.
    package let currency: Currency
    /// Whether it is on.
    package let isEnabled: Bool
    /// The shell command that is run when it is raised; nil for none.
    package let command: String?
    /// The revision, which increases with every change.
    package let revision: Int
    /// The time of the move to the trash; nil for a live alert.
    package let deletedAt: Instant?

    package init(
        id: String, key: TokenKey, symbol: String, condition: AlertCondition, currency: Currency, isEnabled: Bool,
        command: String?, revision: Int, deletedAt: Instant?
    ) {
        self.id = id
        self.key = key
        self.symbol = symbol
        self.condition = condition
        self.currency = currency
        self.isEnabled = isEnabled
        self.command = command
        self.revision = revision
        self.deletedAt = deletedAt
    }

    /// The alert in words: `BTC > 100000 USD`.
    package var name: String {
        switch condition {
        case .above, .below: "\(symbol) \(condition) \(currency.name)"
        case .change: "\(symbol) \(condition)"
        }
    }
}
