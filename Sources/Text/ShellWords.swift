/// Command lines as text: words joined and taken apart as a POSIX shell would.
package enum ShellWords {
    /// The words as one line that a shell reads as the same words; only those that need it are quoted.
    package static func join(_ words: [String]) -> String { words.map(quote).joined(separator: " ") }

    /// The word as a shell reads it, in single quotes when it holds anything that a shell might change.
    package static func quote(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", "=", ".", ",", "/", ":", "@", "%", "^": true
            default: scalar.value >= 0xA0 && scalar.properties.isAlphabetic
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The words of a line: blanks part them, quotes and backslashes keep blanks; nil when a quote is not closed.
    package static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let finished = word { words.append(finished) }
        return words
    }
}
