import MarketDomain
import System

/// The invented market, as a provider that is always there.
struct DemoGateway: MarketGateway {
    let clock: any Clock

    let provider = Provider.demo
    let hasCharts = true
    let behavior = LeaderboardFlow.Behavior(
        isPush: false, pageSize: DemoMarket.count, maximumPageSize: DemoMarket.count, freshness: DemoMarket.step,
        timeout: .seconds(30))

    func fetch(_ request: LeaderboardFlow.Request) async -> LeaderboardFlow.Event? {
        let rows = DemoMarket.page(request.page, in: request.currency, at: clock.now)
        return .pageArrived(
            request: request.id,
            LeaderboardFlow.Page(page: request.page, currency: request.currency, total: DemoMarket.count, rows: rows))
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
