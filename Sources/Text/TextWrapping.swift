/// Breaks text into lines of so many columns of a terminal.
package enum TextWrapping {
    /// Returns `start` and `text` in lines of at most `width` columns that are broken at blanks; a longer word is broken
    /// where its line ends. Lines after the first are indented by `indent` columns: by default to the end of `start`, or
    /// two without one. Nothing is broken without a width.
    package static func lines(
        of text: String, after start: String = "", indent: Int? = nil, width: Int?
    ) -> [String] {
        guard let width, DisplayWidth.of(start) + DisplayWidth.of(text) > width else { return [start + text] }
        let indent = indent ?? (start.isEmpty ? 2 : DisplayWidth.of(start))
        let margin = String(repeating: " ", count: indent)
        let room = max(8, width - indent)
        var lines: [String] = []
        var (line, used) = ("", 0)
        for word in text.split(separator: " ").flatMap({ pieces(of: $0, room) }) {
            let columns = DisplayWidth.of(word)
            if !line.isEmpty, used + 1 + columns > room {
                lines.append((lines.isEmpty ? start : margin) + line)
                (line, used) = ("", 0)
            }
            used += columns + (line.isEmpty ? 0 : 1)
            line += line.isEmpty ? word : " " + word
        }
        return lines + [(lines.isEmpty ? start : margin) + line]
    }

    /// Returns a text cut into pieces of at most `room` columns.
    package static func pieces(of text: some StringProtocol, _ room: Int) -> [String] {
        var (pieces, piece, used) = ([String](), "", 0)
        for character in text {
            let columns = DisplayWidth.of(character)
            if used + columns > room {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.append(character)
            used += columns
        }
        return pieces + [piece]
    }
}
