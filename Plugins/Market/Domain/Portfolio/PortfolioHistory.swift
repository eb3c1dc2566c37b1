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

    /// Returns the change over a series of values in percent of the first value above zero, without what was paid in and taken out
    /// after it; nil without such a value. Trades of tokens without prices count as nothing, as in ``values(_:prices:from:to:count:)``.
    package static func changePercent(
        _ trades: [Trade], prices: [String: ChartSeries], over series: ChartSeries
    ) -> Double? {
        guard let first = series.points.first(where: { $0.value > 0 }), let last = series.points.last else {
            return nil
        }
        let paid = trades.reduce(0.0) { sum, trade in
            let time = Int64(trade.date.daysSinceEpoch) * 86_400_000
            guard time > first.time.milliseconds, time <= last.time.milliseconds,
                !(prices[trade.tokenID]?.points.isEmpty ?? true)
            else { return sum }
            let amount = (trade.amount * trade.price).approximate
            return trade.kind == .buy ? sum + amount : sum - amount
        }
        return ((last.value - paid) / first.value - 1) * 100
    }
}
