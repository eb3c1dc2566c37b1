import MarketDomain
import MarketFormats
import MarketKnownProviders

/// CoinPaprika without a key: its one list has all tokens at once, and it has no free history.
struct CoinPaprikaGateway: MarketGateway {
    let client: ProviderClient

    let provider = Provider.coinpaprika
    let hasCharts = false
    private static let noHistory = GatewayError.refused(402, "CoinPaprika has no free history")

    /// Its calls are counted by the month, and more than one in two minutes would use them up before its end.
    func period(_ maximumAge: Duration) -> Duration { max(maximumAge * 5 / 6, .seconds(135)) }

    func fetch(_ places: Range<Int>, in currency: Currency) async throws(GatewayError) -> BoardSlice {
        let all = try await tickers(in: currency)
        return BoardSlice(places: 0..<provider.maximumPlaces, total: all.sentCount, rows: all)
    }

    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage {
        let all = try await tickers(in: currency)
        let wanted = Set(ids)
        return MarketPage(
            rows: all.rows.filter { wanted.contains($0.token.id) }, sentCount: all.sentCount,
            droppedRows: all.droppedRows, lostFields: all.lostFields)
    }

    private func tickers(in currency: Currency) async throws(GatewayError) -> MarketPage {
        let decoder = CoinPaprikaTickers(currency: currency)
        return try await client.get(CoinPaprikaAPI.tickers(in: currency)) { body, arrival throws(GatewayError) in
            try decoder.page(body, arrival: arrival)
        }
    }

    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit] {
        try await client.get(CoinPaprikaAPI.search(words)) { body, _ throws(GatewayError) in
            try CoinPaprikaSearch.hits(body)
        }
    }

    func contracts() async throws(GatewayError) -> [CoinContract] {
        var contracts: [CoinContract] = []
        for (platform, chain) in CoinPaprikaAPI.platforms {
            contracts += try await client.get(CoinPaprikaAPI.contracts(platform)) { body, _ throws(GatewayError) in
                try CoinPaprikaContracts.contracts(body, chain: chain)
            }
        }
        return contracts
    }

    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries {
        throw Self.noHistory
    }

    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle] {
        throw Self.noHistory
    }

    func check() async throws(GatewayError) -> String {
        _ = try await client.get(CoinPaprikaAPI.search("bitcoin"))
        return "without a key"
    }
}
