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

    /// The beginning of each field by its number.
    private static let names = Price.Field.allCases.map { Array("\($0.rawValue)=".utf8) }

    /// Writes a price; nil when nothing is known of it.
    package init?(_ price: Price) {
        guard let time = price.latestTime else { return nil }
        var (text, mask) = ([UInt8](), Self.uniform)
        let names = Self.names
        text.reserveCapacity(160)
        for field in Price.Field.allCases {
            guard let seen = price[field] else { continue }
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text.append(contentsOf: names[field.rawValue])
            seen.value?.append(to: &text)
            mask |= 1 << field.rawValue
            guard seen.time != time else { continue }
            text.append(UInt8(ascii: "@"))
            BigDecimal(Int((seen.time - time).milliseconds)).append(to: &text)
            mask &= ~Self.uniform
        }
        self.init(time: time, text: String(decoding: text, as: UTF8.self), mask: mask)
    }

    /// Whether this price, of which all is newer, has all fields of the mask `old`: then nothing of that price is left after a
    /// merge.
    package func covers(_ old: Int, seen oldTime: Instant) -> Bool {
        mask & Self.uniform != 0 && time > oldTime && old & ~mask & ~Self.uniform == 0
    }

    /// The price; fields that cannot be read are left out.
    package var price: Price {
        var (price, text) = (Price(), text)
        text.withUTF8 { bytes in
            var parts = Parts(bytes: bytes)
            while let part = parts.next() {
                guard let field = Price.Field(rawValue: part.number) else { continue }
                let value = part.value.isEmpty ? nil : BigDecimal(part.value, syntax: .plain)
                guard part.value.isEmpty || value != nil else { continue }
                price[field] = Price.Observation(value, at: time + .milliseconds(part.offset))
            }
        }
        return price
    }

    /// The value of one field, without reading the others; nil when it is not known.
    package func value(_ field: Price.Field) -> BigDecimal? {
        var text = text
        return text.withUTF8 { StoredPrice.value(field, in: UnsafeRawBufferPointer($0), mask: mask) }
    }

    /// The value of one field of a stored text, read from its bytes; nil when it is not known.
    package static func value(_ field: Price.Field, in text: UnsafeRawBufferPointer, mask: Int) -> BigDecimal? {
        guard mask & 1 << field.rawValue != 0 else { return nil }
        var parts = Parts(bytes: text.bindMemory(to: UInt8.self))
        while let part = parts.next() {
            if part.number == field.rawValue { return BigDecimal(part.value, syntax: .plain) }
        }
        return nil
    }
}

/// The fields of a stored price, from the first to the last byte.
private struct Parts {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns the next field with its number, its value as text and the milliseconds of its time; -1 is the number of one that
    /// cannot be read.
    mutating func next() -> (number: Int, value: UnsafeBufferPointer<UInt8>, offset: Int)? {
        guard position < bytes.count else { return nil }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: " ")) ?? bytes.count
        defer { position = end + 1 }
        guard let equals = bytes[position..<end].firstIndex(of: UInt8(ascii: "=")) else { return (-1, slice(0..<0), 0) }
        let at = bytes[equals..<end].firstIndex(of: UInt8(ascii: "@"))
        let offset = at.flatMap { Int(String(decoding: slice($0 + 1..<end), as: UTF8.self)) } ?? 0
        let number = slice(position..<equals).reduce(0) { number, digit in
            digit &- 0x30 < 10 && number < 1000 ? number * 10 + Int(digit &- 0x30) : 1000
        }
        return (number, slice(equals + 1..<(at ?? end)), offset)
    }

    private func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }
}
