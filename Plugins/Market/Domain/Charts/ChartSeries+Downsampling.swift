import Time

extension ChartSeries {
    /// Returns at most `count` points that keep the shape: the first, the last, and of each part between them the point that
    /// makes the largest triangle with its neighbors (Steinarsson's Largest Triangle Three Buckets).
    package func downsampled(to count: Int) -> ChartSeries {
        guard count >= 3, points.count > count else {
            return count >= points.count ? self : ChartSeries(Array(points.prefix(max(count, 0))))
        }
        var kept = [points[0]]
        kept.reserveCapacity(count)
        let inner = points.count - 2
        func bucket(_ index: Int) -> Range<Int> {
            1 + inner * index / (count - 2)..<1 + inner * (index + 1) / (count - 2)
        }
        for index in 0..<count - 2 {
            let last = kept[kept.count - 1]
            let next = index + 1 < count - 2 ? mean(bucket(index + 1)) : mean(points.count - 1..<points.count)
            var best = (area: -1.0, point: points[bucket(index).lowerBound])
            for point in points[bucket(index)] {
                // Times count from the last point, so that large numbers do not lose digits.
                let (x, toNext) = (
                    Double(point.time.milliseconds - last.time.milliseconds), next.time - last.milliseconds
                )
                let area = abs(x * (next.value - last.value) - toNext * (point.value - last.value))
                if area > best.area { best = (area, point) }
            }
            kept.append(best.point)
        }
        kept.append(points[points.count - 1])
        return ChartSeries(kept)
    }

    private func mean(_ range: Range<Int>) -> (time: Double, value: Double) {
        let count = Double(range.count)
        let part = points[range]
        return (
            part.reduce(0) { $0 + Double($1.time.milliseconds) / count }, part.reduce(0) { $0 + $1.value / count }
        )
    }

    /// Returns the value in each of `count` equal spans of time: the last one of the span, or of the spans before it. Empty for
    /// an empty series.
    package func columns(_ count: Int) -> [Double] {
        guard let first = points.first, let last = points.last, count > 0 else { return [] }
        let span = max(last.time.milliseconds - first.time.milliseconds, 1)
        var columns = [Double?](repeating: nil, count: count)
        for point in points {
            let place = Double(point.time.milliseconds - first.time.milliseconds) / Double(span) * Double(count)
            columns[min(Int(place), count - 1)] = point.value
        }
        var value = first.value
        return columns.map { column in
            value = column ?? value
            return value
        }
    }

    /// Returns the candles of `count` equal spans of time; spans without points have none.
    package func candles(_ count: Int) -> [Candle] {
        guard let first = points.first, let last = points.last, count > 0 else { return [] }
        let span = last.time.milliseconds - first.time.milliseconds + 1
        var groups = [[ChartPoint]](repeating: [], count: count)
        for point in points {
            let place = Double(point.time.milliseconds - first.time.milliseconds) / Double(span) * Double(count)
            groups[min(Int(place), count - 1)].append(point)
        }
        return groups.compactMap(Candle.init)
    }
}

extension ChartPoint {
    fileprivate var milliseconds: Double { Double(time.milliseconds) }
}

extension Candle {
    /// Creates the candle of points in the order of time; nil without points.
    package init?(_ points: [ChartPoint]) {
        guard let first = points.first, let last = points.last else { return nil }
        let values = points.map(\.value)
        self.init(
            time: first.time, open: first.value, high: values.max() ?? first.value, low: values.min() ?? first.value,
            close: last.value)
    }

    /// Whether the price did not fall.
    package var isRising: Bool { close >= open }

    /// Returns at most `count` candles, each of several neighbors.
    package static func merged(_ candles: [Candle], to count: Int) -> [Candle] {
        guard count > 0, candles.count > count else { return count > 0 ? candles : [] }
        return (0..<count).map { index in
            let part = candles[candles.count * index / count..<candles.count * (index + 1) / count]
            let (first, last) = (part[part.startIndex], part[part.endIndex - 1])
            return Candle(
                time: first.time, open: first.open, high: part.map(\.high).max() ?? first.high,
                low: part.map(\.low).min() ?? first.low, close: last.close)
        }
    }
}
