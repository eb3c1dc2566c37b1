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
        if start?.second != nil, remindAt == nil || remindAt.map({ $0 != (start?.second ?? 0) / 60 }) == true {
            losses.append("time of day left out")
        }
        if !leftOut.isEmpty { losses.append("\(leftOut) left out") }
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

    /// The property with the first day: `DTSTART` or `DUE`, of a completed to-do without either its `COMPLETED`.
    var start: ICalProperty? {
        let isDone = master.name == "VTODO" && TodoProgress(master).status == .completed
        return master["DTSTART"] ?? master["DUE"] ?? (isDone ? master["COMPLETED"] : nil)
    }

    /// The day on which a to-do is due, by `DUE`, or by `DTSTART` and `DURATION`; nil if neither says so.
    func due(_ setting: ImportSetting) -> CivilDate? {
        guard master.name == "VTODO" else { return nil }
        if let due = master["DUE"]?.times?.first { return setting.day(of: due) }
        guard let start = master["DTSTART"]?.times?.first, let day = setting.day(of: start),
            let length = master["DURATION"].flatMap({ CalendarSeries.minutes($0.value) }), length > 0
        else { return nil }
        let minutes = (start.second ?? 0) / 60 + length
        // A length that ends with midnight ends with the day before.
        return day.adding(days: (minutes - 1) / 1440)
    }

    /// The time of its first alarm, in minutes after midnight of its day; nil if it has none, or if it falls on another
    /// day. An alarm of a to-do may be relative to its start or to its `DUE` (RFC 5545 §3.8.6.3).
    private var remindAt: Int? {
        guard let trigger = master.components.first(where: { $0.name == "VALARM" })?["TRIGGER"],
            let offset = CalendarSeries.minutes(trigger.value)
        else { return nil }
        let isEnd = trigger["RELATED"]?.uppercased() == "END"
        if isEnd, master.name != "VTODO" { return nil }
        let (start, due) = (master["DTSTART"]?.times?.first, master["DUE"]?.times?.first)
        let base = (isEnd ? due ?? start : start ?? due)
        let day = (master.name == "VTODO" ? due ?? start : start)?.date
        let days = day.flatMap { day in base.map { $0.date.daysSinceEpoch - day.daysSinceEpoch } } ?? 0
        let minute = days * 1440 + (base?.second ?? 0) / 60 + offset
        return (0..<1440).contains(minute) ? minute : nil
    }

    /// The properties that a task keeps, or that say nothing about it.
    private static let known: Set<String> = [
        "UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "SUMMARY", "DESCRIPTION", "CATEGORIES", "CLASS",
        "TRANSP",
        "STATUS", "PERCENT-COMPLETE", "COMPLETED", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "RDATE", "EXDATE",
        "RECURRENCE-ID",
    ]

    /// The names of properties for people.
    private static let names = [
        "RELATED-TO": "relation to another to-do", "GEO": "position", "ATTACH": "attachment", "ATTENDEE": "attendees",
        "EXRULE": "exception rule (EXRULE)", "URL": "URL", "REQUEST-STATUS": "request status",
    ]

    /// What a task does not keep of the properties: `location, priority`; empty for nothing.
    private var leftOut: String {
        let others = Set(master.properties.map { $0.name.uppercased() }.filter { !$0.hasPrefix("X-") })
            .subtracting(CalendarSeries.known)
        let words = others.sorted().compactMap { name -> String? in
            // RFC 5545 §3.8.1.9: 0 means that none is defined.
            if name == "PRIORITY", master[name]?.value == "0" { return nil }
            return CalendarSeries.names[name] ?? name.lowercased()
        }
        let more = words.count > 10 ? ["\(words.count - 10) more"] : []
        return (words.prefix(10) + more).joined(separator: ", ")
    }

    /// A duration in minutes (RFC 5545 §3.3.6): `-PT15M`, `P1DT2H`; nil for anything else.
    static func minutes(_ text: String) -> Int? {
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
