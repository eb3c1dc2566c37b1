import CivilDate
package import HubKit
import MinteeDomain
import Synchronization

/// Creates a task for an upcoming birthday: once per event, however often it is delivered.
package struct MakeBirthdayTask: Sendable {
    /// The settings of the flow.
    package struct Settings: Sendable {
        /// The name of the task; `{name}` is replaced by the contact's name.
        package let name: String
        /// Its tag; empty for none.
        package let tag: String
        /// The reminder time, in minutes after midnight; nil for no reminder.
        package let remindAt: Int?

        package init(name: String, tag: String, remindAt: Int?) {
            self.name = name
            self.tag = tag
            self.remindAt = remindAt
        }
    }

    let store: Store
    let settings: Settings
    private let clock: any Clock
    private let round: Round

    package init(_ store: Store, _ settings: Settings, clock: any Clock, round: Round = Round()) {
        self.clock = clock
        self.store = store
        self.settings = settings
        self.round = round
    }

    /// The operation shared by tasks created in quick succession, so that history has one line for all of them.
    package final class Round: Sendable {
        /// The pause after the last task that starts a new operation.
        private static let pause = Duration.seconds(60)

        private let latest = Mutex<(operation: Operation, at: Instant)?>(nil)

        package init() {}

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

    /// Handles one `app.contacts/birthday-upcoming`. An event without name and day is ignored.
    package func callAsFunction(_ event: StoredEvent) async throws {
        let body = try event.event.fields()
        guard let contact = body["name"]?.string, let date = body["date"]?.string.flatMap({ CivilDate($0) }) else {
            return
        }
        let source = "birthday:\(event.sequence)"
        let settings = settings
        let operation = round.operation(at: clock.now)
        try await store.write(operation) { transaction in
            if try transaction.taskID(madeFrom: source) != nil { return }
            var name = settings.name.replacing("{name}", with: contact)
            name = String(name.prefix(TaskDraft.maximumName - 13))
            if try transaction.taskID(named: name) != nil { name += " \(date)" }
            if try transaction.taskID(named: name) != nil { return }
            let draft = TaskDraft(
                name: name, tags: settings.tag.isBlank ? [] : [settings.tag], schedule: .dates([date]),
                remindAt: settings.remindAt)
            try draft.breaches.enforce()
            _ = try transaction.createTask(draft.trimmed, source: source)
        }
    }
}
