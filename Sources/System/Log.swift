/// The log of background work: standard error or the journal, never standard output.
package struct Log: Sendable {
    /// The severity of a line; the raw value is the priority of syslog(3).
    package enum Level: Int, Sendable, Comparable {
        case error = 3, warning = 4, notice = 5, info = 6, debug = 7

        /// Whether `left` is less severe.
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The component: a plugin or a service.
    package let label: String
    private let sink: @Sendable (Level, _ label: String, _ message: String) -> Void

    package init(label: String, sink: @escaping @Sendable (Level, String, String) -> Void) {
        self.label = label
        self.sink = sink
    }

    /// The same log under another label.
    package func labelled(_ label: String) -> Log { Log(label: label, sink: sink) }

    /// Writes a line of the level `level`.
    package func write(_ level: Level, _ message: String) { sink(level, label, message) }

    /// Logs a failure that needs attention.
    package func error(_ message: String) { sink(.error, label, message) }
    /// Logs a problem that did not stop the operation.
    package func warning(_ message: String) { sink(.warning, label, message) }
    /// Logs a normal but significant event.
    package func notice(_ message: String) { sink(.notice, label, message) }
    /// Logs an event of normal operation.
    package func info(_ message: String) { sink(.info, label, message) }
    /// Logs details for debugging.
    package func debug(_ message: String) { sink(.debug, label, message) }
}
