import BigInteger
import MarketDomain
import Time

/// Collects the fields of one row.
struct MarketRowBuilder {
    var id: String?
    var symbol = ""
    var name = ""
    var image: String?
    var rank: Int?
    /// When the provider saw the values; the arrival if it does not say.
    var time: Instant?
    var sparkline: Sparkline?
    var lostFields = 0
    private var values: [(field: Price.Field, value: BigDecimal?)] = []

    init() { values.reserveCapacity(12) }

    mutating func set(_ field: Price.Field, _ value: FieldValue<BigDecimal>) {
        switch value {
        // Only changes can be negative.
        case .value(let number) where !number.isNegative || field.isChange: values.append((field, number))
        case .null: values.append((field, nil))
        case .value, .invalid: lostFields += 1
        }
    }

    /// Zero stands for a value that is not known.
    mutating func setUnlessZero(_ field: Price.Field, _ value: FieldValue<BigDecimal>) {
        if case .value(let number) = value, number.isZero { return set(field, .null) }
        set(field, value)
    }

    mutating func setText(_ path: WritableKeyPath<MarketRowBuilder, String>, _ value: FieldValue<String>) {
        switch value {
        case .value(let text): self[keyPath: path] = text
        case .null: break
        case .invalid: lostFields += 1
        }
    }

    mutating func setImage(_ value: FieldValue<String>) {
        switch value {
        case .value(let text): image = text
        case .null: break
        case .invalid: lostFields += 1
        }
    }

    mutating func setRank(_ value: FieldValue<Int>) {
        switch value {
        case .value(let number) where number > 0: rank = number
        // 0 stands for coins that are not ranked.
        case .value(0), .null: break
        case .value, .invalid: lostFields += 1
        }
    }

    /// A time after the arrival is a clock that is wrong.
    mutating func setTime(_ value: FieldValue<String>, arrival: Instant) {
        switch value {
        case .value(let text):
            if let time = Timestamp.parse(text) { self.time = min(time, arrival) } else { lostFields += 1 }
        case .null: break
        case .invalid: lostFields += 1
        }
    }

    /// The row; nil without a usable id.
    func row(arrival: Instant) -> MarketRow? {
        guard let id, let token = Token(id: id, symbol: symbol, name: name, imageURL: image) else { return nil }
        return MarketRow(token: token, rank: rank, price: price(arrival: arrival), sparkline: sparkline)
    }

    /// The price alone, for updates that name a token by its id.
    func price(arrival: Instant) -> Price {
        let time = time ?? arrival
        var price = Price()
        for (field, value) in values { price[field] = Price.Observation(value, at: time) }
        return price
    }
}

extension Price.Field {
    /// Whether it is a change in percent.
    var isChange: Bool {
        switch self {
        case .change1h, .change24h, .change7d, .change30d, .change1y: true
        case .current, .marketCap, .volume24h, .high24h, .low24h, .circulatingSupply, .totalSupply, .maximumSupply,
            .allTimeHigh, .allTimeLow:
            false
        }
    }
}
