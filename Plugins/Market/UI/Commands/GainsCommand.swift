import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain

/// `hub market portfolio gains`: the realized gains and the income by year.
enum GainsCommand {
    /// The gains of a year, with the disposals that they leave out.
    private struct Row: Sendable {
        let year: SaleReport.Year
        let currency: Currency
        let leftOut: [String]
    }

    private static let fields: [Field<Row>] = [
        Field("year", "YEAR", help: "year of the disposals", cell: { "\($0.year.year)" }) { .integer($0.year.year) },
        Field("currency", "CURRENCY", help: "currency of the sums", cell: { $0.currency.name }) {
            .text($0.currency.code)
        },
        money("proceeds", "PROCEEDS", help: "amount received, without fees", closes: { $0.gainsByClose }) {
            $0.proceeds
        },
        money("cost", "COST", help: "purchase cost, with fees", closes: { $0.gainsByClose }) { $0.cost },
        money("gain", "GAIN", help: "proceeds less cost", closes: { $0.gainsByClose }) { $0.gain },
        money(
            "long_term_gain", "OVER A YEAR", help: "part of the gain of tokens held for more than a year", .ifRoom(1),
            closes: { $0.gainsByClose }
        ) { $0.longTermGain },
        money(
            "income", "INCOME", help: "value of what was received as income", .ifRoom(2), closes: { $0.incomeByClose }
        ) {
            $0.income
        },
        exact("proceeds", "amount received, without fees, not rounded") { $0.exactProceeds },
        exact("cost", "purchase cost, with fees, not rounded") { $0.exactCost },
        exact("income", "value of what was received as income, not rounded") { $0.exactIncome },
        Field("unknown", "UNKNOWN", help: "rows of sales whose gain is not known, not included", column: .onRequest) {
            .integer($0.year.unknownGains)
        },
        Field(
            "unknown_income", "UNKNOWN INCOME", help: "entries of income whose value is not known, not included",
            column: .onRequest
        ) { .integer($0.year.unknownIncome) },
        Field(
            "by_close", "BY CLOSE", help: "rows of sales of which a sum is by the close of the day", column: .onRequest
        ) {
            .integer($0.year.gainsByClose)
        },
        Field(
            "income_by_close", "INCOME BY CLOSE", help: "entries of income whose value is by the close of the day",
            column: .onRequest
        ) { .integer($0.year.incomeByClose) },
        Field("left_out", "LEFT OUT", help: "disposals of more than was held, not included", column: .onRequest) {
            FieldValue($0.leftOut)
        },
    ]

    private static func money(
        _ name: String, _ title: String, help: String, _ column: FieldDescriptor.Column = .always,
        closes: @escaping @Sendable (SaleReport.Year) -> Int,
        _ value: @escaping @Sendable (SaleReport.Year) -> BigDecimal
    ) -> Field<Row> {
        @Sendable func text(_ row: Row) -> String { value(row.year).text(fractionDigits: row.currency.fractionDigits) }
        return Field(
            name, title, help: help, align: .trailing, column: column,
            cell: { ByClose.cell(text($0), closes($0.year) > 0) }
        ) { .decimal(text($0)) }
    }

    private static func exact(
        _ name: String, _ help: String, _ value: @escaping @Sendable (SaleReport.Year) -> BigDecimal
    ) -> Field<Row> {
        Field("exact_\(name)", "EXACT \(name.uppercased())", help: help, align: .trailing, column: .onRequest) {
            .decimal(value($0.year).description)
        }
    }

    static let command = Command(
        "gains", summary: "show realized gains and income by year",
        discussion: [
            "Amounts in other currencies count at the rate of their day; see hub market rates. What is not known, and a disposal of more tokens than were held, is left out with a warning; the exit code is 2 then."
        ],
        examples: [
            Example("hub market portfolio gains", "with the configured cost basis"),
            Example("hub market portfolio gains --basis average --json", "by average cost, for a script"),
            Example("hub market portfolio gains --portfolio savings --currency eur", "of one portfolio, in euros"),
        ],
        parameters: [MarketOptions.currency, MarketOptions.basis] + TradeOptions.filters + [TradeOptions.perPlace],
        fields: fields
    ) { (market: MarketPlugin, input: Input) in
        let gains = try await market.gains(
            in: MarketOptions.currency(input, market), basis: input[MarketOptions.basis],
            TradeOptions.filter(input, perPlace: input[TradeOptions.perPlace]), isOffline: input.offline)
        var output = Output.list(
            rows(gains), fields, count: "Cost by \(gains.basis.name)", empty: Diagnostic("No sales and no income"))
        let unknown = unknownNotes(gains)
        let notes = PortfolioListCommand.notes(gains.remarks, closes: !unknown.isEmpty) + unknown
        output = output.noting(all: notes)
        if gains.years.contains(where: { $0.gainsByClose + $0.incomeByClose > 0 }) {
            output = output.noting(ByClose.note)
        }
        if !notes.isEmpty { output.exit = .partly }
        return output
    }

    /// The warnings about sums that lack something.
    private static func unknownNotes(_ gains: PortfolioGains) -> [Diagnostic] {
        gains.years.filter { $0.unknownGains + $0.unknownIncome > 0 }.map { year in
            let parts = [
                year.unknownGains > 0 ? NumberFormat.counted(year.unknownGains, "sale") + " with unknown gain" : nil,
                year.unknownIncome > 0
                    ? NumberFormat.counted(year.unknownIncome, "income") + " with unknown value" : nil,
            ].compactMap { $0 }
            return .warning(
                "\(year.year): \(parts.joined(separator: " and ")) not included", code: "unknown-gain",
                hint: "hub market portfolio edit TRADE --price PRICE sets a price")
        }
    }

    /// The years, also those of which all disposals are left out.
    private static func rows(_ gains: PortfolioGains) -> [Row] {
        func year(_ sale: LeftOutSale) -> Int { sale.shortfall.trade.date.components.year }
        var years = gains.years
        for new in gains.remarks.leftOut.map(year) where !years.contains(where: { $0.year == new }) {
            years.append(SaleReport.Year(year: new))
        }
        return years.sorted { $0.year > $1.year }.map { sums in
            Row(
                year: sums, currency: gains.currency,
                leftOut: gains.remarks.leftOut.filter { year($0) == sums.year }.map(\.name))
        }
    }
}
