import HubKit

/// Keeps the lists of contracts, by which the ids of several providers are one coin, while lists, trades or alerts name a coin.
struct ContractService: Service {
    let market: MarketPlugin

    /// How often it looks whether the lists are old, and tries again what failed.
    private static let pause = Duration.seconds(3600)
    /// Prices go first when everything starts.
    private static let firstPause = Duration.seconds(60)

    func run() async throws {
        try await market.clock.sleep(for: Self.firstPause)
        while true {
            try Task.checkCancellation()
            if try await market.needsContracts() { try await market.refreshContracts(isOffline: false) }
            try await market.clock.sleep(for: Self.pause)
        }
    }
}
