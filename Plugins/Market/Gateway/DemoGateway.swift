import MarketDomain
import MarketKnownProviders
import System

/// The invented market, as a provider that is always there.
struct DemoGateway: MarketGateway {
    let clock: any Clock

    let provider = Provider.demo
    let hasCharts = true
    func period(_ maximumAge: Duration) -> Duration { DemoMarket.step }

    func fetch(_ places: Range<Int>, in currency: Currency) async throws(GatewayError) -> BoardSlice {
        let all = 0..<DemoMarket.count
        return BoardSlice(
            places: all, total: all.count, rows: DemoMarket.board(all, in: currency, at: clock.now))
    }

    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage {
        DemoMarket.rows(ids, in: currency, at: clock.now)
    }

    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit] { DemoMarket.search(words) }

    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries {
        DemoMarket.series(id, days: days, in: currency, at: clock.now)
    }

    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle] {
        try await series(id, days: days, in: currency).candles(60)
    }

    func check() async throws(GatewayError) -> String { "demo data, not real prices" }
}
