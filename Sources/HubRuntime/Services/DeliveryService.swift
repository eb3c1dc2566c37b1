import HubKit

/// Brings durable events to their subscribers as long as the daemon runs, and forgets old ones once a day.
struct DeliveryService: Service {
    private let hub: Hub

    private static let pruneInterval = Duration.seconds(86_400)

    init(_ hub: Hub) { self.hub = hub }

    func run() async throws {
        try hub.reportBrokenHooks()
        let (delivery, prune) = (try hub.delivery(), try hub.pruneEvents())
        let forget = ForgetAbsentSubscribers(
            store: try hub.eventStore(), subscribers: try Subscribers(hub).all(), clock: hub.clock,
            log: hub.log.labelled("events"))
        try await withThrowingTaskGroup { group in
            group.addTask { try await delivery.run() }
            group.addTask { try await forgetDaily(forget, prune) }
            try await group.waitForAll()
        }
    }

    private func forgetDaily(_ forget: ForgetAbsentSubscribers, _ prune: PruneEvents) async throws {
        while !Task.isCancelled {
            try await forget()
            let count = try await prune()
            if count > 0 { hub.log.labelled("events").info("\(count) old events deleted") }
            try? await hub.clock.sleep(for: DeliveryService.pruneInterval)
        }
    }
}
