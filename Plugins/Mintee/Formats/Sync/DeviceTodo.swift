package import CivilDate
package import ICalendar
import Text

/// A to-do as a device sent it, or as a device has it.
///
/// A device sends a whole to-do, of which its program may have dropped what it does not know. What it changed is found by comparing
/// it with the version that it was last given.
package struct DeviceTodo: Sendable {
    /// Why a content cannot be a to-do.
    package enum Failure: Error, Hashable, Sendable {
        /// It is not a calendar.
        case otherType
        /// It is a calendar without a to-do.
        case otherComponent
        case invalid(String)
    }

    /// The content: as sent, but for a `UID` that it lacked.
    package let content: [UInt8]
    /// The to-do; of a series its first component.
    package let todo: IncomingTodo
    private let roots: [ICalComponent]
    private let component: ICalComponent
    /// Whether it is a single to-do: neither a series nor several components.
    package let isSingle: Bool

    /// Reads a to-do; one without a `UID` gets `uid`.
    package init(_ bytes: [UInt8], uid: @autoclosure () -> String) throws(Failure) {
        let start = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.prefix(15)
        guard String(decoding: start, as: UTF8.self).uppercased() == "BEGIN:VCALENDAR" else { throw .otherType }
        var roots: [ICalComponent]
        do throws(ICalError) {
            roots = try ICalReader.read(bytes, limits: .item)
        } catch {
            throw .invalid("\(error)")
        }
        guard roots.count == 1 else { throw .invalid("it has several calendars") }
        guard roots[0]["METHOD"] == nil else { throw .invalid("it has a METHOD") }
        let parts = roots[0].components.filter { $0.name != "VTIMEZONE" }
        guard !parts.isEmpty else { throw .invalid("it has no to-do") }
        guard parts.allSatisfy({ $0.name == "VTODO" }) else { throw .otherComponent }
        var content = bytes
        if parts.count == 1, parts[0]["UID"]?.text.isBlank ?? true,
            let index = roots[0].components.firstIndex(where: { $0.name == "VTODO" })
        {
            roots[0].components[index].set(ICalProperty("UID", text: uid()))
            content = ICalWriter.write(roots[0])
        }
        let todos = roots[0].components.filter { $0.name == "VTODO" }
        guard Set(todos.map { $0["UID"]?.text ?? "" }).count == 1 else { throw .invalid("it has several UIDs") }
        self.content = content
        self.roots = roots
        component = todos.first { $0["RECURRENCE-ID"] == nil } ?? todos[0]
        todo = IncomingTodo(component)
        isSingle = todos.count == 1 && !todo.isSeries
    }

    /// Reads what was stored or given before; nil if it cannot be read.
    package init?(stored bytes: [UInt8]?) {
        guard let bytes else { return nil }
        do throws(Failure) { self = try DeviceTodo(bytes, uid: "") } catch { return nil }
    }

    /// The `UID` of a stored to-do; empty if it cannot be read.
    package static func uid(of content: [UInt8]) -> String { DeviceTodo(stored: content)?.todo.uid ?? "" }

    /// The names of the properties that its program wrote besides those that hub manages.
    package var words: Set<String> {
        var words = Set(component.properties.map { $0.name.uppercased() }.filter { !Self.isManaged($0) && !$0.isEmpty })
        for part in component.components { words.insert(part.name) }
        return words
    }

    /// The properties that follow the day and its task.
    private static let managed: Set<String> = [
        "UID", "SUMMARY", "DESCRIPTION", "CATEGORIES", "DTSTART", "DUE", "DURATION", "STATUS", "PERCENT-COMPLETE",
        "COMPLETED", "DTSTAMP", "LAST-MODIFIED", "CREATED",
    ]

    private static func isManaged(_ name: String) -> Bool { managed.contains(name) || isOwn(name) }

    private static func isOwn(_ name: String) -> Bool { name.hasPrefix("X-MINTEE-") }
}

extension DeviceTodo {
    /// The to-do with the properties of hub as they were in `base`: a program that drops them, and one that keeps them beside another
    /// state, say the same.
    package func incoming(knowing base: DeviceTodo?) -> IncomingTodo {
        guard let base else { return todo }
        var known = component
        known.properties.removeAll { Self.isOwn($0.name.uppercased()) }
        let isDropped = known.properties.count == component.properties.count
        known.properties += base.component.properties.filter { Self.isOwn($0.name.uppercased()) }
        var todo = IncomingTodo(known)
        let before = base.todo.progress
        // A program that does not know percentages leaves them out, and one that knows done and not done alone says not done.
        let isStatusKept =
            todo.progress.status == before.status
            || before.status == .inProcess && todo.progress.status == .needsAction && isDropped
        if isStatusKept, component["PERCENT-COMPLETE"] == nil { todo.progress = before }
        return todo
    }

    /// The link of a day or period to the version `self`, which a device was last given.
    package func link(of day: TaskDay, target: Target?) -> TodoLink {
        let entry =
            day.isPeriod ? Entry(completion: Double(todo.progress.percent), note: todo.note) : todo.entry(for: target)
        return TodoLink(
            day, href: "", etag: "base", ours: entry, theirs: entry, state: todo.progress.status.rawValue,
            number: todo.written?.completion, completedAt: todo.completedAt)
    }

