import CivilDate
import Commands
import HubKit
package import MinteeDomain
package import Storage
import Synchronization

extension MinteePlugin {
    /// Creates a task; `source` identifies the import item or event that it comes from.
    ///
    /// Throws `invalid` with the code of the violated rule.
    package func createTask(
        _ draft: TaskDraft, source: String? = nil, operation: Operation
    ) async throws -> TaskRecord {
        try (draft.violations + draft.farViolations()).enforce()
        return try await store.write(operation) { try $0.createTask(draft.trimmed, source: source) }
    }
}

extension Transaction {
    /// Stores a new task whose own rules were already checked; `entered` are the days that get an entry with it. Throws
    /// `invalid` (DP-7) for an unknown calendar of holidays.
    func createTask(_ draft: TaskDraft, source: String? = nil, entered: [CivilDate] = []) throws -> TaskRecord {
        try requireName(draft.name, of: nil)
        let draft = try resolvingHolidays(draft, entered: entered)
        let id = Identifier.make()
        try insertTask(id, draft, source: source)
        let record = try TaskRecord.kind.item(id, in: self)
        try emit(MinteeEvents.taskAdded, record)
        return record
    }
}

extension TaskDraft {
    /// Returns the draft without blanks around the name.
    var trimmed: TaskDraft {
        var draft = self
        draft.name = name.singleSpaced
        return draft
    }
}

extension MinteePlugin {
    /// Creates a task for an `app.contacts/birthday-upcoming`: once per event, however often it is delivered. An event
    /// without name and day is ignored.
    package func createBirthdayTask(_ event: StoredEvent) async throws {
        let body = try event.event.fields()
        guard let contact = body["name"]?.string, let date = body["date"]?.string.flatMap({ CivilDate($0) }) else {
            return
        }
        let source = "birthday:\(event.sequence)"
        let (template, tag) = (config[MinteeKeys.birthdayTask], config[MinteeKeys.birthdayTag])
        let remindAt = config[MinteeKeys.birthdayRemind]?.minutes
        let operation = birthdays.operation(at: clock.now)
        try await store.write(operation) { transaction in
            if try transaction.taskID(madeFrom: source) != nil { return }
            var name = template.replacing("{name}", with: contact)
            name = String(name.prefix(TaskDraft.maximumName - 13))
            if try transaction.taskID(named: name) != nil { name += " \(date)" }
            if try transaction.taskID(named: name) != nil { return }
            let draft = TaskDraft(
                name: name, tags: tag.isBlank ? [] : [tag], schedule: .dates([date]), remindAt: remindAt)
            try draft.violations.enforce()
            _ = try transaction.createTask(draft.trimmed, source: source)
        }
    }
}

/// The operation shared by tasks created in quick succession, so that history has one line for all of them.
final class BirthdayOperation: Sendable {
    /// The pause after the last task that starts a new operation.
    private static let pause = Duration.seconds(60)

    private let latest = Mutex<(operation: Operation, at: Instant)?>(nil)

    func operation(at now: Instant) -> Operation {
        latest.withLock { latest in
            let isGoingOn = latest.map { now >= $0.at && now - $0.at < Self.pause } == true
            let operation = isGoingOn ? latest?.operation : nil
            let made = operation ?? Operation("mintee birthday", who: .service("mintee"))
            latest = (made, now)
            return made
        }
    }
}
