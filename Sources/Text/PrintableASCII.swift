extension String {
    /// Whether every character is printable ASCII: of one byte, of one column, and harmless on a terminal.
    var isPrintableASCII: Bool {
        utf8.withContiguousStorageIfAvailable { String.arePrintable(UnsafeRawBufferPointer($0)) }
            ?? utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Eight bytes at a time: nearly every cell of a table is looked at.
    private static func arePrintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var place = 0
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            // The lowest byte that is not printable sets its high bit in one of the three; the bytes below it neither borrow nor carry.
            let marks = word | word &- 0x2020_2020_2020_2020 | word &+ 0x0101_0101_0101_0101
            if marks & highBits != 0 { return false }
            place += 8
        }
        return bytes[place...].allSatisfy { (0x20..<0x7F).contains($0) }
    }
}
