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
        /// The person who speaks, as the engine tells it; nil if it does not.
        package var speaker: String?

        package init(_ text: String, _ time: Range<Int>?, words: [Word] = [], speaker: String? = nil) {
            self.text = text
            self.time = time
            self.words = words
            self.speaker = speaker
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

    /// The transcript of a sound of which `parts` were heard one by one, each with the place of its beginning in milliseconds. Each part
    /// has speakers of its own, since engines name them for each.
    package init(joining parts: [(heard: MachineTranscript, start: Int)]) {
        let segments = parts.enumerated().flatMap { number, part in
            part.heard.segments.map { segment in
                Segment(
                    segment.text, segment.time.map { $0.moved(by: part.start) },
                    words: segment.words.map {
                        Word($0.text, $0.time.moved(by: part.start), confidence: $0.confidence)
                    },
                    speaker: segment.speaker.map { parts.count == 1 ? $0 : "\($0), part \(number + 1)" })
            }
        }
        self.init(segments: segments, language: parts.lazy.compactMap(\.heard.language).first)
    }

    /// The whole text, one space between phrases; empty when nothing was heard.
    package var text: String { segments.map(\.text).joined(separator: " ") }

    /// All words with their places.
    package var words: [Word] { segments.flatMap(\.words) }
}

extension Range<Int> {
    /// The range from `start` to `end`, empty when the end comes first.
    package init(from start: Int, to end: Int) { self = start..<Swift.max(start, end) }

    fileprivate func moved(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
