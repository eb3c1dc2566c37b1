import CivilDate
import MinteeDomain
import System
import TestSupport
import Testing

/// Random habits with targets over several days, against a model in Python that knows the rules and not the code.
struct PeriodModelTests {
    /// A random habit of up to two years, half of the time with holidays.
    private struct Habit {
        let start: CivilDate
        let end: CivilDate
        let today: CivilDate
        let weekdays: WeekdaySet
        let least: Double
        let period: PeriodTarget
        let weekStart: Weekday
        var entries: [CivilDate: Double?] = [:]
        var holidays: [CivilDate] = []

        init(_ index: Int, using generator: inout SeededGenerator) {
            start = CivilDate(daysSinceEpoch: Int.random(in: 18_000...21_000, using: &generator))
            end = start.adding(days: Int.random(in: 0...730, using: &generator))
            today = start.adding(days: Int.random(in: 0...760, using: &generator))
            let isDaily = Int.random(in: 0..<3, using: &generator) > 0
            weekdays = isDaily ? .all : WeekdaySet(rawValue: UInt8.random(in: 1...0x7F, using: &generator))
            least = isDaily ? 1 : 2
            weekStart = Weekday.allCases[index % 7]
            let spans: [PeriodTarget.Period] = [
                .week, .month, .days(Int.random(in: 2...40, using: &generator)), .days(30),
            ]
            let span = spans[Int.random(in: 0..<4, using: &generator)]
            let measure = Bool.random(using: &generator) ? PeriodTarget.Measure.days : .sum
            let most = PeriodTarget(.done, in: span).length
            let low = Double(Int.random(in: 1...most, using: &generator))
            let high = low + Double(Int.random(in: 1...8, using: &generator))
            let target =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: Target.atMost(low)
                case 1: Target(unchecked: .lessOrEqual, .lessOrEqual, low, high)
                default: Target.atLeast(low)
                }
            period = PeriodTarget(target, measure, in: span)
            let often = Int.random(in: 1...100, using: &generator)
            for offset in 0...min(760, end.daysSinceEpoch - start.daysSinceEpoch) {
                let date = start.adding(days: offset)
                guard weekdays.contains(date.weekday), Int.random(in: 0..<100, using: &generator) < often else {
                    continue
                }
                let isSkipped = Int.random(in: 0..<12, using: &generator) == 0
                entries[date] = .some(isSkipped ? nil : Double(Int.random(in: 0...4, using: &generator)))
            }
            // A week away.
            let away = Int.random(in: 0...700, using: &generator)
            for offset in away..<away + 9 {
                let date = start.adding(days: offset)
                if date <= end, weekdays.contains(date.weekday) { entries[date] = .some(nil) }
            }
            guard Bool.random(using: &generator) else { return }
            // Single holidays and weeks of them, some with an entry.
            let days = (0..<20).flatMap { index in
                let first = start.adding(days: Int.random(in: 0...730, using: &generator))
                return (0..<(index % 5 == 0 ? 12 : 1)).map { first.adding(days: $0) }
            }
            holidays = Set(days).sorted()
        }

