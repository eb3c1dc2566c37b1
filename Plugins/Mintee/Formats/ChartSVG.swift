import CivilDate

/// Charts as SVG 1.1: a grid of days, or a line. Shapes repeat the meaning of colours: ▼ under, ▲ over, a frame for a
/// day that is still open.
package struct ChartSVG: Sendable {
    let chart: Chart

    package init(_ chart: Chart) { self.chart = chart }

    /// The space above the chart for the name.
    var head: Int { 24 }
    /// The space below the chart for the summary.
    var foot: Int { 24 }

    /// The summary of the chart: `33 of 40 reached, 5 under, 2 over`.
    var summary: String {
        let total = chart.total
        return "\(total.reached) of \(total.due) reached, \(total.under) under, \(total.over) over"
    }

    /// The description of one day.
    func title(_ cell: Chart.Cell) -> String {
        guard cell.tally.due > 0 else { return "\(cell.date)\(cell.isOpen ? ": still open" : "")" }
        let value = chart.tasks.count == 1 ? cell.value.map { ", \(NumberText.text($0))" } ?? "" : ""
        return "\(cell.date): \(cell.tally.reached) of \(cell.tally.due) reached\(value)"
    }

    /// The triangle of a day that missed its target, in a square of `size` at a position; empty for all others.
    static func mark(_ worst: CompletionCategory?, x: Double, y: Double, size: Double, color: String) -> String {
        let (left, right, middle) = (number(x + size * 0.2), number(x + size * 0.8), number(x + size / 2))
        let (top, bottom) = (number(y + size * 0.26), number(y + size * 0.74))
        switch worst {
        case .under: return "<path d=\"M\(left) \(top)H\(right)L\(middle) \(bottom)Z\" fill=\"\(color)\"/>"
        case .over: return "<path d=\"M\(left) \(bottom)H\(right)L\(middle) \(top)Z\" fill=\"\(color)\"/>"
        case .reached, nil: return ""
        }
    }

    /// The document around `body`.
    func document(width: Int, height: Int, _ body: String) -> String {
        let (name, words) = (ChartSVG.escaped(chart.name), ChartSVG.escaped(summary))
        let texts =
            "<text x=\"8\" y=\"18\" font-size=\"14\">\(name)</text>\n<text x=\"8\" y=\"\(height - 8)\">\(words)</text>\n"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            role="img" font-family="sans-serif" font-size="11" fill="currentColor">
            <title>\(name): \(words)</title>
            \(body)\(texts)</svg>

            """
    }

    /// Formats a coordinate with one decimal.
    static func number(_ value: Double) -> String { NumberText.text((value * 10).rounded() / 10) }

    /// Escapes text for XML; control characters, which XML forbids, are removed.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20 && scalar != "\t": break
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension LegendColor {
    /// The colour in SVG 1.1: `#RRGGBB`.
    var svg: String { "#\(description.prefix(6))" }

    /// Black or white, whichever has more contrast (WCAG 2.2, relative luminance).
    var inkOnIt: String {
        func linear(_ shift: UInt32) -> Double {
            let part = Double(rgba >> shift & 0xFF) / 255
            // A square approximates the sRGB curve well enough to choose between two colours.
            return part * part
        }
        let luminance = 0.2126 * linear(24) + 0.7152 * linear(16) + 0.0722 * linear(8)
        return luminance > 0.3 ? "#000000" : "#FFFFFF"
    }
}
