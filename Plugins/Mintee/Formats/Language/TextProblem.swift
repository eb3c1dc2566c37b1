/// A problem in a parsed text, with its position.
package struct TextProblem: Error, Hashable, Sendable {
    /// The description, in a few words.
    package let message: String
    /// The position, in characters counted from 1; may be past the end.
    package let columns: Range<Int>
    /// The unknown word, if that is the problem.
    package let word: String?
    /// The valid alternatives to ``word``; the nearest one is suggested.
    package let vocabulary: [String]
    /// The suggested text, if known.
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

/// A word of a text, with its position.
struct TextToken: Hashable, Sendable {
    let text: String
    /// The position, in characters counted from 1.
    let columns: Range<Int>
}
