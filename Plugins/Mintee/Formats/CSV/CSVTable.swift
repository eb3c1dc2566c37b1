import CSV

/// A table with commas, read as a whole; reading continues after a broken record.
struct CSVTable {
    /// The non-empty records; the first one has the column names.
    private(set) var records: [CSVRecord] = []
    /// The records that could not be read.
    private(set) var faults: [CSVError] = []

    /// The parser gets the file in pieces, so that an unclosed quote does not extend to its end.
    private static let pieceLength = 1 << 16

    /// The records of a file.
    init(_ file: [UInt8]) {
        var cutter = CSVParser(separator: UInt8(ascii: ","))
        for start in stride(from: 0, to: file.count, by: CSVTable.pieceLength) {
            add(cutter.feed(Array(file[start..<min(start + CSVTable.pieceLength, file.count)])))
        }
        add(cutter.finish())
    }

    private mutating func add(_ items: [CSVParser.Item]) {
        for item in items {
            switch item {
            case .record(let record): if record.cells != [""] { records.append(record) }
            case .fault(let fault): faults.append(fault)
            }
        }
    }

    /// The first record, which has the column names.
    var header: [String] { records.first?.cells.map { $0.trimmed.lowercased() } ?? [] }

    /// Returns the column with one of these names; nil if there is none.
    func column(_ names: String...) -> Int? {
        names.lazy.compactMap { name in header.firstIndex(of: name.lowercased()) }.first
    }

    /// The errors as problems of `file`.
    func problems(of file: ImportBundle.File, in bundle: ImportBundle) -> [ImportProblem] {
        faults.map { fault in
            ImportProblem(
                ImportPlace(
                    file: bundle.files.count > 1 ? file.path : nil, line: fault.line, excerpt: fault.excerpt),
                fault.reason.words)
        }
    }

    /// The names in the first line of a file.
    static func header(of file: ImportBundle.File) -> [String] {
        CSVTable(Array(file.bytes.prefix(8 << 10))).header
    }
}

extension CSVRecord {
    /// Returns a cell without surrounding blanks; empty if it is missing.
    func cell(_ column: Int?) -> String {
        column.flatMap { cells.indices.contains($0) ? cells[$0].trimmed : nil } ?? ""
    }

    /// The position of the record in `file`.
    func place(_ file: ImportBundle.File, in bundle: ImportBundle) -> ImportPlace {
        ImportPlace(file: bundle.files.count > 1 ? file.path : nil, line: lines.lowerBound, excerpt: excerpt)
    }
}

extension CSVError.Reason {
    fileprivate var words: String {
        switch self {
        // Too many cells in several lines come from a quote that a later line closed.
        case .openQuote, .columns: "a quote is not closed"
        case .textAfterQuote, .tooLong: "this row \(self)"
        }
    }
}
