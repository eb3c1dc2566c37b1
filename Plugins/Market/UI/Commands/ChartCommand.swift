import BigInteger
import CivilDate
import Commands
import MarketDomain
import MarketKnownProviders

/// `hub market chart`: prices of the past, drawn.
enum ChartCommand {
    /// A number of days, or all.
    struct Days: ArgumentValue {
        let count: Int?

        static func parse(argument: String) throws(InvalidArgument) -> Days {
            if argument == "max" { return Days(count: nil) }
            guard let count = Int(argument), (1...36_500).contains(count) else {
                throw InvalidArgument(expected: "a number of days, or max")
            }
            return Days(count: count)
        }
    }

    private static let days = Option<Days>("days", "N", help: "days back, or max (default: 7)")
    private static let candles = Flag("candles", help: "draw candles")

    private struct Point: Sendable {
        let time: Instant
        let value: Double
        let candle: Candle?
    }

    private static let fields = [
        Field<Point>("time", "TIME", help: "time") { .instant($0.time) },
        Field<Point>("price", "PRICE", help: "price, or the last one of a candle", align: .trailing) {
            price($0.value)
        },
        Field<Point>("open", "OPEN", help: "first price of a candle", align: .trailing) {
            $0.candle.map { price($0.open) } ?? .null
        },
        Field<Point>("high", "HIGH", help: "highest price of a candle", align: .trailing) {
            $0.candle.map { price($0.high) } ?? .null
        },
        Field<Point>("low", "LOW", help: "lowest price of a candle", align: .trailing) {
            $0.candle.map { price($0.low) } ?? .null
        },
    ]

    /// A price of a chart as all prices are: a decimal, and a string in JSON. Providers send fifteen significant digits at most.
    static func price(_ value: Double) -> FieldValue {
        BigDecimal("\(value)", syntax: .json).map { .decimal($0.description) } ?? .null
    }

    static let command = Command(
        "chart", summary: "draw the prices of a token",
        examples: [
            Example("hub market chart btc", "the last seven days"),
            Example("hub market chart btc --days 90 --candles", "as candles"),
            Example("hub market chart btc --days max --json=time,price", "for a script"),
        ], parameters: [MarketOptions.token, days, candles, MarketOptions.currency], fields: fields
    ) { (market: MarketPlugin, input: Input) in
        let currency = MarketOptions.currency(input, market)
        let (token, note) = try await MarketOptions.token(input[MarketOptions.token], market, input)
        let span = input[days] ?? Days(count: 7)
        let wantsCandles = input[candles]
        let (series, bars, provider) = try await market.chart(
            of: token, days: span.count, candles: wantsCandles, in: currency, isOffline: input.offline)
        let points =
            wantsCandles
            ? bars.map { Point(time: $0.time, value: $0.close, candle: $0) }
            : series.points.map { Point(time: $0.time, value: $0.value, candle: nil) }
        guard !points.isEmpty else {
            return Output.list([], fields, empty: Diagnostic("No prices of \(token.token.name) in this time"))
        }
        let period = span.count.map { NumberFormat.counted($0, "day") } ?? "all time"
        var output = Output(.rows(Rows(points, fields)))
        output.layout = { width in
            [heading(points, "\(token.token.name) \(token.token.symbol), \(period), \(currency.name)")]
                + drawing(series, bars, width: min(width ?? 80, 200), isCandles: wantsCandles)
        }
        if let note { output = output.noting(note) }
        return output.noting(Diagnostic(provider.attribution, level: .aside, code: "source"))
    }

    private static let height = 12

    private static func heading(_ points: [Point], _ title: String) -> String {
        // The same change with candles as without.
        let start = points.first.map { $0.candle?.open ?? $0.value }
        guard let start, let last = points.last, start > 0 else { return title }
        let change = (last.value / start - 1) * 100
        let rounded = (change * 100).rounded() / 100
        return "\(title): \(label(last.value)), \(rounded > 0 ? "+" : "")\(rounded) %"
    }

    /// The drawing beside an axis of prices.
    private static func drawing(
        _ series: ChartSeries, _ candles: [Candle], width: Int, isCandles: Bool
    ) -> [String] {
        let low = isCandles ? candles.map(\.low).min() : series.range?.lowerBound
        let high = isCandles ? candles.map(\.high).max() : series.range?.upperBound
        guard let low, let high else { return [] }
        let step = (high - low) / Double(height - 1)
        let labels = (0..<height).map { row -> String in
            guard row % 4 == 0 || row == height - 1 else { return "" }
            return label(row == height - 1 ? low : high - step * Double(row))
        }
        let labelWidth = labels.map(\.count).max() ?? 0
        let columns = max(width - labelWidth - 2, 10)
        let rows =
            isCandles
            ? ChartDrawing.candles(candles, columns: columns, rows: height)
            : ChartDrawing.line(series, columns: columns, rows: height)
        let times = isCandles ? Candle.merged(candles, to: columns).map(\.time) : times(of: series, columns: columns)
        return zip(labels, rows).map { label, row in
            label.leftPadded(to: labelWidth) + " " + row
        } + [String(repeating: " ", count: labelWidth + 1) + axis(times)]
    }

    /// The time at which each column of a line begins.
    private static func times(of series: ChartSeries, columns: Int) -> [Instant] {
        guard let first = series.points.first?.time, let last = series.points.last?.time else { return [] }
        return (0..<columns).map { first + (last - first) * $0 / columns }
    }

    /// The distance of times below a drawing.
    private static let markDistance = 16

    /// A line with the times of some columns, each from its column on: `14:05`, `16 Nov` or `Nov 2026`, as the span needs it.
    private static func axis(_ times: [Instant]) -> String {
        guard let first = times.first, let last = times.last else { return "" }
        func mark(_ time: Instant) -> String {
            let local = TimeZoneRules.system.localTime(at: time)
            let (year, month, day) = local.day.components
            let name = CivilDate.monthNames[month - 1].prefix(3)
            switch last - first {
            case ...(.seconds(2 * 86_400)): return local.clock
            case ...(.seconds(366 * 86_400)): return "\(day) \(name)"
            default: return "\(name) \(year)"
            }
        }
        var (line, latest) = ("", "")
        for column in stride(from: 0, to: times.count, by: markDistance) {
            let text = mark(times[column])
            guard text != latest, column + text.count <= times.count else { continue }
            line = line.padded(to: column) + text
            latest = text
        }
        return line
    }

    /// A price with five significant digits.
    private static func label(_ value: Double) -> String {
        var (digits, size) = (4, abs(value))
        while size >= 10, digits > 0 { (digits, size) = (digits - 1, size / 10) }
        while size < 1, size > 0, digits < 14 { (digits, size) = (digits + 1, size * 10) }
        let power = (0..<digits).reduce(1.0) { result, _ in result * 10 }
        let whole = (abs(value) * power).rounded()
        guard whole < 1e17 else { return "\(value)" }
        var text = String(Int(whole))
        if digits > 0 {
            text = String(repeating: "0", count: max(digits + 1 - text.count, 0)) + text
            text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
        }
        return (value < 0 ? "-" : "") + NumberFormat.grouped(text)
    }
}
