/// Two dates with `..` between them, as people type a range; either end may be open, one date alone is its own range.
package struct DateRange: Sendable, Equatable {
    /// The first day or moment; nil when the range has no beginning.
    package let lower: DateExpression?
    /// The last day, which is part of the range, or the moment up to which it goes; nil when it has no end.
    package let upper: DateExpression?

    /// Parses `text`; nil when it is not a range.
    package init?(_ text: some StringProtocol) {
        let word = String(text)
        guard let dots = DateRange.dots(in: word) else {
            guard let date = DateExpression(word) else { return nil }
            (lower, upper) = (date, date)
            return
        }
        let (first, last) = (word[..<dots.lowerBound], word[dots.upperBound...])
        (lower, upper) = (DateExpression(first), DateExpression(last))
        let isComplete = (lower != nil || first.isEmpty) && (upper != nil || last.isEmpty)
        guard isComplete, lower != nil || upper != nil else { return nil }
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        guard let first = text.firstIndex(of: ".") else { return nil }
        let second = text.index(after: first)
        guard second < text.endIndex, text[second] == "." else { return nil }
        return first..<text.index(after: second)
    }
}
