/// Writes contacts in one format one after the other; the same contacts always give the same bytes.
package protocol CardListWriter: Sendable {
    /// Whether `survey` must be called with every contact before the first one is written.
    var needsSurvey: Bool { get }
    /// Whether the format has no groups, only labels of contacts.
    var hasLabelsOnly: Bool { get }
    /// Examines a contact that will be written.
    mutating func survey(_ card: Card)
    /// Returns the text before the first contact.
    mutating func begin() -> [UInt8]
    /// Returns the text of a contact; `id` is its local id.
    mutating func add(_ card: Card, id: String) -> [UInt8]
    /// Returns the text after the last contact.
    mutating func end() -> [UInt8]
}

extension CardListWriter {
    /// Returns false: no survey is needed.
    package var needsSurvey: Bool { false }
    /// Returns false: groups are written like all other cards.
    package var hasLabelsOnly: Bool { false }
    /// Does nothing.
    package mutating func survey(_ card: Card) {}
    /// Returns no text.
    package mutating func begin() -> [UInt8] { [] }
    /// Returns no text.
    package mutating func end() -> [UInt8] { [] }
}

/// Writes vCards: each byte for byte as stored, or in another version.
package struct VCardWriter: CardListWriter {
    private let version: VCardVersion?

    /// Creates a writer of `version`; nil keeps every byte.
    package init(_ version: VCardVersion?) { self.version = version }

    /// Returns the bytes of the card, with a line end.
    package func add(_ card: Card, id: String) -> [UInt8] {
        let bytes = version.map { card.exported(as: $0) }?.bytes ?? card.bytes
        // The last line of an imported card may have no line end.
        guard let last = bytes.last, last != ASCII.lf, last != ASCII.cr else { return bytes }
        return bytes + [ASCII.cr, ASCII.lf]
    }
}

/// Writes jCard (RFC 7095): an array with one card per line, or a single card.
package struct JCardWriter: CardListWriter {
    private let isSingle: Bool
    private var isFirst = true

    /// Creates a writer of an array, or of a single card.
    package init(isSingle: Bool) { self.isSingle = isSingle }

    /// Returns the start of the array.
    package func begin() -> [UInt8] { isSingle ? [] : Array("[".utf8) }

    /// Returns the card as JSON, after a comma if needed.
    package mutating func add(_ card: Card, id: String) -> [UInt8] {
        let text = JCard.text(card)
        if isSingle { return Array("\(text)\n".utf8) }
        defer { isFirst = false }
        return Array("\(isFirst ? "\n" : ",\n")\(text)".utf8)
    }

    /// Returns the end of the array.
    package func end() -> [UInt8] { isSingle ? [] : Array("\(isFirst ? "" : "\n")]\n".utf8) }
}
