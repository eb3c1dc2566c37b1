import MarketDomain
import Synchronization
import Time

/// The charts that this process fetched lately. They do not outlive the process.
final class ChartCache: Sendable {
    /// What a chart is of.
    struct Key: Hashable, Sendable {
        let token: TokenKey
        /// The number of days; nil for all.
        let days: Int?
        let currency: Currency

        /// How long the chart stays good: the steps of a long one are long.
        var lifetime: Duration {
            switch days {
            case .some(...1): .seconds(120)
            case .some(...7): .seconds(600)
            default: .seconds(3600)
            }
        }
    }

    private static let maximumCount = 200
    private let charts = Mutex<[Key: (chart: (ChartSeries, Provider), time: Instant)]>([:])

    /// Returns a chart that is still good.
    func chart(_ key: Key, now: Instant) -> (ChartSeries, Provider)? {
        charts.withLock { charts in
            guard let known = charts[key], known.time <= now, now - known.time < key.lifetime else { return nil }
            return known.chart
        }
    }

    /// Keeps a chart; of too many the oldest is dropped.
    func remember(_ chart: (ChartSeries, Provider), for key: Key, now: Instant) {
        charts.withLock { charts in
            charts[key] = (chart, now)
            if charts.count > Self.maximumCount, let oldest = charts.min(by: { $0.value.time < $1.value.time }) {
                charts[oldest.key] = nil
            }
        }
    }
}
