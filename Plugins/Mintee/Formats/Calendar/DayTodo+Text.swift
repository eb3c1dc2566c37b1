package import ICalendar
import Text

extension DayTodo {
    /// The day as a separate calendar, in UTF-8. The same day gives the same bytes.
    package var text: [UInt8] { ICalWriter.write(CalendarText.calendar([component])) }

    /// The day as a component.
    package var component: ICalComponent {
        var todo = ICalComponent("VTODO", [ICalProperty("UID", text: uid)])
        apply(to: &todo)
        return todo
    }

    /// Returns `text`, an object from the server, updated with this day; unchanged if it already matches.
    ///
    /// Only the properties that hub manages are touched; the properties of other programs stay as written, and so do
    /// alarms until the reminder of the task changes.
    /// The to-do is the one with the same `UID`, else the first. Throws if `text` cannot be parsed, and
    /// `ICalError.empty` if it has no to-do.
    package func applied(to text: [UInt8]) throws(ICalError) -> [UInt8] {
        try CalendarText.applying(uid, to: text) { apply(to: &$0) }
    }

    /// Updates a to-do with the day. Returns whether that changed anything.
    @discardableResult
    func apply(to todo: inout ICalComponent) -> Bool {
        let before = todo
        var patch = ComponentPatch(todo)
        patch.text("SUMMARY", name)
        patch.tags(tags)
        patch.day("DTSTART", date)
        patch.due(date)
        patch.alarm(at: remindAt, name)
        TodoFields(target: target, entry: entry, changedAt: changedAt).apply(to: &patch)
        guard patch.component != before else { return false }
        patch.stamp(changedAt)
        todo = patch.component
        return true
    }
}

/// The properties of a to-do beyond its date: the state, and in custom properties the exact value.
struct TodoFields {
    static let completion = "X-MINTEE-COMPLETION"
    static let target = "X-MINTEE-TARGET"
    static let skip = "X-MINTEE-SKIP"
    static let remind = "X-MINTEE-REMIND"

    let target: Target?
    let entry: Entry?
    let changedAt: Int64

    func apply(to patch: inout ComponentPatch, as kind: TaskCalendar.Kind = .todos) {
        let progress = TodoProgress(entry, target)
        if kind == .events {
            // An event has no state except being cancelled.
            patch.value("STATUS", progress.status == .cancelled ? progress.status.rawValue : nil)
        } else {
            patch.progress(progress, changedAt: changedAt)
        }
        patch.text("DESCRIPTION", entry?.note)
        patch.value(TodoFields.completion, entry.map { NumberText.text($0.completion) })
        patch.text(TodoFields.target, target?.description)
        patch.text(TodoFields.skip, entry?.skipReason)
    }
}
