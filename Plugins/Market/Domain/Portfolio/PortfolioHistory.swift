import BigInteger
import CivilDate
package import Time

/// What a portfolio was worth in the past. It is drawn, never booked, so its values are `Double`.
package enum PortfolioHistory {
    /// Returns the value at `count` equally distant times. A trade counts from the beginning of its day (UTC); tokens without
    /// prices count as nothing, and before its first known price a token has that one.
    package static func values(
        _ trades: [Trade], prices: [String: ChartSeries], from start: Instant, to end: Instant, count: Int
    ) -> ChartSeries {
        guard count > 1, end > start else { return ChartSeries([]) }
        let step = Double(end.milliseconds - start.milliseconds) / Double(count - 1)
        let times = (0..<count).map { start.milliseconds + Int64((step * Double($0)).rounded()) }
        var values = [Double](repeating: 0, count: count)
        for (id, own) in Dictionary(grouping: trades, by: \.tokenID) {
            guard let points = prices[id]?.points, !points.isEmpty else { continue }
            let ordered = Trade.ordered(own)
            var (held, trade, point) = (BigDecimal.zero, 0, 0)
            var amount = 0.0
            for (place, time) in times.enumerated() {
                let before = trade
                while trade < ordered.count, Int64(ordered[trade].date.daysSinceEpoch) * 86_400_000 <= time {
                    held = ordered[trade].kind == .buy ? held + ordered[trade].amount : held - ordered[trade].amount
                    trade += 1
                }
                if trade != before { amount = held.approximate }
                while point + 1 < points.count, points[point + 1].time.milliseconds <= time { point += 1 }
                values[place] += amount * points[point].value
            }
        }
        return ChartSeries(
            zip(times, values).map { ChartPoint(time: Instant(milliseconds: $0), value: $1) })
    }
}
