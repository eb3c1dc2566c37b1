import HubKit

/// Takes back what a process that died has left half done, so that nobody sees half an import for long.
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
