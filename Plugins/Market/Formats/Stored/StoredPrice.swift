package import BigInteger
package import Time

/// A price as it is stored: the fields as text, with the latest of their times.
///
/// Each field is its number, `=` and its value, which is empty when the provider does not know it; `@` and a number of
/// milliseconds follow when it was seen at another time. Fields are separated by blanks: `0=91204.1 1=1820000000 4=-1.2@-30000`.
package struct StoredPrice: Hashable, Sendable {
    /// The latest time of a field.
    package let time: Instant
    /// The fields.
    package let text: String
    /// The numbers of the fields, as bits; with a sign when a field was seen at another time.
    package let mask: Int

    /// The bit that says that all fields were seen at one time.
    package static let uniform = 1 << 32

    package init(time: Instant, text: String, mask: Int) {
        self.time = time
        self.text = text
        self.mask = mask
    }

    /// Writes a price; nil when nothing is known of it.
    package init?(_ price: Price) {
        guard let time = price.latestTime else { return nil }
        var (text, mask) = ("", Self.uniform)
        for field in Price.Field.allCases {
            guard let seen = price[field] else { continue }
            if !text.isEmpty { text += " " }
            text += "\(field.rawValue)="
            if let value = seen.value { text += value.description }
            mask |= 1 << field.rawValue
            guard seen.time != time else { continue }
            text += "@\((seen.time - time).milliseconds)"
            mask &= ~Self.uniform
        }
        self.init(time: time, text: text, mask: mask)
    }

    /// Whether this price, of which all is newer, has all that `old` has: then nothing of the old one is left after a merge.
    package func covers(_ old: StoredPrice) -> Bool {
        mask & Self.uniform != 0 && time > old.time && old.mask & ~mask & ~Self.uniform == 0
    }

    /// The price; fields that cannot be read are left out.
    package var price: Price {
        var price = Price()
        for part in text.split(separator: " " as Character) {
            guard let equals = part.firstIndex(of: "="), let number = Int(part[..<equals]),
                let field = Price.Field(rawValue: number)
            else { continue }
            let rest = part[part.index(after: equals)...]
            let at = rest.firstIndex(of: "@")
            let offset = at.flatMap { Int(rest[rest.index(after: $0)...]) } ?? 0
            let digits = rest[..<(at ?? rest.endIndex)]
            let value = digits.isEmpty ? nil : BigDecimal(digits)
            guard digits.isEmpty || value != nil else { continue }
            price[field] = Price.Observation(value, at: time + .milliseconds(offset))
        }
        return price
    }

    /// The value of one field, without reading the others; nil when it is not known.
    package func value(_ field: Price.Field) -> BigDecimal? {
        guard mask & 1 << field.rawValue != 0 else { return nil }
        for part in text.split(separator: " " as Character) where part.hasPrefix("\(field.rawValue)=") {
            let rest = part.dropFirst("\(field.rawValue)=".count)
            return BigDecimal(rest[..<(rest.firstIndex(of: "@") ?? rest.endIndex)])
        }
        return nil
    }
}