        /// The habit as the model reads it.
        var json: String {
            var writer = JSONWriter()
            let (kind, length) =
                switch period.period {
                case .week: ("week", 7)
                case .month: ("month", 31)
                case .days(let count): ("days", count)
                }
            writer.object { json in
                for (name, day) in [("start", start), ("end", end), ("today", today)] {
                    json.name(name)
                    json.value(day.description)
                }
                json.name("weekdays")
                json.array { json in for day in weekdays.days { json.value(day.rawValue) } }
                json.name("week_start")
                json.value(weekStart.rawValue)
                json.name("least")
                json.number(NumberText.text(least))
                json.name("period")
                json.value(kind)
                json.name("length")
                json.value(length)
                json.name("measure")
                json.value(period.measure == .days ? "days" : "sum")
                for (name, bound) in [("low", period.lowerBound), ("high", period.upperBound)] {
                    json.name(name)
                    if let bound { json.number(NumberText.text(bound)) } else { json.null() }
                }
                json.name("holidays")
                json.array { json in for day in holidays { json.value(day.description) } }
                json.name("entries")
                json.object { json in
                    for (day, value) in entries.sorted(by: { $0.key < $1.key }) {
                        json.name(day.description)
                        if let value { json.number(NumberText.text(value)) } else { json.value("skip") }
                    }
                }
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }

        /// What hub says.
        var figures: (TaskStatistics, PeriodProgress, shown: String) {
            let left = holidays.filter { entries[$0] == nil }
            let pattern = DayPattern(weekdays: weekdays).except(
                holidays.isEmpty ? nil : HolidayException("holidays", days: left))
            let set = TargetSet(pattern, .atLeast(least))
            let schedule = Schedule.recurring(from: start, to: end, [set])
            let last = max(period.days(around: today, weekStart: weekStart).upperBound, today)
            var timeline = Timeline(untouched: schedule, from: start, to: last)
            var amounts: [CivilDate: Double] = [:]
            for (day, value) in entries where day <= last {
                timeline[day] = Entry(completion: value ?? 0, skipReason: value == nil ? "" : nil).state(set.target)
                amounts[day] = value ?? 0
            }
            let days = PeriodDays(timeline, amounts: amounts, sets: [set])
            let shown = period.shown(timeline, days, weekStart: weekStart, today: today)
            let letters = shown.states(from: start, to: today).map { state -> String in
                if !state.isDue { return "." }
                if state.isSkipped { return "s" }
                if state.isFree { return "-" }
                return state.isEntered ? state.isReached ? "r" : "u" : "!"
            }
            return (
                TaskStatistics(period, days, lastDueDay: schedule.lastDueDay, weekStart: weekStart, today: today),
                period.progress(on: today, days, weekStart: weekStart, today: today), letters.joined()
            )
        }
    }

    @Test(.seeded) func `1 000 random habits have the figures of the model`() async throws {
        var generator = SeededGenerator(seed: 34)
        let habits = (0..<1000).map { Habit($0, using: &generator) }
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let finished = try await Subprocess(
            "\(root)/.build/peers/bin/python", ["\(root)/Tests/MinteeTests/period_model.py"], environment: [:]
        ).run(input: Array(habits.map { $0.json + "\n" }.joined().utf8), outputLimit: 64 << 20, timeout: .seconds(3600))
        try #require(finished.status.isSuccess, "\(String(decoding: finished.errorOutput, as: UTF8.self))")
        let lines = String(decoding: finished.output, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == habits.count)
        var differences = 0
        for (index, (habit, line)) in zip(habits, lines).enumerated() {
            let model = try JSONReader.read(Array(line.utf8))
            let (found, now, shown) = habit.figures
            let ours =
                "streak \(found.streak.current) longest \(found.streak.longest) reached \(found.reached) of \(found.due) "
                + "state \(now.state.rawValue) amount \(NumberText.text(now.amount)) left \(now.daysLeft) tight \(now.isTight)"
            func text(_ name: String) -> String { model[name]?.double.map { NumberText.text($0) } ?? "" }
            let theirs =
                "streak \(text("streak")) longest \(text("longest")) reached \(text("reached")) of \(text("due")) "
                + "state \(model["state"]?.string ?? "") amount \(text("amount")) left \(text("left")) "
                + "tight \(model["tight"]?.bool ?? false)"
            let isScored = abs(found.score - (model["score"]?.double ?? -1)) < 1e-9
            if ours != theirs || !isScored || shown != model["shown"]?.string {
                differences += 1
                if differences <= 5 {
                    Issue.record(
                        "case \(index): \(habit.period) from \(habit.start) on \(habit.today): \(ours); the model says \(theirs); score \(found.score) and \(text("score")); days equal: \(shown == model["shown"]?.string)\n\(habit.json.prefix(1500))"
                    )
                }
            }
        }
        #expect(differences == 0)
    }
}
