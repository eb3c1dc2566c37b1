import Commands
import HubKit
package import MarketDomain

/// A format of files with entries of the ledger, lists or alerts.
package enum PortfolioFormat: String, CaseIterable, Sendable {
    case csv, ticker, cointop, coinbase, kraken, binance, koinly, cointracking, delta, ghostfolio

    /// The program whose exports have this format; nil for configs and tables of hub.
    fileprivate var program: ImportedProgram? { ImportedProgram(rawValue: rawValue) }

    /// The format of a file that no other program exports, by its name and beginning.
    fileprivate static func detect(name: String, _ text: String) -> PortfolioFormat {
        if name.hasSuffix(".toml") { return .cointop }
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return .ticker }
        if name.hasSuffix(".csv") { return .csv }
        if text.contains("[portfolio]") || text.contains("[favorites]") { return .cointop }
        let first = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
        return first.contains(",") ? .csv : .ticker
    }
}

/// How a file is to be read, as far as a person says it.
package struct PortfolioFileReading: Sendable {
    /// The format; nil to detect it.
    package var format: PortfolioFormat?
    /// What the columns of a table mean; empty for a known format.
    package var mapping: [MappedTable.Mapping] = []
    /// The ids that symbols stand for.
    package var tokens: [TokenOverride] = []

    package init() {}
}

/// The contents of a file, and what it was taken for.
struct PortfolioFile: Sendable {
    let contents: PortfolioImport
    /// The name of the format for people.
    let title: String
    /// The name of the format in the marks of its rows.
    let source: String
    /// The number of rows; nil where hub does not count them.
    var rowCount: Int?

    /// What the file is and holds, line by line.
    func introduction(name: String) -> [String] {
        var lines = ["\(name): \(title)" + (rowCount.map { ", \(NumberFormat.counted($0, "row"))" } ?? "")]
        let kinds = Trade.Kind.allCases.compactMap { kind in
            let count = contents.trades.count { $0.kind == kind }
            return count == 0 ? nil : "\(kind.rawValue) \(NumberFormat.grouped(count))"
        }
        if !kinds.isEmpty { lines.append("  " + kinds.joined(separator: ", ")) }
        if !contents.omitted.isEmpty {
            let parts = contents.omitted.map { "\(NumberFormat.grouped($0.count)) \($0.reason.words)" }
            lines.append("  left out: " + parts.joined(separator: ", "))
        }
        return lines
    }
}

extension PortfolioFile {
    /// Reads a file. Throws `invalid` for one that is none of the formats, or not the one that is asked for.
    init(_ bytes: [UInt8], name: String, _ reading: PortfolioFileReading) throws(HubError) {
        if let program = reading.format?.program, reading.mapping.isEmpty,
            ImportedFile.read(bytes, name: name, from: program) == nil
        {
            throw Self.unreadable("\(name): it is not an export of \(program.rawValue): no line has its column names")
        }
        let isConfig = [".toml", ".yaml", ".yml"].contains { name.hasSuffix($0) }
        do throws(PortfolioImport.Issue) {
            if !reading.mapping.isEmpty {
                self.init(try ImportedFile.read(bytes, mapping: reading.mapping), "map", reading)
            } else if reading.format?.program != nil || reading.format == nil && !isConfig,
                let (file, program) = ImportedFile.read(bytes, name: name, from: reading.format?.program)
            {
                self.init(file, program.rawValue, reading)
            } else {
                try self.init(config: bytes, name: name, reading.format)
            }
        } catch {
            throw Self.unreadable("\(name):\(error.line): \(error.message)")
        }
    }

    private static func unreadable(_ message: String) -> HubError {
        HubError(
            .invalid, code: "unreadable-file", message,
            hint: "--as names the format; for another table --map COLUMN=FIELD says what its columns mean")
    }

    private init(_ file: ImportedFile, _ source: String, _ reading: PortfolioFileReading) {
        let file = file.replacing(reading.tokens)
        contents = PortfolioImport(file, source: source)
        title = file.title
        self.source = source
        rowCount = file.rowCount
    }

    private init(config bytes: [UInt8], name: String, _ format: PortfolioFormat?) throws(PortfolioImport.Issue) {
        let text = String(decoding: bytes, as: UTF8.self)
        let format = format ?? PortfolioFormat.detect(name: name, text)
        source = format.rawValue
        switch format {
        case .ticker: (contents, title) = (try TickerConfig.read(text), "config of ticker")
        case .cointop: (contents, title) = (try CointopConfig.read(text), "config of cointop")
        default: (contents, title) = (try TradeCSV.read(bytes), "table")
        }
    }
}
