import CivilDate
package import HubKit
import MinteeDomain
import Synchronization

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
            try draft.breaches.enforce()
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
