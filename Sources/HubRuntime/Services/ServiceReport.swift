/// One line of the services in `hub status`.
package struct ServiceReport: Sendable, Equatable {
    /// The service's name, such as `contacts/birthdays`.
    package let id: String
    /// The state of the service.
    package let state: ServiceHealth.State
    /// The number of unexpected ends since it last ran well.
    package let failures: Int
    /// The reason of the last unexpected end, in one line; nil when there was none.
    package let lastError: String?

    /// Creates the report of the service `id` from its health.
    package init(id: String, health: ServiceHealth) {
        self.id = id
        state = health.state
        failures = health.failures
        lastError = health.lastError
    }
}

extension ServiceReport {
    /// Whether its first start is over, however it came out.
    var isStarted: Bool {
        switch state {
        case .stopped, .starting: false
        case .running, .backingOff, .failed, .stopping: true
        }
    }
}

extension [ServiceReport] {
    /// The status line for the service manager: `3 services running, notes/sync failed`.
    package var summary: String {
        let running = count { if case .running = $0.state { true } else { false } }
        let others = compactMap { report -> String? in
            switch report.state {
            case .failed: "\(report.id) failed"
            case .backingOff: "\(report.id) is restarting"
            case .stopped, .starting, .running, .stopping: nil
            }
        }
        return (["\(running) \(running == 1 ? "service" : "services") running"] + others).joined(separator: ", ")
    }
}
