import Text

/// The command line of an engine that the user configured, with placeholders: `my-engine --lang {language} {file}`.
///
/// No shell is involved: the line is split into words once, then placeholders are filled in, so a file name cannot become
/// more than a part of a word.
package struct CommandTemplate: Hashable, Sendable {
    /// What can stand in braces.
    package enum Placeholder: String, CaseIterable, Sendable {
        /// The path of the sound as a WAV file of 16 kHz.
        case file
        /// The language code, `auto` when none is set.
        case language
        /// The path without an extension at which the engine may write its output.
        case output
        /// The configured model.
        case model
    }

    /// A line that cannot be used.
    package enum Problem: Error, Hashable, Sendable {
        case empty
        case unclosedQuote
        case unknownPlaceholder(String)
        /// The engine would not know what to transcribe.
        case missingFile
    }

    private let words: [String]

    /// The template that a line of the configuration gives.
    package init(_ line: String) throws(Problem) {
        guard let words = ShellWords.split(line) else { throw .unclosedQuote }
        guard !words.isEmpty else { throw .empty }
        self.words = words
        var isFileUsed = false
        for word in words {
            for name in CommandTemplate.placeholders(in: word) {
                guard let placeholder = Placeholder(rawValue: name) else { throw .unknownPlaceholder(name) }
                if placeholder == .file { isFileUsed = true }
            }
        }
        guard isFileUsed else { throw .missingFile }
    }

    /// Returns the words of the command; a placeholder without a value becomes empty.
    package func arguments(_ values: [Placeholder: String]) -> [String] {
        words.map { word in
            var filled = ""
            var rest = word[...]
            while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
                let name = rest[rest.index(after: start)..<end]
                filled += rest[..<start]
                filled += Placeholder(rawValue: String(name)).map { values[$0] ?? "" } ?? String(rest[start...end])
                rest = rest[rest.index(after: end)...]
            }
            return filled + rest
        }
    }

    /// The names in braces; braces around other characters than letters mean themselves.
    private static func placeholders(in word: String) -> [String] {
        word.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "}"), end > part.startIndex else { return nil }
            let name = part[..<end]
            return name.allSatisfy { $0.isLetter || $0 == "_" || $0 == "-" } ? String(name) : nil
        }
    }
}
