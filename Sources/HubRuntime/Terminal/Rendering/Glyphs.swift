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
