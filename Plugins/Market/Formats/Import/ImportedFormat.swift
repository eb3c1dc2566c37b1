/// The formats of other programs that are read as transactions; a table is known by its headings.
enum ImportedFormat: CaseIterable {
    // The most special headings come first.
    case coinbase, krakenLedgers, krakenTrades, binanceStatements, binanceTrades, delta, coinTracking, koinly
    case koinlyTemplate, ghostfolio

    private var headings: [[String]] {
        switch self {
        case .coinbase: CoinbaseExport.headings
        case .krakenLedgers: KrakenLedgers.headings
        case .krakenTrades: KrakenTrades.headings
        case .binanceStatements: BinanceStatements.headings
        case .binanceTrades: BinanceTrades.headings
        case .delta: DeltaExport.headings
        case .coinTracking: CoinTrackingExport.headings
        case .koinly: KoinlyFile.headings
        case .koinlyTemplate: KoinlyTemplate.headings
        case .ghostfolio: GhostfolioFile.headings
        }
    }

    /// The name that a command line gives it.
    var program: ImportedProgram {
        switch self {
        case .coinbase: .coinbase
        case .krakenLedgers, .krakenTrades: .kraken
        case .binanceStatements, .binanceTrades: .binance
        case .delta: .delta
        case .coinTracking: .coinTracking
        case .koinly, .koinlyTemplate: .koinly
        case .ghostfolio: .ghostfolio
        }
    }

    /// Returns the format whose headings are all among these; of `program`, if that is given.
    static func of(_ headings: [String], program: ImportedProgram?) -> ImportedFormat? {
        let all = Set(headings)
        return allCases.first { format in
            (program == nil || format.program == program)
                && format.headings.allSatisfy { !all.isDisjoint(with: $0) }
        }
    }

    func read(_ table: ImportedTable, name: String) -> ImportedFile {
        switch self {
        case .coinbase: CoinbaseExport(table).file()
        case .krakenLedgers: KrakenLedgers(table).file()
        case .krakenTrades: KrakenTrades(table).file()
        case .binanceStatements: BinanceStatements(table, offset: BinanceZone.offset(in: name)).file()
        case .binanceTrades: BinanceTrades(table, offset: BinanceZone.offset(in: name)).file()
        case .delta: DeltaExport(table).file()
        case .coinTracking: CoinTrackingExport(table).file()
        case .koinly: KoinlyFile(table).file()
        case .koinlyTemplate: KoinlyTemplate(table).file()
        case .ghostfolio: GhostfolioFile(table).read()
        }
    }
}

/// The programs whose exports are read as transactions.
package enum ImportedProgram: String, CaseIterable, Sendable {
    case coinbase, kraken, binance, koinly, coinTracking = "cointracking", delta, ghostfolio
}

extension ImportedFile {
    /// Reads a file of one of the known programs, or of `program` alone, and returns which it is; nil when it is none. `name` is
    /// the name of the file, in which Binance says the zone of its times.
    package static func read(
        _ bytes: [UInt8], name: String, from program: ImportedProgram? = nil
    ) -> (file: ImportedFile, program: ImportedProgram)? {
        if program == nil || program == .ghostfolio, bytes.contains(UInt8(ascii: "{")),
            let file = GhostfolioFile(json: withoutMark(bytes))
        {
            return (file.read(), .ghostfolio)
        }
        let table = ImportedTable(bytes) { ImportedFormat.of($0, program: program) != nil }
        guard let table, let format = ImportedFormat.of(table.headings, program: program) else { return nil }
        return (format.read(table, name: name), format.program)
    }

    /// Reads a table by what a person says about its columns; throws when it does not have them.
    package static func read(
        _ bytes: [UInt8], mapping: [MappedTable.Mapping]
    ) throws(PortfolioImport.Issue) -> ImportedFile { try MappedTable(bytes, mapping).file() }

    /// Returns the file with ids in place of the symbols that a person says them for.
    package func replacing(_ tokens: [TokenOverride]) -> ImportedFile {
        let ids = Dictionary(tokens.map { ($0.symbol, TokenReference.id($0.id)) }) { _, last in last }
        func replaced(_ amount: ImportedAmount) -> ImportedAmount {
            switch amount.asset {
            case .coin(.symbol(let symbol)), .coin(.symbolAndName(let symbol, _)), .coin(.stock(let symbol)):
                ids[symbol].map { ImportedAmount(amount.amount, .coin($0)) } ?? amount
            default: amount
            }
        }
        guard !ids.isEmpty else { return self }
        var file = self
        file.hasTokenIDs = true
        file.entries = entries.map { entry in
            var entry = entry
            entry.sent = entry.sent.map(replaced)
            entry.received = entry.received.map(replaced)
            entry.fees = entry.fees.map(replaced)
            return entry
        }
        return file
    }

    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}

/// The id that a symbol stands for in a file, as a person says it: `LUNA=terra-luna-2`.
package struct TokenOverride: Hashable, Sendable {
    /// The symbol in upper case.
    package let symbol: String
    /// The id.
    package let id: String

    /// Parses `SYMBOL=ID`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { TokenLabel.cleaned(String($0)) }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        symbol = parts[0].uppercased()
        id = parts[1].lowercased()
    }
}
