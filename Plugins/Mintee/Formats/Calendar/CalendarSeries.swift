import CivilDate
import ICalendar
import Text

/// The components of a calendar with one `UID`: an item, or a series with its modified days.
struct CalendarSeries {
    let uid: String
    /// The item itself, or the first day if a calendar only has days of a series.
    let master: ICalComponent
    /// The modified days, in the order of the calendar.
    let overrides: [ICalComponent]

    /// Groups the items by `UID`, in the order of their first occurrence; each item without a `UID` is a group.
    static func grouped(_ items: [ICalComponent]) -> [CalendarSeries] {
        var groups: [[ICalComponent]] = []
        var places: [ByteString: Int] = [:]
        for item in items {
            let uid = item["UID"]?.text ?? ""
            if !uid.isEmpty, let place = places[ByteString(uid)] {
                groups[place].append(item)
            } else {
                if !uid.isEmpty { places[ByteString(uid)] = groups.count }
                groups.append([item])
            }
        }
        return groups.map { CalendarSeries($0) }
    }

    private init(_ items: [ICalComponent]) {
        let index = items.firstIndex { $0["RECURRENCE-ID"] == nil } ?? 0
        master = items[index]
        uid = master["UID"]?.text ?? ""
        overrides = items.enumerated().filter { $0.offset != index }.map(\.element)
    }

    /// The name; nil if missing.
    var name: String? {
        let name = master["SUMMARY"]?.text ?? ""
        return name.isBlank ? nil : name.singleSpaced
    }

    /// The line on which it begins.
    var line: Int { master.line }

    /// Whether it is a single item on one day, not a series.
    var isSingle: Bool { master["RRULE"] == nil && master["RDATE"] == nil && overrides.isEmpty }

    /// A draft with the name, tags, notes and reminder; its days are added later.
    var draft: TaskDraft {
        TaskDraft(
            name: name ?? "", tags: master.all("CATEGORIES").flatMap(\.texts), schedule: .specific([]),
            remindAt: remindAt, notes: master["DESCRIPTION"]?.text ?? "")
    }

    /// Describes the properties that a task cannot represent, except the recurrence rule.
    func losses(from first: CivilDate, _ setting: ImportSetting) -> [String] {
        var losses: [String] = []
        let start = (master["DTSTART"] ?? master["DUE"])?.times?.first
        if start?.second != nil { losses.append("time of day left out") }
        if let end = master["DTEND"]?.times?.first, let day = setting.day(of: end) {
            // An all-day event ends with the next day, and midnight belongs to the day before.
            let last = end.second ?? 0 == 0 ? day.adding(days: -1) : day
            let days = last.daysSinceEpoch - first.daysSinceEpoch + 1
            if days > 1 { losses.append("lasts \(days) days: only the first one imported") }
        }
        let alarms = master.components.count { $0.name == "VALARM" }
        if alarms > 0, remindAt == nil { losses.append("alarm left out") }
        if alarms > 1, remindAt != nil { losses.append("only the first of \(alarms) alarms imported") }
        if !master.unreadable.isEmpty { losses.append("invalid property line left out") }
        return losses
    }

    /// The time of its first alarm, in minutes after midnight of its day; nil if it has none, or if it falls on another
    /// day.
    private var remindAt: Int? {
        guard let trigger = master.components.first(where: { $0.name == "VALARM" })?["TRIGGER"],
            let offset = CalendarSeries.minutes(trigger.value), trigger["RELATED"]?.uppercased() != "END"
        else { return nil }
        let start = master["DTSTART"] ?? master["DUE"]
        let time = start?.times?.first?.second ?? 0
        let minute = time / 60 + offset
        return (0..<1440).contains(minute) ? minute : nil
    }

    /// A duration in minutes (RFC 5545 §3.3.6): `-PT15M`, `P1DT2H`; nil for anything else.
    private static func minutes(_ text: String) -> Int? {
        var rest = text[...]
        let sign = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        guard rest.first == "P", rest.count > 2 else { return nil }
        rest = rest.dropFirst()
        var seconds = 0
        var isTime = false
        while let first = rest.first {
            if first == "T", !isTime {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number < 1_000_000 else { return nil }
            rest = rest.dropFirst(digits.count)
            switch (rest.popFirst(), isTime) {
            case ("W", false): seconds += number * 604_800
            case ("D", false): seconds += number * 86_400
            case ("H", true): seconds += number * 3600
            case ("M", true): seconds += number * 60
            case ("S", true): seconds += number
            default: return nil
            }
        }
        return sign * seconds / 60
    }
}
