package import CivilDate
import Glibc
import JSON

/// Writes `userdata.json` of Habitica, with tasks and tags alone.
///
/// Tasks that are done or not done are Dailies, dates are to-dos, and every other task is a Habit that counts its values:
/// Habitica has neither other targets nor other days. Skipped days and notes of days have no place there.
package struct HabiticaFile: Sendable {
    /// The time of an entry of a day, in milliseconds since 1970-01-01T00:00:00Z.
    private let moment: @Sendable (CivilDate) -> Int64
    private var habits: [JSONWriter] = []
    private var dailies: [JSONWriter] = []
    private var todos: [JSONWriter] = []
    /// The tags in the order of their first use; their ids are their numbers.
    private var tags: [String] = []

    package init(moment: @escaping @Sendable (CivilDate) -> Int64) { self.moment = moment }

    /// What a task becomes.
    private enum Kind {
        case habit
        case daily(HabiticaDays.Fields)
        case todo([CivilDate])
    }

    private static func kind(of draft: TaskDraft) -> Kind {
        switch draft.schedule {
        case .specific(let dates): return .todo(dates)
        case .recurring(let start, _, let sets):
            guard draft.period == nil, sets.count == 1, sets[0].target == .done, sets[0].pattern.exception == nil,
                let fields = HabiticaDays.Fields(sets[0].pattern, from: firstDay(sets, start))
            else { return .habit }
            return .daily(fields)
        }
    }

    /// The start of a Daily: with an interval the first due day, which is in a unit that counts.
    private static func firstDay(_ sets: [TargetSet], _ start: CivilDate) -> CivilDate {
        guard let interval = sets.first?.pattern.interval else { return start }
        let schedule = Schedule.recurring(from: start, to: start.adding(days: interval.horizon), sets)
        return schedule.dueDay(after: start.adding(days: -1)) ?? start
    }

    /// Whether Habitica can represent the days, the target and the entries of a task without loss.
    package static func holds(_ draft: TaskDraft, entries: [(day: CivilDate, entry: Entry)]) -> Bool {
        let fits: (Entry) -> Bool
        switch kind(of: draft) {
        case .habit:
            guard draft.schedule.sets == [TargetSet(.daily, .atLeast(0))], draft.period == nil, draft.hasOpenEnd else {
                return false
            }
            fits = { $0.completion >= 1 && $0.completion.rounded() == $0.completion }
        case .daily:
            guard draft.hasOpenEnd else { return false }
            fits = { $0.completion == 0 || $0.completion == 1 }
        case .todo: fits = { $0.completion == 0 || $0.completion == 1 }
        }
        return entries.allSatisfy { $0.entry.skipReason == nil && $0.entry.note == nil && fits($0.entry) }
    }

    /// Adds a task with its entries by day. `id` is that of the task in Habitica, or here.
    package mutating func add(_ draft: TaskDraft, id: String, entries: [(day: CivilDate, entry: Entry)]) {
        let moment = moment
        switch HabiticaFile.kind(of: draft) {
        case .habit:
            let habit = item(draft, id, "habit") { json in
                json.name("up")
                json.value(true)
                json.name("down")
                json.value(false)
                json.name("frequency")
                json.value("daily")
                HabiticaFile.history(
                    of: entries.map { ($0.day, HabiticaFile.count(of: $0.entry)) }.filter { $0.1 > 0 }, moment, &json
                ) { count, json in
                    json.name("scoredUp")
                    json.value(count)
                    json.name("scoredDown")
                    json.value(0)
                }
            }
            habits.append(habit)
        case .daily(let fields):
            let daily = item(draft, id, "daily") { json in
                fields.write(to: &json, at: HabiticaFile.text(moment(fields.start)))
                json.name("completed")
                json.value(false)
                let days = entries.filter { $0.entry.skipReason == nil }.map { day, entry in
                    (day, Entry.category(of: entry.completion, draft.target(on: day)) == .under ? 0 : 1)
                }
                HabiticaFile.history(of: days, moment, &json) { count, json in
                    json.name("isDue")
                    json.value(true)
                    json.name("completed")
                    json.value(count > 0)
                }
            }
            dailies.append(daily)
        case .todo(let dates):
            let done = Set(
                entries.filter { $0.entry.skipReason == nil && $0.entry.completion > 0 }.map(\.day))
            for (index, date) in dates.enumerated() {
                let time = HabiticaFile.text(moment(date))
                let todo = item(draft, index == 0 ? id : "\(id)/\(date)", "todo") { json in
                    json.name("date")
                    json.value(time)
                    json.name("completed")
                    json.value(done.contains(date))
                    if done.contains(date) {
                        json.name("dateCompleted")
                        json.value(time)
                    }
                }
                todos.append(todo)
            }
        }
    }

    /// How often a Habit was scored on a day.
    private static func count(of entry: Entry) -> Int {
        guard entry.skipReason == nil, entry.completion > 0 else { return 0 }
        return max(1, Int(min(1_000_000, entry.completion).rounded()))
    }

    private mutating func item(
        _ draft: TaskDraft, _ id: String, _ type: String, _ members: (inout JSONWriter) -> Void
    ) -> JSONWriter {
        let numbers = draft.tags.map { tag in
            if let index = tags.firstIndex(of: tag) { return index + 1 }
            tags.append(tag)
            return tags.count
        }
        let (notes, steps) = HabiticaFile.split(draft.notes)
        var json = JSONWriter()
        json.object { json in
            for (name, text) in [("id", id), ("type", type), ("text", draft.name), ("notes", notes)] {
                json.name(name)
                json.value(text)
            }
            json.name("tags")
            json.array { json in for number in numbers { json.value(String(number)) } }
            json.name("checklist")
            json.array { json in
                for (index, step) in steps.enumerated() {
                    json.object { json in
                        json.name("id")
                        json.value("\(id)/\(index + 1)")
                        json.name("text")
                        json.value(step)
                        json.name("completed")
                        json.value(false)
                    }
                }
            }
            members(&json)
        }
        return json
    }

    /// The notes without the list at their end, and the items of that list.
    private static func split(_ notes: String) -> (notes: String, steps: [String]) {
        let lines = notes.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let count = lines.reversed().prefix { $0.hasPrefix("- ") }.count
        let rest = lines.dropLast(count)
        if count == 0 || !rest.isEmpty && rest.joined().isEmpty { return (notes, []) }
        return (rest.joined(separator: "\n"), lines.suffix(count).map { String($0.dropFirst(2)) })
    }

    /// Writes the history: a value that rises with what is done, and falls with what is missed, by Habitica's formula.
    private static func history(
        of days: [(day: CivilDate, count: Int)], _ moment: (CivilDate) -> Int64, _ json: inout JSONWriter,
        _ members: (_ count: Int, inout JSONWriter) -> Void
    ) {
        var value = 0.0
        json.name("history")
        json.array { json in
            for (day, count) in days {
                let step = pow(0.9747, min(21.27, max(-47.27, value)))
                value += count > 0 ? step * Double(count) : -step
                json.object { json in
                    json.name("date")
                    json.value(Int(moment(day)))
                    json.name("value")
                    json.number("\(value)")
                    members(count, &json)
                }
            }
        }
    }

    /// The whole file, in UTF-8.
    package var bytes: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.name("tags")
            json.array { json in
                for (index, tag) in tags.enumerated() {
                    json.object { json in
                        json.name("id")
                        json.value(String(index + 1))
                        json.name("name")
                        json.value(tag)
                    }
                }
            }
            json.name("tasks")
            json.object { json in
                for (name, items) in [("habits", habits), ("dailys", dailies), ("todos", todos), ("rewards", [])] {
                    json.name(name)
                    json.array { json in for item in items { json.number("\n" + item.string) } }
                }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// A time as `2026-11-20T11:00:00.000Z`.
    private static func text(_ milliseconds: Int64) -> String {
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let time = seconds - days * 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(CivilDate(daysSinceEpoch: days))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)).000Z"
    }
}

