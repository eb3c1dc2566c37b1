import Glibc
import HubKit

/// The state of the daemon's services, in a file that it replaces at each change; other processes read it.
struct ServiceReports: Sendable {
    /// One service, as it is shown.
    struct Line: Sendable, Equatable {
        /// The name, such as `contacts/birthdays`.
        let service: String
        /// `running`, `restarting`, `failed`, `starting`, `stopping` or `stopped`.
        let state: String
        /// The last error; empty when there was none.
        let detail: String
    }

    /// The path of the file; nil when there is no folder for it.
    private let path: String?

    init(_ hub: Hub) { path = hub.directories.runtime.map { $0 + "/services" } }

    /// Returns the last report of the daemon; empty when none runs.
    func read() -> [Line] {
        guard let path, let bytes = try? BoundedFile.read(path, limit: 1 << 20, followsLinks: false) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            return cells.count == 3 ? Line(service: cells[0], state: cells[1], detail: cells[2]) : nil
        }
    }

    /// Replaces the report. Write errors are ignored.
    func write(_ reports: [ServiceReport]) {
        let lines = reports.map { report in
            [report.id, Self.word(report.state), TerminalSanitizer.line(report.lastError ?? "")].joined(separator: "\t")
                + "\n"
        }
        guard let path, let file = try? AtomicFile(path: path) else { return }
        guard (try? file.write(Array(lines.joined().utf8))) != nil else { return file.discard() }
        try? file.commit(isLasting: false)
    }

    /// Takes the file away when the daemon ends.
    func remove() { path.map { _ = unlink($0) } }

    private static func word(_ state: ServiceHealth.State) -> String {
        switch state {
        case .stopped: "stopped"
        case .starting: "starting"
        case .running: "running"
        case .backingOff: "restarting"
        case .failed: "failed"
        case .stopping: "stopping"
        }
    }
}

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
