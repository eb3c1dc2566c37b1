public import TextDecoding

/// Logical lines: a physical line and those after it that begin with a space or a tab (RFC 6350 §3.2, RFC 5545 §3.1).
extension Span<UInt8> {
    /// Whether a line that begins at `index` continues the line before it.
    @inlinable package func isFold(at index: Int) -> Bool { self[index] == 0x20 || self[index] == 0x09 }

    /// Returns the end of the logical line that contains `start`, the start of the next line, and the number of folds
    /// between.
    @inlinable package func endOfFoldedLine(from start: Int) -> (end: Int, next: Int, folds: Int) {
        var folds = 0
        var position = start
        while true {
            let end = endOfLine(from: position)
            let next = end + terminatorLength(at: end)
            guard next < count, isFold(at: next) else { return (end, next, folds) }
            folds += 1
            position = next + 1
        }
    }

    /// Returns the bytes of `range` without folds.
    ///
    /// With `keepingBlanks` the space of a fold belongs to the text, as in vCard 2.1. With `joiningSoftBreaks` an `=` at
    /// the end of a line, before any spaces, is a soft break of quoted-printable (RFC 2045 §6.7).
    package func unfolded(
        _ range: Range<Int>, keepingBlanks: Bool = false, joiningSoftBreaks: Bool = false
    ) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(range.count)
        // The number of spaces at the end of `content` and the end of the other bytes, if known, so that no soft break
        // scans them twice.
        var blanks = 0
        var earlierBlanks: Int?
        var index = range.lowerBound
        while index < range.upperBound {
            let length = terminatorLength(at: index)
            if length == 0 {
                content.append(self[index])
                if isFold(at: index) { blanks += 1 } else { (earlierBlanks, blanks) = (blanks, 0) }
                index += 1
                continue
            }
            index += length
            let end = content.count - blanks
            if joiningSoftBreaks, end > 0, content[end - 1] == UInt8(ascii: "=") {
                content.removeSubrange((end - 1)...)
                blanks = earlierBlanks ?? content.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
                earlierBlanks = nil
                continue
            }
            if index < range.upperBound, isFold(at: index), !keepingBlanks { index += 1 }
        }
        return content
    }
}
