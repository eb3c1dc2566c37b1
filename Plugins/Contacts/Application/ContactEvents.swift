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
    /// A birthday is near.
    package static let birthdayUpcoming: Topic = "app.contacts/birthday-upcoming"

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
        TopicDeclaration(
            birthdayUpcoming, "A contact's birthday is coming up. Published once per contact and year.",
            subject: "contact id",
            fields: [
                name, .init("date", .string, "The day of the birthday, yyyy-MM-dd."),
                .init("age", .integer, optional: true, "The age on that day, if the year of birth is known."),
                EventNotification.field(),
            ]),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The contact's name.")
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
