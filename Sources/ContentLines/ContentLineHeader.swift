public import TextDecoding

/// The part of a content line before its value: `group.NAME;PARAMETER=value:` (RFC 6350 §3.3, RFC 5545 §3.1).
///
/// It consists of positions in the bytes, which may still be folded, so that nothing is copied.
public struct ContentLineHeader {
    /// The position of the first byte.
    public let start: Int
    /// The length of the group before the first dot of the name; 0 when there is none.
    public let groupLength: Int
    /// The end of the name: the position of the first semicolon, or of the colon.
    public let nameEnd: Int
    /// The position of the colon; nil for a line that is not a property.
    public let colon: Int?
    /// The end of a line that is not a property, before its last line end; else the position of the colon.
    public let end: Int
    /// Whether a fold was passed.
    public let isFolded: Bool
    /// Whether a quote in the parameters is not closed; the colon is then the first one of the line.
    public let hasOpenQuote: Bool

    /// Reads the line that begins at `start`, up to the first colon outside quotes. An empty line is never folded.
    @inlinable public init(at start: Int, of bytes: Span<UInt8>) {
        var groupLength = 0
        var semicolon: Int?
        var colon: Int?
        // The first colon inside quotes, and the semicolon before it.
        var quotedColon: Int?
        var quotedSemicolon: Int?
        var isQuoted = false
        var isFolded = false
        var index = start
        scan: while index < bytes.count {
            // The index was compared with the count just before.
            switch bytes[unchecked: index] {
            case UInt8(ascii: ":"):
                if !isQuoted {
                    colon = index
                    break scan
                }
                if quotedColon == nil { (quotedColon, quotedSemicolon) = (index, semicolon) }
            case UInt8(ascii: ";"): if semicolon == nil { semicolon = index }
            case UInt8(ascii: "."): if semicolon == nil, groupLength == 0 { groupLength = index - start }
            case UInt8(ascii: "\""): if semicolon != nil { isQuoted.toggle() }
            case 0x0A, 0x0D:
                let next = index + bytes.terminatorLength(at: index)
                guard next < bytes.count, bytes.isFold(at: next), index > start else { break scan }
                isFolded = true
                index = next
            default: break
            }
            index += 1
        }
        hasOpenQuote = colon == nil && quotedColon != nil
        if hasOpenQuote { (colon, semicolon) = (quotedColon, quotedSemicolon) }
        self.start = start
        self.groupLength = groupLength
        self.colon = colon
        self.end = colon ?? index
        self.nameEnd = semicolon ?? colon ?? index
        self.isFolded = isFolded
    }
}
