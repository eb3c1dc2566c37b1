import ContentLines
import TextDecoding

/// Finds the logical lines of a card: folded lines, soft breaks and nested cards belong to one property.
struct CardIndexer {
    /// Returns the properties of the card `bytes`; their lines cover all of it.
    static func properties(of bytes: Span<UInt8>) -> [Card.Property] {
        var properties: [Card.Property] = []
        // Lines are about as long in most cards; pictures are longer.
        properties.reserveCapacity(min(bytes.count / 24, 64))
        var position = 0
        while position < bytes.count {
            let property = property(at: position, of: bytes)
            properties.append(property)
            position = property.line.upperBound
        }
        return properties
    }

    private static func property(at start: Int, of bytes: Span<UInt8>) -> Card.Property {
        let header = ContentLineHeader(at: start, of: bytes)
        var flags: Card.Property.Flags = header.isFolded ? .folded : []
        guard let colon = header.colon else {
            let end = header.end + bytes.terminatorLength(at: header.end)
            return Card.Property(
                .unreadable, flags: flags, start: start, nameEnd: start, valueStart: start, valueEnd: header.end,
                lineEnd: end)
        }
        if header.hasOpenQuote { flags.insert(.openQuote) }
        let nameEnd = header.nameEnd
        let nameStart = start + (header.groupLength > 0 ? header.groupLength + 1 : 0)
        let kind: PropertyKind?
        if header.isFolded {
            // Even a name or a parameter may be folded in its middle (RFC 6350 §3.2).
            kind = PropertyKind.byName.value(of: bytes.unfolded(nameStart..<nameEnd).span)
            flags.formUnion(parameterFlags(bytes.unfolded(nameEnd..<colon).span))
        } else {
            kind = PropertyKind.byName.value(of: bytes.extracting(nameStart..<nameEnd))
            if nameEnd < colon { flags.formUnion(parameterFlags(bytes.extracting(nameEnd..<colon))) }
        }
        let (valueEnd, lineEnd) = end(ofValueAt: colon + 1, kind ?? .unknown, &flags, bytes)
        return Card.Property(
            kind ?? .unknown, flags: flags, start: start, groupLength: header.groupLength, nameEnd: nameEnd,
            valueStart: colon + 1, valueEnd: valueEnd, lineEnd: lineEnd)
    }

    /// Returns the end of the value and the start of the next line.
    private static func end(
        ofValueAt start: Int, _ kind: PropertyKind, _ flags: inout Card.Property.Flags, _ bytes: Span<UInt8>
    ) -> (value: Int, line: Int) {
        var position = start
        while true {
            let (end, next, folds) = bytes.endOfFoldedLine(from: position)
            if folds > 0 { flags.insert(.folded) }
            guard next < bytes.count else { return (end, next) }
            if flags.contains(.quotedPrintable), endsSoftly(bytes, from: position, to: end),
                !bytes.hasWord("END:VCARD", at: next)
            {
                position = next
            } else if flags.contains(.base64), isBase64Line(bytes, at: next) {
                position = next
            } else if kind == .agent, isBlank(bytes, start..<end), bytes.hasWord("BEGIN:VCARD", at: next) {
                position = lastLine(ofCardAt: next, bytes).start
            } else {
                return (end, next)
            }
            flags.insert(.folded)
        }
    }

    /// The start of the `END:VCARD` line of the nested card at `start`, or of the last line if it has no end.
    private static func lastLine(ofCardAt start: Int, _ bytes: Span<UInt8>) -> (start: Int, isEnd: Bool) {
        var depth = 0
        var line = start
        while true {
            if bytes.hasWord("BEGIN:VCARD", at: line) { depth += 1 }
            if bytes.hasWord("END:VCARD", at: line) { depth -= 1 }
            let end = bytes.endOfLine(from: line)
            let next = end + bytes.terminatorLength(at: end)
            if depth <= 0 || next >= bytes.count { return (line, depth <= 0) }
            line = next
        }
    }

    /// Whether the value of `property` is a nested card without `END:VCARD`.
    static func hasOpenCard(_ property: Card.Property, _ bytes: Span<UInt8>) -> Bool {
        let end = bytes.endOfLine(from: property.value.lowerBound)
        let next = end + bytes.terminatorLength(at: end)
        guard next < property.line.upperBound, bytes.hasWord("BEGIN:VCARD", at: next) else { return false }
        return !lastLine(ofCardAt: next, bytes).isEnd
    }

    /// Whether a quoted-printable line ends with the `=` of a soft break; trailing spaces are ignored (RFC 2045).
    private static func endsSoftly(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var last = end - 1
        while last >= start, bytes[last].isBlank { last -= 1 }
        return last >= start && bytes[last] == ASCII.equals
    }

    /// Whether the line continues a base64 value without indentation.
    private static func isBase64Line(_ bytes: Span<UInt8>, at start: Int) -> Bool {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: index += 1
            case ASCII.cr, ASCII.lf: return index > start
            default: return false
            }
        }
        return index > start
    }

    private static func isBlank(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !bytes[index].isBlank { return false }
        return true
    }

    /// The encoding declared by the parameters.
    private static func parameterFlags(_ bytes: Span<UInt8>) -> Card.Property.Flags {
        var flags: Card.Property.Flags = []
        var index = 0
        while index < bytes.count {
            // Each parameter starts with a semicolon.
            var end = index + 1
            var equals = index
            var quoted = false
            while end < bytes.count, quoted || bytes[end] != ASCII.semicolon {
                if bytes[end] == ASCII.quote { quoted.toggle() }
                if bytes[end] == ASCII.equals, equals == index { equals = end }
                end += 1
            }
            let value = equals == index ? index + 1 : equals + 1
            if equals == index, end > value { flags.insert(.bareParameters) }
            if equals == index + 8, bytes.hasWord("CHARSET", at: index + 1) { flags.insert(.charset) }
            if value < end {
                switch bytes[value].uppercasedASCII {
                case 0x51 where bytes.hasWord("QUOTED-PRINTABLE", at: value): flags.insert(.quotedPrintable)
                case 0x42 where isBase64Word(bytes, value..<end, bare: equals == index): flags.insert(.base64)
                default: break
                }
            }
            index = end
        }
        return flags
    }

    /// Whether a parameter declares base64: the word, alone or doubled (`b,b`), or the letter b of `ENCODING`.
    private static func isBase64Word(_ bytes: Span<UInt8>, _ range: Range<Int>, bare: Bool) -> Bool {
        if bytes.hasWord("BASE64", at: range.lowerBound) { return true }
        guard !bare, bytes.hasWord("ENCODING=", at: range.lowerBound - 9) else { return false }
        return range.count == 1 || bytes[range.lowerBound + 1] == ASCII.comma
    }
}
