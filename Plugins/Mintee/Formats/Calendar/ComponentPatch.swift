import CivilDate
import ICalendar

/// Changes of a component that touch a property only where it says something else.
struct ComponentPatch {
    private(set) var component: ICalComponent

    init(_ component: ICalComponent) { self.component = component }

    /// Sets one value, in its encoded form; nil removes the property.
    mutating func value(_ name: String, _ value: String?) {
        guard let value else { return component.remove(name) }
        if component.all(name).map(\.value) != [value] { component.set(ICalProperty(name, value: value)) }
    }

    /// One text; nil takes the property out.
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

    /// One day; a time on the same day, which another program chose, stays.
    mutating func day(_ name: String, _ day: CivilDate) {
        let times = component.all(name).flatMap { $0.times ?? [] }
        if times.count == 1, times[0].date == day, !times[0].isUTC { return }
        component.set(ICalProperty(name, days: [day]))
    }

    /// The day on which a to-do is due, which is that of its `DTSTART`: what programs list under Today goes by it. A time
    /// on that day, which another program chose, stays, when the start has one too: both are of one kind (RFC 5545
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

    /// Sets the time of the last change.
    mutating func stamp(_ milliseconds: Int64) {
        let stamp = ICalTime(milliseconds: milliseconds).description
        value("DTSTAMP", stamp)
        value("LAST-MODIFIED", stamp)
    }
}

/// Properties common to all calendars of Mintee.
enum CalendarText {
    /// A calendar with these components.
    static func calendar(_ components: [ICalComponent]) -> ICalComponent {
        ICalComponent(
            "VCALENDAR",
            [
                ICalProperty("VERSION", value: "2.0"),
                ICalProperty("PRODID", value: "-//hub//Mintee//EN"),
            ], components: components)
    }
}
