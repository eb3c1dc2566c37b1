import BigInteger
import JSON
package import Time

/// The answer of CoinGecko's `/simple/price`: an object with a member for each token that the provider knows.
package struct CoinGeckoSimplePrice {
    private static let fields: [(suffix: String, field: Price.Field)] = [
        ("", .current), ("_market_cap", .marketCap), ("_24h_vol", .volume24h), ("_24h_change", .change24h),
    ]

    private let keys: JSONKeys

    /// Creates a decoder of prices in `currency`.
    package init(currency: Currency) {
        keys = JSONKeys(Self.fields.map { currency.code + $0.suffix } + ["last_updated_at"])
    }

    /// Decodes the prices. A token that the provider does not know is missing, one without a price has no value.
    package func prices(_ body: [UInt8], arrival: Instant) throws(GatewayError) -> [(id: String, price: Price)] {
        var prices: [(id: String, price: Price)] = []
        let isObject = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.object) else { return false }
            while let id = try cursor.nextName() {
                guard let id = Token(id: id)?.id, try cursor.kind() == .object else {
                    try cursor.skip()
                    continue
                }
                prices.append((id, try price(&cursor, arrival)))
            }
            return true
        }
        // A token may be called "status", so an error is known by its shape only.
        let isEmpty = prices.allSatisfy { $0.price == Price() }
        if !isObject || isEmpty && ProviderErrorBody.isError(body) {
            throw ProviderErrorBody.error(status: 200, body: body)
        }
        return prices
    }

    private func price(_ cursor: inout JSONCursor, _ arrival: Instant) throws(JSONCursor.Problem) -> Price {
        var builder = MarketRowBuilder()
        try cursor.beginObject()
        while let index = try cursor.nextMember(keys) {
            if Self.fields.indices.contains(index) {
                builder.set(Self.fields[index].field, try cursor.decimalField())
            } else if index == Self.fields.count {
                if case .value(let seconds) = try cursor.integerField(), (0...1 << 40).contains(seconds) {
                    builder.time = min(Instant(milliseconds: Int64(seconds) * 1000), arrival)
                }
            } else {
                try cursor.skip()
            }
        }
        return builder.price(arrival: arrival)
    }
}
