import CivilDate
import Commands
package import HubKit
import MinteeDomain
import Storage

/// The habits of `hub demo`.
package enum DemoHabits {
    /// Ten habits with a year of days, in which good and bad weeks take turns, a holiday that is skipped, and two analyses.
    package static let declaration = DemoDeclaration { year in
        let begin = year.step(daysAgo: 364, "07:30") { (mintee: MinteePlugin) in
            for habit in habits {
                let days = try DueDays(habit.days)
                let end = year.day(364).adding(days: TaskRecord.openDays)
                var draft = TaskDraft(
                    name: habit.name, tags: habit.tags,
                    schedule: .recurring(from: year.day(364), to: end, days.sets), period: days.period,
                    hasOpenEnd: true, section: habit.section)
                draft.remindAt = habit.name == "Meditate" ? 7 * 60 : nil
                let words = "\(ShellWords.quote(habit.name)) --on \(ShellWords.quote(habit.days))"
                _ = try await mintee.createTask(draft, operation: command("new", words))
            }
        }
        let choices = year.step(daysAgo: 300, "21:00") { (mintee: MinteePlugin) in
            for analysis in [
                Analysis(name: "Health", range: .last(days: 56), tags: ["health"]),
                Analysis(name: "Coffee", kind: .line, range: .last(days: 90), tags: ["coffee"]),
            ] {
                _ = try await mintee.createAnalysis(analysis, operation: command("analyses new", analysis.name))
            }
            let all = try await mintee.listAnalyses().map(\.id)
            try await mintee.orderAnalyses(all, operation: command("analyses order", "Health Coffee"))
        }
        return [begin, choices] + logs(year)
    }

    private static func command(_ verb: String, _ rest: String) -> Operation {
        Operation("mintee \(verb)", commandLine: "mintee \(verb) \(rest)")
    }

    /// The days that were entered at once: those of a month at first, and each evening in the last weeks. This morning is half done.
    private static func logs(_ year: DemoYear) -> [DemoStep] {
        let months = stride(from: 364, to: 34, by: -30).map { $0...min($0, 364) }.map { first in
            (first.lowerBound, first.lowerBound - 29)
        }
        let last = months.last.map { $0.1 - 1 } ?? 34
        let evenings = stride(from: last, through: 1, by: -1).map { ($0, $0) }
        return (months + evenings).map { first, last in
            year.step(daysAgo: last, "21:45") { (mintee: MinteePlugin) in
                try await mintee.logDemo(year, first, last, habits.map(\.name), isMorning: false)
            }
        } + [
            year.step(daysAgo: 0, "07:20") { (mintee: MinteePlugin) in
                try await mintee.logDemo(year, 0, 0, ["Meditate", "Water"], isMorning: true)
            }
        ]
    }

    /// A habit with how often it is kept, in percent, and the values of a day on which it is kept or missed.
    fileprivate struct Habit {
        let name: String
        let days: String
        var tags: [String] = []
        var section: String?
        let kept: Int
        var good: ClosedRange<Int> = 1...1
        var bad: ClosedRange<Int> = 0...0
    }

    fileprivate static let habits = [
        Habit(name: "Meditate", days: "daily", tags: ["health"], section: "morning", kept: 82),
        Habit(name: "Stretch", days: "Mon-Fri", tags: ["health"], section: "morning", kept: 66),
        Habit(name: "Water", days: "daily: 6 <= x <= 10", tags: ["health"], kept: 74, good: 6...9, bad: 2...5),
        Habit(name: "Coffee", days: "daily: x <= 3", tags: ["coffee"], kept: 80, good: 1...3, bad: 4...6),
        Habit(name: "Run", days: "3 times a week", tags: ["health"], section: "evening", kept: 42),
        Habit(
            name: "Read", days: "daily: x >= 20", tags: ["mind"], section: "evening", kept: 70, good: 20...55,
            bad: 0...15),
        Habit(name: "Japanese", days: "Mon,Wed,Fri: x >= 15", tags: ["mind"], kept: 61, good: 15...30, bad: 0...10),
        Habit(name: "Practise for the choir", days: "Mon,Sat", tags: ["music"], kept: 77),
        Habit(name: "Call a friend", days: "Sun", tags: ["people"], kept: 85),
        Habit(name: "Review of the month", days: "1st", kept: 90),
    ]

    /// The days of the summer trip, on which some habits were skipped.
    fileprivate static let trip = 165...176
}

extension MinteePlugin {
    /// Enters the days from `first` to `last`, both as numbers of days before today, for tasks of the demo.
    fileprivate func logDemo(
        _ year: DemoYear, _ first: Int, _ last: Int, _ names: [String], isMorning: Bool
    ) async throws {
        let days = first == last ? "\(year.day(last))" : "\(year.day(first))..\(year.day(last))"
        let operation = Operation("mintee ask", commandLine: "mintee ask \(days)")
        try await store.write(operation) { transaction in
            for habit in DemoHabits.habits where names.contains(habit.name) {
                guard let id = try transaction.taskID(named: habit.name) else { continue }
                let record = try transaction.liveTask(id)
                let days = stride(from: first, through: last, by: -1).map { ($0, year.day($0)) }
                let entries = days.filter { record.draft.isDue(on: $0.1) }.map { daysAgo, day in
                    (day: day, entry: Entry?.some(habit.entry(year, daysAgo, isMorning: isMorning)))
                }
                try transaction.setDays(entries, of: record)
            }
        }
    }
}

extension DemoHabits.Habit {
    /// The entry of a day.
    fileprivate func entry(_ year: DemoYear, _ daysAgo: Int, isMorning: Bool) -> Entry {
        var random = year.random("\(name) \(daysAgo)")
        if DemoHabits.trip.contains(daysAgo), tags != ["coffee"] { return Entry(skipReason: "summer trip") }
        if isMorning { return Entry(completion: Double(good.lowerBound == 6 ? 2 : 1)) }
        // Better and worse weeks, and slow progress through the year.
        let mood = (daysAgo / 7 % 5 - 2) * 6 + (182 - daysAgo) / 20
        let isKept = random.happens(kept + mood)
        var entry = Entry(completion: Double(Int.random(in: isKept ? good : bad, using: &random)))
        if name == "Run", isKept, random.happens(20) { entry.note = "along the dyke" }
        return entry
    }
}
