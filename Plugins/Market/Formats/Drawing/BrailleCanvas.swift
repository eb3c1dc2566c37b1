/// A drawing of dots for a terminal: each character has two by four of them (Unicode's Braille Patterns).
package struct BrailleCanvas: Hashable, Sendable {
    /// The number of characters of a row.
    package let columns: Int
    /// The number of rows.
    package let rows: Int
    private var cells: [UInt8]

    /// Creates an empty canvas; sizes are limited to 1,000 characters.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 0), 1000)
        self.rows = min(max(rows, 0), 1000)
        cells = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// The number of dots of a row.
    package var width: Int { columns * 2 }
    /// The number of rows of dots.
    package var height: Int { rows * 4 }

    /// The bits of the dots in a cell, by row and column.
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    /// Sets the dot in column `x`, from the left, and row `y`, from the bottom; dots outside the canvas are left out.
    package mutating func set(_ x: Int, _ y: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let row = height - 1 - y
        cells[row / 4 * columns + x / 2] |= Self.bits[row % 4][x % 2]
    }

    /// Draws a line between two dots (Bresenham's algorithm).
    package mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
        var (x, y) = start
        let (dx, dy) = (abs(end.x - x), -abs(end.y - y))
        guard max(dx, -dy) <= 2 * (width + height) else { return }
        var error = dx + dy
        set(x, y)
        while (x, y) != end {
            let double = 2 * error
            if double >= dy { (error, x) = (error + dy, x + (end.x > x ? 1 : -1)) }
            if double <= dx { (error, y) = (error + dx, y + (end.y > y ? 1 : -1)) }
            set(x, y)
        }
    }

    /// The rows as text, the highest first.
    package var lines: [String] {
        (0..<rows).map { row in
            String(
                String.UnicodeScalarView(
                    cells[row * columns..<(row + 1) * columns].compactMap { Unicode.Scalar(0x2800 + UInt32($0)) }))
        }
    }
}
