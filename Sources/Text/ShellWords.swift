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
        return "'" + word.replacing(scalar: "'", with: "'\\''") + "'"
    }

    /// The words of a line: blanks part them, quotes and backslashes keep blanks; nil when a quote is not closed.
    package static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        func append(_ scalar: Unicode.Scalar) {
            if word == nil { word = .init() }
            word?.append(scalar)
        }
        for scalar in line.unicodeScalars {
            if isEscaped {
                append(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if scalar == open { quote = nil } else { append(scalar) }
            } else if scalar == "'" || scalar == "\"" {
                quote = scalar
                word = word ?? .init()
            } else if scalar.properties.isWhitespace {
                if let finished = word { words.append(String(finished)) }
                word = nil
            } else {
                append(scalar)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let finished = word { words.append(String(finished)) }
        return words
    }
}
