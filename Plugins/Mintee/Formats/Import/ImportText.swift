import CivilDate
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

/// Parses times in the formats of other programs.
enum ImportMoment {
    /// Parses `20261120T220000Z`, `2026-11-20T22:00:00.000Z` or plain seconds to milliseconds since
    /// 1970-01-01T00:00:00Z; nil for anything else. Only UTC is supported.
    static func milliseconds(_ text: String) -> Double? {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) }
        if digits.count == text.utf8.count { return Double(text).map { $0 * 1000 } }
        guard text.hasSuffix("Z"), digits.count >= 14, text.contains("T") else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)),
            number(8..<10) < 24, number(10..<12) < 60, number(12..<14) <= 60
        else { return nil }
        let seconds = day.daysSinceEpoch * 86_400 + number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
        return Double(seconds) * 1000
    }

    /// Returns the local day of such a time, optionally moved by milliseconds, or of a plain `yyyy-MM-dd`.
    static func day(_ text: String?, _ setting: ImportSetting, movedBy milliseconds: Double = 0) -> CivilDate? {
        guard let text else { return nil }
        return CivilDate(text) ?? self.milliseconds(text).flatMap { setting.day(at: $0 + milliseconds) }
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
