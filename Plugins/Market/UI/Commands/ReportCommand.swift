import BigInteger
import Commands
import MarketDomain

/// `hub market portfolio report`: each disposal with the purchases that it used.
enum ReportCommand {
    /// A row of the report, or the sums of all.
    struct Row: Sendable {
        let symbol: String
        /// Nil for sums.
        let row: SaleReport.Row?
        let currency: Currency
        let proceeds: BigDecimal?
        let cost: BigDecimal?
        let fee: BigDecimal?
        let gain: BigDecimal?
        /// The sums that are by the closing price of a day.
        let byClose: Set<Ledger.Disposal.Sum>
    }

    static let fields: [Field<Row>] = dayFields + moneyFields + detailFields

    private static let dayFields: [Field<Row>] = [
        Field("sold", "SOLD", help: "day of the sale") { $0.row.map { .day($0.sale.date) } ?? .null },
        Field(
            "acquired", "ACQUIRED", help: "day of the purchase; null for an average of several days",
            cell: { row in row.row.map { $0.part.acquired.map { "\($0)" } ?? "various" } ?? "" }
        ) { ($0.row?.part.acquired).map { .day($0) } ?? .null },
        Field("held_days", "DAYS", help: "days from the purchase to the sale", align: .trailing, column: .ifRoom(3)) {
            FieldValue($0.row?.heldDays)
        },
        Field(
            "long_term", "OVER A YEAR", help: "whether the tokens were held for more than a year", column: .ifRoom(6),
            cell: { row in row.row?.isLongTerm.map { $0 ? "yes" : "no" } ?? "" }
        ) { ($0.row?.isLongTerm).map { .bool($0) } ?? .null },
        Field(
            "kind", "KIND", help: "use of the tokens: sell, swap, gift, loss or fee", column: .ifRoom(4)
        ) { FieldValue($0.row?.disposal.use.rawValue) },
        Field("symbol", "COIN", help: "symbol of the token") { .text($0.symbol) },
        Field("token", "TOKEN", help: "id of the token", column: .onRequest) {
            FieldValue($0.row?.disposal.key.tokenID)
        },
        Field("amount", "AMOUNT", help: "number of tokens", align: .trailing) {
            ($0.row?.part.amount).map { .decimal($0.description) } ?? .null
        },
    ]

    private static let moneyFields: [Field<Row>] = [
        money("proceeds", "PROCEEDS", help: "amount received, without the fee; null when it is not known", [.proceeds])
        {
            $0.proceeds
        },
        money("cost", "COST", help: "purchase cost, with its fee; null when it is not known", [.cost]) { $0.cost },
        money("fee", "FEE", help: "share of the fee of the sale", column: .ifRoom(5), []) { $0.fee },
        money(
            "gain", "GAIN", help: "proceeds less cost; null when one of them is not known", [.proceeds, .cost]
        ) { $0.gain },
        Field(
            "currency", "CURRENCY", help: "currency of the sums", column: .ifRoom(1), cell: { $0.currency.name }
        ) { .text($0.currency.code) },
        exact("proceeds", "amount received, not rounded") { $0.part.proceeds },
        exact("cost", "purchase cost, not rounded") { $0.part.cost },
        exact("fee", "share of the fee of the sale, not rounded") { $0.part.fee },
        Field("by_close", "BY CLOSE", help: "sums by the close of the day: proceeds, cost", column: .onRequest) {
            FieldValue(SaleCSV.byClose($0.byClose))
        },
    ]

    private static let detailFields: [Field<Row>] = [
        Field("place", "PLACE", help: "wallet or exchange of the sale", column: .ifRoom(2)) { row in
            FieldValue(row.row.flatMap { $0.sale.details.place.isEmpty ? nil : $0.sale.details.place })
        },
        Field("portfolio", "PORTFOLIO", help: "name of the portfolio", column: .onRequest) { row in
            FieldValue(row.row.flatMap { $0.sale.details.portfolio.isEmpty ? nil : $0.sale.details.portfolio })
        },
        Field("sale", "SALE", help: "id of the sale", column: .onRequest) { FieldValue($0.row?.sale.id) },
        Field("purchase", "PURCHASE", help: "id of the purchase", column: .onRequest) {
            FieldValue($0.row?.part.purchase?.id)
        },
    ]

    private static func money(
        _ name: String, _ title: String, help: String, column: FieldDescriptor.Column = .always,
        _ sums: Set<Ledger.Disposal.Sum>, _ value: @escaping @Sendable (Row) -> BigDecimal?
    ) -> Field<Row> {
        Field(
            name, title, help: help, align: .trailing, column: column,
            cell: { row in
                (value(row)?.text(fractionDigits: row.currency.fractionDigits)).map {
                    ByClose.cell($0, !sums.isDisjoint(with: row.byClose))
                } ?? FiatFormat.unknown
            }
        ) { row in value(row).map { .decimal($0.text(fractionDigits: row.currency.fractionDigits)) } ?? .null }
    }

