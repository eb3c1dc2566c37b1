/// Finds keys with so many dots that the parser, which makes a table for each and frees them by recursion, would run
/// out of stack.
///
/// It knows just enough of TOML's lexical rules to distinguish a dot in a key from one in a string or a comment. On
/// invalid TOML it may stop counting early; the parser stops there as well.
struct KeyDepthScanner {
    let maximumDots: Int

    /// The place of the first dot too many.
    func firstKeyTooDeep(in bytes: [UInt8]) -> TOMLPosition? {
        var index = 0
        var dots = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "."):
                dots += 1
                if dots > maximumDots { return position(of: index, in: bytes) }
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): index = endOfString(at: index, in: bytes)
            case UInt8(ascii: "#"): index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            case UInt8(ascii: "\n"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
                dots = 0
                index += 1
            default: index += 1
            }
        }
        return nil
    }

    /// Returns the index after the string that opens at `start`.
    private func endOfString(at start: Int, in bytes: [UInt8]) -> Int {
        let quote = bytes[start]
        let escapes = quote == UInt8(ascii: "\"")
        let isMultiline = bytes[start...].prefix(3).elementsEqual([quote, quote, quote])
        var index = start + (isMultiline ? 3 : 1)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where escapes: index += 2
            case quote where !isMultiline: return index + 1
            case quote:
                // Up to two quotes may precede the three that close: the whole run ends the string.
                let run = bytes[index...].prefix(5).prefix { $0 == quote }.count
                index += run
                if run >= 3 { return index }
            case UInt8(ascii: "\n") where !isMultiline: return index
            default: index += 1
            }
        }
        return bytes.count
    }

    private func position(of index: Int, in bytes: [UInt8]) -> TOMLPosition {
        let before = bytes[..<index]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Continuation bytes of UTF-8 do not start a scalar.
        let column = bytes[lineStart..<index].count { $0 & 0xC0 != 0x80 } + 1
        return TOMLPosition(line: line, column: column)
    }
}
