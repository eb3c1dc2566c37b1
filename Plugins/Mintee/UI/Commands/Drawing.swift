import HubKit

/// Lines that fit a terminal.
enum Drawing {
    /// `text` behind `start`, in lines of at most `width` columns that are broken at blanks and begin below each other; a longer
    /// word is broken where its line ends.
    static func wrap(_ text: String, after start: String = "", width: Int?) -> [String] {
        guard let width, DisplayWidth.of(start) + DisplayWidth.of(text) > width else { return [start + text] }
        let indent = start.isEmpty ? 2 : DisplayWidth.of(start)
        let margin = String(repeating: " ", count: indent)
        let room = max(8, width - indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").flatMap({ pieces(of: $0, room) }) {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > room {
                lines.append((lines.isEmpty ? start : margin) + line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return lines + [(lines.isEmpty ? start : margin) + line]
    }

    /// A text cut into pieces of at most `room` columns.
    static func pieces(of text: some StringProtocol, _ room: Int) -> [String] {
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

/// Formats numbers with a fixed number of decimals.
enum DecimalText {
    /// Formats a number, rounded half away from zero.
    static func text(_ number: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int((abs(number) * scale).rounded())
        let text = String(repeating: "0", count: max(0, digits + 1 - String(whole).count)) + String(whole)
        let sign = number < 0 && whole > 0 ? "-" : ""
        return digits == 0 ? sign + text : "\(sign)\(text.dropLast(digits)).\(text.suffix(digits))"
    }

    /// Formats a percentage with one decimal: `82.5 %`.
    static func percent(_ part: Int, of whole: Int) -> String {
        text(whole == 0 ? 0 : Double(part) * 100 / Double(whole), digits: 1) + " %"
    }
}
