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
        let isNegative = bytes.first == UInt8(ascii: "-")
        var mantissa = 0
        let point = take(bytes, from: isNegative ? 1 : 0, into: &mantissa)
        var (end, fraction) = (point, 0)
        if point < bytes.count, bytes[point] == UInt8(ascii: ".") {
            end = take(bytes, from: point + 1, into: &mantissa)
            fraction = end - point - 1
            // Digits for which there is no room change nothing that a drawing shows.
            while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        }
        guard end == bytes.count, fraction < powers.count else { return slow(bytes) }
        // The mantissa and the powers up to 22 are exact, or rounded once, so this is rounded twice at most.
        let value = Double(mantissa) / powers[fraction]
        return isNegative ? -value : value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Adds the digits from a place on to `mantissa`, as many as have room, and returns the place after them.
    private static func take(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, into mantissa: inout Int
    ) -> Int {
        var place = start
        while place &+ 8 <= bytes.count, mantissa < full / 10_000_000 {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard let eight = eightDigits(UInt64(littleEndian: word)) else { break }
            mantissa = mantissa &* 100_000_000 &+ eight
            place &+= 8
        }
        while place < bytes.count, isDigit(bytes[place]), mantissa < full {
            mantissa = mantissa &* 10 &+ Int(bytes[place] &- 0x30)
            place &+= 1
        }
        return place
    }

    /// The number that eight digits are, the first in the lowest byte; nil if not all are digits.
    private static func eightDigits(_ word: UInt64) -> Int? {
        let values = word ^ 0x3030_3030_3030_3030
        // A digit stays below 16 with 6 added to it.
        guard (values | (values &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
        let pairs = (values &* 10 &+ values >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return Int((fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
    }

    /// Reads what has an exponent or too many digits.
    private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
        Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
    }
}
