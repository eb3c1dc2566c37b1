/// Why a text does not say what it should, and where.
package struct TextProblem: Error, Hashable, Sendable {
    /// What is wrong, in a few words.
    package let message: String
    /// Where, in characters counted from 1; it may lie behind the last one.
    package let columns: Range<Int>
    /// The word that nobody knows, when that is what is wrong.
    package let word: String?
    /// What could have stood there; the nearest of them is worth a hint.
    package let vocabulary: [String]

    package init(_ message: String, _ columns: Range<Int>, word: String? = nil, vocabulary: [String] = []) {
        self.message = message
        self.columns = columns
        self.word = word
        self.vocabulary = vocabulary
    }
}

/// A word of a text, and where it stands.
struct TextToken: Hashable, Sendable {
    let text: String
    /// In characters counted from 1.
    let columns: Range<Int>

    /// The words of `text` between blanks and any of `separators`, which are left out; `start` is the column of the
    /// first character.
    static func words(of text: Substring, from start: Int, separators: Set<Character>) -> [TextToken] {
        var words: [TextToken] = []
        var current = ""
        var column = start
        for character in text + " " {
            if character.isWhitespace || separators.contains(character) {
                if !current.isEmpty {
                    words.append(TextToken(text: current, columns: column - current.count..<column))
                    current = ""
                }
            } else {
                current.append(character)
            }
            column += 1
        }
        return words
    }
}
