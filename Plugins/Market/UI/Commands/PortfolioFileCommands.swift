import Commands
import HubKit
import MarketDomain

/// `hub market portfolio import` and `export`.
enum PortfolioFileCommands {
    private static let file = Argument<String>(
        "FILE", help: "file, or - for stdin", completion: .files(["csv", "toml", "yaml", "yml"]))
    private static let format = Option<PortfolioFormat>(
        "as", "FORMAT", help: "format: csv, ticker or cointop; detected if omitted", hasEnvironmentVariable: true)

    private static let fields = ImportReportRow<PortfolioImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the trade or alert", name: "trade, list or alert", line: "line of a skipped item",
            reason: "why it was skipped, or a remark"))

    private static let limit = 16 << 20

    static let importing = Command(
        "import", summary: "import trades of ticker, cointop or a CSV table",
        discussion: [
            "ticker: .ticker.yaml with watchlist, lots and groups. cointop: config.toml with favorites, portfolio and price alerts. CSV: a "
                + "first line with column names; needed are token (or symbol) and amount.",
            "A line that cannot be read does not stop the import. Importing a file again adds nothing twice.",
        ],
        examples: [
            Example("hub market portfolio import ~/.ticker.yaml", "the config of ticker"),
            Example("hub market portfolio import ~/.config/cointop/config.toml", "the config of cointop"),
            Example("hub market portfolio import -n trades.csv", "only show what would be imported"),
        ], parameters: [file, format, MarketOptions.currency], fields: fields, changes: true
    ) { (market: MarketPlugin, input: Input) in
        let path = input[file]
        let bytes =
            path == "-"
            ? Array(try await input.standardText().utf8) : try await ChunkedFileReader.contents(of: path, limit: limit)
        let name = path == "-" ? "stdin" : path.split(separator: "/").last.map(String.init) ?? path
        let isForProgram = Output.isForProgram(input)
        let report = try await market.importPortfolio(
            bytes, name: name, as: input[format], in: MarketOptions.currency(input, market),
            isOffline: input.offline, isDryRun: input.dryRun, keepsAll: input.listsAllItems, operation: Operation(input)
        )
        let ids = report.items.map(\.id).filter { !$0.isEmpty }
        let short = isForProgram || input.dryRun ? [:] : try await market.trades.shortIDs(of: ids)
        let summary = ImportSummary(report, file: name, shortIDs: short, isDryRun: input.dryRun)
        return Output(
            imports: [summary], fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
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
