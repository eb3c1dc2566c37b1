import CivilDate

/// Charts as SVG 1.1: a grid of days, or a line.
package struct ChartSVG: Sendable {
    private let chart: Chart
    private static let cell = 14
    private static let gap = 3
    private static let top = 34

    package init(_ chart: Chart) { self.chart = chart }

    /// A column for each week, a row for each day of the week, coloured by the legend.
    package var box: String {
        let weeks = chart.weeks()
        let step = ChartSVG.cell + ChartSVG.gap
        let width = max(weeks.count * step + 40, 240)
        var body = ""
        for (column, week) in weeks.enumerated() {
            for (row, cell) in week.enumerated() {
                guard let cell else { continue }
                let color = chart.color(of: cell)
                let fill = color.map { "fill=\"#\($0.description.prefix(6))\"" } ?? "fill=\"none\""
                let stroke = color == nil ? " stroke=\"#9994\"" : ""
                body += """
                    <rect x="\(32 + column * step)" y="\(ChartSVG.top + row * step)" width="\(ChartSVG.cell)" \
                    height="\(ChartSVG.cell)" rx="3" \(fill)\(stroke)><title>\(ChartSVG.escaped(title(cell)))</title></rect>

                    """
            }
        }
        for (row, name) in ["Mo", "We", "Fr", "Su"].enumerated() {
            body += "<text x=\"8\" y=\"\(ChartSVG.top + row * 2 * step + 11)\">\(name)</text>\n"
        }
        return document(width: width, height: ChartSVG.top + 7 * step + 24, body, summary)
    }

    /// The values of the days as a line from left to right; days that count nothing interrupt it.
    package var line: String {
        let (width, height) = (max(chart.cells.count * 6 + 60, 300), 160)
        let high = max(chart.values.max() ?? 1, chart.target?.max ?? 0, chart.target?.min ?? 0, 1e-9)
        let low = min(chart.values.min() ?? 0, 0)
        func y(_ value: Double) -> Double { Double(height) - (value - low) / (high - low) * Double(height - 10) }
        var path = ""
        var isDown = false
        for (index, cell) in chart.cells.enumerated() {
            guard let value = cell.value else {
                isDown = false
                continue
            }
            let x = 40 + index * 6
            path += "\(isDown ? "L" : "M")\(x) \(ChartSVG.number(y(value) + Double(ChartSVG.top)))"
            isDown = true
        }
        var body = ""
        for bound in bounds where bound >= low && bound <= high {
            let level = ChartSVG.number(y(bound) + Double(ChartSVG.top))
            body += "<path d=\"M40 \(level)H\(width - 10)\" stroke=\"#9998\" stroke-dasharray=\"4 3\"/>\n"
            body += "<text x=\"4\" y=\"\(level)\">\(NumberText.text(bound))</text>\n"
        }
        let color = chart.legend.color(of: .reached)?.description.prefix(6) ?? "09B300"
        body +=
            "<path d=\"\(path)\" fill=\"none\" stroke=\"#\(color)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
        return document(width: width, height: ChartSVG.top + height + 24, body, summary)
    }

    private var bounds: [Double] {
        guard let target = chart.target else { return [] }
        return (target.minOperator == .none ? [] : [target.min]) + (target.maxOperator == .none ? [] : [target.max])
    }

    private var summary: String {
        let total = chart.total
        return "\(total.reached) of \(total.due) reached"
    }

    private func title(_ cell: Chart.Cell) -> String {
        guard cell.tally.due > 0 else { return cell.date.description }
        let value = chart.tasks.count == 1 ? cell.value.map { ", \(NumberText.text($0))" } ?? "" : ""
        return "\(cell.date): \(cell.tally.reached) of \(cell.tally.due) reached\(value)"
    }

    private func document(width: Int, height: Int, _ body: String, _ summary: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
        role="img" font-family="sans-serif" font-size="11" fill="currentColor">
        <title>\(ChartSVG.escaped(chart.name))</title>
        <text x="8" y="18" font-size="14">\(ChartSVG.escaped(chart.name))</text>
        \(body)<text x="8" y="\(height - 8)">\(ChartSVG.escaped(summary))</text>
        </svg>

        """
    }

    /// With one decimal, as coordinates need no more.
    private static func number(_ value: Double) -> String { NumberText.text((value * 10).rounded() / 10) }

    /// Text as XML holds it; control characters, which XML forbids, are left out.
    private static func escaped(_ text: String) -> String {
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
