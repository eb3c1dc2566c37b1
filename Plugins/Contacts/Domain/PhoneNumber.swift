/// The digits of a phone number; the written form is never changed.
package struct PhoneNumber: Hashable, Sendable {
    /// The maximum number of digits: E.164 allows 15, some programs add prefixes.
    package static let maximumDigits = 32

    /// The dialled digits 0...9 in order, without extension and `+`.
    package let digits: String
    /// The number with country code, such as `+48601234567`; nil if the country is unknown or the length invalid.
    package let e164: String?
    /// The extension after `x`, `ext`, `;ext=` or a pause; may be empty.
    package let `extension`: String

    /// Parses `text`. A number without country code belongs to `region` (ISO 3166, such as `PL`), if given.
    package init(_ text: some StringProtocol, region: CallingCode? = nil) {
        var scan = Scan()
        scan.read(text)
        digits = String(decoding: scan.digits, as: UTF8.self)
        self.extension = String(decoding: scan.extension, as: UTF8.self)
        e164 = PhoneNumber.e164(of: digits, isInternational: scan.isInternational, region: region)
    }

    private static func e164(of digits: String, isInternational: Bool, region: CallingCode?) -> String? {
        var number = Substring(digits)
        if isInternational {
        } else if let region, number.hasPrefix(region.internationalPrefix) {
            number = number.dropFirst(region.internationalPrefix.count)
        } else if number.hasPrefix("00") {
            number = number.dropFirst(2)
        } else if let region {
            if !region.trunkPrefix.isEmpty, number.hasPrefix(region.trunkPrefix) {
                number = number.dropFirst(region.trunkPrefix.count)
            }
            // A number of 4 or 5 digits is an extension or a short code, without a country code.
            guard number.count >= 6 else { return nil }
            number = Substring(region.code + number)
        } else {
            return nil
        }
        guard (7...15).contains(number.count), CallingCode.prefix(of: number) != nil else { return nil }
        return "+\(number)"
    }
}

extension PhoneNumber {
    /// Collects the digits of a text.
    private struct Scan {
        var digits: [UInt8] = []
        var `extension`: [UInt8] = []
        var isInternational = false

        mutating func read(_ text: some StringProtocol) {
            var rest = Array(text.unicodeScalars)[...]
            if rest.starts(with: "tel:".unicodeScalars) { rest = rest.dropFirst(4) }
            while let scalar = rest.popFirst(), digits.count < PhoneNumber.maximumDigits {
                if let digit = Scan.digit(scalar) {
                    digits.append(0x30 + digit)
                } else if scalar == "+" || scalar == "\u{FF0B}", digits.isEmpty {
                    isInternational = true
                } else if scalar == "(", rest.starts(with: "0)".unicodeScalars), !digits.isEmpty {
                    // In +44 (0)20 … the 0 is only dialled within the country.
                    rest = rest.dropFirst(2)
                } else if !digits.isEmpty, Scan.endsNumber(scalar) {
                    for scalar in rest.prefix(64) where `extension`.count < 8 {
                        if let digit = Scan.digit(scalar) { `extension`.append(0x30 + digit) }
                    }
                    return
                }
            }
        }

        /// The value of a decimal digit of any script.
        private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
            if scalar.value < 0x80 {
                return scalar.value &- 0x30 < 10 ? UInt8(scalar.value - 0x30) : nil
            }
            guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
                return nil
            }
            return UInt8(value)
        }

        /// Whether an extension or a pause starts here.
        private static func endsNumber(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "x", "X", "e", "E", "p", "P", "w", "W", ",", ";", "#": true
            default: false
            }
        }
    }
}

extension PhoneNumber {
    /// The certainty that two numbers are the same.
    package enum Match: Comparable, Sendable {
        case none, possible, certain
    }

    /// The number of last digits that the index looks up, before `match` compares them.
    package static let lookupLength = 7

    /// Compares two numbers as written, in national or international form.
    ///
    /// Equal numbers with country code, or nine equal last digits or more, are certain. Seven or eight equal last
    /// digits, with a known country on one side at most, are possible. Shorter numbers must be equal.
    package func match(_ other: PhoneNumber) -> Match {
        if let mine = e164, let theirs = other.e164 { return mine == theirs ? .certain : .none }
        if digits.isEmpty || other.digits.isEmpty { return .none }
        if digits == other.digits { return .certain }
        let (mine, theirs) = (significantDigits, other.significantDigits)
        let (short, long) = mine.count <= theirs.count ? (mine, theirs) : (theirs, mine)
        guard long.hasSuffix(short) else { return .none }
        if short.count >= 9 { return .certain }
        return short.count >= PhoneNumber.lookupLength ? .possible : .none
    }

    /// The digits without leading zeros.
    private var significantDigits: Substring {
        e164.map { $0.dropFirst() } ?? digits.drop { $0 == "0" }
    }
}
