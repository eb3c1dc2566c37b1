import MarketDomain
import MarketFormats
import MarketKnownProviders

/// CoinGecko, without a key or with one.
struct CoinGeckoGateway: MarketGateway {
    let client: ProviderClient
    let api: CoinGeckoAPI

    let provider = Provider.coingecko
    let hasCharts = true
    var maximumDays: Int? { api.plan.maximumDays }

    func fetch(_ places: Range<Int>, in currency: Currency) async throws(GatewayError) -> BoardSlice {
        let size = CoinGeckoAPI.maximumPageSize
        let page = places.lowerBound / size
        // A page with prices of the week costs one call, one for each coin would cost hundreds.
        let rows = try await client.get(
            api.markets(page: page + 1, size: size, in: currency, sparkline: true), CoinGeckoMarkets.page)
        return BoardSlice(places: page * size..<(page + 1) * size, total: nil, rows: rows)
    }

    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage {
        var (rows, sent, dropped, lost) = ([MarketRow](), 0, 0, 0)
        for request in api.markets(ids: ids, in: currency, sparkline: true) {
            let page = try await client.get(request, CoinGeckoMarkets.page)
            rows += page.rows
            (sent, dropped, lost) = (sent + page.sentCount, dropped + page.droppedRows, lost + page.lostFields)
        }
        return MarketPage(rows: rows, sentCount: sent, droppedRows: dropped, lostFields: lost)
    }

    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit] {
        try await client.get(api.search(words)) { body, _ throws(GatewayError) in try CoinGeckoSearch.hits(body) }
    }

    func allTokens() async throws(GatewayError) -> [MarketDomain.SearchHit] {
        try await client.get(api.list()) { body, _ throws(GatewayError) in try CoinGeckoSearch.list(body) }
    }

    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries {
        try await client.get(api.chart(id, days: days, in: currency)) { body, _ throws(GatewayError) in
            try CoinGeckoChart.series(body)
        }
    }

    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle] {
        try await client.get(api.candles(id, days: days, in: currency)) { body, _ throws(GatewayError) in
            try CoinGeckoChart.candles(body)
        }
    }

    func check() async throws(GatewayError) -> String {
        _ = try await client.get(api.ping())
        return switch api.plan {
        case .keyless: "without a key"
        case .demo: "demo key"
        case .pro: "pro key"
        }
    }
}