    private static func exact(
        _ name: String, _ help: String, _ value: @escaping @Sendable (SaleReport.Row) -> BigDecimal?
    ) -> Field<Row> {
        Field("exact_\(name)", "EXACT \(name.uppercased())", help: help, align: .trailing, column: .onRequest) {
            $0.row.flatMap(value).map { .decimal($0.description) } ?? .null
        }
    }

    /// The disposals, each of one or several rows.
    static func rows(_ sales: PortfolioSales) -> [Row] {
        sales.rows.map {
            let tokenID = $0.disposal.key.tokenID
            return Row(
                symbol: sales.symbols[tokenID] ?? tokenID, row: $0, currency: sales.currency, proceeds: $0.proceeds,
                cost: $0.cost, fee: $0.fee, gain: $0.gain, byClose: $0.part.byClose)
        }
    }

    /// The sums of the rows with a known gain, for a table.
    private static func sums(_ rows: [Row]) -> [Row] {
        let known = rows.filter { $0.gain != nil }
        guard let currency = known.first?.currency else { return [] }
        func sum(_ title: String, _ rows: [Row]) -> Row {
            Row(
                symbol: title, row: nil, currency: currency, proceeds: rows.reduce(0) { $0 + ($1.proceeds ?? 0) },
                cost: rows.reduce(0) { $0 + ($1.cost ?? 0) }, fee: rows.reduce(0) { $0 + ($1.fee ?? 0) },
                gain: rows.reduce(0) { $0 + ($1.gain ?? 0) },
                byClose: rows.reduce(into: []) { $0.formUnion($1.byClose) })
        }
        let old = known.filter { $0.row?.isLongTerm ?? false }
        return (old.isEmpty ? [] : [sum("over a year", old)]) + [sum("total", known)]
    }

    private enum Format: String, CaseIterable, ChoiceArgument { case csv }

    private static let year = Option<Int>("year", "YEAR", in: 1...9999, help: "only sales of this year")
    private static let format = Option<Format>("as", "FORMAT", help: "output format: csv, for a tax return")

    static let command = Command(
        "report", aliases: ["sales"], summary: "list the disposals, each with the purchases that it used",
        discussion: [
            "Disposals are sales, swaps, gifts, losses and fees in coins. One that used several purchases has a row for each. The sums are exactly those of the rows, and equal those of gains.",
            "What is not known, and disposals of more tokens than were held, are left out of the sums with a warning; the exit code is 2 then.",
        ],
        examples: [
            Example("hub market portfolio report --year 2025", "the disposals of a year"),
            Example("hub market portfolio report --year 2025 --as csv", "for a tax return"),
            Example("hub market portfolio report --basis hifo", "what cost most is sold first"),
        ],
        parameters: [year, MarketOptions.currency, MarketOptions.basis] + TradeOptions.filters + [
            TradeOptions.perPlace, format,
        ], fields: fields
    ) { (market: MarketPlugin, input: Input) in
        let sales = try await market.sales(
            in: input[year], currency: MarketOptions.currency(input, market), basis: input[MarketOptions.basis],
            TradeOptions.filter(input, perPlace: input[TradeOptions.perPlace]), isOffline: input.offline)
        let shown = rows(sales)
        var output =
            input[format] == nil
            // Programs sum up themselves; a total among the rows would be counted twice.
            ? Output.list(
                shown + (input.showsTable ? sums(shown) : []), fields, count: "Cost by \(sales.basis.name)",
                empty: Diagnostic("No sales"))
            : .file(SaleCSV.write(sales.rows, in: sales.currency, basis: sales.basis, symbols: sales.symbols))
        let unknown = shown.filter { $0.gain == nil }
        var notes = PortfolioListCommand.notes(sales.remarks, closes: !unknown.isEmpty)
        if !unknown.isEmpty {
            let symbols = Set(unknown.map(\.symbol)).sorted().prefix(5).joined(separator: ", ")
            notes.append(
                .warning(
                    "the gain of \(NumberFormat.counted(unknown.count, "row")) (\(symbols)) is not known and not in the sums",
                    code: "unknown-gain", hint: "hub market portfolio edit TRADE --price PRICE sets a price"))
        }
        output = output.noting(all: notes)
        if shown.contains(where: { !$0.byClose.isEmpty }) { output = output.noting(ByClose.note) }
        if !notes.isEmpty { output.exit = .partly }
        return output
    }
}
