/// A manual page in the man macros of roff: man(7).
package struct ManualPage: Sendable {
    /// The name of the page, such as `hub-contacts`.
    package let name: String
    /// The section: 1 for commands, 5 for file formats.
    package let section: Int

    private var lines: [String]

    /// The day of the release that the pages describe.
    package static let releaseDate = "2026-11-21"

    /// Begins a page with its title and the line that `apropos` finds.
    package init(name: String, section: Int, summary: String, version: String, date: String = releaseDate) {
        self.name = name
        self.section = section
        let title = ManualPage.argument(name.uppercased())
        lines = [
            ".TH \(title) \(section) \"\(date)\" \(ManualPage.argument("hub \(version)")) \(ManualPage.argument("hub manual"))",
            ".nh", ".ad l",
            ".SH NAME", "\(ManualPage.escape(name)) \\- \(ManualPage.escape(summary))",
        ]
    }

    /// The file that the page is installed as.
    package var fileName: String { "\(name).\(section)" }

    /// The roff source.
    package var source: String { lines.joined(separator: "\n") + "\n" }

    /// Begins a section: `OPTIONS`.
    package mutating func heading(_ title: String) { lines.append(".SH \(ManualPage.argument(title.uppercased()))") }

    /// Begins a part of a section.
    package mutating func subheading(_ title: String) { lines.append(".SS \(ManualPage.argument(title))") }

    /// A paragraph.
    package mutating func paragraph(_ text: String) { lines += gap + [ManualPage.text(text)] }

    /// The separator before a paragraph; headings need none.
    private var gap: [String] {
        lines.last.map { $0.hasPrefix(".SH ") || $0.hasPrefix(".SS ") } == true ? [] : [".PP"]
    }

    /// A line in bold by itself, such as how a command is typed.
    package mutating func usage(_ text: String) { lines += gap + [".B \(ManualPage.argument(text))"] }

    /// A term and, indented below it, what it means.
    package mutating func definition(_ term: String, _ meaning: String) {
        lines += [".TP", ".B \(ManualPage.argument(term))", meaning.isEmpty ? "\\&" : ManualPage.text(meaning)]
    }

    /// An argument of a macro, in quotes.
    private static func argument(_ text: String) -> String {
        "\"" + escape(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
    }

    /// A line of text, which must not begin like a request.
    private static func text(_ text: String) -> String {
        let escaped = escape(text)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// Characters that roff reads as something else; dashes stay the ones that are typed.
    private static func escape(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\n": result += " "
            case " "..."}": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
    }
}
