/// Bytes from outside, read from the front; every read is checked.
struct ByteReader {
    private let all: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { all = bytes }

    var isAtEnd: Bool { next == all.count }

    mutating func bytes(_ count: Int) throws(TextCRDTError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= all.count - next else { throw .malformed("end") }
        next += count
        return all[next - count..<next]
    }

    /// A number of up to 62 bits.
    mutating func number() throws(TextCRDTError) -> Int {
        var value = 0
        var shift = 0
        while next < all.count, shift < 62 {
            let byte = all[next]
            next += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 {
                guard value >= 0, value < 1 << 62 else { throw .malformed("number") }
                return value
            }
            shift += 7
        }
        throw .malformed("number")
    }

    /// Reads the number of elements that each take at least one byte.
    mutating func count() throws(TextCRDTError) -> Int {
        let count = try number()
        guard count <= all.count - next else { throw .malformed("count") }
        return count
    }

    mutating func number(below limit: Int) throws(TextCRDTError) -> Int {
        let value = try number()
        guard value < limit else { throw .malformed("index") }
        return value
    }

    mutating func signed() throws(TextCRDTError) -> Int {
        let value = try number()
        return value & 1 == 0 ? value >> 1 : -(value >> 1) - 1
    }
}

extension [UInt8] {
    mutating func append(number: Int) {
        var left = number
        while left > 0x7F {
            append(UInt8(left & 0x7F) | 0x80)
            left >>= 7
        }
        append(UInt8(left))
    }

    mutating func append(signed: Int) { append(number: signed >= 0 ? signed << 1 : (-signed - 1) << 1 | 1) }
}
