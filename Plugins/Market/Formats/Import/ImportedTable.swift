import CSV
import TextDecoding

/// A table of another program: the rows below its header, which may have lines of other text above it.
struct ImportedTable: Sendable {
    /// A row.
    struct Row: Sendable {
        /// The number of its first line in the file, counted from 1.
        let number: Int
        let cells: [String]
        /// The beginning of its first line.
        let excerpt: String

        /// The text of a cell without blanks around it; empty for a column or cell that is not there.
        subscript(column: Int?) -> String {
            guard let column, column < cells.count else { return "" }
            var text = cells[column].drop(while: \.isWhitespace)
            while text.last?.isWhitespace ?? false { text.removeLast() }
            return String(text)
        }
    }

    /// The number of lines in which a header is looked for.
    private static let maximumPreamble = 40
    /// The longest line that may be a header, in bytes.
    private static let maximumHeader = 1 << 14

    /// The headings as they are written.
    let names: [String]
    /// The headings in lower case, letters and digits alone.
    let headings: [String]
    /// The rows that could be cut into cells.
    private(set) var rows: [Row] = []
    /// The rows that could not.
    private(set) var issues: [ImportedFile.Issue] = []

    /// Reads the table whose header is the first line that `isHeader` accepts, with any of the usual separators; nil without one.
    init?(_ file: [UInt8], where isHeader: ([String]) -> Bool) {
        let bytes = Array(TextDecoding.decode(file: file).utf8)
        var start = 0
        for line in 1...Self.maximumPreamble {
            let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            for separator in ",;\t|".utf8 where end - start <= Self.maximumHeader {
                let names = Self.cells(bytes[start..<end], separator)
                guard names.count > 1, isHeader(names.map(Self.normalized)) else { continue }
                self.names = names
                headings = names.map(Self.normalized)
                read(bytes[start...], separator, from: line)
                return
            }
            guard end < bytes.count else { return nil }
            let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
            start = end + (isPair ? 2 : 1)
        }
        return nil
    }

    /// Returns a heading in lower case, without anything but letters and digits: `Base currency (name)` as `basecurrencyname`.
    static func normalized(_ heading: String) -> String {
        String(heading.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// The column of the first of `headings` that there is.
    func column(_ headings: String...) -> Int? { column(headings) }

    func column(_ headings: [String]) -> Int? {
        headings.lazy.compactMap { self.headings.firstIndex(of: $0) }.first
    }

    /// All cells of some columns.
    func cells(of columns: [Int?]) -> [String] {
        rows.flatMap { row in columns.compactMap { $0.map { row[$0] } } }
    }

    private static func cells(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String] {
        var parser = CSVParser(separator: separator)
        let items = parser.feed(Array(line)) + parser.finish()
        guard case .record(let record)? = items.first else { return [] }
        return record.cells
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ separator: UInt8, from line: Int) {
        var parser = CSVParser(separator: separator)
        for item in parser.feed(Array(bytes)) + parser.finish() {
            switch item {
            case .fault(let fault):
                issues.append(
                    .init(
                        row: fault.line + line - 1, message: "this row \(fault.reason)",
                        excerpt: TokenLabel.cleaned(fault.excerpt)))
            case .record(let record):
                // The first record is the header; joined files have it again.
                if record.isBlank || record.cells == names { continue }
                add(record, number: record.lines.lowerBound + line - 1)
            }
        }
    }

    private mutating func add(_ record: CSVRecord, number: Int) {
        let excerpt = TokenLabel.cleaned(record.excerpt)
        // A comma inside of a number moves all cells after it.
        if record.cells.dropFirst(names.count).contains(where: { !$0.allSatisfy(\.isWhitespace) }) {
            let message = "this row has \(record.cells.count) columns where the header has \(names.count)"
            issues.append(.init(row: number, message: message, excerpt: excerpt))
        } else {
            rows.append(Row(number: number, cells: record.cells, excerpt: excerpt))
        }
    }
}

extension ImportedFile {
    /// A file with the rows of a table, of which those that could not be cut are issues already.
    init(title: String, _ table: ImportedTable) {
        self.init(title: title)
        rowCount = table.rows.count + table.issues.count
        issues = table.issues
    }

    /// Adds what becomes of rows that belong together; each of them is an issue if that is not known.
    mutating func add(_ rows: [ImportedTable.Row], _ result: () throws(RowProblem) -> RowResult) {
        do throws(RowProblem) {
            switch try result() {
            case .entry(let entry): entries.append(entry)
            case .omitted(let reason): omitted[reason, default: []] += rows.map(\.number)
            }
        } catch {
            issues += rows.map { Issue(row: $0.number, message: error.message, excerpt: $0.excerpt) }
        }
    }

    /// Puts entries and issues in the order of their rows.
    mutating func sort() {
        entries.sort { ($0.rows.first ?? 0) < ($1.rows.first ?? 0) }
        issues.sort { $0.row < $1.row }
    }
}
