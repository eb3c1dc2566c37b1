import HubKit
import Storage

/// Brings durable events to their subscribers as long as the daemon runs, and forgets subscribers that are gone.
///
/// Old events are removed by `MaintenanceService`, which knows whether the clock can be trusted.
struct DeliveryService: Service {
    private let hub: Hub
    /// When the services that emit events began to start.
    private let start: Instant

    private static let interval = Duration.seconds(86_400)

    init(_ hub: Hub, since start: Instant) { (self.hub, self.start) = (hub, start) }

    func run() async throws {
        try hub.reportBrokenHooks()
        let delivery = try hub.delivery()
        let absent = AbsentSubscribers(
            store: try hub.eventStore(), subscribers: try Subscribers(hub).all(), clock: hub.clock,
            log: hub.log.labelled("events"))
        try await withThrowingTaskGroup { group in
            group.addTask { try await delivery.run(since: start) }
            group.addTask { try await forgetDaily(absent) }
            try await group.waitForAll()
        }
    }

    private func forgetDaily(_ absent: AbsentSubscribers) async throws {
        while !Task.isCancelled {
            try await absent.forget()
            try? await hub.clock.sleep(for: DeliveryService.interval)
        }
    }
}
