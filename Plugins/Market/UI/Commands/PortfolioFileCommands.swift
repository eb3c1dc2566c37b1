package import Commands
import HubKit
package import MarketDomain

/// `hub market portfolio import` and `export`.
enum PortfolioFileCommands {
    private static let file = Argument<String>(
        "FILE", help: "file, or - for stdin", completion: .files(["csv", "toml", "yaml", "yml"]))
    private static let format = Option<PortfolioFormat>(
        "as", "FORMAT", help: "format or program that wrote the file; detected if omitted", hasEnvironmentVariable: true
    )
    private static let mapping = Option<[MappedTable.Mapping]>(
        "map", "COLUMN=FIELD",
        help: "what a column of another table means: date, kind, symbol, amount, price, total, currency, fee and others"
    )
    private static let tokens = Option<[TokenOverride]>(
        "token", "SYMBOL=ID", help: "id of the token that a symbol of the file means")

    private static let fields = ImportReportRow<PortfolioImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the trade or alert", name: "trade, list or alert", line: "line of a skipped item",
            reason: "why it was skipped, or a remark"))

    private static let limit = 16 << 20

    static let importing = Command(
        "import", summary: "import trades of exchanges, other trackers or a CSV table",
        discussion: [
            "Exports of Coinbase, Kraken (ledgers or trades), Binance (transaction or trade history), Koinly, CoinTracking, Delta and Ghostfolio "
                + "are known by their column names. ticker: .ticker.yaml with watchlist, lots and groups. cointop: config.toml with favorites, "
                + "portfolio and price alerts. CSV: a first line with column names; needed are token (or symbol) and amount. For any other table, "
                + "--map says what its columns mean; those named like a field need none.",
            "A row that is not understood is listed and does not stop the import. Importing a file again adds nothing twice.",
        ],
        examples: [
            Example("hub market portfolio import ~/.ticker.yaml", "the config of ticker"),
            Example("hub market portfolio import ~/.config/cointop/config.toml", "the config of cointop"),
            Example("hub market portfolio import -n trades.csv", "only show what would be imported"),
            Example(
                "hub market portfolio import other.csv --map Qty=amount",
                "a table of any program"),
        ], parameters: [file, format, mapping, tokens, MarketOptions.currency], fields: fields, changes: true
    ) { (market: MarketPlugin, input: Input) in
        let path = input[file]
        let bytes =
            path == "-"
            ? Array(try await input.standardText().utf8) : try await ChunkedFileReader.contents(of: path, limit: limit)
        let name = path == "-" ? "stdin" : path.split(separator: "/").last.map(String.init) ?? path
        var reading = PortfolioFileReading()
        reading.format = input[format]
        reading.mapping = input[mapping]
        reading.tokens = input[tokens]
        if reading.format != nil, !reading.mapping.isEmpty {
            throw HubError(.usage, code: "options-conflict", "--as and --map cannot be used together")
        }
        let isForProgram = Output.isForProgram(input)
        let (introduction, report) = try await market.importPortfolio(
            bytes, name: name, reading, in: MarketOptions.currency(input, market), isOffline: input.offline,
            isDryRun: input.dryRun, keepsAll: input.listsAllItems, operation: Operation(input))
        let ids = report.items.map(\.id).filter { !$0.isEmpty }
        let short = isForProgram || input.dryRun ? [:] : try await market.trades.shortIDs(of: ids)
        let summary = ImportSummary(report, file: name, shortIDs: short, isDryRun: input.dryRun)
        var output = Output(
            imports: [summary], fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
        if !input.quiet { output.human = introduction + (output.human ?? []) }
        return output
    }

    static let exporting = Command(
        "export", summary: "export all trades as a CSV table",
        examples: [
            Example("hub market portfolio export -o trades.csv", "to a file"),
            Example("hub market portfolio export", "to the terminal"),
        ]
    ) { (market: MarketPlugin, _: Input) in .file(try await market.exportPortfolio()) }
}

extension PortfolioFormat: ChoiceArgument {}

extension MappedTable.Mapping: ArgumentValue {
    /// Parses `COLUMN=FIELD`; throws ``InvalidArgument`` with the fields.
    package static func parse(argument: String) throws(InvalidArgument) -> MappedTable.Mapping {
        guard let mapping = MappedTable.Mapping(argument) else {
            let fields = MappedTable.Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidArgument(expected: "COLUMN=FIELD", hint: "the fields are \(fields)")
        }
        return mapping
    }
}

extension TokenOverride: ArgumentValue {
    /// Parses `SYMBOL=ID`.
    package static func parse(argument: String) throws(InvalidArgument) -> TokenOverride {
        guard let token = TokenOverride(argument) else {
            throw InvalidArgument(expected: "SYMBOL=ID", hint: "for example LUNA=terra-luna-2")
        }
        return token
    }
}
