import MarketDomain
import MarketFormats
import MarketKnownProviders
import System

/// status-go: pages come as signals, and one page at a time is kept live.
struct StatusGoGateway: MarketGateway {
    let session: StatusGoSession
    let clock: any Clock

    let provider = Provider.statusGo
    let hasCharts = false

    func live(in currency: Currency) -> LiveBoard? { LiveBoard(self, in: currency, clock: clock) }

    func fetch(_ places: Range<Int>, in currency: Currency) async throws(GatewayError) -> BoardSlice {
        throw .refused(0, "status-go sends its board by itself")
    }

    /// What happens without being asked for: pushed pages and prices, and a link that is lost or restored. It has one reader.
    func events() -> AsyncStream<LeaderboardFlow.Event> {
        AsyncStream { continuation in
            let reader = Task {
                for await event in await session.boardEvents() { continuation.yield(event) }
                continuation.finish()
            }
            continuation.onTermination = { _ in reader.cancel() }
        }
    }

    /// Asks for a page; nil when the answer will be one of ``events()``.
    func fetch(_ request: LeaderboardFlow.Request) async -> LeaderboardFlow.Event? {
        do {
            _ = try await session.call(
                "wallet_fetchMarketTokenPageAsync",
                StatusGoRPC.pageParameters(
                    page: request.page.number, size: request.page.size, currency: request.currency))
            await session.setLive(true)
            return nil
        } catch {
            return .pageFailed(request: request.id, error)
        }
    }

    /// Takes the live page back.
    func unsubscribe() async {
        await session.setLive(false)
        // "No subscription found" is as good.
        _ = try? await session.call("wallet_unsubscribeFromLeaderboard")
    }

    func rows(_ ids: [String], in currency: Currency) async throws(GatewayError) -> MarketPage {
        throw .refused(0, "status-go provides only the tokens of its board")
    }

    func contracts() async throws(GatewayError) -> [CoinContract] {
        let wallet = StatusGoWalletClient(session: session)
        var contracts: [CoinContract] = []
        for network in try await wallet.networks().networks {
            guard let chain = network.contractChain else { continue }
            contracts += try await wallet.contracts(on: network.chainID, chain: chain)
        }
        return contracts
    }

    func search(_ words: String) async throws(GatewayError) -> [MarketDomain.SearchHit] {
        throw .refused(0, "status-go cannot search")
    }

    func series(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> ChartSeries {
        throw .refused(0, "status-go has no history by coin")
    }

    func candles(_ id: String, days: Int?, in currency: Currency) async throws(GatewayError) -> [Candle] {
        throw .refused(0, "status-go has no history by coin")
    }

    func check() async throws(GatewayError) -> String {
        let version = try await session.health()
        try await session.start()
        return "version \(version)"
    }
}
