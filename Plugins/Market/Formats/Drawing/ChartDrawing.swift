/// Charts as text for a terminal.
package enum ChartDrawing {
    /// Draws a series as a line, its range over the whole height.
    package static func line(_ series: ChartSeries, columns: Int, rows: Int) -> [String] {
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        guard let range = series.range, canvas.height > 0, canvas.width > 0 else { return canvas.lines }
        let values = series.columns(canvas.width)
        var last: (x: Int, y: Int)?
        for (x, value) in values.enumerated() {
            let point = (x: x, y: place(value, in: range, height: canvas.height))
            canvas.line(from: last ?? point, to: point)
            last = point
        }
        return canvas.lines
    }

    /// Draws candles, one for each column, the latest at the right. A body is full where the price rose and light where it
    /// fell, so the direction does not depend on a colour.
    /// - Parameter isASCII: Draws with `#`, `o` and `|`.
    package static func candles(_ candles: [Candle], columns: Int, rows: Int, isASCII: Bool = false) -> [String] {
        let shown = Candle.merged(candles, to: min(max(columns, 0), 1000))
        let rows = min(max(rows, 0), 1000)
        guard let first = shown.first else { return Array(repeating: "", count: rows) }
        let range = shown.reduce(first.low...first.high) { min($0.lowerBound, $1.low)...max($0.upperBound, $1.high) }
        let (full, light, wick): (Character, Character, Character) = isASCII ? ("#", "o", "|") : ("█", "░", "│")
        let spans = shown.map { candle in
            (
                low: place(candle.low, in: range, height: rows), high: place(candle.high, in: range, height: rows),
                bottom: place(min(candle.open, candle.close), in: range, height: rows),
                top: place(max(candle.open, candle.close), in: range, height: rows), isRising: candle.isRising
            )
        }
        return (0..<rows).reversed().map { row in
            String(
                spans.map { span -> Character in
                    if (span.bottom...span.top).contains(row) { return span.isRising ? full : light }
                    return (span.low...span.high).contains(row) ? wick : " "
                })
        }
    }

    /// Draws values as a row of bars, the lowest one eighth high: `▁▃▆█`. Digits 0 to 7 stand for the bars in ASCII.
    package static func bars(_ values: [Double], columns: Int, isASCII: Bool = false) -> String {
        let values = values.filter(\.isFinite)
        guard let low = values.min(), let high = values.max(), columns > 0 else { return "" }
        let count = min(columns, values.count)
        let shown = (0..<count).map { index in
            // The mean of each part, the whole range being that of all values.
            let part = values[values.count * index / count..<values.count * (index + 1) / count]
            return part.reduce(0) { $0 + $1 / Double(part.count) }
        }
        return String(
            shown.map { value -> Character in
                let step = place(value, in: low...high, height: 8)
                return isASCII ? Character("\(step)") : Array("▁▂▃▄▅▆▇█")[step]
            })
    }

    /// The row, from 0 at the bottom, of a value; a range without extent is drawn in the middle.
    private static func place(_ value: Double, in range: ClosedRange<Double>, height: Int) -> Int {
        let extent = range.upperBound - range.lowerBound
        guard extent > 0, extent.isFinite else { return height / 2 }
        return min(max(Int((value - range.lowerBound) / extent * Double(height - 1) + 0.5), 0), max(height - 1, 0))
    }
}
