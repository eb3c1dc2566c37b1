package import HubKit
package import Storage

/// The events that notes publish.
package enum NotesEvents {
    /// A note was created, or restored from the trash.
    package static let created: Topic = "domain.notes/note-created"
    /// A note was changed.
    package static let changed: Topic = "domain.notes/note-changed"
    /// A note was moved to the trash.
    package static let deleted: Topic = "domain.notes/note-deleted"
    /// Many notes were changed at once.
    package static let bulk: Topic = "domain.notes/notes-changed"

    /// The events of notes as entities.
    package static let topics = EntityTopics(added: created, changed: changed, removed: deleted, bulk: bulk)

    /// The event declarations for the plugin descriptor.
    package static let declarations = [
        TopicDeclaration(
            created, "A note was created, or restored from the trash.", subject: "note id", fields: [name]),
        TopicDeclaration(
            changed, "The text, title, tags, folder or members of a note were changed.", subject: "note id",
            fields: [name]),
        TopicDeclaration(deleted, "A note was moved to the trash.", subject: "note id", fields: [name]),
        TopicDeclaration(
            bulk, "More than \(EntityTopics.bulkLimit) notes were changed at once, such as by an import.",
            subject: "none", fields: [.init("count", .integer, "The number of notes.")]),
        AccessRequested.event.declaration,
    ]

    private static let name = TopicDeclaration.Field(
        "name", .string, "The title of the note, or else the first line of its text.")
}

/// The body of `app.notes/access-requested`.
struct AccessRequested: EventBody {
    var name: String
    var requester: String
    var reason: String
    var notify: EventNotification

    static let example = AccessRequested(
        name: "Shopping", requester: "maria", reason: "for Sunday",
        notify: EventNotification("Access to Shopping", "maria: for Sunday"))

    static let event = EventType(
        "app.notes/access-requested", "Access to a locked note was requested; the request waits for the owner.",
        subject: "note id", like: "5ncd3xd9m2qwz5v8rjh4",
        fields: [
            EventField(
                "name", \AccessRequested.name, upTo: 500, "The title of the note, or else the first line of its text."),
            EventField("requester", \AccessRequested.requester, "The account or device that asks."),
            EventField("reason", \AccessRequested.reason, upTo: 500, "The reason as written; empty for none."),
            EventField("notify", \AccessRequested.notify, "The title and body of a desktop notification."),
        ])
}
