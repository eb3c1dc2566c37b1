package import Commands

/// Background work of `hub serve`.
package protocol Service: Sendable {
    /// Works until the task is cancelled, and returns soon after that.
    ///
    /// What it throws is kept as its last error, and it is started again after a while; so it is when it returns
    /// without being asked. It knows no other service.
    func run() async throws
}

/// A background service that a plugin offers to `hub serve`.
package struct ServiceDeclaration: Sendable {
    /// The service's word, unique within the plugin.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// Builds the service from the plugin.
    package let make: @Sendable (any PluginHost) throws -> any Service

    /// Creates a declaration for the plugin `P`; `make` runs in the daemon for each start.
    package init<P: Plugin>(_ id: String, summary: String, make: @escaping @Sendable (P) throws -> any Service) {
        self.id = id
        self.summary = summary
        self.make = { host in try make(host.plugin(P.self)) }
    }

    /// Creates a declaration of work that the plugin `P` repeats: at the start of `hub serve`, and `interval` after it
    /// was done. With an interval of minutes, a new day is noticed soon, also after the machine slept.
    package init<P: Plugin>(
        _ id: String, summary: String, every interval: Duration, clock: @escaping @Sendable (P) -> any Clock,
        perform: @escaping @Sendable (P) async throws -> Void
    ) {
        self.init(id, summary: summary) { (plugin: P) in
            PeriodicService(interval: interval, clock: clock(plugin)) { try await perform(plugin) }
        }
    }
}

/// Work that is repeated until the task is cancelled.
private struct PeriodicService: Service {
    let interval: Duration
    let clock: any Clock
    let perform: @Sendable () async throws -> Void

    func run() async throws {
        while true {
            try await perform()
            try await clock.sleep(for: interval)
        }
    }
}

/// Something that a plugin does once a day, at the end of the first command of the day: so it is done where no daemon runs too.
/// It may be done again, by a second process or by a service, and then changes nothing.
package struct DailyJob: Sendable {
    /// The job's word, unique within the plugin.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// Does it.
    package let perform: @Sendable (any PluginHost) async throws -> Void

    /// Creates a job for the plugin `P`; `id` is unique within the plugin.
    package init<P: Plugin>(_ id: String, summary: String, perform: @escaping @Sendable (P) async throws -> Void) {
        self.id = id
        self.summary = summary
        self.perform = { host in try await perform(host.plugin(P.self)) }
    }
}
