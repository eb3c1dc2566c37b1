/// Why a text cannot be read, and where.
package struct TextProblem: Error, Hashable, Sendable {
    /// What is wrong, in a few words.
    package let message: String
    /// Where, in characters counted from 1; it may lie after the last one.
    package let columns: Range<Int>
    /// The unknown word, when that is what is wrong.
    package let word: String?
    /// What could be written in place of ``word``; the nearest of them is worth a hint.
    package let vocabulary: [String]
    /// What to write instead, when that is known.
    package let hint: String?

    package init(
        _ message: String, _ columns: Range<Int>, word: String? = nil, vocabulary: [String] = [], hint: String? = nil
    ) {
        self.message = message
        self.columns = columns
        self.word = word
        self.vocabulary = vocabulary
        self.hint = hint
    }
}

/// A word of a text, and where it is.
struct TextToken: Hashable, Sendable {
    let text: String
    /// In characters counted from 1.
    let columns: Range<Int>
}
