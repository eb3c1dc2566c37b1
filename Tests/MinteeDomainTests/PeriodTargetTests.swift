import CivilDate
import MinteeDomain
import TestSupport
import Testing

/// Targets over several days: their words, rules, states, streaks and scores.
struct PeriodTargetTests {
    @Test(arguments: [
        ("3 times a week", "3 times a week"), ("3x per week", "3 times a week"), ("3x/week", "3 times a week"),
        ("3 times every week", "3 times a week"), ("twice weekly", "twice a week"), ("once a month", "once a month"),
        ("3 times per 7 days", "3 times in 7 days"), ("at least once a week", "once a week"),
        ("at most twice a week", "at most twice a week"),
        ("4 to 6 times a month", "4 to 6 times a month"), ("4-6 times per month", "4 to 6 times a month"),
        ("exactly 3 times a week", "exactly 3 times a week"), ("3/7", "3 times in 7 days"), ("1/3", "every 3 days"),
        ("every 3 days", "every 3 days"), ("every three days", "every 3 days"), ("every other day", "every 2 days"),
        ("every 3rd day", "every 3 days"),
        ("3 times in 10 days", "3 times in 10 days"), ("3 times in 2 weeks", "3 times in 14 days"),
        ("150 a week", "150 a week"), ("150/week", "150 a week"), ("at most 12 a week", "at most 12 a week"),
        ("100 to 150 a month", "100 to 150 a month"), ("x >= 150 a week", "150 a week"),
        ("less than 5 a week", "less than 5 a week"), ("2.5 in 7 days", "2.5 in 7 days"),
        ("Mon-Fri, 3 times a week", "weekdays, 3 times a week"),
        ("weekdays 3 times a week", "weekdays, 3 times a week"),
        ("daily: x >= 20, 3 times a week", "daily: x >= 20, 3 times a week"),
        ("daily: x <= 3, at most 12 a week", "daily: x <= 3, at most 12 a week"),
        ("Sun: x >= 5; daily: x >= 2, 3 times a week", "Sun: x >= 5; daily: x >= 2, 3 times a week"),
        ("1,15, at least 100 a month", "1,15, at least 100 a month"),
        // Days of the month stay days of the month.
        ("1,15 of the month", "1,15"), ("1 every month", "1"), ("Mon every week", "Mon"),
    ])
    func `words`(typed: String, printed: String) throws {
        let days = try DueDays(typed)
        #expect(days.description == printed)
        #expect(try DueDays(days.description) == days)
    }

    @Test(arguments: [
        ("1,000 a week", "two readings"), ("150 minutes a week", "cannot have a unit"),
        ("3 times a week, at most 12 a month", "one target over several days"),
    ])
    func `refused words`(typed: String, message: String) {
        do throws(TextProblem) {
            let days = try DueDays(typed)
            Issue.record("\(typed) is \(days)")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
        }
    }

