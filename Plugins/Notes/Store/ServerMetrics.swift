import Synchronization
import System

/// What a notes server counts, in the text format of Prometheus. No account and no note is in it.
final class ServerMetrics: Sendable {
    /// What is counted.
    enum Counter: String, CaseIterable {
        /// Requests of hub's protocol, by their kinds and how they ended.
        case requests = "hub_notes_requests_total"
        /// Transactions that wrote into the database, and the requests in them.
        case commits = "hub_notes_commits_total"
        case committed = "hub_notes_committed_requests_total"
        /// Looks at the database for what others have committed, by their reasons.
        case wakes = "hub_notes_wakes_total"
        /// Rows that were removed because nothing needs them.
        case pruned = "hub_notes_pruned_rows_total"

        var help: String {
            switch self {
            case .requests: "Requests of clients of hub's protocol."
            case .commits: "Transactions that wrote into the database."
            case .committed: "Requests that these transactions carried out."
            case .wakes: "Looks for what other servers have committed."
            case .pruned: "Rows that were removed from the database because nothing needs them."
            }
        }
    }

    /// What takes time.
    enum Timer: String, CaseIterable {
        /// From a request to its answer.
        case request = "hub_notes_request_seconds"
        /// A transaction that writes.
        case commit = "hub_notes_commit_seconds"

        var help: String {
            self == .request ? "Time from a request to its answer." : "Time of a transaction that wrote."
        }
    }

    /// What there is now.
    struct Gauge: Sendable {
        let name: String
        let help: String
        let value: Double
        var labels = ""

        init(_ name: String, _ help: String, _ value: Double, labels: String = "") {
            (self.name, self.help, self.value, self.labels) = ("hub_notes_" + name, help, value, labels)
        }
    }

    private struct Histogram {
        /// The upper ends of the ranges, in seconds.
        static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

        var counts = [Int](repeating: 0, count: bounds.count)
        var count = 0
        var sum = 0.0
    }

    private struct State {
        /// The counts by name and labels.
        var counts: [Counter: [String: Int]] = [:]
        var times: [Timer: Histogram] = [:]
    }

    private let state = Mutex(State())

    /// Counts something; `labels` are those of Prometheus, such as `kind="edit"`, of few values.
    func count(_ counter: Counter, _ labels: String = "", by number: Int = 1) {
        state.withLock { $0.counts[counter, default: [:]][labels, default: 0] += number }
    }

    /// Records how long something took.
    func record(_ timer: Timer, _ duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        state.withLock { state in
            var histogram = state.times[timer, default: Histogram()]
            if let index = Histogram.bounds.firstIndex(where: { seconds <= $0 }) { histogram.counts[index] += 1 }
            histogram.count += 1
            histogram.sum += seconds
            state.times[timer] = histogram
        }
    }

    /// Returns everything with what there is now.
    func text(_ gauges: [Gauge]) -> String {
        let state = state.withLock(\.self)
        var lines: [String] = []
        func begin(_ name: String, _ type: String, _ help: String) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
        }
        func labelled(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }
        for counter in Counter.allCases {
            begin(counter.rawValue, "counter", counter.help)
            let counts = state.counts[counter] ?? ["": 0]
            lines += counts.sorted { $0.key < $1.key }.map { "\(counter.rawValue)\(labelled($0.key)) \($0.value)" }
        }
        for timer in Timer.allCases {
            begin(timer.rawValue, "histogram", timer.help)
            let histogram = state.times[timer] ?? Histogram()
            var total = 0
            for (bound, count) in zip(Histogram.bounds, histogram.counts) {
                total += count
                lines.append("\(timer.rawValue)_bucket{le=\"\(bound)\"} \(total)")
            }
            lines.append("\(timer.rawValue)_bucket{le=\"+Inf\"} \(histogram.count)")
            lines += ["\(timer.rawValue)_sum \(histogram.sum)", "\(timer.rawValue)_count \(histogram.count)"]
        }
        var last = ""
        for gauge in gauges {
            if gauge.name != last { begin(gauge.name, "gauge", gauge.help) }
            last = gauge.name
            lines.append("\(gauge.name)\(labelled(gauge.labels)) \(gauge.value)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
