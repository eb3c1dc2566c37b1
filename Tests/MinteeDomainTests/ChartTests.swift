import CivilDate
import MinteeDomain
import Testing

struct ChartTests {
    private func timeline(_ letters: String, from first: String = "2026-11-02") throws -> Timeline {
        let states: [Character: DayState] = [
            "r": DayState(.reached, isEntered: true), "u": DayState(.under, isEntered: true),
            "o": DayState(.over, isEntered: true), "s": .skipped, ".": .notDue,
        ]
        return Timeline(first: try day(first), states: letters.map { states[$0] ?? .notDue })
    }

    private func chart(
        _ letters: [String], completions: [[CivilDate: Double]] = [], today: String = "2026-12-31",
        legend: Legend = .standard
    ) throws -> Chart {
        Chart(
            name: "Health", timelines: try letters.enumerated().map { ("T\($0.offset)", try timeline($0.element)) },
            completions: completions, from: try day("2026-11-02"), to: try day("2026-11-08"), today: try day(today),
            legend: legend)
    }

    @Test func `a day shows its worst task, and skipped days count nothing`() throws {
        let chart = try chart(["rruosr.", "rorrs.."])
        #expect(chart.cells.map(\.tally.worst) == [.reached, .over, .under, .over, nil, .reached, nil])
        #expect(chart.total.reached == 6 && chart.total.under == 1 && chart.total.over == 2 && chart.total.due == 9)
        #expect(chart.values == [1, 0.5, 0.5, 0.5, 1])
    }

    @Test func `today counts what is decided, and days to come count nothing`() throws {
        let chart = try chart(["rruuuuu"], today: "2026-11-04")
        #expect(chart.total.due == 2 && chart.cells[2].isOpen && !chart.cells[3].isOpen)
    }

    @Test func `a legend of completions colours by the values`() throws {
        let (low, high) = (LegendColor(rgba: 0x1111_11FF), LegendColor(rgba: 0x2222_22FF))
        let legend = Legend(completions: [
            Legend.CompletionEntry(try Target("x < 5"), low), Legend.CompletionEntry(try Target("x >= 5"), high),
        ])
        let values = [try day("2026-11-02"): 4.0, try day("2026-11-03"): 5.0]
        let chart = try chart(["rr....."], completions: [values], legend: legend)
        #expect(chart.cells.prefix(3).map { chart.color(of: $0) } == [low, high, nil])
        #expect(chart.values == [4, 5])
    }

    @Test func `weeks begin on any day`() throws {
        let chart = try chart(["rrrrrrr"])
        #expect(chart.weeks().count == 1 && chart.weeks()[0].allSatisfy { $0 != nil })
        let sunday = chart.weeks(startingOn: .sunday)
        #expect(sunday.count == 2 && sunday[0][0] == nil && sunday[1][0]?.date.description == "2026-11-08")
    }

    @Test func `pictures are well formed and hold what the chart says`() throws {
        let chart = Chart(
            name: "A <b> & \"c\"\u{1}", timelines: [("T", try timeline("ruo.rrr"))],
            completions: [[try day("2026-11-02"): 7]], from: try day("2026-11-02"), to: try day("2026-11-08"),
            today: try day("2026-12-01"), legend: .standard, target: try Target("6 <= x <= 10"))
        let box = ChartSVG(chart).box
        #expect(box.contains("A &lt;b&gt; &amp; &quot;c&quot;</text>") && !box.contains("\u{1}"))
        #expect(box.split(separator: "<rect ").count - 1 == 7)
        #expect(box.contains("2026-11-02: 1 of 1 reached, 7</title>") && box.contains("4 of 6 reached"))
        #expect(box.split(separator: "<path ").count - 1 == 2, "one mark for the day under and one for the day over")
        #expect(box.contains("fill=\"#09B300\"") && box.contains("fill=\"#AD0C00\""))
        #expect(box.contains("&quot;c&quot;: 4 of 6 reached, 1 under, 1 over</title>"))
        let line = ChartSVG(chart).line
        #expect(line.contains("stroke=\"#09B300\"") && line.contains(">10</text>") && line.hasSuffix("</svg>\n"))
    }
}
