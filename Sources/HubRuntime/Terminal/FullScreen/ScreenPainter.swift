import Commands

/// What is on a terminal, cell by cell, and the bytes that turn it into the next frame.
struct ScreenPainter {
    private struct Cell: Hashable {
        /// The character; empty for the second column of a wide one.
        var text: String
        var style: TextStyle
    }

    private static let blank = Cell(text: " ", style: .plain)

    private let palette: Palette
    private let glyphs: Glyphs
    private var size: ScreenSize
    private var cells: [[Cell]]
    /// What `cells` were laid out from.
    private var lines: [[ScreenFrame.Piece]] = []
    /// Whether the terminal shows something else than `cells`.
    private var isUnknown = true

    init(size: ScreenSize, palette: Palette, glyphs: Glyphs) {
        self.palette = palette
        self.glyphs = glyphs
        self.size = size
        cells = []
    }

    /// Takes a new size; everything is drawn again.
    mutating func resize(_ size: ScreenSize) {
        self.size = size
        isUnknown = true
    }

    /// Returns the bytes for a frame: only runs of cells that differ are drawn.
    mutating func paint(_ frame: ScreenFrame) -> [UInt8] {
        var output = ""
        if isUnknown {
            output = "\u{1B}[0m\u{1B}[2J"
            cells = Array(repeating: Array(repeating: Self.blank, count: size.columns), count: size.rows)
            lines = Array(repeating: [], count: size.rows)
            isUnknown = false
        }
        for row in 0..<size.rows {
            let pieces = row < frame.lines.count ? frame.lines[row] : []
            guard pieces != lines[row] else { continue }
            let line = layOut(pieces)
            var column = 0
            while column < size.columns {
                guard line[column] != cells[row][column] else {
                    column += 1
                    continue
                }
                // A wide character is drawn from its first column.
                while column > 0, line[column].text.isEmpty { column -= 1 }
                output += "\u{1B}[\(row + 1);\(column + 1)H"
                while column < size.columns, line[column] != cells[row][column] || line[column].text.isEmpty {
                    let style = line[column].style
                    var run = ""
                    while column < size.columns, line[column].style == style,
                        line[column] != cells[row][column] || line[column].text.isEmpty
                    {
                        run += line[column].text
                        column += 1
                    }
                    output += palette.paint(run, style)
                }
            }
            (lines[row], cells[row]) = (pieces, line)
        }
        return Array(output.utf8)
    }

    /// The cells of a line, cut or filled to the width.
    private func layOut(_ pieces: [ScreenFrame.Piece]) -> [Cell] {
        var line: [Cell] = []
        line.reserveCapacity(size.columns)
        for piece in pieces {
            for character in glyphs.adapt(TerminalSanitizer.line(piece.text)) {
                let width = DisplayWidth.of(character)
                if width == 0 {
                    if !line.isEmpty { line[line.count - 1].text.append(character) }
                    continue
                }
                guard line.count + width <= size.columns else { return fill(line) }
                line.append(Cell(text: String(character), style: piece.style))
                if width > 1 { line += Array(repeating: Cell(text: "", style: piece.style), count: width - 1) }
            }
        }
        return fill(line)
    }

    private func fill(_ line: [Cell]) -> [Cell] {
        line + Array(repeating: Self.blank, count: max(size.columns - line.count, 0))
    }
}