extension HabiticaDays {
    /// The fields of a Daily with its days.
    struct Fields {
        /// The first day.
        let start: CivilDate
        private let frequency: String
        private let interval: Int
        private var weekdays = WeekdaySet.all
        private var monthDays: [Int] = []
        private var ordinals: [Int] = []

        /// The fields of a pattern; nil if Habitica cannot represent it. `start` is in a unit that counts.
        init?(_ pattern: DayPattern, from start: CivilDate) {
            self.start = start
            interval = pattern.interval?.count ?? 1
            let unit = pattern.interval?.unit
            switch pattern.kind {
            case .daysOfWeek:
                weekdays = pattern.weekdays
                if weekdays == .all, unit == nil || unit == .day {
                    frequency = "daily"
                } else {
                    // Its weeks begin on Sunday, so only intervals without that day are the same.
                    guard
                        unit == nil || unit == .week && !weekdays.contains(.sunday) && start.weekday != .sunday
                    else { return nil }
                    frequency = "weekly"
                }
            case .weekdaysOfMonth:
                guard !pattern.weeks.contains(.last), unit == nil || unit == .month else { return nil }
                frequency = "monthly"
                weekdays = pattern.weekdays
                ordinals = pattern.weeks.weeks.map { $0.rawValue - 1 }
            case .daysOfMonth:
                guard !pattern.monthDays.contains(.last), unit == nil || unit == .month else { return nil }
                frequency = "monthly"
                monthDays = pattern.monthDays.days.compactMap { if case .day(let day) = $0 { day } else { nil } }
            }
        }

        func write(to json: inout JSONWriter, at time: String) {
            // A day of every so many years is a date there.
            let isYearly = interval > 1 && interval.isMultiple(of: 12) && monthDays == [start.components.day]
            json.name("frequency")
            json.value(isYearly ? "yearly" : frequency)
            json.name("everyX")
            json.value(isYearly ? interval / 12 : interval)
            json.name("startDate")
            json.value(time)
            json.name("repeat")
            json.object { json in
                for (name, weekday) in HabiticaDays.names {
                    json.name(name)
                    json.value(weekdays.contains(weekday))
                }
            }
            for (name, numbers) in [("daysOfMonth", monthDays), ("weeksOfMonth", ordinals)] {
                json.name(name)
                json.array { json in for number in numbers { json.value(number) } }
            }
        }
    }
}
