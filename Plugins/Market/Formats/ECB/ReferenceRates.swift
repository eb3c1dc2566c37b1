import BigInteger
import CSV
import CivilDate

/// The reference rates of the European Central Bank as CSV (`eurofxref-hist.csv`): a column for each currency, a row for each day, the
/// newest first, each number the units of a currency for one euro, and `N/A` where there is none.
package struct ReferenceRates: Hashable, Sendable {
    /// A part of the file that cannot be read, and why.
    package struct Issue: Error, Hashable, Sendable {
        /// The line, counted from 1.
        package let line: Int
        /// What is wrong.
        package let message: String
    }

    /// The rates by currency, in the order of the file.
    package private(set) var rates: [Currency: [ExchangeRates.Rate]] = [:]
    /// The parts that were left out.
    package private(set) var issues: [Issue] = []

    /// Reads a file. Throws when its first line does not name `Date` and currencies.
    package static func read(_ bytes: [UInt8]) throws(Issue) -> ReferenceRates {
        var parser = CSVParser()
        var result = ReferenceRates()
        var columns: [Currency?]?
        for item in parser.feed(bytes) + parser.finish() {
            switch item {
            case .fault(let fault): result.issues.append(Issue(line: fault.line, message: "this row \(fault.reason)"))
            case .record(let record):
                if record.isBlank { continue }
                if let columns {
                    result.add(record, columns)
                } else {
                    columns = try header(record)
                }
            }
        }
        guard columns != nil else { throw Issue(line: 1, message: "the file is empty") }
        return result
    }

    private static func header(_ record: CSVRecord) throws(Issue) -> [Currency?] {
        let cells = record.cells.map(trimmed)
        let columns = cells.dropFirst().map { $0.utf8.count == 3 ? Currency($0) : nil }
        guard cells.first?.lowercased() == "date", columns.contains(where: { $0 != nil }) else {
            throw Issue(line: record.lines.lowerBound, message: "the first line must be Date and codes of currencies")
        }
        return columns
    }

    private mutating func add(_ record: CSVRecord, _ columns: [Currency?]) {
        let line = record.lines.lowerBound
        let cells = record.cells.map(Self.trimmed)
        guard let day = CivilDate(cells[0]) else {
            issues.append(Issue(line: line, message: "invalid date \"\(cells[0].prefix(20))\""))
            return
        }
        // The end of a file that was cut off may have a part of a number.
        guard cells.count > columns.count else {
            issues.append(Issue(line: line, message: "the row has \(cells.count) of \(columns.count + 1) columns"))
            return
        }
        for (currency, cell) in zip(columns, cells.dropFirst()) {
            guard let currency, !cell.isEmpty, cell != "N/A" else { continue }
            guard let units = BigDecimal(cell), units > 0 else {
                issues.append(Issue(line: line, message: "invalid rate \"\(cell.prefix(20))\" of \(currency.name)"))
                continue
            }
            rates[currency, default: []].append(ExchangeRates.Rate(day: day, units: units))
        }
    }

    private static func trimmed(_ cell: String) -> String {
        var text = cell.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}

/// What a server says of a version of its file, so that it need not send the same one again.
package struct RatesVersion: Hashable, Sendable {
    /// The `ETag`.
    package let etag: String?
    /// The `Last-Modified` time.
    package let modified: String?

    /// Creates a version; nil without either.
    package init?(etag: String?, modified: String?) {
        guard etag != nil || modified != nil else { return nil }
        self.etag = etag
        self.modified = modified
    }
}
