import Collation

/// From the bytes of a file to text and its lines.
enum ImportText {
    /// One line of a file.
    struct Line: Sendable {
        /// Counted from 1.
        let number: Int
        /// The line without its end.
        let text: Substring

        /// The line as something to be shown.
        func place(_ file: ImportBundle.File, in bundle: ImportBundle) -> ImportPlace {
            ImportPlace(
                file: bundle.files.count > 1 ? file.path : nil, line: number, excerpt: String(text.prefix(160)))
        }
    }

    /// The text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252.
    static func decode(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                UInt16(bytes[index + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[index + (isLittle ? 0 : 1)])
            }
            return String(decoding: units, as: UTF16.self)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return (try? Charset.decode(bytes, as: "windows-1252")) ?? String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a file, whatever ends them.
    static func lines(_ bytes: [UInt8]) -> [Line] {
        // In Swift CR LF is one character.
        decode(bytes).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
            .enumerated().map { Line(number: $0.offset + 1, text: $0.element) }
    }

    /// The beginning of a file as text, to see what it looks like.
    static func sample(_ file: ImportBundle.File) -> String { decode(Array(file.bytes.prefix(8 << 10))) }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)])
    }
}
