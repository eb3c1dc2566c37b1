/// A part of a query, between spaces outside quotes: a word, a phrase, or a field with its value.
package struct QueryPart: Hashable, Sendable {
    /// Whether `-` is in front.
    package var isNegated = false
    /// The name before the colon; nil for a word or phrase.
    package var name: String?
    /// The value, without quotes.
    package var value = ""
    /// Whether the value is in quotes.
    package var isQuoted = false
    /// The part as written.
    package var text = ""

    private static let quotes: Set<Character> = ["\"", "“", "”", "„", "«", "»"]

    /// Splits a query at spaces outside quotes. A quote that is not closed ends with the text.
    package static func parts(of text: String) -> [QueryPart] {
        var parts: [QueryPart] = []
        var index = text.startIndex
        while index < text.endIndex {
            if text[index].isWhitespace {
                index = text.index(after: index)
            } else {
                parts.append(QueryPart(in: text, at: &index))
            }
        }
        return parts
    }

    private init(in text: String, at index: inout String.Index) {
        let start = index
        let next = text.index(after: index)
        // A number with separators is not a negation.
        if text[index] == "-" || text[index] == "−", next < text.endIndex,
            text[next].isLetter || Self.quotes.contains(text[next]) || text[next] == "@"
        {
            isNegated = true
            index = next
        }
        let name = text[index...].prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
        if !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == ":" {
            self.name = String(name)
            index = text.index(after: name.endIndex)
        }
        if index < text.endIndex, Self.quotes.contains(text[index]) {
            isQuoted = true
            let inner = text.index(after: index)
            let end = text[inner...].firstIndex { Self.quotes.contains($0) } ?? text.endIndex
            value = String(Self.trimmed(text[inner..<end]))
            index = end < text.endIndex ? text.index(after: end) : end
        } else {
            let end = text[index...].firstIndex(where: \.isWhitespace) ?? text.endIndex
            value = String(text[index..<end])
            index = end
        }
        self.text = String(text[start..<index])
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

/// The reason why a query cannot be read.
package struct QueryError: Error, Hashable, Sendable {
    /// The part of the query that cannot be read.
    package var part: String
    /// The reason, in one sentence without a full stop.
    package var message: String
    /// The suggested input.
    package var hint: String?

    /// Creates the error of a part.
    package init(_ part: QueryPart, _ message: String, _ hint: String? = nil) {
        self.part = part.text
        self.message = message
        self.hint = hint
    }
}
