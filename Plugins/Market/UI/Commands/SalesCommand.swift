import BigInteger
import Commands
import MarketDomain

/// `hub market portfolio sales`: each sale with the purchases that it used.
enum SalesCommand {
    /// A row of the report, or the sums of a year in a currency.
    struct Row: Sendable {
        let symbol: String
        /// Nil for sums.
        let sale: SaleReport.Row?
        let currency: Currency
        let proceeds: BigDecimal
        let cost: BigDecimal
        let fee: BigDecimal
    }

    static let fields: [Field<Row>] = [
        Field("sold", "SOLD", help: "day of the sale") { $0.sale.map { .day($0.sale.date) } ?? .null },
        Field(
            "acquired", "ACQUIRED", help: "day of the purchase; null for an average of several",
            cell: { row in row.sale.map { $0.part.purchase.map { "\($0.date)" } ?? "various" } ?? "" }
        ) { ($0.sale?.part.purchase?.date).map { .day($0) } ?? .null },
        Field("held_days", "DAYS", help: "days from the purchase to the sale", align: .trailing, column: .ifRoom(2)) {
            ($0.sale?.heldDays).map { .integer($0) } ?? .null
        },
        Field("symbol", "COIN", help: "symbol of the token") { .text($0.symbol) },
        Field("token", "TOKEN", help: "id of the token", column: .onRequest) { FieldValue($0.sale?.sale.tokenID) },
        Field("amount", "AMOUNT", help: "number of tokens", align: .trailing) {
            ($0.sale?.part.amount).map { .decimal($0.description) } ?? .null
        },
        money("proceeds", "PROCEEDS", help: "amount received, without the fee") { $0.proceeds },
        money("cost", "COST", help: "purchase cost, with its fee") { $0.cost },
        money("fee", "FEE", help: "share of the fee of the sale", column: .ifRoom(3)) { $0.fee },
        money("gain", "GAIN", help: "proceeds less cost") { $0.proceeds - $0.cost },
        Field(
            "currency", "CURRENCY", help: "currency of the sums", column: .ifRoom(1), cell: { $0.currency.name }
        ) { .text($0.currency.code) },
        exact("proceeds", "amount received, not rounded") { $0.exactProceeds },
        exact("cost", "purchase cost, not rounded") { $0.part.cost },
        Field("sale", "SALE", help: "id of the sale", column: .onRequest) { FieldValue($0.sale?.sale.id) },
        Field("purchase", "PURCHASE", help: "id of the purchase", column: .onRequest) {
            FieldValue($0.sale?.part.purchase?.id)
        },
    ]

    private static func money(
        _ name: String, _ title: String, help: String, column: FieldDescriptor.Column = .always,
        _ value: @escaping @Sendable (Row) -> BigDecimal
    ) -> Field<Row> {
        Field(name, title, help: help, align: .trailing, column: column) {
            .decimal(value($0).text(fractionDigits: $0.currency.fractionDigits))
        }
    }

    private static func exact(
        _ name: String, _ help: String, _ value: @escaping @Sendable (SaleReport.Row) -> BigDecimal
    ) -> Field<Row> {
        Field("exact_\(name)", "EXACT \(name.uppercased())", help: help, align: .trailing, column: .onRequest) {
            $0.sale.map { .decimal(value($0).description) } ?? .null
        }
    }

    /// The sales, each of one or several rows.
    static func rows(_ sales: PortfolioSales) -> [Row] {
        sales.rows.map {
            Row(
                symbol: sales.symbols[$0.sale.tokenID] ?? $0.sale.tokenID, sale: $0, currency: $0.sale.currency,
                proceeds: $0.proceeds, cost: $0.cost, fee: $0.fee)
        }
    }

    /// The sums of the rows by currency, for a table.
    private static func sums(_ rows: [Row]) -> [Row] {
        Dictionary(grouping: rows, by: \.currency).sorted { $0.key.code < $1.key.code }.map { currency, rows in
            Row(
                symbol: "total", sale: nil, currency: currency, proceeds: rows.reduce(0) { $0 + $1.proceeds },
                cost: rows.reduce(0) { $0 + $1.cost }, fee: rows.reduce(0) { $0 + $1.fee })
        }
    }

    private enum Format: String, CaseIterable, ChoiceArgument { case csv }

    private static let year = Option<Int>("year", "YEAR", in: 1...9999, help: "only sales of this year")
    private static let format = Option<Format>("as", "FORMAT", help: "output format: csv, for a tax return")

    static let command = Command(
        "sales", summary: "list the sales, each with the purchases that it used",
        discussion: [
            "A sale that used several purchases has a row for each. The sums are exactly those of the rows, and equal those of gains.",
            "Sales of more tokens than were bought in their currency are left out with a warning; the exit code is 2 then.",
        ],
        examples: [
            Example("hub market portfolio sales --year 2025", "the sales of a year"),
            Example("hub market portfolio sales --year 2025 --as csv", "for a tax return"),
            Example("hub market portfolio sales --basis hifo", "what cost most is sold first"),
        ], parameters: [year, MarketOptions.basis, format], fields: fields
    ) { (market: MarketPlugin, input: Input) in
        let sales = try await market.sales(in: input[year], basis: input[MarketOptions.basis])
        let shown = rows(sales)
        var output =
            input[format] == nil
            // Programs sum up themselves; a total among the rows would be counted twice.
            ? Output.list(
                shown + (input.showsTable ? sums(shown) : []), fields, count: "Cost by \(sales.basis.name)",
                empty: Diagnostic("No sales"))
            : .file(SaleCSV.write(sales.rows, basis: sales.basis, symbols: sales.symbols))
        output = output.noting(all: PortfolioListCommand.leftOutNotes(sales.leftOut))
        if !sales.leftOut.isEmpty { output.exit = .partly }
        return output
    }
}
