import Commands

/// Writes one item as a block of titles and values; empty values are left out.
struct RecordRenderer {
    let formatter: CellFormatter
    let glyphs: Glyphs
    let palette: Palette

    /// The lines of the first row of `rows`.
    func lines(_ rows: Rows) -> [String] {
        guard rows.count > 0 else { return [] }
        let shown = rows.fields.indices.compactMap { field -> (String, [String], TextStyle)? in
            let texts = texts(rows, field)
            return texts.isEmpty ? nil : (rows.fields[field].title.lowercased() + ":", texts, rows.tone(0, field))
        }
        let width = (shown.map { DisplayWidth.of($0.0) }.max() ?? 0) + 2
        return shown.flatMap { title, texts, tone in
            texts.enumerated().map { index, text in
                palette.paint(TextLayout.pad(index == 0 ? title : "", to: width), .faint) + palette.paint(text, tone)
            }
        }
    }

    /// One line for each element of a list and for each line of a text.
    private func texts(_ rows: Rows, _ field: Int) -> [String] {
        if let own = rows.cell(0, field) { return [glyphs.adapt(TerminalSanitizer.line(own))] }
        switch rows.value(0, field) {
        case .null: return []
        case .list(let values): return values.map(formatter.text)
        case .text(let text):
            return text.split(separator: "\n", omittingEmptySubsequences: false).map {
                TerminalSanitizer.line(String($0))
            }
        case let value: return [formatter.text(value)]
        }
    }
}
