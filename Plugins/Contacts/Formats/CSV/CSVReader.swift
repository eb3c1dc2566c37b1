import CSV

/// Reads CSV files of Google, Outlook and Thunderbird; each row becomes a card.
///
/// Columns are identified by their names, not by their order.
struct CSVReader: CardTextReader {
    /// The number of rows that are examined to find out whether `03/04/1985` is in March or in April.
    private static let datedRows = 200

    private var cutter = CSVParser()
    private var layout: CSVLayout?
    private var header: [String] = []
    private var columnCount: Int { header.count }
    private let mapped: [ColumnMapping]
    private(set) var unknownColumns: [String] = []
    /// The columns with values that were kept as text, in order.
    private var customNames: [String] = []
    private var dates = SlashDates()
    /// The rows that are held back until the date order is known.
    private var waiting: [CSVParser.Item]? = []

    init(mapped: [ColumnMapping] = []) { self.mapped = mapped }

    var notes: [String] {
        if customNames.isEmpty { return [] }
        let count = customNames.count
        return [
            "\(count) \(count == 1 ? "column" : "columns") kept as text: \(customNames.listed); "
                + "--map COLUMN=FIELD imports a column as a field"
        ]
    }

    mutating func feed(_ chunk: [UInt8]) -> [FoundCard] {
        cutter.add(chunk)
        return items(isEnd: false)
    }

    mutating func finish() -> [FoundCard] { items(isEnd: true) }

    private mutating func items(isEnd: Bool) -> [FoundCard] {
        if !unknownColumns.isEmpty { return [] }
        while layout == nil {
            // There may be blank lines before the header.
            guard let item = cutter.first(isEnd: isEnd) else { return [] }
            guard case .record(let header) = item, !header.isBlank else { continue }
            guard let layout = CSVLayout(header: header.cells, mapped: mapped) else {
                unknownColumns = header.cells.map(\.trimmed)
                return []
            }
            self.layout = layout
            self.header = header.cells
        }
        let found = isEnd ? cutter.finish() : cutter.feed([])
        guard var waiting else { return items(found) }
        waiting += found
        guard isEnd || waiting.count >= CSVReader.datedRows else {
            self.waiting = waiting
            return []
        }
        self.waiting = nil
        // The same rows decide, however the file is split into chunks.
        for case .record(let record) in waiting.prefix(CSVReader.datedRows) {
            layout?.dates(in: record.cells).forEach { dates.see($0) }
        }
        return items(waiting)
    }

    private mutating func items(_ rows: [CSVParser.Item]) -> [FoundCard] {
        var found: [FoundCard] = []
        for row in rows {
            if case .record(let record) = row, isHeader(record.cells) { continue }
            if let item = item(row) { found.append(item) }
        }
        return found
    }

    /// Whether a row has column names: in joined files, each file begins with them. They then apply to the rows below.
    private mutating func isHeader(_ cells: [String]) -> Bool {
        if cells == header { return true }
        guard let first = cells.first, CSVLayout.isColumnName(first),
            let layout = CSVLayout(header: cells, mapped: mapped)
        else { return false }
        (self.layout, header) = (layout, cells)
        return true
    }

    private mutating func item(_ item: CSVParser.Item) -> FoundCard? {
        switch item {
        case .fault(let fault): return .problem(InputProblem(fault))
        case .record(let record):
            if record.isBlank { return nil }
            if record.cells.count > columnCount, record.cells[columnCount...].contains(where: { !$0.isEmpty }) {
                let reason = "has \(record.cells.count) columns where the first line has \(columnCount)"
                return .problem(record.problem("this row \(reason); is a quote missing?"))
            }
            guard let layout else { return nil }
            var draft = layout.draft(record.cells, dates)
            customNames += layout.customNames(in: record.cells).filter { !customNames.contains($0) }
            if draft.isNobody { return .problem(record.problem("this row has neither a name nor an address")) }
            if record.cells.count < columnCount {
                let reason = "has \(record.cells.count) columns where the first line has \(columnCount)"
                draft.doubts.append(.doubt("this row \(reason); check its values"))
            }
            for index in draft.doubts.indices {
                draft.doubts[index].line = record.lines.lowerBound
                draft.doubts[index].excerpt = record.excerpt
            }
            return draft.item(lines: record.lines)
        }
    }
}

extension CSVRecord {
    func problem(_ message: String) -> InputProblem {
        InputProblem(
            "row-unusable", line: lines.lowerBound, excerpt: excerpt,
            subject: cells.first { !$0.isEmpty }.map { String($0.prefix(80)) }, message, note: "starts here")
    }
}

extension InputProblem {
    fileprivate init(_ fault: CSVError) {
        self.init(
            "row-unreadable", line: fault.line, excerpt: fault.excerpt, "this row \(fault.reason)",
            note: "starts here")
    }
}
