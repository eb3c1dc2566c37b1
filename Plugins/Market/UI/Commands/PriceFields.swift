import BigInteger
import Commands
import MarketDomain
import MarketKnownProviders

/// The columns of tokens with their prices.
enum PriceFields {
    /// The fields, with the currency in the titles; those of rows without a number show it only on request.
    static func all(_ currency: Currency, isNumbered: Bool = true) -> [Field<RankedRow>] {
        [
            Field(
                "number", "#", help: "number by market cap", align: .trailing,
                column: isNumbered ? .always : .onRequest
            ) { FieldValue($0.number) },
            Field("name", "COIN", help: "name of the token", cell: { label($0.row.token) }) {
                .text($0.row.token.name)
            },
            Field("symbol", "SYMBOL", help: "ticker symbol", column: .onRequest) { .text($0.row.token.symbol) },
            Field("id", "ID", help: "id of the token", column: .onRequest) { .text($0.key.text) },
            number("price", "PRICE \(currency.name)", .current, help: "price") { PriceFormat.column($0, currency) },
            change("change_1h_percent", "1 H", .change1h, 2, .onRequest),
            change("change_24h_percent", "24 H", .change24h, 2, .ifRoom(1)),
            change("change_7d_percent", "7 D", .change7d, 1, .ifRoom(2)),
            number("market_cap", "MARKET CAP", .marketCap, help: "market cap", column: .ifRoom(3), compact),
            number("volume_24h", "VOLUME", .volume24h, help: "volume of 24 hours", column: .onRequest, compact),
            Field(
                "sparkline", "7 DAYS", help: "levels of seven days, from 0 to 255", column: .ifRoom(4),
                cell: { bars($0.row.sparkline) }
            ) { .list(($0.row.sparkline?.levels ?? []).map { .integer(Int($0)) }) },
            number("high_24h", "HIGH 24 H", .high24h, help: "highest price of 24 hours", column: .onRequest) {
                PriceFormat.column($0, currency)
            },
            number("low_24h", "LOW 24 H", .low24h, help: "lowest price of 24 hours", column: .onRequest) {
                PriceFormat.column($0, currency)
            },
            number(
                "circulating_supply", "SUPPLY", .circulatingSupply, help: "circulating supply", column: .onRequest,
                compact),
            number("all_time_high", "ALL-TIME HIGH", .allTimeHigh, help: "highest price ever", column: .onRequest) {
                PriceFormat.column($0, currency)
            },
            Field("currency", "CURRENCY", help: "currency of the price", column: .onRequest) {
                .text($0.currency.code)
            },
            Field("provider", "PROVIDER", help: "source of the price", column: .onRequest) {
                FieldValue($0.provider?.rawValue)
            },
            Field("attribution", "ATTRIBUTION", help: "attribution required by the source", column: .onRequest) {
                FieldValue($0.provider?.attribution)
            },
            Field("as_of", "AS OF", help: "time of the price", column: .onRequest) { FieldValue($0.row.time) },
        ]
    }

    /// The name and the symbol, cut to fit a column: `Bitcoin BTC`.
    static func label(_ token: Token) -> String { "\(TokenLabel.truncated(token.name, to: 24)) \(token.symbol)" }

    /// A sparkline of nine bars.
    static func bars(_ sparkline: Sparkline?) -> String {
        ChartDrawing.bars((sparkline?.levels ?? []).map(Double.init), columns: 9)
    }

    /// Large numbers, as in `376.6 B`.
    static let compact: @Sendable (BigDecimal) -> String = {
        CompactNumber.text($0, .significant(4), separator: " ")
    }

    private static func number(
        _ name: String, _ title: String, _ field: Price.Field, help: String,
        column: FieldDescriptor.Column = .always, _ text: @escaping @Sendable (BigDecimal) -> String
    ) -> Field<RankedRow> {
        Field(
            name, title, help: help, align: .trailing, column: column,
            cell: { $0.row.value(field).map(text) ?? FiatFormat.unknown }
        ) { $0.row.value(field).map { .decimal($0.description) } ?? .null }
    }

    private static func change(
        _ name: String, _ title: String, _ field: Price.Field, _ digits: Int, _ column: FieldDescriptor.Column
    ) -> Field<RankedRow> {
        Field(
            name, title, help: "change in percent", align: .trailing, column: column,
            cell: {
                $0.row.value(field).map { PercentFormat.signed($0, fractionDigits: digits) } ?? FiatFormat.unknown
            },
            tone: { tone($0.row.value(field), digits) }
        ) { $0.row.value(field).map { .decimal($0.description) } ?? .null }
    }

    /// Good for what rose, bad for what fell.
    static func tone(_ percent: BigDecimal?, _ digits: Int = 2) -> TextStyle {
        switch percent.map({ PercentFormat.direction($0, fractionDigits: digits) }) {
        case .up?: .good
        case .down?: .bad
        case .flat?, nil: .plain
        }
    }
}
