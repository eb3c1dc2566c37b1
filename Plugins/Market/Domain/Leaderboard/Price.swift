package import BigInteger
package import Time

/// What is known of a token's market: a value and its time for each field.
///
/// Values merge field by field, the later one wins; of two of the same time the greater one wins, and any value wins over an
/// unknown one. So the order of merging does not matter, and merging twice changes nothing.
package struct Price: Hashable, Sendable {
    /// A field. Amounts of money are in the currency that was asked for, changes in percent.
    package enum Field: Int, CaseIterable, Sendable {
        case current, marketCap, volume24h, change1h, change24h, change7d, change30d, change1y, high24h, low24h
        case circulatingSupply, totalSupply, maximumSupply, allTimeHigh, allTimeLow
    }

    /// A value at a time.
    package struct Observation: Hashable, Sendable {
        /// The value; nil when the provider says that it is not known.
        package let value: BigDecimal?
        /// When the provider saw it, or when it arrived.
        package let time: Instant

        package init(_ value: BigDecimal?, at time: Instant) {
            self.value = value
            self.time = time
        }

        /// Whether it replaces `other`.
        func wins(over other: Observation) -> Bool {
            if time != other.time { return time > other.time }
            guard let value else { return false }
            return other.value.map { value > $0 } ?? true
        }
    }

    private var observations: [Observation?] = []

    /// Creates a price of which nothing is known.
    package init() {}

    /// The observation of a field; nil if none was ever sent.
    package subscript(field: Field) -> Observation? {
        get { field.rawValue < observations.count ? observations[field.rawValue] : nil }
        set {
            if observations.isEmpty { observations = Array(repeating: nil, count: Field.allCases.count) }
            observations[field.rawValue] = newValue
        }
    }

    /// The value of a field; nil when it is not known.
    package func value(_ field: Field) -> BigDecimal? { self[field]?.value }

    /// The time of the latest observation; nil when nothing is known.
    package var latestTime: Instant? { observations.lazy.compactMap { $0?.time }.max() }

    /// Takes what `other` knows better, and returns whether a value changed.
    @discardableResult
    package mutating func merge(_ other: Price) -> Bool {
        var isChanged = false
        for field in Field.allCases {
            guard let theirs = other[field] else { continue }
            let ours = self[field]
            if let ours, !theirs.wins(over: ours) { continue }
            if ours?.value != theirs.value { isChanged = true }
            self[field] = theirs
        }
        return isChanged
    }
}

/// The origin of prices. Those of two providers, or in two currencies, are never mixed.
package struct PriceSource: Hashable, Sendable {
    /// The provider.
    package let provider: Provider
    /// The currency.
    package let currency: Currency

    package init(_ provider: Provider, _ currency: Currency) {
        self.provider = provider
        self.currency = currency
    }
}
