/// A table (RFC 4180) cut into records, also behind one that is broken.
struct CSVTable {
    /// One record.
    struct Record {
        /// Its first line, counted from 1.
        let line: Int
        /// The cells, unquoted.
        let cells: [String]
        /// The beginning of its first line.
        let excerpt: String

        /// A cell without blanks around it; empty where there is none.
        func cell(_ column: Int?) -> String {
            column.flatMap { cells.indices.contains($0) ? cells[$0].trimmed : nil } ?? ""
        }

        /// The record as a place of `file`.
        func place(_ file: ImportBundle.File, in bundle: ImportBundle) -> ImportPlace {
            ImportPlace(file: bundle.files.count > 1 ? file.path : nil, line: line, excerpt: excerpt)
        }
    }

    /// A record that is none.
    struct Fault {
        let line: Int
        let excerpt: String
        let reason: String
    }

    /// So many records may be given up before quotes are no longer looked for in later lines; it bounds the time that a
    /// hostile file takes.
    private static let maximumFaults = 100

    private(set) var records: [Record] = []
    private(set) var faults: [Fault] = []
    private let bytes: [UInt8]

    /// The records of a file; empty lines are none.
    init(_ file: [UInt8]) {
        bytes = Array(ImportText.decode(file).utf8)
        var (position, line) = (0, 1)
        var width: Int?
        while position < bytes.count {
            var scan = Scan(mayBreakLines: faults.count < CSVTable.maximumFaults)
            let end = scan.read(bytes, from: position)
            let isTorn = scan.lineEnds > 0 && width != nil && scan.cells.count != width
            if let end, !isTorn {
                if scan.cells != [[]] {
                    records.append(
                        Record(
                            line: line, cells: scan.cells.map { String(decoding: $0, as: UTF8.self) },
                            excerpt: excerpt(position)))
                    width = width ?? scan.cells.count
                }
                position = end
                line += scan.lineEnds + 1
            } else {
                faults.append(Fault(line: line, excerpt: excerpt(position), reason: "a quote is not closed"))
                position = endOfLine(from: position)
                line += 1
            }
        }
    }

    /// The first record without its quotes, to tell the columns by their names.
    var header: [String] { records.first?.cells.map { $0.trimmed.lowercased() } ?? [] }

    /// The column with one of these names; nil when there is none.
    func column(_ names: String...) -> Int? {
        names.lazy.compactMap { name in header.firstIndex(of: name.lowercased()) }.first
    }

    /// The faults as problems of `file`.
    func problems(of file: ImportBundle.File, in bundle: ImportBundle) -> [ImportProblem] {
        faults.map { fault in
            ImportProblem(
                ImportPlace(
                    file: bundle.files.count > 1 ? file.path : nil, line: fault.line, excerpt: fault.excerpt),
                fault.reason)
        }
    }

    /// The names in the first line of a file.
    static func header(of file: ImportBundle.File) -> [String] {
        CSVTable(Array(file.bytes.prefix(8 << 10))).header
    }

    private func excerpt(_ position: Int) -> String {
        let line = bytes[position...].prefix(400).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(String(decoding: line, as: UTF8.self).prefix(160))
    }

    private func endOfLine(from position: Int) -> Int {
        var index = position
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return CSVTable.behindLineEnd(bytes, index)
    }

    /// The position behind the line end at `index`, which may be CR LF.
    fileprivate static func behindLineEnd(_ bytes: [UInt8], _ index: Int) -> Int {
        guard index < bytes.count else { return index }
        return bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1
    }
}

/// One look at a record.
private struct Scan {
    /// Whether a quoted cell may hold line ends.
    let mayBreakLines: Bool
    var cells: [[UInt8]] = []
    /// How many line ends stand in quotes.
    var lineEnds = 0

    init(mayBreakLines: Bool) { self.mayBreakLines = mayBreakLines }

    /// Where the next record begins; nil when a quote of this one is not closed.
    mutating func read(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while true {
            guard let end = cell(bytes, from: index) else { return nil }
            guard end < bytes.count, bytes[end] == 0x2C else { return CSVTable.behindLineEnd(bytes, end) }
            index = end + 1
        }
    }

    /// Reads one cell; where it ends.
    private mutating func cell(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == 0x22 else {
            var end = start
            while end < bytes.count, bytes[end] != 0x2C, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
            cells.append(Array(bytes[start..<end]))
            return end
        }
        var cell: [UInt8] = []
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x22 {
                guard index + 1 < bytes.count, bytes[index + 1] == 0x22 else { break }
                index += 1
            } else if byte == 0x0A || byte == 0x0D {
                if !mayBreakLines { return nil }
                if byte == 0x0A || index + 1 == bytes.count || bytes[index + 1] != 0x0A { lineEnds += 1 }
            }
            cell.append(byte)
            index += 1
        }
        guard index < bytes.count else { return nil }
        cells.append(cell)
        // What stands between the closing quote and the next comma belongs to nothing.
        while index < bytes.count, bytes[index] != 0x2C, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return index
    }
}
