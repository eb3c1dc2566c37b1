import CivilDate

extension ChartSVG {
    private static let height = 160.0
    private static let left = 44

    private var top: Double { Double(head) + 10 }

    /// The distance between two days: smaller with more days.
    private var step: Double { max(2.5, min(18, 400 / Double(max(chart.cells.count, 1)))) }

    private var width: Int { max(ChartSVG.left + Int(step * Double(chart.cells.count)) + 12, 300) }

    /// The lowest and the highest value drawn: all values, the bounds of the target, 0 and 1.
    private var limits: (low: Double, high: Double) {
        let all = chart.values + bounds + [0, 1]
        return (all.min() ?? 0, all.max() ?? 1)
    }

    private var bounds: [Double] {
        guard let target = chart.target else { return [] }
        return (target.minOperator == .none ? [] : [target.min]) + (target.maxOperator == .none ? [] : [target.max])
    }

    /// The values of the days as a line from left to right, interrupted by days without a value.
    package var line: String {
        let color = chart.legend.color(of: .reached)?.svg ?? "#09B300"
        var path = ""
        var isDown = false
        for (index, cell) in chart.cells.enumerated() {
            guard let value = cell.value else {
                isDown = false
                continue
            }
            path += "\(isDown ? "L" : "M")\(ChartSVG.number(x(index))) \(ChartSVG.number(y(value)))"
            isDown = true
        }
        let body =
            bands + axes
            + "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
            + chart.cells.enumerated().map { point($1, at: $0) }.joined()
        return document(width: width, height: Int(top + ChartSVG.height) + 22 + foot, body)
    }

    private func x(_ index: Int) -> Double { Double(ChartSVG.left) + (Double(index) + 0.5) * step }

    private func y(_ value: Double) -> Double {
        let (low, high) = limits
        return top + ChartSVG.height - (value - low) / (high - low) * (ChartSVG.height - 10)
    }

    /// A level with its number at the left.
    private func level(_ value: Double, isBound: Bool) -> String {
        let place = ChartSVG.number(y(value))
        let dash = isBound ? " stroke-dasharray=\"4 3\"" : ""
        let text = chart.tasks.count == 1 ? NumberText.text(value) : "\(Int((value * 100).rounded())) %"
        return "<path d=\"M\(ChartSVG.left) \(place)H\(width - 10)\" stroke=\"#999A\"\(dash)/>\n"
            + "<text x=\"\(ChartSVG.left - 6)\" y=\"\(ChartSVG.number(y(value) + 4))\" text-anchor=\"end\">\(text)</text>\n"
    }

    /// The bounds of the target, the ends of the scale unless too close to a bound, and the first and last day.
    private var axes: String {
        let (low, high) = limits
        let ends = [low, high].filter { end in bounds.allSatisfy { abs(y($0) - y(end)) > 13 } }
        let foot = Int(top + ChartSVG.height) + 16
        let days = [(chart.cells.first, "start", ChartSVG.left), (chart.cells.last, "end", width - 10)]
        return bounds.map { level($0, isBound: true) }.joined() + ends.map { level($0, isBound: false) }.joined()
            + days.map { cell, anchor, x in
                cell.map { "<text x=\"\(x)\" y=\"\(foot)\" text-anchor=\"\(anchor)\">\($0.date)</text>\n" } ?? ""
            }.joined()
    }

    /// The legend's value ranges, drawn below the line.
    private var bands: String {
        let (low, high) = limits
        return chart.legend.completions.reversed().map { entry in
            let target = entry.target
            let bottom = target.minOperator == .none ? low : max(low, target.min)
            let top =
                target.minOperator == .equal ? target.min : target.maxOperator == .none ? high : min(high, target.max)
            guard bottom <= top else { return "" }
            let size = max(3, y(bottom) - y(top))
            return
                "<path d=\"M\(ChartSVG.left) \(ChartSVG.number(y(top)))H\(width - 10)v\(ChartSVG.number(size))"
                + "H\(ChartSVG.left)Z\" fill=\"\(entry.color.svg)\" fill-opacity=\"0.3\"/>\n"
        }.joined()
    }

    /// A dot with the description of the day; a triangle if a target was missed.
    private func point(_ cell: Chart.Cell, at index: Int) -> String {
        guard let value = cell.value else { return "" }
        let (x, y) = (x(index), y(value))
        let size = min(11, max(step * 1.3, 4))
        let color = cell.tally.worst.flatMap { chart.legend.color(of: $0)?.svg } ?? "currentColor"
        let isMissed = cell.tally.worst != .reached && chart.tasks.count == 1
        let shape =
            isMissed
            ? ChartSVG.mark(cell.tally.worst, x: x - size / 1.2, y: y - size / 1.2, size: size * 1.67, color: color)
            : "<circle cx=\"\(ChartSVG.number(x))\" cy=\"\(ChartSVG.number(y))\" r=\"\(ChartSVG.number(size / 3))\" fill=\"\(color)\"/>"
        return "<g><title>\(ChartSVG.escaped(title(cell)))</title>\(shape)</g>\n"
    }
}