    @Test(.seeded) func `any period target is read as it is written`() throws {
        var generator = SeededGenerator(seed: 33)
        for index in 0..<2000 {
            let period: PeriodTarget.Period =
                [.week, .month, .days(Int.random(in: 2...366, using: &generator))].randomElement(using: &generator)
                ?? .week
            let isCount = Bool.random(using: &generator)
            var target = Target.random(using: &generator)
            if isCount {
                let (low, high) = (Int.random(in: 1...5, using: &generator), Int.random(in: 6...31, using: &generator))
                target = Target(
                    unchecked: target.minOperator, target.maxOperator, target.minOperator == .none ? 0 : Double(low),
                    target.maxOperator == .none ? 0 : Double(high))
            } else if target.minOperator != .none && target.min < 0 || target.maxOperator != .none && target.max < 0 {
                continue
            }
            let days = DueDays(
                [TargetSet(.random(using: &generator))], PeriodTarget(target, isCount ? .days : .sum, in: period))
            let text = days.description
            let read = try? DueDays(text)
            #expect(
                read == days, "case \(index): \(text) is read as \(read.map(String.init(describing:)) ?? "nothing")")
        }
    }

    private func broken(_ text: String, days: String = "daily") throws -> [String] {
        let period = try #require(try DueDays(text).period)
        let schedule = Schedule.recurring(
            from: try day("2026-01-01"), to: try day("2026-12-31"), [TargetSet(try DayPattern(days))])
        return period.violations(with: schedule).map(\.description)
    }

    @Test func `rules`() throws {
        #expect(try broken("3 times a week") == [] && broken("31 times a month") == [] && broken("150 a week") == [])
        #expect(try broken("8 times a week") == ["PT-9"] && broken("4 times a week", days: "Mon,Wed,Fri") == ["PT-9"])
        #expect(try broken("3 times in 2 days") == ["PT-9"])
        let third = PeriodTarget(.atLeast(2.5), in: .week)
        let specific = PeriodTarget(.atLeast(2), in: .days(1))
        #expect(
            third.violations(
                with: .recurring(from: try day("2026-01-01"), to: try day("2026-12-31"), [TargetSet(.daily)])) == [
                    "PT-9"
                ])
        #expect(specific.violations(with: .dates([try day("2026-01-01")])) == ["PT-8", "PT-9", "PT-10"])
    }

    /// A daily task from Monday, 2 November 2026 on. Each letter is a day: `r` reached, `u` entered but under, `s` skipped,
    /// `-` without an entry; a digit is a value.
    private func statistics(
        _ letters: String, _ words: String, today: String, weekStart: Weekday = .monday
    ) throws -> (TaskStatistics, PeriodProgress, String) {
        let first = try day("2026-11-02")
        let period = try #require(try DueDays(words).period)
        var amounts: [CivilDate: Double] = [:]
        var states = [DayState](repeating: DayState(.under, isEntered: false), count: 200)
        for (offset, letter) in letters.enumerated() {
            switch letter {
            case "r": (states[offset], amounts[first.adding(days: offset)]) = (DayState(.reached, isEntered: true), 1)
            case "u": states[offset] = DayState(.under, isEntered: true)
            case "s": states[offset] = .skipped
            case "-": break
            default:
                states[offset] = DayState(.reached, isEntered: true)
                amounts[first.adding(days: offset)] = Double(String(letter))
            }
        }
        let timeline = Timeline(first: first, states: states)
        let days = PeriodDays(timeline, amounts: amounts, sets: [TargetSet(.daily)])
        let today = try day(today)
        let shown = period.shown(timeline, days, weekStart: weekStart, today: today)
        let text = shown.states(from: first, to: today).map { state -> String in
            switch state.category {
            case .reached?: "r"
            case .under?: state.isEntered ? "u" : "!"
            case .over?: "o"
            case nil: state.isSkipped ? "s" : state.isFree ? "-" : "."
            }
        }.joined()
        return (
            TaskStatistics(period, days, lastDueDay: nil, weekStart: weekStart, today: today),
            period.progress(on: today, days, weekStart: weekStart, today: today), text
        )
    }

    @Test func `weeks`() throws {
        // Two full weeks, then Wednesday of the third with one of three.
        var (found, now, shown) = try statistics("r-r-r--" + "-r--rr-" + "r--", "3 times a week", today: "2026-11-18")
        #expect(found.streak == Streak(current: 2, longest: 2) && found.reached == 2 && found.due == 2)
        #expect(now.amount == 1 && now.state == .open && now.daysLeft == 5 && !now.isTight && found.buffer == 3)
        #expect(shown == "r-r-r--" + "-r--rr-" + "r--")
        // The week is reached as soon as its third day is.
        (found, now, _) = try statistics("r-r-r--" + "rrr", "3 times a week", today: "2026-11-11")
        #expect(found.streak.current == 2 && now.state == .reached && found.buffer == 4)
        // On Friday each day that is left is needed; on Saturday it is too late.
        (found, now, shown) = try statistics("r-r-r--" + "----", "3 times a week", today: "2026-11-13")
        #expect(now.isTight && now.state == .open && shown.last == "!" && found.streak.current == 1)
        (found, now, _) = try statistics("r-r-r--" + "-----", "3 times a week", today: "2026-11-14")
        #expect(now.state == .under && found.streak.current == 0 && found.buffer == nil)
        // A week of skips counts neither way, and one with two possible days needs two.
        (found, _, _) = try statistics("r-r-r--" + "sssssss" + "sssssrr" + "-", "3 times a week", today: "2026-11-23")
        #expect(found.streak.current == 2 && found.due == 2)
        // Two days before a pause, one of them done: the five days of the pause could have been the others.
        (found, now, shown) = try statistics("r-r-r--" + "r-sssss" + "---", "3 times a week", today: "2026-11-18")
        #expect(found.streak.current == 1 && found.due == 1 && now.state == .open && shown == "r-r-r--r-sssss---")
        // With both it is reached; with a single skipped day, one of three is too few.
        (found, _, _) = try statistics("r-r-r--" + "rrsssss" + "---", "3 times a week", today: "2026-11-18")
        #expect(found.streak.current == 2 && found.due == 2)
        (found, _, _) = try statistics("r-r-r--" + "r-s----" + "---", "3 times a week", today: "2026-11-18")
        #expect(found.streak.current == 0 && found.due == 2)
        // From Sunday to Saturday.
        (found, _, _) = try statistics("r-r-r-" + "-rrr---", "3 times a week", today: "2026-11-14", weekStart: .sunday)
        #expect(found.streak.current == 2)
    }

    @Test func `sums and limits`() throws {
        var (found, now, _) = try statistics("9-9-3--" + "4----", "20 a week", today: "2026-11-13")
        #expect(found.streak.current == 1 && now.amount == 4 && now.needed == 20 && now.state == .open)
        (found, now, _) = try statistics("9-9-3--" + "66", "at most 11 a week", today: "2026-11-10")
        #expect(now.state == .over && found.streak.current == 0 && found.reached == 0 && found.due == 2)
        (found, now, _) = try statistics("5-5----" + "66", "at most 12 a week", today: "2026-11-10")
        #expect(now.state == .reached && found.streak.current == 2)
    }

    @Test func `the last days`() throws {
        // Covered from the first day on; the third yes of Friday covers until Monday.
        var (found, now, _) = try statistics("r-r-r--", "3/7", today: "2026-11-08")
        #expect(found.streak.current == 7 && now.state == .reached && now.daysLeft == 0)
        // Today is the last day on which the first yes can be replaced.
        (found, now, _) = try statistics("r-r-r---", "3/7", today: "2026-11-09")
        #expect(now.isTight && now.amount == 2)
        // What is overdue stays due, and so does a new task when its first period is over; a pause is not counted.
        var shown: String
        (_, now, shown) = try statistics("r------", "every 3 days", today: "2026-11-08")
        #expect(now.isTight && now.state == .open && shown == "r--!!!!")
        (_, _, shown) = try statistics("----r", "every 3 days", today: "2026-11-06")
        #expect(shown == "--!!r")
        (_, now, shown) = try statistics("rsss---", "every 3 days", today: "2026-11-08")
        #expect(now.isTight && shown == "rsss--!")
        (found, now, _) = try statistics("r-r-r--r-r-r--", "3/7", today: "2026-11-15")
        #expect(found.streak.current == 14 && found.streak.longest == 14)
    }

    /// The habits of Loop that its own score knows; 273 days are 39 weeks.
    @Test func `scores as in Loop`() throws {
        func score(_ week: String, _ words: String) throws -> Double {
            let first = try day("2026-01-05")
            let letters = Array(repeating: week, count: 39).joined()
            let states = letters.map {
                $0 == "r" ? DayState(.reached, isEntered: true) : DayState(.under, isEntered: true)
            }
            let days = PeriodDays(Timeline(first: first, states: states), amounts: [:], sets: [TargetSet(.daily)])
            let period = try #require(try DueDays(words).period)
            return TaskStatistics(
                period, days, lastDueDay: nil, weekStart: .monday, today: first.adding(days: letters.count - 1)
            ).score
        }
        for words in ["3/7", "3 times a week"] {
            #expect(abs(try score("r-r-r--", words) - 0.9999) < 1e-4)
            #expect(abs(try score("r-r----", words) - 0.6666) < 1e-3)
        }
        #expect(abs(try score("------r", "1/7") - 0.9953) < 1e-3)
    }

    /// The days of the to-do on Friday, 20 November 2026, of a task from the 2nd on that was done on these days.
    @Test(arguments: [
        ("3 times a week", "17", "20..22", true), ("3 times a week", "", "20..20", true),
        ("once a week", "17", "16..22", false),
        ("3 times a week", "17 18 20", "16..22", false), ("twice a week", "17 20", "16..22", false),
        ("3 times a week", "17 20", "21..22", true), ("4 times a week", "", "none", false),
        ("Mon-Fri, twice a week", "17", "20..20", true), ("Mon-Fri, once a month", "", "20..30", true),
        ("at most 3 a week", "17", "none", false), ("150 a week", "17", "20..22", true),
        // Kept until the earliest of the needed days is too long ago; what is lost is due until it is kept again.
        ("3/7", "16 18 20", "21..23", false), ("3/7", "14 16 18", "20..21", false), ("3/7", "13 16 18", "20..20", true),
        ("3/7", "16 18", "20..20", true), ("3/7", "18", "20..20", true), ("3/7", "3 5", "20..20", true),
        // The task begins on the 2nd: 19 days are too few for a period of 30, so that the days left do for 5 times.
        ("5/30", "18", "20..28", true), ("150 in 30 days", "18", "20..1", true),
        ("every 3 days", "20", "21..23", false), ("every 3 days", "17", "20..20", true),
        ("every 3 days", "9", "20..20", true),
    ])
    func `the days of a to-do`(words: String, done: String, expected: String, isOpen: Bool) throws {
        let (due, today) = (try DueDays(words), try day("2026-11-20"))
        let target = try #require(due.period)
        let (first, last) = (try day("2026-11-02"), try day("2027-02-01"))
        var timeline = Timeline(untouched: .recurring(from: first, to: last, due.sets), from: first, to: last)
        var amounts: [CivilDate: Double] = [:]
        for number in done.split(separator: " ").compactMap({ Int($0) }) {
            let date = first.adding(days: number - 2)
            timeline[date] = Entry(completion: 1).state(.done)
            amounts[date] = 1
        }
        let days = PeriodDays(timeline, amounts: amounts, sets: due.sets)
        let progress = target.progress(on: today, days, weekStart: .monday, today: today)
        let found = target.todoDays(progress, days, today: today)
        #expect(found.map { "\($0.lowerBound.components.day)..\($0.upperBound.components.day)" } ?? "none" == expected)
        let todo = found.map {
            PeriodTodo(TaskDay("a", first, isPeriod: true), name: "A", progress: progress, days: $0, changedAt: 0)
        }
        #expect(todo.map { $0.state.status != .completed && progress.state == .open } ?? false == isOpen)
    }
}
