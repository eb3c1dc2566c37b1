import BigInteger
import Commands
import HubKit
import MarketDomain

extension PortfolioCommands {
    private typealias Row = ListedEntity<TradeRecord>

    /// The columns of entries.
    static let tradeFields: [Field<ListedEntity<TradeRecord>>] = mainFields + valueFields + noteFields

    private static let mainFields: [Field<Row>] = [
        Field("id", "ID", help: "id of the entry") { .id($0.summary.id, shown: $0.shortID.count) },
        Field("date", "DATE", help: "day of the entry") { .day($0.summary.trade.date) },
        Field("time", "TIME", help: "time of the day, if it is known", column: .ifRoom(1)) { row in
            row.summary.trade.time.map { .text("\(TradeTime(seconds: $0))") } ?? .null
        },
        Field(
            "kind", "KIND",
            help: "buy, sell, swap, transfer, income, gift-received, gift-given, loss or fee",
            cell: {
                let trade = $0.summary.trade
                return trade.details.income.flatMap { $0 == .other ? nil : $0.rawValue } ?? trade.kind.rawValue
            }
        ) { .text($0.summary.trade.kind.rawValue) },
        Field("token", "TOKEN", help: "id of the token", column: .onRequest) { .text($0.summary.trade.tokenID) },
        Field("symbol", "COIN", help: "symbol of the token") { .text($0.summary.symbol) },
        Field("amount", "AMOUNT", help: "number of tokens", align: .trailing) { decimal($0.summary.trade.amount) },
        Field(
            "received_amount", "RECEIVED", help: "number of tokens that a swap gave", align: .trailing,
            column: .ifRoom(2),
            cell: { row in
                row.summary.trade.received.map { "\($0.amount) \(row.summary.symbol(of: $0.tokenID))" } ?? ""
            }
        ) { decimal($0.summary.trade.received?.amount) },
        Field("received_token", "RECEIVED TOKEN", help: "id of the token that a swap gave", column: .onRequest) {
            FieldValue($0.summary.trade.received?.tokenID)
        },
        Field("received_symbol", "RECEIVED COIN", help: "symbol of the token that a swap gave", column: .onRequest) {
            row in FieldValue(row.summary.trade.received.map { row.summary.symbol(of: $0.tokenID) })
        },
    ]

    private static let valueFields: [Field<Row>] = [
        Field(
            "price", "PRICE", help: "price of one token; null when it is not known, or only the total is",
            align: .trailing, cell: { priceCell($0.summary.trade) }
        ) { decimal($0.summary.trade.price) },
        Field(
            "total", "TOTAL", help: "value of all tokens; null when it is not known", align: .trailing,
            column: .onRequest
        ) { decimal($0.summary.trade.total) },
        Field(
            "fee", "FEE", help: "fee in the currency; null for a fee in a coin", align: .trailing,
            cell: { row in
                let trade = row.summary.trade
                return trade.fee.coin.map { "\($0.amount) \(row.summary.symbol(of: $0.tokenID))" }
                    ?? "\(trade.fee.money ?? 0)"
            }
        ) { decimal($0.summary.trade.fee.money) },
        Field("fee_amount", "FEE AMOUNT", help: "number of tokens of a fee in a coin", column: .onRequest) {
            decimal($0.summary.trade.fee.coin?.amount)
        },
        Field("fee_token", "FEE TOKEN", help: "id of the token of a fee in a coin", column: .onRequest) {
            FieldValue($0.summary.trade.fee.coin?.tokenID)
        },
        Field("fee_symbol", "FEE COIN", help: "symbol of the token of a fee in a coin", column: .onRequest) { row in
            FieldValue(row.summary.trade.fee.coin.map { row.summary.symbol(of: $0.tokenID) })
        },
        Field("fee_value", "FEE VALUE", help: "what a fee in a coin was worth in the currency", column: .onRequest) {
            row in if case .coin(_, let value) = row.summary.trade.fee { decimal(value) } else { .null }
        },
        Field("currency", "CURRENCY", help: "currency of price and fee", cell: { $0.summary.trade.currency.name }) {
            .text($0.summary.trade.currency.code)
        },
    ]

    private static let noteFields: [Field<Row>] = [
        Field(
            "place", "PLACE", help: "wallet or exchange, or where a transfer began", column: .ifRoom(3),
            cell: { row in
                let details = row.summary.trade.details
                guard row.summary.trade.kind == .transfer else { return details.place }
                return [details.place, details.destination].map { $0.isEmpty ? "-" : $0 }.joined(separator: " > ")
            }
        ) { text($0.summary.trade.details.place) },
        Field("destination", "TO", help: "wallet or exchange where a transfer ended", column: .onRequest) {
            text($0.summary.trade.details.destination)
        },
        Field("portfolio", "PORTFOLIO", help: "name of the portfolio", column: .ifRoom(4)) {
            text($0.summary.trade.details.portfolio)
        },
        Field("income", "SOURCE", help: "source of an income", column: .onRequest) {
            FieldValue($0.summary.trade.details.income?.rawValue)
        },
        Field("tags", "TAGS", help: "tags", column: .ifRoom(5)) { FieldValue($0.summary.tags) },
        Field("note", "NOTE", help: "remark", column: .ifRoom(6)) { text($0.summary.trade.details.note) },
    ]

    private static func decimal(_ value: BigDecimal?) -> FieldValue {
        value.map { .decimal($0.description) } ?? .null
    }

    private static func text(_ text: String) -> FieldValue { text.isEmpty ? .null : .text(text) }

    /// The price of one token, or that of all.
    private static func priceCell(_ trade: Trade) -> String {
        switch trade.value {
        case .each(let price)?: "\(price)"
        case .total(let total)?: "\(total) in all"
        case nil: trade.kind.hasValue && trade.kind != .giftGiven ? FiatFormat.unknown : ""
        }
    }
}
