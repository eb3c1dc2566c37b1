/// A word as the search tables cut it: ASCII letters and digits, and everything beyond ASCII.
///
/// A query made of such words only, each in quotes, cannot be misread as part of the search language, and each is one
/// token: phrases of several are not kept in the tables.
struct SearchWord: Hashable {
    /// The word, without anything that parts words.
    let text: String

    init(_ word: some StringProtocol) {
        var text = String.UnicodeScalarView()
        for scalar in word.unicodeScalars where SearchWord.belongs(scalar) { text.append(scalar) }
        self.text = String(text)
    }

    /// The words of folded text.
    static func words(of text: String) -> [SearchWord] {
        text.unicodeScalars.split { !belongs($0) }.map { SearchWord(String($0)) }
    }

    /// The word as the search language takes it.
    var quoted: String { "\"\(text)\"" }

    /// Every three characters in a row, as the trigram table cuts them; empty for shorter words.
    var grams: [String] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.dropLast(2).map { index in
            String(String.UnicodeScalarView(scalars[index...index + 2]))
        }
    }

    /// The word's first `count` characters.
    func prefix(_ count: Int) -> SearchWord { SearchWord(String(text.unicodeScalars.prefix(count))) }

    private static func belongs(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "a"..."z", "A"..."Z": true
        default: scalar.value >= 0x80
        }
    }
}
