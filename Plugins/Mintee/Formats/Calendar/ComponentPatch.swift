import CivilDate
import ICalendar
import Text

/// Updates a component, touching only properties whose meaning changes.
struct ComponentPatch {
    private(set) var component: ICalComponent

    init(_ component: ICalComponent) { self.component = component }

    /// Sets one value, in its encoded form; nil removes the property.
    mutating func value(_ name: String, _ value: String?) {
        guard let value else { return component.remove(name) }
        if component.all(name).map(\.value) != [value] { component.set(ICalProperty(name, value: value)) }
    }

    /// Sets one text; nil removes the property.
    mutating func text(_ name: String, _ text: String?) {
        guard let text else { return component.remove(name) }
        if component.all(name).map(\.text) != [text] { component.set(ICalProperty(name, text: text)) }
    }

    /// Sets the tags, whatever the order and number of their properties.
    mutating func tags(_ tags: [String]) {
        let written = component.all("CATEGORIES").flatMap(\.texts)
        if written.sorted() == tags.sorted() { return }
        if tags.isEmpty {
            component.remove("CATEGORIES")
        } else {
            component.set(ICalProperty("CATEGORIES", texts: tags))
        }
    }

    /// Sets a date; a time on the same day, set by another program, is kept.
    mutating func day(_ name: String, _ day: CivilDate) {
        let times = component.all(name).flatMap { $0.times ?? [] }
        if times.count == 1, times[0].date == day, !times[0].isUTC { return }
        component.set(ICalProperty(name, days: [day]))
    }

    /// Sets the due day of a to-do to that of its `DTSTART`, by which programs list it under Today. A time on that day,
    /// set by another program, is kept if the start has one too: both must have the same value type (RFC 5545
    /// §3.8.2.3).
    mutating func due(_ day: CivilDate) {
        component.remove("DURATION")
        guard let start = component["DTSTART"] else { return }
        let isDate = { (property: ICalProperty) in property.value.count == 8 }
        if let due = component["DUE"], component.all("DUE").count == 1, isDate(due) == isDate(start),
            let time = due.times?.first, time.date == day
        {
            return
        }
        component.set(ICalProperty("DUE", start.parameters, value: start.value))
    }

    /// Sets the due day alone.
    mutating func dueDay(_ day: CivilDate) {
        component.remove("DURATION")
        component.set(ICalProperty("DUE", days: [day]))
    }

    /// Sets the first and the due day of a to-do. Times on these days, set by another program, are kept if both have one.
    mutating func days(_ days: ClosedRange<CivilDate>) {
        component.remove("DURATION")
        func time(_ name: String) -> ICalTime? {
            let times = component.all(name).flatMap { $0.times ?? [] }
            return times.count == 1 && !times[0].isUTC ? times[0] : nil
        }
        let (start, due) = (time("DTSTART"), time("DUE"))
        let isSameType = (start?.second == nil) == (due?.second == nil)
        if start?.date == days.lowerBound, due?.date == days.upperBound, isSameType { return }
        component.set(ICalProperty("DTSTART", days: [days.lowerBound]))
        component.set(ICalProperty("DUE", days: [days.upperBound]))
    }

    /// Sets the state, the percentage and the time of completion of a to-do.
    mutating func progress(_ progress: TodoProgress, changedAt: Int64) {
        value("STATUS", progress.status.rawValue)
        value("PERCENT-COMPLETE", progress.percent == 0 ? nil : String(progress.percent))
        if progress.status != .completed {
            value("COMPLETED", nil)
        } else if component["COMPLETED"] == nil {
            value("COMPLETED", ICalTime(milliseconds: changedAt).description)
        }
    }

    /// Adds, moves or removes the alarm of a to-do's reminder, at this time of its day in minutes.
    ///
    /// The time is kept in a property of the to-do, so that an alarm that a person moved or removed stays as it is until the
    /// reminder changes. What has lost all properties of hub keeps its alarms.
    mutating func alarm(at minutes: Int?, _ words: String) {
        let written = component[TodoFields.remind]?.value
        let wanted = minutes.map(String.init)
        let isNew = component["STATUS"] == nil && component["DTSTAMP"] == nil
        let isKnown =
            component[TodoFields.target] != nil || component[TodoFields.completion] != nil || written != nil
            || component[TaskFields.period] != nil
        guard written != wanted, isNew || isKnown else { return }
        value(TodoFields.remind, wanted)
        // Servers write `PT1110M` as `PT18H30M`.
        let own = written.flatMap { Int($0) }
        component.components.removeAll { part in
            part.name == "VALARM" && own != nil && part["TRIGGER"].flatMap { CalendarSeries.minutes($0.value) } == own
        }
        if let minutes, !component.components.contains(where: { $0.name == "VALARM" }) {
            component.components.append(.alarm(at: minutes, words))
        }
    }

    /// Sets the time of the last change.
    mutating func stamp(_ milliseconds: Int64) {
        let stamp = ICalTime(milliseconds: milliseconds).description
        value("DTSTAMP", stamp)
        value("LAST-MODIFIED", stamp)
    }
}

extension ICalComponent {
    /// An alarm at a time of the day on which its component begins.
    static func alarm(at minutes: Int, _ words: String) -> ICalComponent {
        ICalComponent(
            "VALARM",
            [
                ICalProperty("ACTION", value: "DISPLAY"), ICalProperty("DESCRIPTION", text: words),
                ICalProperty("TRIGGER", value: "PT\(minutes)M"),
            ])
    }
}

/// Properties common to all calendars of Mintee.
enum CalendarText {
    /// Returns a calendar with these components.
    static func calendar(_ components: [ICalComponent]) -> ICalComponent {
        ICalComponent(
            "VCALENDAR",
            [
                ICalProperty("VERSION", value: "2.0"),
                ICalProperty("PRODID", value: "-//hub//Mintee//EN"),
            ], components: components)
    }

    /// Returns `text`, an object from the server, with the to-do of this `UID`, else its first one, changed by `apply`;
    /// unchanged if that returns false. Throws if `text` cannot be parsed, and `ICalError.empty` if it has no to-do.
    static func applying(
        _ uid: String, to text: [UInt8], _ apply: (inout ICalComponent) -> Bool
    ) throws(ICalError) -> [UInt8] {
        var roots = try ICalReader.read(text, limits: .item)
        for root in roots.indices {
            let todos = roots[root].components.indices.filter { roots[root].components[$0].name == "VTODO" }
            let own = todos.first { roots[root].components[$0]["UID"]?.text.hasSameBytes(as: uid) ?? false }
            guard let index = own ?? todos.first else { continue }
            var todo = roots[root].components[index]
            guard apply(&todo) else { return text }
            roots[root].components[index] = todo
            return roots.flatMap(ICalWriter.write)
        }
        throw .empty
    }
}
