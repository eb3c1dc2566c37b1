import CivilDate
import Commands
import HubKit
import MarketDomain

/// `hub market rates` and its subcommands: the rates of exchange between currencies.
enum RateCommands {
    static let tree = Command(
        group: "rates", aliases: ["rate"], summary: "rates of exchange between currencies",
        examples: [
            Example("hub market rates", "the days of which rates are stored"),
            Example("hub market rates import eurofxref-hist.csv", "rates of a file"),
        ], view: "list", subcommands: [list, importing, fetch])

    private static let fields: [Field<RateRange>] = [
        Field("currency", "CURRENCY", help: "currency", cell: { $0.currency.name }) { .text($0.currency.code) },
        Field("first", "FIRST", help: "day of the first rate") { .day($0.first) },
        Field("last", "LAST", help: "day of the last rate") { .day($0.last) },
        Field("count", "RATES", help: "number of rates", align: .trailing) { .integer($0.count) },
    ]

    private static let list = Command(
        "list", summary: "list the currencies with rates",
        examples: [
            Example("hub market rates list", "all currencies"),
            Example("hub market rates list --json=currency,last", "for a script"),
        ], fields: fields
    ) { (market: MarketPlugin, _: Input) in
        .list(
            try await market.rateRanges(), fields,
            empty: Diagnostic(
                "No rates",
                suggestions: [
                    Example("hub market rates fetch", "from the European Central Bank"),
                    Example("hub market rates import FILE", "from a file of it"),
                ]))
    }

    private static let file = Argument<String>(
        "FILE", help: "CSV file or zip archive with it, or - for stdin", completion: .files(["csv", "zip"]))

    private static let importing = Command(
        "import", summary: "import rates of the European Central Bank",
        discussion: [
            "The file has the form of eurofxref-hist.csv, or is the zip archive with it: a column for each currency, a row for each day, units for one euro. Importing it again changes nothing."
        ],
        examples: [
            Example("hub market rates import eurofxref-hist.csv", "all days since 1999"),
            Example("hub market rates import -n eurofxref-hist.csv", "only say what would be done"),
        ],
        parameters: [file], changes: true
    ) { (market: MarketPlugin, input: Input) in
        let path = input[file]
        let bytes =
            path == "-"
            ? Array(try await input.standardText().utf8)
            : try await ChunkedFileReader.contents(of: path, limit: 64 << 20)
        if input.dryRun { return .done("Would import the rates of \(path)") }
        return output(try await market.importRates(bytes, name: path, operation: rates(input)))
    }

    private static let fetch = Command(
        "fetch", summary: "fetch the rates of the European Central Bank",
        discussion: ["Views of the portfolio fetch rates by themselves when they need some, at most once a day."],
        examples: [
            Example("hub market rates fetch", "all days since 1999"),
            Example("hub market rates fetch -n", "only say what would be done"),
        ], changes: true
    ) { (market: MarketPlugin, input: Input) in
        if input.dryRun { return .done("Would fetch the rates of the European Central Bank") }
        let report = try await market.fetchRates(isOffline: input.offline, operation: rates(input))
        guard let report else { return .done("No new rates: the file is the same as before") }
        let age = market.clock.today.daysSinceEpoch - report.days.upperBound.daysSinceEpoch
        guard age > ExchangeRates.maximumAge else { return output(report) }
        return output(report).noting(
            .warning(
                "the newest rate is of \(report.days.upperBound): the server has old data", code: "rates-old",
                hint: "hub market rates fetch asks again"))
    }

    /// Rates are facts of the outside: undo does not take them back.
    private static func rates(_ input: Input) -> Operation {
        Operation("market rates", who: .service("market"), kind: .fetched)
    }

    private static func output(_ report: RateImport) -> Output {
        let (first, last) = (report.days.lowerBound, report.days.upperBound)
        var output = Output.done(
            "\(NumberFormat.counted(report.currencies, "currency", "currencies")), \(first) to \(last): "
                + "\(report.changed) new or changed rates")
        output = output.noting(
            all: report.issues.prefix(10).map { .warning("line \($0.line): \($0.message)", code: "rate-skipped") })
        if !report.issues.isEmpty { output.exit = .partly }
        return output
    }
}
