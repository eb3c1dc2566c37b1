import BigInteger
import MarketDomain
import MarketFormats
import Time

/// Answers of providers, and portfolios of other programs.
enum MarketFuzzing {
    private static let arrival = Instant(milliseconds: 1_790_000_000_000)

    static func page(_ input: [UInt8]) -> String? {
        let pages = [
            try? CoinGeckoMarkets.page(input, arrival: arrival),
            try? CoinPaprikaTickers(currency: .usd).page(input, arrival: arrival),
        ]
        for page in pages.compactMap({ $0 }) {
            guard Set(page.rows.map(\.token.id)).count == page.rows.count else { return "an id is in one row" }
            guard page.rows.count + page.droppedRows <= page.sentCount else { return "no row comes from nowhere" }
            for row in page.rows {
                guard isPlain(row.token.name), isPlain(row.token.symbol) else { return "names have no controls" }
                for value in Price.Field.allCases.compactMap({ row.price.value($0) }) {
                    guard BigDecimal(value.description) == value else { return "a number is read as it is written" }
                    _ = PriceFormat.text(value, .usd) + CompactNumber.text(value) + PercentFormat.signed(value)
                }
            }
        }
        _ = try? CoinGeckoSearch.hits(input)
        _ = try? CoinPaprikaSearch.hits(input)
        if let series = try? CoinGeckoChart.series(input) {
            guard zip(series.points, series.points.dropFirst()).allSatisfy({ $0.time < $1.time }) else {
                return "the points of a chart are in order"
            }
            _ = ChartDrawing.line(series, columns: 20, rows: 5)
        }
        if let candles = try? CoinGeckoChart.candles(input) { _ = ChartDrawing.candles(candles, columns: 20, rows: 5) }
        _ = ProviderErrorBody.error(status: 200, body: input)
        return nil
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" }
    }

    static func signal(_ input: [UInt8]) -> String? {
        _ = try? StatusGoRPC.result(input, id: 1)
        switch try? StatusGoSignal(input, arrival: arrival) {
        case .pageDone(let page)?, .pageUpdated(let page)?:
            guard Set(page.rows.rows.map(\.token.id)).count == page.rows.rows.count else {
                return "an id is in one row"
            }
        case .routes(_, let event)?: _ = StatusGoRoutes(event)
        default: break
        }
        return nil
    }

    static func portfolio(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let results = [try? TickerConfig.read(text), try? CointopConfig.read(text), try? TradeCSV.read(input)]
        if let file = ImportedFile.read(input, name: "")?.file {
            let rows = file.entries.flatMap(\.rows) + file.omitted.values.joined() + file.issues.map(\.row)
            guard rows.count == file.rowCount else { return "each row is booked, left out or listed once" }
            _ = PortfolioImport(file, source: "fuzz")
        }
        for trade in results.compactMap({ $0 }).flatMap(\.trades) {
            guard trade.amount > 0, !(trade.price?.isNegative ?? false), !trade.fee.isNegative else {
                return "trades have sensible values"
            }
        }
        _ = try? PrefixedAddress(text, networks: NetworkList([]))
        _ = try? PaymentRequest(text, networks: NetworkList([]))
        _ = try? AlertCondition(text)
        return nil
    }
}
