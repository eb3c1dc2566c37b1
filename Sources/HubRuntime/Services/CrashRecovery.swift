import HubKit

/// Rolls back the unfinished work of processes that died, so that half an import is not visible for long.
struct CrashRecovery: Service {
    private static let interval = Duration.seconds(30)

    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func run() async throws {
        while true {
            try await hub.database().rollBackAbandoned()
            try await hub.clock.sleep(for: Self.interval)
        }
    }
}
