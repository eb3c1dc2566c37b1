package import Time

/// A value at a time. Charts are drawings, so their values are `Double`.
package struct ChartPoint: Hashable, Sendable {
    /// The time.
    package let time: Instant
    /// The value.
    package let value: Double

    package init(time: Instant, value: Double) {
        self.time = time
        self.value = value
    }
}

/// The first, highest, lowest and last value of a span of time.
package struct Candle: Hashable, Sendable {
    /// The beginning of the span.
    package let time: Instant
    /// The first value.
    package let open: Double
    /// The highest value.
    package let high: Double
    /// The lowest value.
    package let low: Double
    /// The last value.
    package let close: Double

    /// Creates a candle; `high` and `low` are widened if the other values lie outside them.
    package init(time: Instant, open: Double, high: Double, low: Double, close: Double) {
        self.time = time
        self.open = open
        self.high = max(high, open, close)
        self.low = min(low, open, close)
        self.close = close
    }
}

/// The values of a market over time, strictly in their order.
package struct ChartSeries: Hashable, Sendable {
    /// The points, the earliest first, one for each time.
    package let points: [ChartPoint]

    /// Creates a series; points are sorted, of several at one time the last is kept, and values that are not finite are left
    /// out.
    package init(_ points: [ChartPoint]) {
        var ordered = points.filter { $0.value.isFinite }
        if zip(ordered, ordered.dropFirst()).contains(where: { $0.time >= $1.time }) {
            ordered.sort { $0.time < $1.time }
            ordered = ordered.enumerated().filter { index, point in
                index + 1 == ordered.count || ordered[index + 1].time != point.time
            }.map(\.element)
        }
        self.points = ordered
    }

    /// The lowest and highest value; nil without points.
    package var range: ClosedRange<Double>? {
        guard let first = points.first else { return nil }
        return points.reduce(first.value...first.value) {
            min($0.lowerBound, $1.value)...max($0.upperBound, $1.value)
        }
    }

    /// The part of the series from `start` on.
    package func since(_ start: Instant) -> ChartSeries { ChartSeries(points.filter { $0.time >= start }) }

    /// The point nearest to `time`, for a crosshair; nil without points.
    package func nearest(to time: Instant) -> ChartPoint? {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].time < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return points.first }
        guard low < points.count else { return points.last }
        let (before, after) = (points[low - 1], points[low])
        return time - before.time <= after.time - time ? before : after
    }
}
