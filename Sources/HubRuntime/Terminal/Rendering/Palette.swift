package import Commands

/// Puts tones into colours (ECMA-48 SGR), or leaves text as it is.
package struct Palette: Sendable {
    /// Whether it colours.
    let isColored: Bool

    /// A palette that colours, or one that does not.
    package init(isColored: Bool) { self.isColored = isColored }

    /// `text` in the colour of `tone`.
    package func paint(_ text: String, _ tone: TextStyle) -> String {
        guard isColored, !text.isEmpty, let code = Palette.code(tone) else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    private static func code(_ tone: TextStyle) -> String? {
        switch tone {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .bad: "1;31"
        case .warning: "33"
        }
    }
}

/// Glyphs beyond ASCII and their twins for a plain locale.
package struct Glyphs: Sendable {
    /// Whether the locale has them.
    package let isUTF8: Bool

    /// Glyphs as they are, or their ASCII twins.
    package init(isUTF8: Bool) { self.isUTF8 = isUTF8 }

    /// The replacement for text that was cut.
    package var ellipsis: String { isUTF8 ? "…" : "..." }

    /// Returns `text` with hub's own glyphs replaced if the locale cannot show them; names and other text of the user
    /// are unchanged.
    package func adapt(_ text: String) -> String {
        guard !isUTF8, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.reduce(into: "") { $0 += Glyphs.twins[$1] ?? String($1) }
    }

    private static let twins: [Character: String] = [
        "■": "#", "▼": "-", "▲": "+", "□": "o", "·": ".", "…": "...", "│": "|", "█": "8", "░": ".", "▁": "1",
        "▂": "2", "▃": "3", "▄": "4", "▅": "5", "▆": "6", "▇": "7", "→": "->", "–": "-",
    ]
}
