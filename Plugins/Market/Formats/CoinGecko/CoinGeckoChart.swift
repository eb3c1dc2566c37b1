import JSON
package import MarketDomain
import Time

/// The answers of CoinGecko's `/coins/{id}/market_chart` and `/coins/{id}/ohlc`.
package enum CoinGeckoChart {
    private static let keys = JSONKeys(["prices"])
    /// The maximum number of points: daily values of some decades.
    private static let maximumCount = 20_000

    /// Decodes the prices of a chart; points without a value are left out.
    package static func series(_ body: [UInt8]) throws(GatewayError) -> ChartSeries {
        let points: [ChartPoint]? = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            var points: [ChartPoint]?
            guard try cursor.begin(.object) else { return nil }
            while let index = try cursor.nextMember(keys) {
                guard index == 0, try cursor.kind() == .array else {
                    try cursor.skip()
                    continue
                }
                points = try tuples(&cursor, count: 2).map { ChartPoint(time: $0.time, value: $0.values[0]) }
            }
            return points
        }
        guard let points else { throw ProviderErrorBody.error(status: 200, body: body) }
        return ChartSeries(points)
    }

    /// Decodes candles in the order of time; the step is what the data has.
    package static func candles(_ body: [UInt8]) throws(GatewayError) -> [Candle] {
        let candles: [Candle]? = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.kind() == .array else {
                try cursor.skip()
                return nil
            }
            return try tuples(&cursor, count: 5).map { time, values in
                Candle(time: time, open: values[0], high: values[1], low: values[2], close: values[3])
            }
        }
        guard let candles else { throw ProviderErrorBody.error(status: 200, body: body) }
        return candles.sorted { $0.time < $1.time }
    }

    /// Arrays of a time in milliseconds and `count` - 1 values; others are left out.
    private static func tuples(
        _ cursor: inout JSONCursor, count: Int
    ) throws(JSONCursor.Problem) -> [(time: Instant, values: [Double])] {
        var tuples: [(time: Instant, values: [Double])] = []
        try cursor.beginArray()
        while try cursor.nextElement() {
            guard try cursor.begin(.array) else { continue }
            var numbers: [Double] = []
            while try cursor.nextElement() {
                if numbers.count < count, let number = try cursor.doubleOrNil() {
                    numbers.append(number)
                } else if numbers.count == count {
                    try cursor.skip()
                }
            }
            guard numbers.count == count, tuples.count < maximumCount, (0...1e15).contains(numbers[0]) else { continue }
            tuples.append((Instant(milliseconds: Int64(numbers[0])), Array(numbers.dropFirst())))
        }
        return tuples
    }
}
