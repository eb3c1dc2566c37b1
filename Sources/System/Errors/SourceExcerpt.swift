/// A line of a text, with marks below the invalid part and a short reason:
///
///         4 │ birthday:  31.02.1985
///           │            ^^^^^^^^^^ February 1985 has 28 days
///
/// The lines are meant to follow an error or an item, where all details are indented by two more blanks.
package struct SourceExcerpt: Sendable {
    /// The maximum number of columns shown; of a longer line, the part around the marks.
    static let width = 100
    /// The number of columns of a long line that are shown before the marks.
    private static let lead = 30

    /// The consecutive lines that are shown, at most three; the last one is marked.
    private let lines: [String]
    /// The number of the marked line, counted from 1.
    private let line: Int
    /// The marked part of that line in Unicode scalars, counted from 1; it may be after the line's end.
    private let columns: Range<Int>
    private let note: String

    /// An excerpt whose last line has the number `line`. Of more than three lines the last three are shown.
    package init(lines: [String], line: Int, columns: Range<Int>, note: String) {
        self.lines = lines.suffix(3)
        self.line = line
        self.columns = max(1, columns.lowerBound)..<max(2, columns.lowerBound + 1, columns.upperBound)
        self.note = note
    }

    /// The excerpt, line by line. Control characters are shown as escapes and counted as such.
    package var rendered: [String] {
        let gutter = max(5, String(line).count)
        func row(_ number: Int?, _ text: String) -> String {
            let label = number.map(String.init) ?? ""
            return label.leftPadded(to: gutter) + " │ " + text
        }
        // A long line is cut by scalars, because it may be too long to measure.
        let scalars = (lines.last ?? "").unicodeScalars
        let skipped = columns.lowerBound > Self.width - Self.lead ? columns.lowerBound - 1 - Self.lead : 0
        let start =
            scalars.index(scalars.startIndex, offsetBy: skipped, limitedBy: scalars.endIndex) ?? scalars.endIndex
        let window = scalars[start...].prefix(Self.width)
        let before = window.prefix(columns.lowerBound - 1 - skipped)
        let marked = window.dropFirst(before.count).prefix(columns.count)
        let text = (skipped > 0 ? "…" : "") + Self.printable(window) + (window.endIndex < scalars.endIndex ? "…" : "")
        let indent = (skipped > 0 ? 1 : 0) + DisplayWidth.of(Self.printable(before))
        let marks = max(1, DisplayWidth.of(Self.printable(marked)))
        var rows = lines.dropLast().enumerated().map { offset, text in
            row(line - lines.count + 1 + offset, Self.printable(text.unicodeScalars.prefix(Self.width)))
        }
        rows.append(row(line, text))
        let pointer = String(repeating: " ", count: indent) + String(repeating: "^", count: marks)
        rows.append(row(nil, note.isEmpty ? pointer : pointer + " " + TerminalSanitizer.line(note)))
        return rows
    }

    private static func printable(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return TerminalSanitizer.line(String(text))
    }
}
