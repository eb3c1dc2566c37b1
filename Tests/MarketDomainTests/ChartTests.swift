import MarketDomain
import TestSupport
import Testing
import Time

struct ChartTests {
    private func series(_ values: [Double], step: Int64 = 1000) -> ChartSeries {
        ChartSeries(values.enumerated().map { ChartPoint(time: Instant(milliseconds: Int64($0) * step), value: $1) })
    }

    @Test func `series are sorted, without repeated times and values that are not finite`() {
        let points = [(3.0, 30.0), (1, 10), (2, .nan), (3, 31), (2, 20)].map { time, value in
            ChartPoint(time: Instant(milliseconds: Int64(time)), value: value)
        }
        let series = ChartSeries(points)
        #expect(series.points.map(\.value) == [10, 20, 31] && series.range == 10...31)
        #expect(series.since(Instant(milliseconds: 2)).points.count == 2 && ChartSeries([]).range == nil)
        for (time, value) in [(0, 10.0), (1, 10), (2, 20), (9, 31)] {
            #expect(series.nearest(to: Instant(milliseconds: Int64(time)))?.value == value)
        }
        #expect(ChartSeries([]).nearest(to: Instant(milliseconds: 0)) == nil)
    }

    @Test func `downsampling keeps the ends and the peaks`() {
        var values = (0..<1000).map { Double($0 % 7) }
        (values[333], values[777]) = (100, -100)
        let small = series(values).downsampled(to: 50)
        #expect(small.points.count == 50 && small.points.first?.value == 0 && small.points.last?.value == values[999])
        #expect(small.range == -100...100)
        #expect(
            series([1, 2]).downsampled(to: 5).points.count == 2
                && series([1, 2, 3]).downsampled(to: 2).points.count == 2)
        #expect(series([1, 2, 3]).downsampled(to: -1).points.isEmpty)
        var generator = SeededGenerator(seed: 81)
        for _ in 0..<200 {
            let count = Int.random(in: 1...200, using: &generator)
            let random = series((0..<count).map { _ in Double.random(in: 0...1, using: &generator) })
            let wanted = Int.random(in: 3...100, using: &generator)
            let kept = random.downsampled(to: wanted).points
            #expect(kept.count == min(count, wanted) && Set(kept).isSubset(of: Set(random.points)))
        }
    }

    @Test func `candles of a series, and merged ones`() {
        let candles = series([1, 5, 2, 3, 0, 4]).candles(2)
        #expect(candles.map(\.open) == [1, 3] && candles.map(\.close) == [2, 4])
        #expect(candles.map(\.high) == [5, 4] && candles.map(\.low) == [1, 0])
        let one = Candle.merged(candles, to: 1)
        #expect(one.count == 1 && one.first?.high == 5 && one.first?.low == 0 && one.first?.close == 4)
        #expect(Candle.merged(candles, to: 5) == candles && Candle.merged(candles, to: 0).isEmpty)
        let odd = Candle(time: Instant(milliseconds: 0), open: 5, high: 1, low: 9, close: 3)
        #expect(odd.high == 5 && odd.low == 3 && !odd.isRising)
        #expect(series([1, 2, 3, 4]).columns(8) == [1, 1, 2, 2, 2, 3, 3, 4])
    }

    @Test func `axes have round marks`() {
        #expect(ChartAxis(0...10, count: 5).marks == [0, 2, 4, 6, 8, 10])
        #expect(ChartAxis(91_204...95_000, count: 4).marks == [92_000, 93_000, 94_000, 95_000])
        #expect(ChartAxis(0.0012...0.0019, count: 4).marks.count == 4 && ChartAxis(5...5, count: 3).marks == [5])
        #expect(ChartAxis(1...(1 + 1e-15), count: 4).marks.count <= 17)
    }

    @Test func `dots are drawn where they belong`() {
        var canvas = BrailleCanvas(columns: 2, rows: 1)
        for x in 0..<4 { canvas.set(x, x) }
        canvas.set(9, 9)
        canvas.set(-1, 0)
        #expect(canvas.lines == ["⡠⠊"])
        canvas.line(from: (0, 0), to: (3, 0))
        #expect(canvas.lines == ["⣠⣊"])
        #expect(BrailleCanvas(columns: -1, rows: 3).lines == ["", "", ""])
    }

    @Test func `charts fill their frame`() {
        let rising = ChartDrawing.line(series((0..<40).map(Double.init)), columns: 10, rows: 3)
        #expect(rising.count == 3 && rising.allSatisfy { $0.count == 10 })
        #expect(rising.first?.last == "⠉" || rising.first?.last == "⠋" || rising.first?.last == "⠊")
        #expect(rising[0].first == "\u{2800}" && rising[2].last == "\u{2800}")
        #expect(ChartDrawing.line(ChartSeries([]), columns: 3, rows: 1) == ["\u{2800}\u{2800}\u{2800}"])
        #expect(ChartDrawing.line(series([5, 5]), columns: 2, rows: 1).first?.contains("\u{2800}") == false)
        let time = Instant(milliseconds: 0)
        let candles = [
            Candle(time: time, open: 1, high: 5, low: 1, close: 3),
            Candle(time: time, open: 3, high: 3, low: 1, close: 2),
        ]
        #expect(ChartDrawing.candles(candles, columns: 10, rows: 5) == ["│ ", "│ ", "█░", "█░", "█│"])
        #expect(ChartDrawing.candles(candles, columns: 10, rows: 5, isASCII: true) == ["| ", "| ", "#o", "#o", "#|"])
        #expect(ChartDrawing.candles([], columns: 10, rows: 2) == ["", ""])
    }

    @Test func `a sparkline has the levels of any prices, the greatest ones too`() {
        let greatest = Double.greatestFiniteMagnitude
        #expect(Sparkline(prices: [-greatest, 0, greatest])?.levels == [0, 128, 255])
        #expect(
            Sparkline(prices: [0, 1, 4])?.levels == [0, 64, 255] && Sparkline(prices: [7, 7])?.levels == [128, 128])
        #expect(Sparkline(prices: [0, .leastNonzeroMagnitude])?.levels == [128, 128])
        #expect(Sparkline(prices: [.infinity, 1, .nan]) == nil)
    }

    @Test func `bars show the course of values`() {
        #expect(ChartDrawing.bars([1, 2, 3, 4, 5, 6, 7, 8], columns: 8) == "▁▂▃▄▅▆▇█")
        #expect(ChartDrawing.bars([1, 2, 3, 4, 5, 6, 7, 8], columns: 8, isASCII: true) == "01234567")
        #expect(ChartDrawing.bars([0, 0, 7, 7], columns: 2) == "▁█" && ChartDrawing.bars([3, 3], columns: 9) == "▅▅")
        #expect(ChartDrawing.bars([], columns: 9) == "" && ChartDrawing.bars([.nan, 1], columns: 0) == "")
    }
}
