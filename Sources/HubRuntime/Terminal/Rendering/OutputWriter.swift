package import Commands

/// Writes what a command returned in the form that is wanted.
package struct OutputWriter: Sendable {
    /// The settings of the writer.
    package struct Style: Sendable {
        /// The form that the options ask for.
        package var form: OutputForm
        /// The byte that ends a row of `--plain` and `--format`.
        package var rowEnd: UInt8
        /// Columns of the terminal; nil in a pipe or file.
        package var width: Int?
        /// Colours of stdout.
        package var palette: Palette
        /// Glyphs of the locale.
        package var glyphs: Glyphs
        /// Values as cells.
        package var formatter: CellFormatter

        package init(
            form: OutputForm = .human, rowEnd: UInt8 = UInt8(ascii: "\n"), width: Int? = nil,
            palette: Palette = Palette(isColored: false), glyphs: Glyphs = Glyphs(isUTF8: true),
            formatter: CellFormatter = CellFormatter(now: nil, zone: .utc)
        ) {
            self.form = form
            self.rowEnd = rowEnd
            self.width = width
            self.palette = palette
            self.glyphs = glyphs
            self.formatter = formatter
        }
    }

    let style: Style

    package init(_ style: Style) { self.style = style }

    /// Writes the body of `output` to `sink`.
    package func write(_ output: Output, to sink: any ByteSink) async throws {
        var sink = BufferedSink(sink)
        switch output.body {
        case .none: break
        case .record(let rows): try write(rows, isList: false, output, to: &sink)
        case .rows(let rows): try write(rows, isList: true, output, to: &sink)
        case .stream(let fields, let batches): try await write(batches, fields, to: &sink)
        case .text(let lines):
            try write(style.glyphs.isUTF8 ? lines : output.ascii ?? lines, isReport: output.isReport, to: &sink)
        case .bytes(let chunks):
            guard style.width != nil else {
                for try await chunk in chunks { try sink.write(chunk) }
                break
            }
            var filter = TerminalTextFilter()
            for try await chunk in chunks { try sink.write(filter.feed(chunk)) }
            try sink.write(filter.finish())
        }
        try sink.flush()
    }

    private func write(
        _ rows: Rows, isList: Bool, _ output: Output, to sink: inout BufferedSink
    ) throws {
        switch style.form {
        case .human, .fieldHelp:
            for line in output.heading { try sink.write(line: printable(line)) }
            if let lines = output.layout?(style.width) ?? output.human {
                for line in lines { try sink.write(line: printable(line)) }
            } else if isList {
                try sink.write(table.bytes(rows, hasHeader: output.hasHeader))
            } else {
                for line in record.lines(rows) { try sink.write(line: line) }
            }
            for line in output.summary { try sink.write(line: printable(line)) }
        case .json(let names):
            let fields = try FieldSelection.positions(names, in: rows.fields) ?? Array(rows.fields.indices)
            try writeJSON(rows, fields, isList: isList, to: &sink)
        case .plain, .template:
            let line = try lineWriter(rows.fields)
            for row in 0..<rows.count { try sink.write(line: line(rows, row), end: style.rowEnd) }
        }
    }

    private func writeJSON(_ rows: Rows, _ fields: [Int], isList: Bool, to sink: inout BufferedSink) throws {
        var writer = JSONWriter()
        if isList { writer.beginArray() }
        for row in 0..<rows.count {
            if isList, row > 0 { writer.breakLine() }
            writer.row(row, of: rows, fields: fields)
            try sink.write(writer.bytes)
            writer.bytes.removeAll(keepingCapacity: true)
        }
        if isList { writer.endArray() }
        writer.endLine()
        try sink.write(writer.bytes)
    }

    /// The function that makes the line of one row in `--plain` and `--format`.
    private func lineWriter(_ fields: [FieldDescriptor]) throws(HubError) -> (Rows, Int) -> String {
        if case .template(let text) = style.form {
            let template = try RowTemplate(text, fields: fields)
            return { template.line($0, row: $1) }
        }
        let names = if case .plain(let names) = style.form { names } else { "" }
        let positions = try FieldSelection.positions(names, in: fields) ?? Array(fields.indices)
        return { rows, row in positions.map { rows.value(row, $0).plainText }.joined(separator: "\t") }
    }

    /// Each batch is written as it comes; the columns keep the widths of the first one.
    private func write(
        _ batches: Output.RowStream, _ fields: [FieldDescriptor], to sink: inout BufferedSink
    ) async throws {
        let isHuman = style.form == .human
        let line = isHuman || style.form.isJSON ? nil : try lineWriter(fields)
        let names = if case .json(let names) = style.form { names } else { "" }
        let selection = try FieldSelection.positions(names, in: fields) ?? Array(fields.indices)
        var plan: TableRenderer.Plan?
        for try await rows in batches {
            if let line {
                for row in 0..<rows.count { try sink.write(line: line(rows, row), end: style.rowEnd) }
            } else if isHuman {
                if plan == nil, rows.count > 0 {
                    let first = table.plan(rows)
                    plan = first
                    try sink.write(line: table.header(fields, first))
                }
                if let plan { for line in table.body(rows, plan) { try sink.write(line: line) } }
            } else {
                var writer = JSONWriter()
                for row in 0..<rows.count {
                    writer.row(row, of: rows, fields: selection)
                    writer.endLine()
                }
                try sink.write(writer.bytes)
            }
            try sink.flush()
        }
    }

    private func write(_ lines: [String], isReport: Bool, to sink: inout BufferedSink) throws {
        guard style.form.isJSON else {
            for line in lines {
                try sink.write(line: style.glyphs.adapt(TerminalSanitizer.block(line)), end: style.rowEnd)
            }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.name(isReport ? "message" : "text")
            writer.value(lines.joined(separator: "\n"))
        }
        writer.endLine()
        try sink.write(writer.bytes)
    }

    private func printable(_ line: String) -> String { style.glyphs.adapt(TerminalSanitizer.line(line)) }

    private var table: TableRenderer {
        TableRenderer(width: style.width, glyphs: style.glyphs, palette: style.palette, formatter: style.formatter)
    }

    private var record: RecordRenderer {
        RecordRenderer(formatter: style.formatter, glyphs: style.glyphs, palette: style.palette)
    }
}
