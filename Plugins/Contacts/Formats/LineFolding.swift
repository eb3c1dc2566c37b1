/// Folds long lines as the standards require.
enum LineFolding {
    /// The maximum length of a physical line in octets, without its end (RFC 6350 §3.2).
    static let width = 75

    /// Folds the line at 75 octets, including the leading space of continuation lines.
    ///
    /// It never splits a character, an escape or the name. It does not fold before a colon where another place exists:
    /// old Apple readers took such a line for a property.
    static func folded(_ line: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(line.count + line.count / width * 3 + 2)
        let nameEnd = line.firstIndex { $0 == ASCII.colon || $0 == ASCII.semicolon } ?? 0
        var start = 0
        // A fold must come after whole escapes, so the backslashes before it are counted.
        while true {
            let room = start == 0 ? width : width - 1
            guard line.count - start > room else { break }
            let range = min(max(start, nameEnd) + 1, start + room)...start + room
            let end =
                range.last(where: { canCut(line, $0, from: start) && line[$0] != ASCII.colon })
                ?? range.last(where: { canCut(line, $0, from: start) }) ?? start + room
            if start > 0 { result.append(ASCII.space) }
            result += line[start..<end]
            result += lineEnd
            start = end
        }
        if start > 0 { result.append(ASCII.space) }
        return result + line[start...] + lineEnd
    }

    /// Whether a fold before `index`, the first since the one at `start`, leaves characters and escapes intact.
    private static func canCut(_ line: [UInt8], _ index: Int, from start: Int) -> Bool {
        if line[index] & 0xC0 == 0x80 { return false }
        var backslashes = 0
        while index - backslashes > start, line[index - backslashes - 1] == ASCII.backslash { backslashes += 1 }
        return backslashes.isMultiple(of: 2)
    }

    /// Folds a quoted-printable line by soft breaks at 76 octets; escapes are not split.
    static func softlyBroken(_ line: [UInt8], _ lineEnd: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        let value = (line.firstIndex(of: ASCII.colon) ?? -1) + 1
        var start = 0
        while line.count - start > 76 {
            // Only the value may be folded.
            var end = max(start + 75, min(line.count, value))
            if end >= line.count { break }
            for back in 1...2 where end - back > start && line[end - back] == ASCII.equals {
                end -= back
                break
            }
            result += line[start..<end]
            result.append(ASCII.equals)
            result += lineEnd
            start = end
        }
        return result + line[start...] + lineEnd
    }
}
