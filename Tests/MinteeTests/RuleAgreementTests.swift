import CivilDate
import ICalendar
import MinteeDomain
import TestSupport
import Testing
import Time

/// Recurrence rules mean to hub what they mean to python-dateutil.
struct RuleAgreementTests {
    private func randomPattern(_ kind: DayPattern.Kind, _ generator: inout SeededGenerator) -> DayPattern {
        let weekdays = WeekdaySet(rawValue: UInt8.random(in: 1...0x7F, using: &generator))
        switch kind {
        case .daysOfWeek: return DayPattern(weekdays: weekdays)
        case .weekdaysOfMonth:
            return DayPattern(
                weekdays: weekdays, weeks: MonthWeekSet(rawValue: UInt8.random(in: 1...0x1F, using: &generator) << 1))
        case .daysOfMonth:
            // As often a few days as many.
            let days = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                UInt32(1) << UInt32.random(in: 0...31, using: &generator)
            }
            let some = days.reduce(0, |)
            let many = UInt32.random(in: 1...UInt32.max, using: &generator)
            return DayPattern(monthDays: MonthDaySet(rawValue: Bool.random(using: &generator) ? some : many))
        }
    }

    private func randomSpan(_ generator: inout SeededGenerator) -> (start: CivilDate, end: CivilDate) {
        let start = CivilDate(daysSinceEpoch: Int.random(in: -10_000...40_000, using: &generator))
        return (start, start.adding(days: Int.random(in: 0...400, using: &generator)))
    }

    @Test func `10 000 patterns name the days of the rules that hub writes`() async throws {
        var generator = SeededGenerator(seed: 4)
        var questions: [Dateutil.Question] = []
        var ours: [Dateutil.Answer] = []
        var empty = 0
        for index in 0..<10_000 {
            let (start, end) = randomSpan(&generator)
            let pattern = randomPattern(DayPattern.Kind.allCases[index % 3], &generator)
            let schedule = Schedule.recurring(from: start, to: end, [TargetSet(pattern)])
            let record = TaskRecord(
                id: "2gd", draft: TaskDraft(name: "Run", schedule: schedule), revision: 1,
                createdAt: Instant(milliseconds: 0), changedAt: Instant(milliseconds: 0))
            let text = TaskCalendar.head + TaskCalendar(record, [], as: .todos).text + TaskCalendar.tail
            let series = try #require(try ICalReader.read(text).first?.components.first)
            let days = schedule.days
            guard let rule = series["RRULE"] else {
                #expect(days.isEmpty)
                empty += 1
                continue
            }
            let first = try #require(series["DTSTART"]?.times?.first)
            #expect(first.date == days.first)
            questions.append(Dateutil.Question(rule: rule.value, start: first.date, last: end.adding(days: 400)))
            ours.append(Dateutil.Answer(days))
        }
        #expect(empty < 1000)
        let theirs = try await Dateutil.answers(to: questions)
        #expect(theirs.count == ours.count)
        for (index, answer) in theirs.enumerated() where answer != ours[index] {
            Issue.record("\(questions[index]): \(answer), ours \(ours[index])")
        }
    }

    @Test func `rules of others are read as the days that they name`() async throws {
        var generator = SeededGenerator(seed: 5)
        var questions: [Dateutil.Question] = []
        var ours: [Dateutil.Answer] = []
        var expressible = 0
        for _ in 0..<4000 {
            let (start, last) = randomSpan(&generator)
            let text = randomRule(from: start, to: last, &generator)
            let rule = try RecurrenceRule(text)
            var days: [CivilDate]
            do throws(RuleLoss) {
                let sets = try DayPattern.patterns(of: rule, start: start).map { TargetSet($0) }
                days = Schedule.recurring(from: start, to: min(last, rule.until?.date ?? last), sets).days
                if let count = rule.count { days = Array(days.prefix(count)) }
                expressible += 1
            } catch {
                days = try rule.days(from: start, through: last, limit: 10_000)
            }
            questions.append(Dateutil.Question(rule: text, start: start, last: last))
            ours.append(Dateutil.Answer(days))
        }
        #expect(expressible > 800 && expressible < 3200)
        let theirs = try await Dateutil.answers(to: questions)
        for (index, answer) in theirs.enumerated() where answer != ours[index] {
            Issue.record("\(questions[index]): \(answer), ours \(ours[index])")
        }
    }

    /// A rule as programs write them, of whole days.
    private func randomRule(from start: CivilDate, to last: CivilDate, _ generator: inout SeededGenerator) -> String {
        func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &generator)] }
        func list<T: CustomStringConvertible>(_ values: [T], _ most: Int) -> String {
            Set((0..<Int.random(in: 1...most, using: &generator)).map { _ in pick(values).description }).sorted()
                .joined(separator: ",")
        }
        let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        let frequency = pick(["DAILY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
        var parts = ["FREQ=\(frequency)"]
        if pick([true, false, false]) { parts.append("INTERVAL=\(pick([1, 2, 3, 5]))") }
        switch frequency {
        case "DAILY": if pick([true, false]) { parts.append("BYDAY=\(list(days, 5))") }
        case "WEEKLY": if pick([true, true, false]) { parts.append("BYDAY=\(list(days, 5))") }
        case "MONTHLY":
            switch pick(Array(0..<6)) {
            case 0: parts.append("BYMONTHDAY=\(list(Array(1...31) + [-1, -2], 4))")
            case 1:
                parts.append(
                    "BYDAY=\(list(days.flatMap { day in ["1", "2", "3", "4", "5", "-1"].map { $0 + day } }, 5))")
            case 2: parts.append("BYDAY=\(list(days.flatMap { day in ["1", "3", "-1"].map { $0 + day } }, 4))")
            case 3: parts += ["BYDAY=\(list(days, 5))", "BYSETPOS=\(list([1, 2, 3, 4, -1], 2))"]
            case 4: parts += ["BYDAY=FR", "BYMONTHDAY=13"]
            default: break
            }
        default:
            if pick([true, false]) {
                parts += ["BYMONTH=\(list(Array(1...12), 3))", "BYMONTHDAY=\(list(Array(1...28), 2))"]
            }
        }
        switch pick(Array(0..<4)) {
        case 0: parts.append("COUNT=\(pick([1, 2, 5, 20]))")
        case 1: parts.append("UNTIL=\(ICalTime(date: last.adding(days: -pick([0, 1, 30]))))")
        default: break
        }
        return parts.joined(separator: ";")
    }
}
