import HubKit
import Storage

/// Keeps history, outbox and trash from growing forever: an old operation loses its undo, an old event and what has been
/// in the trash for `trash.days` are deleted. Other data never is.
struct MaintenanceService: Service {
    /// The time for which an operation can be undone.
    private static let undoLife = Duration.seconds(90 * 24 * 3600)
    /// The maximum size of the changes kept for undo, in bytes.
    private static let undoRoom = 200 << 20
    private static let never = Instant(milliseconds: .min)
    private static let interval = Duration.seconds(6 * 3600)

    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func run() async throws {
        while true {
            let database = try hub.database()
            let now = try await database.trustedNow(forAge: Self.undoLife)
            // Without a trusted time nothing is too old, and what is too much is the oldest all the same.
            try await database.history
                .expire(before: now.map { $0 - Self.undoLife } ?? Self.never, keepingBytes: Self.undoRoom)
            if let now { _ = try await hub.outboxPruner().prune(before: now - OutboxPruner.keptFor) }
            try await hub.emptyOldTrash()
            try await hub.database().collectBlobs()
            try await hub.database().checkpoint()
            try await hub.clock.sleep(for: Self.interval)
        }
    }
}
