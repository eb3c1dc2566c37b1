/// A word as the tokenizer of full-text tables splits it: ASCII letters and digits, and all non-ASCII characters.
///
/// A query of such words in quotes cannot be parsed as query syntax, and each is one token, since the tables do not
/// store positions for phrases.
package struct SearchWord: Hashable, Sendable {
    /// The word, without separators.
    package let text: String

    /// Creates the word, leaving out what separates words.
    package init(_ word: some StringProtocol) {
        var text = String.UnicodeScalarView()
        for scalar in word.unicodeScalars where SearchWord.belongs(scalar) { text.append(scalar) }
        self.text = String(text)
    }

    /// Splits folded text into words.
    package static func words(of text: String) -> [SearchWord] {
        text.unicodeScalars.split { !belongs($0) }.map { SearchWord(String($0)) }
    }

    /// The word in query syntax.
    package var quoted: String { "\"\(text)\"" }

    /// The trigrams of the word; empty for shorter words.
    package var grams: [String] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.dropLast(2).map { index in
            String(String.UnicodeScalarView(scalars[index...index + 2]))
        }
    }

    /// The word's first `count` characters.
    package func prefix(_ count: Int) -> SearchWord { SearchWord(String(text.unicodeScalars.prefix(count))) }

    private static func belongs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z": true
        default: scalar.value >= 0x80
        }
    }
}
