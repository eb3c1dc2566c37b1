package import Commands

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

    /// The layout of a table: the visible columns and their widths.
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

    /// A text and the columns of the terminal that it takes.
    private struct Cell {
        let text: String
        let width: Int

        init(_ text: String) {
            self.text = text
            width = DisplayWidth.of(text)
        }
    }

    /// Chooses the columns for `rows` and their widths.
    package func plan(_ rows: Rows) -> Plan { plan(rows.fields, cells(of: rows, columns(of: rows.fields))) }

    /// The fields that may be columns.
    private func columns(of fields: [FieldDescriptor]) -> [Int] {
        fields.indices.filter { fields[$0].column != .onRequest }
    }

    /// The cells of all rows, column by column: so each field has all its rows in turn.
    private func cells(of rows: Rows, _ columns: [Int]) -> [[Cell]] {
        columns.map { column in (0..<rows.count).map { Cell(text(rows, $0, column)) } }
    }

    /// Chooses among all columns, whose cells are given.
    ///
    /// Without a header the last text of a row may run on to the right, so it widens no column.
    private func plan(_ fields: [FieldDescriptor], _ cells: [[Cell]], hasHeader: Bool = true) -> Plan {
        let columns = columns(of: fields)
        var widths = columns.map { hasHeader ? DisplayWidth.of(fields[$0].title) : 0 }
        for index in cells.indices {
            for row in cells[index].indices where cells[index][row].width > widths[index] {
                let isLast = !hasHeader && cells[(index + 1)...].allSatisfy { $0[row].width == 0 }
                if !isLast { widths[index] = cells[index][row].width }
            }
        }
        var plan = Plan(columns: columns, widths: widths)
        guard let width else { return plan }
        dropColumns(of: fields, to: width, &plan)
        shrinkColumns(of: fields, to: width, &plan)
        return plan
    }

    /// The whole table, line by line, each without a line end.
    package func lines(_ rows: Rows, hasHeader: Bool = true) -> [String] {
        lines(of: bytes(rows, hasHeader: hasHeader))
    }

    /// The whole table in UTF-8, with a line end after each line.
    package func bytes(_ rows: Rows, hasHeader: Bool = true) -> [UInt8] {
        let columns = columns(of: rows.fields)
        var cells = cells(of: rows, columns)
        let plan = plan(rows.fields, cells, hasHeader: hasHeader)
        if plan.columns != columns {
            cells = columns.indices.filter { plan.columns.contains(columns[$0]) }.map { cells[$0] }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity((rows.count + 1) * (total(plan.widths) + 1))
        if hasHeader, rows.count > 0 { addHeader(rows.fields, plan, to: &bytes) }
        addBody(rows, plan, cells, isCut: hasHeader, to: &bytes)
        return bytes
    }

    private func lines(of bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The line of column titles.
    package func header(_ fields: [FieldDescriptor], _ plan: Plan) -> String {
        var bytes: [UInt8] = []
        addHeader(fields, plan, to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    private func addHeader(_ fields: [FieldDescriptor], _ plan: Plan, to bytes: inout [UInt8]) {
        addLine(plan, to: &bytes) { index in
            let field = fields[plan.columns[index]]
            return (Cell(TextLayout.cut(field.title, to: plan.widths[index], ellipsis: "")), field.alignment, .strong)
        }
    }

    /// The lines of the rows, with the details of each below it.
    package func body(_ rows: Rows, _ plan: Plan) -> [String] {
        var bytes: [UInt8] = []
        addBody(rows, plan, cells(of: rows, plan.columns), isCut: true, to: &bytes)
        return lines(of: bytes)
    }

    /// `isCut` is whether texts are cut at the width of their column.
    private func addBody(_ rows: Rows, _ plan: Plan, _ cells: [[Cell]], isCut: Bool, to bytes: inout [UInt8]) {
        let alignments = plan.columns.map { rows.fields[$0].alignment }
        for row in 0..<rows.count {
            addLine(plan, to: &bytes) { index in
                var cell = cells[index][row]
                if isCut, width != nil, cell.width > plan.widths[index] {
                    cell = Cell(TextLayout.cut(cell.text, to: plan.widths[index], ellipsis: glyphs.ellipsis))
                }
                return (cell, alignments[index], palette.isColored ? rows.tone(row, plan.columns[index]) : .plain)
            }
            for line in rows.details(row) {
                bytes += "  \(glyphs.adapt(TerminalSanitizer.line(line)))\n".utf8
            }
        }
    }

    private func text(_ rows: Rows, _ row: Int, _ column: Int) -> String {
        if let own = rows.cell(row, column) { return glyphs.adapt(TerminalSanitizer.line(own)) }
        return formatter.text(rows.value(row, column))
    }

    /// Adds a line and its end: bytes, since strings are appended to each other many times slower.
    private func addLine(
        _ plan: Plan, to line: inout [UInt8], _ cell: (Int) -> (Cell, FieldDescriptor.Alignment, TextStyle)
    ) {
        var pending = 0
        for index in plan.columns.indices {
            let (cell, alignment, tone) = cell(index)
            let blanks = max(0, plan.widths[index] - cell.width)
            if alignment == .trailing { pending += blanks }
            if !cell.text.isEmpty {
                line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: pending))
                line.append(contentsOf: palette.paint(cell.text, tone).utf8)
                pending = 0
            }
            pending += TableRenderer.gap + (alignment == .leading ? blanks : 0)
        }
        line.append(UInt8(ascii: "\n"))
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

    private func dropColumns(of fields: [FieldDescriptor], to width: Int, _ plan: inout Plan) {
        while total(leastWidths(plan, fields, TableRenderer.useful)) > width {
            let ranks = plan.columns.indices.compactMap { index -> (index: Int, rank: Int)? in
                guard case .ifRoom(let rank) = fields[plan.columns[index]].column else { return nil }
                return (index, rank)
            }
            guard let last = ranks.max(by: { $0.rank < $1.rank }) else { return }
            plan.columns.remove(at: last.index)
            plan.widths.remove(at: last.index)
        }
    }

    /// Takes columns from the widest text until the table fits.
    private func shrinkColumns(of fields: [FieldDescriptor], to width: Int, _ plan: inout Plan) {
        let leasts = leastWidths(plan, fields, TableRenderer.least)
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
