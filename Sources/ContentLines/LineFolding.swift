public import TextDecoding

/// Folds long lines as the standards require.
package enum LineFolding {
    /// The maximum length of a physical line in octets, without its end (RFC 6350 §3.2, RFC 5545 §3.1).
    package static let width = 75

    /// Folds the line at 75 octets, including the leading space of continuation lines, and ends it.
    ///
    /// It never splits a character, an escape or the name. It does not fold before a colon where another place exists:
    /// old Apple readers took such a line for a property.
    package static func folded(_ line: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
        guard line.count > width else { return line + lineEnd }
        var result: [UInt8] = []
        result.reserveCapacity(line.count + line.count / width * 3 + 2)
        let nameEnd = line.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") } ?? 0
        var start = 0
        while true {
            let room = start == 0 ? width : width - 1
            guard line.count - start > room else { break }
            let range = min(max(start, nameEnd) + 1, start + room)...start + room
            let end =
                range.last { canCut(line, $0, from: start) && line[$0] != UInt8(ascii: ":") }
                ?? range.last { canCut(line, $0, from: start) } ?? characterStart(line, start + room)
            if start > 0 { result.append(0x20) }
            result += line[start..<end]
            result += lineEnd
            start = end
        }
        if start > 0 { result.append(0x20) }
        return result + line[start...] + lineEnd
    }

    /// Whether a fold before `index`, the first since the one at `start`, leaves characters and escapes intact.
    private static func canCut(_ line: [UInt8], _ index: Int, from start: Int) -> Bool {
        if isContinuation(line[index]) { return false }
        // A fold must come after whole escapes, so the backslashes before it are counted.
        var backslashes = 0
        while index - backslashes > start, line[index - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
        return backslashes.isMultiple(of: 2)
    }

    /// The start of the character at `index`; `index` itself when the bytes there are not UTF-8.
    private static func characterStart(_ line: [UInt8], _ index: Int) -> Int {
        (0..<4).map { index - $0 }.first { !isContinuation(line[$0]) } ?? index
    }

    /// Whether the byte is one of UTF-8 after the first of its character.
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// Folds a line of vCard 2.1 in quoted-printable by soft breaks at 76 octets (RFC 2045 §6.7), and ends it.
    ///
    /// Escapes such as `=C3` are not split, and only the value is folded.
    package static func softlyBroken(_ line: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        let value = (line.firstIndex(of: UInt8(ascii: ":")) ?? -1) + 1
        var start = 0
        while line.count - start > width + 1 {
            var end = max(start + width, min(line.count, value))
            if end >= line.count { break }
            for back in 1...2 where end - back > start && line[end - back] == UInt8(ascii: "=") {
                end -= back
                break
            }
            result += line[start..<end]
            result.append(UInt8(ascii: "="))
            result += lineEnd
            start = end
        }
        return result + line[start...] + lineEnd
    }
}

/// Logical lines: a physical line and those after it that begin with a space or a tab (RFC 6350 §3.2, RFC 5545 §3.1).
extension Span<UInt8> {
    /// Whether a line that begins at `index` continues the line before it.
    @inlinable public func isFold(at index: Int) -> Bool { self[index] == 0x20 || self[index] == 0x09 }

    /// Returns the end of the logical line that contains `start`, the start of the next line, and the number of folds
    /// between.
    @inlinable public func endOfFoldedLine(from start: Int) -> (end: Int, next: Int, folds: Int) {
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
