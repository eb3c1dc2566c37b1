import SQLite

/// Looks once a second whether the database changed: what is behind the datagrams when one is lost.
package struct CommitWatch: Sendable {
    private let path: String
    private let bus: EventBus
    private let clock: any Clock

    /// Watches the database file at `path`.
    package init(path: String, bus: EventBus, clock: any Clock) {
        self.path = path
        self.bus = bus
        self.clock = clock
    }

    /// How often it looks; a look costs a few microseconds.
    static let interval = Duration.seconds(1)

    /// Calls `onChange` after each change by any process, until cancelled. `isUntold` says that the bus had no news in
    /// the meantime, so that whoever committed could not tell.
    package func run(onChange: (_ isUntold: Bool) -> Void) async throws {
        let connection = try Connection(path, mode: .readOnly)
        var version = try connection.dataVersion()
        var news = bus.newsCount
        while true {
            do { try await clock.sleep(for: CommitWatch.interval) } catch { return }
            let latest = try connection.dataVersion()
            let heard = bus.newsCount
            if latest != version { onChange(heard == news) }
            (version, news) = (latest, heard)
        }
    }
}
