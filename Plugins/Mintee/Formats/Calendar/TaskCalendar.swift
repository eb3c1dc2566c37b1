package import CivilDate
import ICalendar
import Time

/// Writes tasks as a calendar: a series with a rule for each target set, and one more component for each filled day.
///
/// The days of a stronger set are exceptions of the weaker ones, so that no day occurs twice. Data that rules cannot
/// express (bounds, exact values, a task that begins before its first due day) is in custom properties; see
/// docs/mintee.md.
package struct TaskCalendar: Sendable {
    /// The component type for days.
    package enum Kind: String, CaseIterable, Sendable {
        /// To-dos, with their progress.
        case todos = "VTODO"
        /// All-day events that do not block time, for programs that only show events.
        case events = "VEVENT"
    }

    /// The text before all tasks, in UTF-8.
    package static var head: [UInt8] {
        Array(ICalWriter.write(CalendarText.calendar([])).dropLast(tail.count))
    }
    /// The text after all tasks.
    package static let tail = Array("END:VCALENDAR\r\n".utf8)

    private let record: TaskRecord
    private let kind: Kind
    private let entries: [(day: CivilDate, entry: Entry)]

    /// Creates the writer of a task with its entries by day.
    package init(_ record: TaskRecord, _ entries: [(day: CivilDate, entry: Entry)], as kind: Kind) {
        self.record = record
        self.entries = entries
        self.kind = kind
    }

    /// The components of the task, in UTF-8. The same task gives the same bytes.
    package var text: [UInt8] { components.flatMap(ICalWriter.write) }

    private var components: [ICalComponent] {
        switch record.draft.schedule {
        case .specific(let dates): specific(dates)
        case .recurring(let start, let end, let sets): recurring(start, end, sets)
        }
    }

    /// The rule of each target set by priority, without exceptions: `FREQ=WEEKLY;UNTIL=20271120;BYDAY=MO`.
    ///
    /// Empty for specific dates.
    package static func rules(of draft: TaskDraft) -> [String] {
        guard case .recurring(_, let end, let sets) = draft.schedule else { return [] }
        return sets.map { rule(of: $0, until: draft.hasOpenEnd ? nil : end).description }
    }

    private static func rule(of set: TargetSet, until end: CivilDate?) -> RecurrenceRule {
        var rule = set.pattern.rule
        rule.until = end.map { ICalTime(date: $0) }
        return rule
    }

    private func specific(_ dates: [CivilDate]) -> [ICalComponent] {
        let uid = "task/\(record.id)"
        var series = head(uid)
        if let first = dates.first {
            series.properties += days(first)
            if dates.count > 1 { series.properties.append(ICalProperty("RDATE", days: Array(dates.dropFirst()))) }
        }
        return [series] + entries.map { override(uid, $0.day, $0.entry, nil) }
    }

    private func recurring(_ start: CivilDate, _ end: CivilDate, _ sets: [TargetSet]) -> [ICalComponent] {
        let isEndless = record.draft.hasOpenEnd && sets.count == 1
        let last = max(end, record.draft.hasOpenEnd ? entries.last?.day ?? end : end)
        // The days of each set that a stronger set takes.
        var lost = [[CivilDate]](repeating: [], count: sets.count)
        if sets.count > 1 {
            var day = CalendarDay(start)
            while day.date <= last {
                let matching = sets.indices.filter { sets[$0].pattern.matches(day) }
                for number in matching.dropFirst() { lost[number].append(day.date) }
                day.advance()
            }
        }
        var filled = [[ICalComponent]](repeating: [], count: sets.count)
        for (day, entry) in entries {
            guard let set = Schedule.set(of: sets, on: CalendarDay(day)) else { continue }
            filled[set].append(override("task/\(record.id)/set/\(set)", day, entry, sets[set].target))
        }
        return sets.enumerated().flatMap { number, set in
            var series = head("task/\(record.id)/set/\(number)")
            let rule = TaskCalendar.rule(of: set, until: isEndless ? nil : last)
            // Every pattern matches within two consecutive months that count.
            let exception = set.pattern.exception
            let far = start.adding(days: 70 + (set.pattern.interval?.horizon ?? 0) + (exception == nil ? 0 : 800))
            let horizon = isEndless ? max(last, far) : last
            if let first = set.pattern.firstMatch(from: start, through: horizon) {
                series.properties += days(first)
                series.properties.append(ICalProperty("RRULE", value: rule.description))
                let days = set.pattern.except(nil)
                let out = (exception?.days ?? []).filter {
                    $0 > first && (isEndless || $0 <= last) && days.matches($0)
                }
                let excluded = out.isEmpty ? lost[number] : Set(lost[number] + out).sorted()
                if !excluded.isEmpty { series.properties.append(ICalProperty("EXDATE", days: excluded)) }
            } else {
                // A set without any due day is not a series, but still a set.
                series.properties.append(ICalProperty("STATUS", value: "CANCELLED"))
                series.properties.append(ICalProperty(TaskFields.rule, value: rule.description))
            }
            series.properties += [
                ICalProperty(TodoFields.target, text: set.target.description),
                ICalProperty(TaskFields.priority, value: String(number)),
                ICalProperty(TaskFields.from, value: ICalTime(date: start).description),
                ICalProperty(TaskFields.to, value: ICalTime(date: end).description),
            ]
            if let interval = set.pattern.interval {
                series.properties.append(
                    ICalProperty(TaskFields.interval, value: ICalTime(date: interval.start).description))
            }
            if let exception { series.properties.append(ICalProperty(TaskFields.except, text: exception.calendar)) }
            if record.draft.hasOpenEnd { series.properties.append(ICalProperty(TaskFields.openEnd, value: "TRUE")) }
            if let period = record.draft.period {
                series.properties.append(ICalProperty(TaskFields.period, text: period.description))
            }
            return [series] + filled[number]
        }
    }

    /// The properties common to all components of the task, and its texts.
    private func head(_ uid: String) -> ICalComponent {
        let draft = record.draft
        let changed = ICalTime(milliseconds: record.changedAt.milliseconds).description
        var component = ICalComponent(
            kind.rawValue,
            [
                ICalProperty("UID", text: uid), ICalProperty("DTSTAMP", value: changed),
                ICalProperty("CREATED", value: ICalTime(milliseconds: record.createdAt.milliseconds).description),
                ICalProperty("LAST-MODIFIED", value: changed), ICalProperty("SUMMARY", text: draft.name),
            ])
        if !draft.tags.isEmpty { component.properties.append(ICalProperty("CATEGORIES", texts: draft.tags)) }
        if !draft.notes.isEmpty { component.properties.append(ICalProperty("DESCRIPTION", text: draft.notes)) }
        if kind == .events { component.properties.append(ICalProperty("TRANSP", value: "TRANSPARENT")) }
        if let minutes = draft.remindAt {
            component.components.append(.alarm(at: minutes, draft.name))
        }
        return component
    }

    private func days(_ date: CivilDate) -> [ICalProperty] {
        let start = ICalProperty("DTSTART", days: [date])
        return kind == .todos ? [start] : [start, ICalProperty("DTEND", days: [date.adding(days: 1)])]
    }

    /// A filled day of a series.
    private func override(_ uid: String, _ day: CivilDate, _ entry: Entry, _ target: Target?) -> ICalComponent {
        var patch = ComponentPatch(
            ICalComponent(
                kind.rawValue,
                [
                    ICalProperty("UID", text: uid), ICalProperty("RECURRENCE-ID", days: [day]),
                    ICalProperty("SUMMARY", text: record.draft.name),
                ] + days(day)))
        patch.stamp(record.changedAt.milliseconds)
        if kind == .events { patch.value("TRANSP", "TRANSPARENT") }
        TodoFields(target: target, entry: entry, changedAt: record.changedAt.milliseconds).apply(to: &patch, as: kind)
        return patch.component
    }
}

/// The custom properties of a series.
enum TaskFields {
    static let priority = "X-MINTEE-PRIORITY"
    static let from = "X-MINTEE-FROM"
    static let to = "X-MINTEE-TO"
    static let interval = "X-MINTEE-INTERVAL-FROM"
    static let except = "X-MINTEE-EXCEPT"
    static let openEnd = "X-MINTEE-OPEN-END"
    static let rule = "X-MINTEE-RRULE"
    static let period = "X-MINTEE-PERIOD"
}
