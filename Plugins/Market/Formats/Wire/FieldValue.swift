import BigInteger
import JSON
import MarketDomain

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
    // Literals, which need no initialization.
    private static let powers = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
    private static let wholePowers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

    /// Returns a number of JSON: exactly up to 15 digits, else within two units in the last place, since programs write 17 digits
    /// that no drawing shows.
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        let bytes = UnsafeRawBufferPointer(text)
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
        guard end == bytes.count, fraction < powers.count else { return slow(text) }
        // The mantissa and the powers up to 22 are exact, or rounded once, so this is rounded twice at most.
        let value = Double(mantissa) / powers[fraction]
        return isNegative ? -value : value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Adds the digits from a place on to `mantissa`, as many as have room, and returns the place after them.
    @inline(__always)
    private static func take(
        _ bytes: UnsafeRawBufferPointer, from start: Int, into mantissa: inout Int
    ) -> Int {
        var place = start
        while true {
            let values = word(of: bytes, at: place) ^ 0x3030_3030_3030_3030
            // A digit stays below 16 with 6 added to it.
            let others = (values | (values &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0
            let digits = others.trailingZeroBitCount / 8
            let count = min(digits, room(in: mantissa))
            guard count > 0 else { return place }
            mantissa = mantissa &* wholePowers[count] &+ number(of: values << (64 &- 8 &* count))
            place &+= count
            if count == digits, count < 8 { return place }
        }
    }

    /// The number of digits, at most eight, for which there is room behind those of `mantissa`: 18 surely fit a word.
    @inline(__always)
    private static func room(in mantissa: Int) -> Int {
        if mantissa < 10_000_000_000 { return 8 }
        if mantissa < 10_000_000_000_000 { return 5 }
        return mantissa < 1_000_000_000_000_000 ? 3 : mantissa < 100_000_000_000_000_000 ? 1 : 0
    }

    /// The eight bytes at a place, the first one lowest; 0 for those behind the end.
    @inline(__always)
    private static func word(of bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
        func load(_ place: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        if place &+ 8 <= bytes.count { return load(place) }
        if bytes.count >= 8 { return load(bytes.count &- 8) >> (8 &* (place &+ 8 &- bytes.count)) }
        return bytes[place...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The number whose eight digits are the bytes, the first one lowest.
    @inline(__always)
    private static func number(of digits: UInt64) -> Int {
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return Int((fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
    }

    /// Reads what has an exponent or too many digits.
    private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double {
        Double(String(decoding: bytes, as: UTF8.self)) ?? .nan
    }
}
