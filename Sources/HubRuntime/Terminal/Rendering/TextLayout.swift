import Commands

/// Cutting, padding and wrapping by display width.
enum TextLayout {
    /// `text` in exactly `width` columns or more, with blanks at the side away from `alignment`.
    static func pad(_ text: String, to width: Int, _ alignment: FieldDescriptor.Alignment = .leading) -> String {
        alignment == .leading ? text.padded(to: width) : text.leftPadded(to: width)
    }

    /// `text` in at most `width` columns; what is cut off is replaced by `ellipsis`.
    static func cut(_ text: String, to width: Int, ellipsis: String) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        let room = width - DisplayWidth.of(ellipsis)
        guard room > 0 else { return String(ellipsis.prefix(max(0, width))) }
        var used = 0
        let kept = text.prefix { character in
            used += DisplayWidth.of(character)
            return used <= room
        }
        var result = String(kept)
        while result.last == " " { result.removeLast() }
        return result + ellipsis
    }

    /// `text` in lines of at most `width` columns, broken at blanks; a longer word keeps its line to itself.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    /// Two columns: `left` padded to the widest (at most `limit`), two blanks or more, `right` wrapped beside it.
    static func definitions(
        _ items: [(left: String, right: String)], indent: Int = 2, gap: Int = 3, limit: Int = 34, width: Int
    ) -> [String] {
        let column = min(items.map { DisplayWidth.of($0.left) }.max() ?? 0, limit)
        let margin = String(repeating: " ", count: indent)
        let hanging = indent + column + gap
        return items.flatMap { item -> [String] in
            guard !item.right.isEmpty else { return [margin + item.left] }
            let rest = wrap(item.right, to: max(20, width - hanging))
            var lines: [String] = []
            var first = margin + pad(item.left, to: column + gap)
            if DisplayWidth.of(item.left) > column {
                lines.append(margin + item.left)
                first = String(repeating: " ", count: hanging)
            }
            for (index, text) in rest.enumerated() {
                lines.append((index == 0 ? first : String(repeating: " ", count: hanging)) + text)
            }
            return lines
        }
    }
}
