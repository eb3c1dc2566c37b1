import ContactsDomain
package import HubKit

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

    /// The maximum number of changed contacts with an event each; beyond it, one event covers all.
    static let bulkLimit = 100

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
            birthdayUpcoming, "A contact's birthday is near. Published once per contact and year.",
            subject: "contact id",
            fields: [
                name, .init("date", .string, "The day of the birthday, yyyy-MM-dd."),
                .init("age", .integer, optional: true, "The age on that day, if the year of birth is known."),
                .init("notify", .object, "The title and body of a desktop notification."),
            ]),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The contact's name.")
}

extension Transaction {
    /// Publishes that a contact was added, changed or removed.
    func emit(_ topic: Topic, _ contact: ContactSummary) throws {
        var body = JSONWriter()
        body.object { body in
            body.name("name")
            body.value(String(contact.name.prefix(1000)))
        }
        try emit(Event(topic, subject: contact.id, body: body.string))
    }

    /// Publishes that several contacts changed: one event each, or one for all if they are many.
    func emit(_ topic: Topic, _ contacts: [ContactSummary]) throws {
        if contacts.count > ContactEvents.bulkLimit { return try emitBulkChange(count: contacts.count) }
        for contact in contacts { try emit(topic, contact) }
    }

    /// Publishes that `count` contacts changed at once.
    func emitBulkChange(count: Int) throws {
        var body = JSONWriter()
        body.object { body in
            body.name("count")
            body.value(count)
        }
        try emit(Event(ContactEvents.bulkChanged, subject: "", body: body.string))
    }

    /// Publishes the changes of the contacts `ids` by undo or redo.
    package func announceContacts(_ ids: [String]) throws {
        if ids.count > ContactEvents.bulkLimit { return try emitBulkChange(count: ids.count) }
        for id in ids {
            let row = try contact(id)
            let isLive = row.map { $0.deletedAt == nil } ?? false
            let summary = row.map { ContactSummary(id: id, $0.card.details) }
            try emit(
                isLive ? ContactEvents.changed : ContactEvents.removed,
                summary ?? ContactSummary(id: id, name: "", phone: "", email: "", tags: []))
        }
    }
}
