/// Writes contacts in one outside format, one after the other; the same contacts always give the same bytes.
package protocol CardListWriter: Sendable {
    /// Whether every contact has to be shown to `survey` before the first one is written.
    var needsSurvey: Bool { get }
    /// Looks at a contact that will be written.
    mutating func survey(_ card: Card)
    /// What stands before the first contact.
    mutating func begin() -> [UInt8]
    /// A contact; `id` is its id here.
    mutating func add(_ card: Card, id: String) -> [UInt8]
    /// What stands behind the last one.
    mutating func end() -> [UInt8]
}

extension CardListWriter {
    package var needsSurvey: Bool { false }
    package mutating func survey(_ card: Card) {}
    package mutating func begin() -> [UInt8] { [] }
    package mutating func end() -> [UInt8] { [] }
}

/// vCards: each byte for byte as it is kept, or in another version.
package struct VCardWriter: CardListWriter {
    private let version: VCardVersion?

    /// A writer of `version`; nil leaves every byte as it is.
    package init(_ version: VCardVersion?) { self.version = version }

    package func add(_ card: Card, id: String) -> [UInt8] {
        let bytes = version.map { card.exported(as: $0) }?.bytes ?? card.bytes
        // The last line of a card may have had no end in its file.
        guard let last = bytes.last, last != ASCII.lf, last != ASCII.cr else { return bytes }
        return bytes + [ASCII.cr, ASCII.lf]
    }
}

/// Cards in JSON (RFC 7095): an array with a line for each, or the card itself when it is the only one asked for.
package struct JCardWriter: CardListWriter {
    private let isSingle: Bool
    private var isFirst = true

    /// A writer of an array of cards, or of one card alone.
    package init(isSingle: Bool) { self.isSingle = isSingle }

    package func begin() -> [UInt8] { isSingle ? [] : Array("[".utf8) }

    package mutating func add(_ card: Card, id: String) -> [UInt8] {
        let text = JCard.text(card)
        if isSingle { return Array("\(text)\n".utf8) }
        defer { isFirst = false }
        return Array("\(isFirst ? "\n" : ",\n")\(text)".utf8)
    }

    package func end() -> [UInt8] { isSingle ? [] : Array("\(isFirst ? "" : "\n")]\n".utf8) }
}
