import TextDecoding

/// Splits the bytes of a file into lines.
enum ImportText {
    /// One line of a file.
    struct Line: Sendable {
        /// The number, counted from 1.
        let number: Int
        /// The line without its end.
        let text: Substring

        /// The line as a position with an excerpt.
        func place(_ file: ImportBundle.File, in bundle: ImportBundle) -> ImportPlace {
            ImportPlace(
                file: bundle.files.count > 1 ? file.path : nil, line: number, excerpt: String(text.prefix(160)))
        }
    }

    /// Returns the lines of a file, with any line endings.
    static func lines(_ bytes: [UInt8]) -> [Line] {
        // In Swift CR LF is one character.
        TextDecoding.decode(file: bytes).split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r\n" || $0 == "\r"
        }
        .enumerated().map { Line(number: $0.offset + 1, text: $0.element) }
    }

    /// Returns the beginning of a file as text, to detect its format.
    static func sample(_ file: ImportBundle.File) -> String {
        TextDecoding.decode(file: Array(file.bytes.prefix(8 << 10)))
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
    }
}
