import ContactsDomain
import HubKit
package import Storage

/// The events that contacts publish.
package enum ContactEvents {
    /// A contact was created or restored from the trash.
    package static let added: Topic = "domain.contacts/contact-added"
    /// A contact was changed.
    package static let changed: Topic = "domain.contacts/contact-changed"
    /// A contact was moved to the trash.
    package static let removed: Topic = "domain.contacts/contact-removed"
    /// Many contacts changed at once, by an import or its undo.
    package static let bulkChanged: Topic = "domain.contacts/contacts-changed"

    /// The topics of contacts.
    static let topics = EntityTopics(added: added, changed: changed, removed: removed, bulk: bulkChanged)

    /// The topics of the plugin's descriptor.
    package static let declarations = [
        TopicDeclaration(
            added, "A contact was created or restored from the trash.", subject: "contact id", fields: [name]),
        TopicDeclaration(changed, "A contact was changed.", subject: "contact id", fields: [name]),
        TopicDeclaration(removed, "A contact was moved to the trash.", subject: "contact id", fields: [name]),
        TopicDeclaration(
            bulkChanged, "Many contacts were created, changed or removed by one operation, such as an import.",
            subject: "none", fields: [.init("count", .integer, "The number of contacts.")]),
        BirthdayUpcoming.event.declaration,
        DateUpcoming.event.declaration,
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The contact's name.")
}

/// The body of `app.contacts/birthday-upcoming`.
struct BirthdayUpcoming: EventBody {
    var name: String
    var date: String
    var age: Int?
    var notify: EventNotification

    static let example = BirthdayUpcoming(
        name: "Ada Lovelace", date: "2026-12-10", age: 211,
        notify: EventNotification("Birthday: Ada Lovelace", "211 years old in 3 days, on 2026-12-10"))

    static let event = EventType(
        "app.contacts/birthday-upcoming", "A contact's birthday is coming up. Published once per contact and year.",
        subject: "contact id", like: "7kt3xd9m2qwz5v8rjh41",
        fields: [
            EventField("name", \BirthdayUpcoming.name, "The contact's name."),
            EventField("date", \BirthdayUpcoming.date, "The day of the birthday, yyyy-MM-dd."),
            EventField("age", \BirthdayUpcoming.age, "The age on that day, if the year of birth is known."),
            EventField("notify", \BirthdayUpcoming.notify, "The title and body of a desktop notification."),
        ])
}

/// The body of `app.contacts/date-upcoming`.
struct DateUpcoming: EventBody {
    var name: String
    var label: String
    var date: String
    var years: Int?
    var notify: EventNotification

    static let example = DateUpcoming(
        name: "Ada Lovelace", label: "anniversary", date: "2026-07-08", years: 191,
        notify: EventNotification("Anniversary: Ada Lovelace", "191 years in 3 days, on 2026-07-08"))

    static let event = EventType(
        "app.contacts/date-upcoming",
        "An anniversary or another date of a contact is coming up. Published once per date and year.",
        subject: "contact id", like: "7kt3xd9m2qwz5v8rjh41",
        fields: [
            EventField("name", \DateUpcoming.name, "The contact's name."),
            EventField("label", \DateUpcoming.label, "The label of the date, such as anniversary."),
            EventField("date", \DateUpcoming.date, "The day, yyyy-MM-dd."),
            EventField("years", \DateUpcoming.years, "The full years on that day, if the year is known."),
            EventField("notify", \DateUpcoming.notify, "The title and body of a desktop notification."),
        ])
}

extension Transaction {
    /// Publishes that several contacts changed: one event each, or one for all if they are many.
    func emit(_ topic: Topic, _ contacts: [ContactSummary]) throws {
        try emit(topic, contacts, of: ContactEvents.topics)
    }

    /// Publishes that `count` contacts changed at once.
    func emitBulkChange(count: Int) throws { try emit(ContactEvents.bulkChanged, count: count) }

    /// Publishes the changes of the contacts `ids` by undo or redo.
    package func announceContacts(_ ids: [String]) throws { try Contact.kind.announce(ids, in: self) }
}
