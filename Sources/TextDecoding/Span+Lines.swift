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
        let end = endOfReturns(from: index)
        return end > index && end == count
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
        // The index is compared with the count just before each access.
        while index < count, self[unchecked: index] != 0x0A, self[unchecked: index] != 0x0D { index += 1 }
        return index
    }
}
