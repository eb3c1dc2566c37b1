import BigInteger
import JSON

/// A field of a row as it was sent. A value of the wrong type, or out of range, costs the field and not the row.
enum FieldValue<Value: Sendable>: Sendable {
    case value(Value)
    case null
    case invalid
}

extension JSONCursor {
    /// Takes a number, exact; a number with more than 100 digits on a side of its point is invalid.
    mutating func decimalField() throws(Problem) -> FieldValue<BigDecimal> {
        guard try kind() == .number else { return try missingField() }
        return BigDecimal(try number(), syntax: .json).map { .value($0) } ?? .invalid
    }

    /// Takes a string.
    mutating func textField() throws(Problem) -> FieldValue<String> {
        try kind() == .string ? .value(try string()) : try missingField()
    }

    /// Passes over null, or over a value of another type.
    private mutating func missingField<Value>() throws(Problem) -> FieldValue<Value> {
        let isNull = try kind() == .null
        try skip()
        return isNull ? .null : .invalid
    }

    /// Takes a whole number that fits a word; 12.0 is one.
    mutating func integerField() throws(Problem) -> FieldValue<Int> {
        switch try decimalField() {
        case .value(let number) where number.scale == 0: Int(exactly: number.coefficient).map { .value($0) } ?? .invalid
        case .null: .null
        case .value, .invalid: .invalid
        }
    }

    /// Takes a whole number, 0 for anything else.
    mutating func integerOrZero() throws(Problem) -> Int {
        if case .value(let number) = try integerField() { number } else { 0 }
    }

    /// Takes a string, an empty one for anything else.
    mutating func textOrEmpty() throws(Problem) -> String {
        if case .value(let text) = try textField() { text } else { "" }
    }

    /// Takes a number for a drawing; nil for anything else and for numbers that are not finite.
    mutating func doubleOrNil() throws(Problem) -> Double? {
        guard try kind() == .number else {
            try skip()
            return nil
        }
        let number = DoubleParser.parse(try number())
        return number.isFinite ? number : nil
    }

    /// Opens the object or array that comes next; passes over anything else and returns false.
    mutating func begin(_ wanted: Kind) throws(Problem) -> Bool {
        guard try kind() == wanted else {
            try skip()
            return false
        }
        if wanted == .array { try beginArray() } else { try beginObject() }
        return true
    }
}

/// Numbers of drawings, read fast.
enum DoubleParser {
    private static let powers = (0...22).reduce(into: [Double]()) { list, _ in list.append((list.last ?? 0.1) * 10) }
    /// The least number that has 18 digits, the most that surely fit.
    private static let full = 100_000_000_000_000_000

    /// Returns a number of JSON: exactly up to 15 digits, else within two units in the last place, since programs write 17 digits
    /// that no drawing shows.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
        var (mantissa, fraction) = (0, 0)
        var hasPoint = false
        for byte in bytes {
            switch byte {
            case 0x30...0x39 where mantissa < full:
                mantissa = mantissa &* 10 &+ Int(byte &- 0x30)
                if hasPoint { fraction &+= 1 }
            case 0x30...0x39: if !hasPoint { return slow(bytes) }
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "-"): break
            default: return slow(bytes)
            }
        }
        guard fraction < powers.count else { return slow(bytes) }
        // The mantissa and the powers up to 22 are exact, or rounded once, so this is rounded twice at most.
        let value = Double(mantissa) / powers[fraction]
        return bytes.first == UInt8(ascii: "-") ? -value : value
    }

    /// Reads what has an exponent or too many digits.
    private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
        Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
    }
}
