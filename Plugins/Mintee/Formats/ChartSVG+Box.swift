import CivilDate

extension ChartSVG {
    private static let left = 32
    private static let gap = 3

    /// The size of a day: larger with fewer days.
    private var cell: Int { chart.cells.count > 12 * 7 ? 14 : 22 }
    private var step: Int { cell + ChartSVG.gap }
    private var top: Int { head + 20 }

    /// A column for each week, a row for each day of the week, coloured by the legend.
    package var box: String {
        let weeks = chart.weeks()
        let body =
            months(weeks) + rowNames
            + weeks.enumerated().map { column, week in
                week.enumerated().map { row, cell in
                    cell.map {
                        square($0, x: ChartSVG.left + column * step, y: top + row * step)
                    }
                        ?? ""
                }.joined()
            }.joined()
        let width = max(ChartSVG.left + weeks.count * step + 8, 240)
        return document(width: width, height: top + 7 * step + foot, body)
    }

    private var rowNames: String {
        ["Mo", "We", "Fr", "Su"].enumerated().map { row, name in
            "<text x=\"8\" y=\"\(top + row * 2 * step + cell / 2 + 4)\">\(name)</text>\n"
        }.joined()
    }

    /// The names of the months, each above the week with its first day, if there is space.
    private func months(_ weeks: [[Chart.Cell?]]) -> String {
        var text = ""
        var free = 0
        for (column, week) in weeks.enumerated() where column >= free {
            guard
                let month = week.compactMap({ $0?.date.components }).first(where: { $0.day == 1 || column == 0 })?.month
            else { continue }
            text +=
                "<text x=\"\(ChartSVG.left + column * step)\" y=\"\(top - 6)\">"
                + "\(CivilDate.monthNames[month - 1].prefix(3))</text>\n"
            free = column + (step < 25 ? 2 : 1)
        }
        return text
    }

    private func square(_ cell: Chart.Cell, x: Int, y: Int) -> String {
        let size = self.cell
        let words = "<title>\(ChartSVG.escaped(title(cell)))</title>"
        guard let color = chart.color(of: cell) else {
            let stroke = cell.isOpen ? "stroke=\"currentColor\" stroke-width=\"2\"" : "stroke=\"#9996\""
            return
                "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(size)\" height=\"\(size)\" rx=\"3\" fill=\"none\" \(stroke) "
                + "pointer-events=\"all\">\(words)</rect>\n"
        }
        let mark = ChartSVG.mark(
            cell.tally.worst, x: Double(x), y: Double(y), size: Double(size), color: color.inkOnIt)
        return
            "<g>\(words)<rect x=\"\(x)\" y=\"\(y)\" width=\"\(size)\" height=\"\(size)\" rx=\"3\" fill=\"\(color.svg)\"/>"
            + "\(mark)</g>\n"
    }
}
