extension Span<UInt8> {
    /// The length of the line terminator at `index`: CR LF (also after some more CRs), LF, or a lone CR; 0 when none is
    /// there.
    @inlinable public func terminatorLength(at index: Int) -> Int {
        guard index < count else { return 0 }
        if self[index] == 0x0A { return 1 }
        guard self[index] == 0x0D else { return 0 }
        let end = endOfReturns(from: index)
        return end < count && self[end] == 0x0A ? end + 1 - index : 1
    }

    /// Whether bytes to come may still change the length of the line terminator at `index`.
    @inlinable public func isTerminatorOpen(at index: Int) -> Bool {
        guard index < count, self[index] == 0x0D else { return false }
        return endOfReturns(from: index) == count
    }

    /// The index after the CRs at `index`; of a long run after its first ones, so that a file of CRs takes no time.
    @inlinable public func endOfReturns(from index: Int) -> Int {
        var end = index
        while end < count, end - index < 16, self[end] == 0x0D { end += 1 }
        return end
    }

    /// The index of the next CR or LF at or after `start`, or the end.
    @inlinable public func endOfLine(from start: Int) -> Int {
        var index = start
        // Eight bytes at a time; the highest bit of each byte of `ends` says whether it is a CR or LF, up to the first that is.
        while index + 8 <= count {
            // The index was compared with the count just before.
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
            let (feeds, returns) = (word ^ 0x0A0A_0A0A_0A0A_0A0A, word ^ 0x0D0D_0D0D_0D0D_0D0D)
            let ends =
                ((feeds &- 0x0101_0101_0101_0101) & ~feeds | (returns &- 0x0101_0101_0101_0101) & ~returns)
                & 0x8080_8080_8080_8080
            if ends != 0 { return index + ends.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, self[unchecked: index] != 0x0A, self[unchecked: index] != 0x0D { index += 1 }
        return index
    }
}
