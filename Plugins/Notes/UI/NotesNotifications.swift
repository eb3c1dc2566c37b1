import HubKit
import Storage

/// The buttons of the desktop notifications of notes.
enum NotesNotifications {
    /// The answers to a request for access.
    static let all = [
        NotificationActions(
            of: AccessRequested.event.topic, [.init("allow", "Allow"), .init("deny", "Deny")],
            instruction: { event in
                requester(of: event).map { "To answer: hub notes requests allow \(ShellWords.quote($0)), or deny" }
                    ?? ""
            }
        ) { (notes: NotesPlugin, event, button) in
            guard let requester = requester(of: event) else { return }
            _ = try await notes.answerRequest(
                for: event.subject, by: requester, allow: button == "allow",
                operation: Operation("notes requests \(button)", commandLine: "notification: \(button) \(requester)"))
        }
    ]

    private static func requester(of event: StoredEvent) -> String? {
        try? AccessRequested(event.event).requester
    }
}