    /// Returns the content with what other programs wrote into the stored version, unless this device removed it.
    ///
    /// - Parameters:
    ///   - stored: The version that is stored; nil for none.
    ///   - base: The version that the device was last given; nil if unknown.
    ///   - known: The properties that its program has been seen to write: one that it leaves out it has removed.
    package func merged(over stored: DeviceTodo?, base: DeviceTodo?, known: Set<String>) -> [UInt8] {
        guard let stored, isSingle, stored.isSingle else { return content }
        var result = component
        var names: [String] = []
        for property in stored.component.properties + component.properties {
            let name = property.name.uppercased()
            if !name.isEmpty, !names.contains(name), !Self.managed.contains(name) { names.append(name) }
        }
        for name in names {
            let (ours, theirs) = (stored.component.all(name), component.all(name))
            let before = base?.component.all(name)
            let isOurs = Self.isOwn(name) || Self.isOurs(ours.isEmpty, theirs, before, isKnown: known.contains(name))
            guard isOurs, ours != theirs else { continue }
            result.properties.removeAll { $0.isNamed(name) }
            result.properties += ours
        }
        for name in Set((stored.component.components + component.components).map(\.name)).sorted() {
            let (ours, theirs) = (stored.component.parts(name), component.parts(name))
            let before = base?.component.parts(name)
            guard Self.isOurs(ours.isEmpty, theirs, before, isKnown: known.contains(name)), ours != theirs else {
                continue
            }
            result.components.removeAll { $0.name == name }
            result.components += ours
        }
        return result == component ? content : replacing(result)
    }

    /// Whether the stored lines stay, and not those that the device sent.
    private static func isOurs<T: Equatable>(
        _ areOursMissing: Bool, _ theirs: [T], _ before: [T]?, isKnown: Bool
    ) -> Bool {
        // It is as the device was given it.
        if let before, before == theirs { return true }
        // What a program leaves out it may not know.
        return theirs.isEmpty && !(isKnown && before?.isEmpty == false)
    }

    private func replacing(_ new: ICalComponent) -> [UInt8] {
        var roots = roots
        if let index = roots[0].components.firstIndex(of: component) { roots[0].components[index] = new }
        return roots.flatMap(ICalWriter.write)
    }

    /// The content with the time of its last change, so that a device which has something else gets it again.
    package func stamped(_ milliseconds: Int64) -> [UInt8] {
        var patch = ComponentPatch(component)
        patch.stamp(milliseconds)
        return replacing(patch.component)
    }

    /// Whether a person sees the same in both.
    package func saysSame(as other: DeviceTodo) -> Bool {
        func seen(_ todo: IncomingTodo) -> IncomingTodo {
            var seen = todo
            (seen.written, seen.target, seen.changedAt, seen.completedAt, seen.completedOn) = (nil, nil, nil, nil, nil)
            seen.tags.sort()
            return seen
        }
        return seen(todo) == seen(other.todo)
    }
}

extension ICalComponent {
    fileprivate func parts(_ name: String) -> [ICalComponent] { components.filter { $0.name == name } }
}

extension DeviceTodo {
    /// Returns a to-do that a device made with what was changed here: the state, the day, the name, the tags, the note. All else
    /// stays as the device wrote it. Throws if it cannot be parsed.
    package static func applying(_ day: DayTodo, to content: [UInt8]) throws(ICalError) -> [UInt8] {
        try CalendarText.applying("", to: content) { component in
            let todo = IncomingTodo(component)
            var patch = ComponentPatch(component)
            if !isName(day.name, from: todo.name) { patch.text("SUMMARY", day.name) }
            if Set(day.tags.map(TagName.folded)) != Set(todo.tags.map(TagName.folded)) { patch.tags(day.tags) }
            if (todo.due ?? todo.date) != day.date {
                if component["DTSTART"] != nil { patch.day("DTSTART", day.date) }
                patch.dueDay(day.date)
            }
            let (status, wanted) = (todo.progress.status, day.progress.status)
            if (status == .completed) != (wanted == .completed) || (status == .cancelled) != (wanted == .cancelled) {
                patch.progress(day.progress, changedAt: day.changedAt)
            }
            if todo.note != day.entry?.note { patch.text("DESCRIPTION", day.entry?.note) }
            guard patch.component != component else { return false }
            patch.stamp(day.changedAt)
            component = patch.component
            return true
        }
    }

    /// The name of a task for a to-do with this name, which may be anything.
    package static func name(_ text: String) -> String {
        let name = String(text.singleSpaced.prefix(TaskDraft.maximumName - 20))
        return name.isBlank ? "To-do" : name
    }

    /// Whether a task has the name of a to-do: another task may have it already.
    package static func isName(_ name: String, from text: String) -> Bool {
        let wanted = Self.name(text)
        guard name.hasPrefix(wanted) else { return false }
        let rest = name.dropFirst(wanted.count)
        return rest.isEmpty
            || rest.first == " " && rest.dropFirst().allSatisfy { $0.isNumber || $0 == "-" } && rest.count > 1
    }

    /// The tags of a task for a to-do, which may have any.
    package static func tags(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.map { String($0.singleSpaced.prefix(TaskDraft.maximumName)) }.filter {
            !$0.isBlank && seen.insert(TagName.folded($0)).inserted
        }
    }
}

extension TaskDraft {
    /// The date of a task that has no other.
    package var onlyDate: CivilDate? {
        guard case .specific(let dates) = schedule, dates.count == 1, period == nil else { return nil }
        return dates[0]
    }
}
