package import HubKit

/// Writes rows as a table whose columns line up by display width.
///
/// On a terminal the table fits its width: columns that may go leave first, then the widest texts are cut. In a pipe
/// nothing is ever cut.
package struct TableRenderer: Sendable {
    private let width: Int?
    private let glyphs: Glyphs
    private let palette: Palette
    private let formatter: CellFormatter

    /// A renderer for a terminal of `width` columns; nil means a pipe.
    package init(width: Int?, glyphs: Glyphs, palette: Palette, formatter: CellFormatter) {
        self.width = width
        self.glyphs = glyphs
        self.palette = palette
        self.formatter = formatter
    }

    /// What a table is before it is written: the columns that stay and their widths.
    package struct Plan: Sendable {
        /// Positions of the fields that are columns.
        package fileprivate(set) var columns: [Int]
        /// The width of each column.
        package fileprivate(set) var widths: [Int]
    }

    /// Blanks between two columns.
    private static let gap = 2
    /// Below this width a text says too little: columns that may go leave first.
    private static let useful = 12
    /// No text is cut below this width.
    private static let least = 4

    /// Chooses the columns for `rows` and their widths.
    ///
    /// Without a header the last text of a row may run on to the right, so it widens no column.
    package func plan(_ rows: Rows, hasHeader: Bool = true) -> Plan {
        let columns = rows.fields.indices.filter { rows.fields[$0].column != .onRequest }
        var widths = columns.map { hasHeader ? DisplayWidth.of(rows.fields[$0].title) : 0 }
        for row in 0..<rows.count {
            var cells = columns.map { DisplayWidth.of(cell(rows, row, $0)) }
            if !hasHeader, let last = cells.lastIndex(where: { $0 > 0 }) { cells[last] = 0 }
            for index in cells.indices { widths[index] = max(widths[index], cells[index]) }
        }
        var plan = Plan(columns: columns, widths: widths)
        guard let width else { return plan }
        dropColumns(of: rows, to: width, &plan)
        shrinkColumns(of: rows, to: width, &plan)
        return plan
    }

    /// The whole table, line by line, each without a line end.
    package func lines(_ rows: Rows, hasHeader: Bool = true) -> [String] {
        let plan = plan(rows, hasHeader: hasHeader)
        return (hasHeader && rows.count > 0 ? [header(rows.fields, plan)] : []) + body(rows, plan, isCut: hasHeader)
    }

    /// The line of column titles.
    package func header(_ fields: [FieldDescriptor], _ plan: Plan) -> String {
        line(plan) { index in
            let field = fields[plan.columns[index]]
            return (TextLayout.cut(field.title, to: plan.widths[index], ellipsis: ""), field.alignment, .strong)
        }
    }

    /// The lines of the rows, with the details of each below it; `isCut` tells whether texts end with their column.
    package func body(_ rows: Rows, _ plan: Plan, isCut: Bool = true) -> [String] {
        (0..<rows.count).flatMap { row -> [String] in
            let cells = line(plan) { index in
                let column = plan.columns[index]
                var text = cell(rows, row, column)
                if isCut, width != nil {
                    text = TextLayout.cut(text, to: plan.widths[index], ellipsis: glyphs.ellipsis)
                }
                return (text, rows.fields[column].alignment, rows.tone(row, column))
            }
            return [cells] + rows.details(row).map { "  " + glyphs.adapt(PrintableText.line($0)) }
        }
    }

    private func cell(_ rows: Rows, _ row: Int, _ column: Int) -> String {
        if let own = rows.cell(row, column) { return glyphs.adapt(PrintableText.line(own)) }
        return formatter.text(rows.value(row, column))
    }

    private func line(_ plan: Plan, _ cell: (Int) -> (String, FieldDescriptor.Alignment, Tone)) -> String {
        var line = ""
        var pending = 0
        for index in plan.columns.indices {
            let (text, alignment, tone) = cell(index)
            let blanks = max(0, plan.widths[index] - DisplayWidth.of(text))
            if alignment == .trailing { pending += blanks }
            if !text.isEmpty {
                line += String(repeating: " ", count: pending) + palette.paint(text, tone)
                pending = 0
            }
            pending += TableRenderer.gap + (alignment == .leading ? blanks : 0)
        }
        return line
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + TableRenderer.gap * max(0, widths.count - 1)
    }

    /// The widths when every text is cut down to `least`; numbers are never cut.
    private func leastWidths(_ plan: Plan, _ fields: [FieldDescriptor], _ least: Int) -> [Int] {
        plan.columns.indices.map { index in
            let isText = fields[plan.columns[index]].alignment == .leading
            return isText ? min(plan.widths[index], least) : plan.widths[index]
        }
    }

    private func dropColumns(of rows: Rows, to width: Int, _ plan: inout Plan) {
        while total(leastWidths(plan, rows.fields, TableRenderer.useful)) > width {
            let ranks = plan.columns.indices.compactMap { index -> (index: Int, rank: Int)? in
                guard case .ifRoom(let rank) = rows.fields[plan.columns[index]].column else { return nil }
                return (index, rank)
            }
            guard let last = ranks.max(by: { $0.rank < $1.rank }) else { return }
            plan.columns.remove(at: last.index)
            plan.widths.remove(at: last.index)
        }
    }

    /// Takes columns from the widest text until the table fits.
    private func shrinkColumns(of rows: Rows, to width: Int, _ plan: inout Plan) {
        let leasts = leastWidths(plan, rows.fields, TableRenderer.least)
        var excess = total(plan.widths) - width
        while excess > 0 {
            let candidates = plan.widths.indices.filter { plan.widths[$0] > leasts[$0] }
            guard let widest = candidates.max(by: { plan.widths[$0] < plan.widths[$1] }) else { return }
            let next = candidates.filter { $0 != widest }.map { plan.widths[$0] }.max() ?? 0
            let step = min(excess, max(1, plan.widths[widest] - max(next, leasts[widest])))
            plan.widths[widest] -= step
            excess -= step
        }
    }
}
