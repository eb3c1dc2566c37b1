/// Finds the end of digits and of plain text, eight bytes at a time: most bytes of a large body are these.
///
/// In each word the lowest byte that is flagged is exact; those above it may be flagged by a carry.
enum JSONScan {
    /// Returns the place of the first byte at or after `start` that is not a decimal digit.
    @inline(__always)
    static func digits(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        scan(bytes, from: start, isEnd: { $0 &- 0x30 >= 10 }) { word in
            let values = word ^ all(0x30)
            // A digit stays below 16 with 6 added to it.
            return (values | (values &+ all(6))) & all(0xF0)
        }
    }

    /// Returns the place of the first quotation mark, backslash or control character at or after `start`.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        scan(bytes, from: start, isEnd: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) { word in
            let (quotes, backslashes) = (word ^ all(UInt8(ascii: "\"")), word ^ all(UInt8(ascii: "\\")))
            return (below(0x20, word) | below(1, quotes) | below(1, backslashes)) & all(0x80)
        }
    }

    /// A word of eight such bytes.
    private static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Flags bytes that are smaller than `limit`, which is at most 0x80, with their highest bits.
    private static func below(_ limit: UInt8, _ word: UInt64) -> UInt64 { (word &- all(limit)) & ~word }

    /// Returns the first place that `isEnd` or, of eight bytes with the first one lowest, `flags` finds.
    @inline(__always)
    private static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isEnd: (UInt8) -> Bool, flags: (UInt64) -> UInt64
    ) -> Int {
        var place = start
        let raw = UnsafeRawBufferPointer(bytes)
        while place &+ 8 <= raw.count {
            let found = flags(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            if found != 0 { return place &+ found.trailingZeroBitCount / 8 }
            place &+= 8
        }
        while place < raw.count, !isEnd(raw[place]) { place &+= 1 }
        return place
    }
}
