/// The text that an engine heard in a record. It is never changed; an edit is kept beside it.
package struct MachineTranscript: Hashable, Sendable {
    /// A word, with its place in the sound.
    package struct Word: Hashable, Sendable {
        /// The word, with punctuation where the engine writes it.
        package let text: String
        /// The place in milliseconds from the beginning of the record.
        package let time: Range<Int>
        /// The confidence of the engine, 0...1; nil if it gives none.
        package let confidence: Double?

        /// Creates a word. A confidence outside of 0...1 is cut to it, and NaN is left out.
        package init(_ text: String, _ time: Range<Int>, confidence: Double? = nil) {
            self.text = text
            self.time = time
            // Engines write what they like, "nan" and 1e300 included.
            self.confidence = confidence.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        }
    }

    /// A phrase: what the engine gives as one line.
    package struct Segment: Hashable, Sendable {
        /// The text of the phrase.
        package let text: String
        /// The place in milliseconds; nil if the engine gives none.
        package let time: Range<Int>?
        /// The words with their places, if the engine gives them.
        package var words: [Word]

        package init(_ text: String, _ time: Range<Int>?, words: [Word] = []) {
            self.text = text
            self.time = time
            self.words = words
        }
    }

    /// The phrases in their order.
    package let segments: [Segment]
    /// The language as the engine names it, mostly an ISO 639 code; nil if it gives none.
    package let language: String?

    package init(segments: [Segment], language: String? = nil) {
        self.segments = segments
        self.language = language
    }

    /// The whole text, one space between phrases; empty when nothing was heard.
    package var text: String { segments.map(\.text).joined(separator: " ") }

    /// All words with their places.
    package var words: [Word] { segments.flatMap(\.words) }
}

extension Range<Int> {
    /// The range from `start` to `end`, empty when the end comes first.
    package init(from start: Int, to end: Int) { self = start..<Swift.max(start, end) }
}
