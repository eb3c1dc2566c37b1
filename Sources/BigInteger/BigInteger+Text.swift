extension BigInteger: CustomStringConvertible {
    /// The maximum number of digits that are parsed.
    package static let maximumDigits = 1024

    /// Parses decimal digits after an optional minus; nil for anything else, and for more than 1,024 digits.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = bytes.dropFirst(isNegative ? 1 : 0)
        guard (1...BigInteger.maximumDigits).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.init(isNegative: isNegative, digits: digits.map { $0 - 0x30 }, base: 10)
    }

    /// Parses hexadecimal digits after `0x`, as Ethereum's JSON-RPC writes quantities; also an empty quantity (`0x`), which
    /// some servers send for zero. Nil for anything else, and for more than 1,024 digits.
    package init?(hexadecimal text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x"),
            bytes.count - 2 <= BigInteger.maximumDigits
        else { return nil }
        var digits: [UInt8] = []
        for byte in bytes.dropFirst(2) {
            switch byte {
            case 0x30...0x39: digits.append(byte - 0x30)
            case 0x41...0x46: digits.append(byte - 0x41 + 10)
            case 0x61...0x66: digits.append(byte - 0x61 + 10)
            default: return nil
            }
        }
        self.init(isNegative: false, digits: digits, base: 16)
    }

    /// Creates the number of these digits, which are below `base`.
    init(isNegative: Bool, digits: some Collection<UInt8>, base: Int) {
        self.init(isNegative: isNegative, magnitude: Limbs.number(digits, base: base))
    }

    /// The decimal digits, after a minus for a negative number.
    package var description: String {
        switch storage {
        case .word(let value): String(value)
        case .limbs(let isNegative, let magnitude):
            (isNegative ? "-" : "")
                + String(decoding: Limbs.digits(magnitude, base: 10).map { $0 + 0x30 }, as: UTF8.self)
        }
    }

    /// `0x` and hexadecimal digits without leading zeros, as Ethereum's JSON-RPC writes quantities; after a minus for a
    /// negative number.
    package var hexadecimal: String {
        let digits = isZero ? [0] : Limbs.digits(limbs, base: 16)
        let text = digits.map { $0 < 10 ? $0 + 0x30 : $0 - 10 + 0x61 }
        return (isNegative ? "-0x" : "0x") + String(decoding: text, as: UTF8.self)
    }
}
