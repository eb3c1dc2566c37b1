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
