package import ContactsDomain
package import HubKit
import Storage

extension Contact: EntityRecord {}

extension ContactSummary: EntitySummary {
    /// The e-mail address, else the phone number.
    package var distinction: String { email.isEmpty ? phone : email }
}

extension Contact {
    /// The description of contacts, from which their selectors, trash, tags and history follow.
    package static let kind: EntityKind<Contact> = EntityKind(
        one: "contact", many: "contacts", command: "hub contacts", table: "contacts_contact",
        topics: ContactEvents.topics, selectors: .contact,
        rules: EntityKind<Contact>.Rules(
            willRestore: { contact, transaction in
                if contact.mergedInto != nil { try transaction.clearMerged(contact.id) }
            }, destroy: { try $1.destroyContact($0) }, reindex: { try $1.reindexContacts($0) }),
        tags: tags, versions: versions, summaries: { try $1.contactSummaries($0) }, find: { try $1.contact($0) })

    /// Tags are compared without case.
    private static let tags: EntityTags<Contact> = EntityTags({ $0.tags }, folded: { $0.lowercased() }) { transaction in
        try transaction.contactTags()
    } tagged: { tags, words, transaction in
        var filter = ContactFilter()
        filter.tags = tags
        filter.query = ContactQuery(words: SearchQuery(words))
        return try transaction.contacts(filter)
    } change: { id, transaction, change in
        let update = try transaction.updateContact(id, expecting: nil) { change(&$0.tags) }
        return update.changes.isEmpty ? nil : update.contact
    }

    /// A version of a contact is its card.
    private static let versions: EntityVersions<Contact> = EntityVersions { rows in
        rows.contactChanges?.map(\.description)
    } read: { rows, _ in
        rows.contactCard
    } differences: { (before: Card?, after: Card?) in
        let none = Card.empty((before ?? after)?.version ?? .v4)
        return (before ?? none).changes(to: after ?? none).map { change in
            VersionDifference(
                [change.field, change.label].filter { !$0.isEmpty }.joined(separator: " "), before: change.old ?? "",
                after: change.new ?? "")
        }
    } restore: { id, card, transaction in
        let contact = try kind.item(id, in: transaction)
        if contact.card.bytes != card.bytes { try transaction.updateContact(id, card: card) }
        if contact.deletedAt != nil { try transaction.setDeleted(id, at: nil) }
        return try transaction.saved(id, ContactEvents.changed)
    }
}

extension Transaction {
    /// Returns the live contact `id`. Throws `not-found`, and `conflict` if it is no longer at `revision`, if given.
    func editableContact(_ id: String, expecting revision: Int?) throws -> Contact {
        try Contact.kind.live(id, expecting: revision, in: self)
    }

    /// Rebuilds the index rows of a contact whose card was changed, publishes the change, and returns the contact.
    func saved(_ id: String, _ topic: Topic) throws -> Contact {
        try reindexContacts([id])
        let contact = try Contact.kind.item(id, in: self)
        try emit(topic, contact.summary)
        return contact
    }
}

extension EntitySelectors where Summary == ContactSummary {
    /// The selectors of contacts: an e-mail address, a phone number, or words; `name:` in front means words of the name.
    static var contact: EntitySelectors {
        EntitySelectors { selector, inTrash, transaction in
            try inTrash ? transaction.trashedContacts(named: selector) : transaction.contacts(named: selector)
        } nearest: { text, inTrash, transaction in
            inTrash ? [] : try transaction.contactsNear(text, limit: 1)
        }
    }
}
