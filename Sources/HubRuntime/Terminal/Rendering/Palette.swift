package import HubKit

/// Puts tones into colours (ECMA-48 SGR), or leaves text as it is.
package struct Palette: Sendable {
    private let isColored: Bool

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
