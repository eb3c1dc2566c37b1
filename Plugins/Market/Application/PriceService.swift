import HubKit
import MarketDomain
import Storage

/// Refreshes prices while the board is read or an alert waits for them. Before anyone asked for the market once, nothing
/// goes out.
struct PriceService: Service {
    let market: MarketPlugin

    /// How often it looks whether it is needed.
    private static let pause = Duration.seconds(15)

    func run() async throws {
        while true {
            try Task.checkCancellation()
            if try await market.neededRows() != nil, let lock = try await market.boardLock() {
                defer { withExtendedLifetime(lock) {} }
                try await market.keepBoard { try await market.neededRows() }
            }
            try await market.clock.sleep(for: Self.pause)
        }
    }
}

extension MarketPlugin {
    /// The right to keep the board live; nil while another process has it.
    func boardLock() async throws -> FileLock? { try await locks.tryAcquire("market/board") }

    /// The rows of the board that readers need now, none for alerts alone; nil when no prices are needed.
    func neededRows() async throws -> Range<Int>? {
        guard !isOffline else { return nil }
        return try await store.read { transaction in
            guard try transaction.wasAsked() else { return nil }
            if let rows = try transaction.neededRows(at: transaction.now, limit: Self.interestTerm) { return rows }
            return try transaction.hasEnabledAlerts() ? 0..<0 : nil
        }
    }

    /// Keeps the board live for as long as `needed` says so, with the first provider that answers; prices of alerts on other
    /// tokens are fetched beside it.
    func keepBoard(needed: @escaping @Sendable () async throws -> Range<Int>?) async throws {
        while try await needed() != nil, let provider = health.available(now: clock.now).first {
            let gateway = try await gateways.gateway(provider)
            let board = LiveBoard(gateway, in: currency, of: self)
            try? bus.listen()
            let interest = bus.changes(of: [TopicPattern(MarketEvents.interestChanged)])
            let follower = Task {
                for await _ in interest { if let rows = try await needed() { board.show(rows) } }
            }
            defer { follower.cancel() }
            try await board.run { progress in
                switch progress {
                case .stored:
                    guard let rows = try await needed() else { return .close }
                    try await refreshAlertTokens(from: provider)
                    return board.visible(rows)
                case .prices: return nil
                case .failed:
                    bus.announce(.some([MarketEvents.providersChanged]))
                    guard try await needed() != nil else { return .close }
                    return health.available(now: clock.now).first == provider ? nil : .close
                case .state(let state):
                    bus.announce(.some([MarketEvents.providersChanged]))
                    if case .stale = state, try await needed() == nil { return .close }
                    return nil
                }
            }
            try Task.checkCancellation()
        }
    }

    /// Fetches the prices of tokens with alerts that the board does not have.
    private func refreshAlertTokens(from provider: Provider) async throws {
        guard !provider.isPush else { return }
        let alerts = try await store.read { try $0.alerts().filter(\.isEnabled) }
        for (currency, group) in Dictionary(grouping: alerts, by: \.currency) {
            _ = try await refreshTokens(
                Array(Set(group.map(\.key))).sorted { $0.text < $1.text }, in: currency, isOffline: false)
        }
    }
}
