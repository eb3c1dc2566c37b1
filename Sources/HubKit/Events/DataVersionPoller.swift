import SQLite

/// Checks once a second whether the database changed, as a fallback for lost datagrams.
package struct DataVersionPoller: Sendable {
    private let path: String
    private let bus: EventBus
    private let clock: any Clock

    /// Watches the database file at `path`.
    package init(path: String, bus: EventBus, clock: any Clock) {
        self.path = path
        self.bus = bus
        self.clock = clock
    }

    /// The interval between checks; each takes a few microseconds.
    static let interval = Duration.seconds(1)

    /// Calls `onChange` after each change by any process, until cancelled. `isUntold` means that the bus had no news
    /// in the meantime, so the committing process could not announce it.
    package func run(onChange: (_ isUntold: Bool) -> Void) async throws {
        let connection = try Connection(path, mode: .readOnly)
        var version = try connection.dataVersion()
        var news = bus.newsCount
        while true {
            do { try await clock.sleep(for: DataVersionPoller.interval) } catch { return }
            let latest = try connection.dataVersion()
            let heard = bus.newsCount
            if latest != version { onChange(heard == news) }
            (version, news) = (latest, heard)
        }
    }
}
