package import ContactsDomain
import HubKit
package import Storage

/// A person of a mail and the resulting contact.
package struct MailPerson: Sendable {
    /// Whether the contact is new; a known contact is not changed.
    package let isNew: Bool
    /// The contact; without an id in a dry run.
    package let contact: ContactSummary
    /// The address in the mail.
    package let address: MailAddress
}

extension ContactsPlugin {
    /// Adds `people` to the book `book`; nil for no book. With `isDryRun` it returns only the plan. Known contacts
    /// count as used.
    package func importFromMail(
        _ people: [MailAddress], book: String? = nil, operation: Operation, isDryRun: Bool = false
    ) async throws -> [MailPerson] {
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try people.map { person in
                    try transaction.known(person)
                        ?? MailPerson(isNew: true, contact: ContactSummary(id: "", person.details), address: person)
                }
            }
        }
        return try await contacts.write(operation) { transaction in
            try people.map { person in
                if let known = try transaction.known(person) {
                    try transaction.noteUse(of: known.contact.id)
                    return known
                }
                var details = person.details
                details.uid = ByteString(ContactUID.random())
                let card = Card(details, at: transaction.now.milliseconds)
                let source = CardSource.key(uid: details.uid, contentHash: 0)
                let row = try transaction.insertContact(
                    Identifier.make(), card, source: source, origin: nil, book: book)
                // One after the other: a later address may be of the same person.
                try transaction.reindexContacts([row.id], rules)
                let summary = ContactSummary(id: row.id, card.details)
                try transaction.emit(ContactEvents.added, summary)
                return MailPerson(isNew: true, contact: summary, address: person)
            }
        }
    }
}

extension Transaction {
    /// Returns the first contact with this address.
    fileprivate func known(_ person: MailAddress) throws -> MailPerson? {
        try contacts(withEmail: person.address).first.map {
            MailPerson(isNew: false, contact: $0, address: person)
        }
    }
}

extension MailAddress {
    /// Returns the details of a contact for this address.
    fileprivate var details: ContactDetails {
        var details = ContactDetails()
        details.emails = [LabeledValue(address)]
        if !name.isEmpty {
            details.setName(name)
        }
        return details
    }
}
