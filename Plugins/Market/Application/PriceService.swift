import HubKit

/// Keeps prices fresh while someone looks at them or an alert waits for them. Before anyone asked for the market once,
/// nothing goes out.
struct PriceService: Service {
    let market: MarketPlugin

    /// How often it looks whether it is needed.
    private static let pause = Duration.seconds(15)

    func run() async throws {
        while true {
            try Task.checkCancellation()
            if try await market.neededPrices() != nil, let lock = try await market.boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await market.keepPrices()
            }
            try await market.clock.sleep(for: min(Self.pause, market.handOver))
        }
    }
}
