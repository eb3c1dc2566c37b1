import CSV

/// Reads CSV files of Google, Outlook and Thunderbird; each row becomes a card.
///
/// Columns are identified by their names, not by their order.
struct CSVReader: CardTextReader {
    /// The number of rows that are examined to tell whether `03/04/1985` is in March or in April.
    private static let datedRows = 200

    private var cutter = CSVParser()
    private var layout: CSVLayout?
    private var columnCount = 0
    private var isUnknown = false
    private var dates = SlashDates()
    /// The rows that are held back until the date order is known.
    private var waiting: [CSVParser.Item]? = []

    mutating func feed(_ chunk: [UInt8]) -> [FoundCard] {
        cutter.add(chunk)
        return items(isEnd: false)
    }

    mutating func finish() -> [FoundCard] { items(isEnd: true) }

    private mutating func items(isEnd: Bool) -> [FoundCard] {
        if isUnknown { return [] }
        while layout == nil {
            // There may be blank lines before the header.
            guard let item = cutter.first(isEnd: isEnd) else { return isEnd ? noHeader() : [] }
            guard case .record(let header) = item, !header.isBlank else { continue }
            guard let layout = CSVLayout(header: header.cells) else { return noHeader(header.excerpt) }
            self.layout = layout
            columnCount = header.cells.count
        }
        let found = isEnd ? cutter.finish() : cutter.feed([])
        guard var waiting else { return found.compactMap(item) }
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
        return waiting.compactMap(item)
    }

    private func item(_ item: CSVParser.Item) -> FoundCard? {
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

    private mutating func noHeader(_ excerpt: String = "") -> [FoundCard] {
        isUnknown = true
        if excerpt.isEmpty { return [] }
        return [
            .problem(
                InputProblem(
                    "header-unknown", line: 1, columns: 1...max(1, excerpt.count), excerpt: excerpt,
                    "the first line has no column names of Google, Outlook or Thunderbird"))
        ]
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
