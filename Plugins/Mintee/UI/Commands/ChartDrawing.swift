import CivilDate
import MinteeDomain
import Text

/// A chart on a terminal.
struct ChartDrawing {
    private let result: ConfiguredChart
    private var chart: Chart { result.chart }

    init(_ result: ConfiguredChart) { self.result = result }

    /// The lines in so many columns; nil for as many as it takes.
    func lines(width: Int?) -> [String] { result.kind == .box ? box(width) : line(width) }

    /// A row for each week with its counts, and the legend beside them.
    private func box(_ room: Int?) -> [String] {
        let weeks = chart.weeks()
        var counts = weeks.map { week in
            week.reduce(into: Chart.Tally()) { tally, cell in if let cell { tally.add(cell.tally) } }
        }.map { count($0) }
        counts = counts.map { $0.isEmpty ? " " : $0 }
        let width = counts.map(\.count).max() ?? 0
        let legend = sideLines
        let widest = legend.map { DisplayWidth.of($0) }.max() ?? 0
        let isBeside = room.map { 30 + width + 5 + widest <= $0 } ?? true
        let side = isBeside ? legend : []
        var lines = TextWrapping.lines(of: title, width: room) + ["        Mo Tu We Th Fr Sa Su  reached"]
        for index in 0..<max(weeks.count, side.count) {
            var text = String(repeating: " ", count: 28)
            if index < weeks.count {
                let cells = weeks[index].map { $0.map(glyph) ?? " " }
                let first = weeks[index].compactMap(\.self).first?.date ?? chart.cells[0].date
                let monday = first.adding(days: 1 - first.weekday.rawValue)
                text = ChartDrawing.label(monday) + " " + cells.map { "  \($0)" }.joined()
            }
            let reached = index < counts.count ? counts[index] : ""
            text += "  " + reached.padded(to: width)
            if index < side.count { text += "     " + side[index] }
            lines.append(String(text.reversed().drop { $0 == " " }.reversed()))
        }
        return isBeside ? lines : lines + legend.flatMap { TextWrapping.lines(of: $0, after: "  ", width: room) }
    }

    private var title: String {
        let tags = result.tags.isEmpty ? "" : ", tag \(result.tags.joined(separator: ", ")): "
        return "\(chart.name), \(result.kind.name), \(result.range.text)\(tags)"
            + (result.tags.isEmpty ? "" : chart.tasks.joined(separator: ", "))
    }

    private var sideLines: [String] {
        let total = chart.total
        let rows = [("■", "reached", total.reached), ("▼", "under", total.under), ("▲", "over", total.over)]
        let width = rows.map { String($0.2).count }.max() ?? 1
        var lines = rows.map { glyph, name, count in
            let number = String(count)
            return "\(glyph) \(name)\(String(repeating: " ", count: 9 - name.count + width - number.count))\(number)"
        }
        if chart.tasks.count > 1 { lines.append("a day shows its worst task") }
        lines.append(
            total.due == 0
                ? "no data yet"
                : "\(total.reached) of \(total.due) reached, \(DecimalText.percent(total.reached, of: total.due))")
        return lines
    }

    private func glyph(_ cell: Chart.Cell) -> Character {
        switch cell.tally.worst {
        case .reached?: cell.isOpen ? "□" : "■"
        case .under?: "▼"
        case .over?: "▲"
        case nil: cell.isOpen ? "□" : " "
        }
    }

    /// `19 Oct`, six characters wide.
    private static func label(_ date: CivilDate) -> String {
        let (_, month, day) = date.components
        return (day < 10 ? " " : "") + "\(day) \(CivilDate.monthNames[month - 1].prefix(3))"
    }

    /// ` 7 of 10`; empty for a week in which nothing counts.
    private func count(_ tally: Chart.Tally) -> String {
        tally.due == 0 ? "" : (tally.reached < 10 ? " " : "") + "\(tally.reached) of \(tally.due)"
    }

    /// The values as bars, the highest one full, with their statistics.
    private func line(_ room: Int?) -> [String] {
        let values = chart.values
        guard let low = values.min(), let high = values.max() else {
            return TextWrapping.lines(of: "\(chart.name)  nothing was due", width: room)
        }
        let bars = Array("▁▂▃▄▅▆▇█")
        let top = max(high, 0)
        let text = chart.cells.map { cell -> Character in
            guard let value = cell.value else { return " " }
            let level = top > 0 ? Int((max(0, value) / top * 8).rounded()) : 0
            return bars[min(max(level, 1), 8) - 1]
        }
        let mean = values.reduce(0, +) / Double(values.count)
        let isShare = chart.tasks.count != 1
        func shown(_ value: Double) -> String {
            isShare
                ? DecimalText.text(value * 100, digits: 0) + " %"
                : value == value.rounded() ? NumberText.text(value) : DecimalText.text(value, digits: 1)
        }
        let what = isShare ? "reached" : chart.target.map { $0 == .done ? "" : $0.description } ?? ""
        let parts = [what, "low \(shown(low))", "mean \(shown(mean))", "high \(shown(high))"].filter { !$0.isEmpty }
        let words = parts.joined(separator: ", ")
        let line = "\(chart.name)  \(String(text))  \(words)"
        guard let room, DisplayWidth.of(line) > room else { return [line] }
        let rows = TextWrapping.pieces(of: String(text), max(8, room - 2)).map { "  \($0)" }
        return TextWrapping.lines(of: chart.name, width: room) + rows
            + TextWrapping.lines(of: words, after: "  ", width: room)
    }
}
