package import ContactsDomain
package import HubKit

/// Makes contacts of people whose mail addresses are not known yet.
package struct AddPeople: Sendable {
    /// One person and what became of them.
    package struct Person: Sendable {
        /// Whether the contact is new; one that was known is left as it is.
        package let isNew: Bool
        /// The contact; without an id when it only would be made.
        package let contact: ContactSummary
        /// The address in the mail.
        package let address: MailAddress
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Adds `people` to the book `book`, nil being the one that is only here; with `isDryRun` only tells who would be
    /// added. Known ones count as used.
    package func callAsFunction(
        _ people: [MailAddress], book: String? = nil, operation: Operation, isDryRun: Bool = false
    ) async throws -> [Person] {
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try people.map { person in
                    try transaction.known(person)
                        ?? Person(isNew: true, contact: ContactSummary(id: "", person.details), address: person)
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
                details.uid = ContactUID.make()
                let card = Card(details, at: transaction.now.milliseconds)
                let source = CardSource.key(uid: details.uid, contentHash: 0)
                let row = try transaction.insertContact(
                    Identifier.make(), card, source: source, origin: nil, book: book)
                // One after the other: the next address may be this person's again.
                try transaction.reindexContacts([row.id], rules)
                let summary = ContactSummary(id: row.id, card.details)
                try transaction.emit(ContactEvents.added, summary)
                return Person(isNew: true, contact: summary, address: person)
            }
        }
    }
}

extension Transaction {
    /// The contact that has this address, the first of several.
    fileprivate func known(_ person: MailAddress) throws -> AddPeople.Person? {
        try contacts(withEmail: person.address).first.map {
            AddPeople.Person(isNew: false, contact: $0, address: person)
        }
    }
}

extension MailAddress {
    /// What a contact made of this address says.
    fileprivate var details: ContactDetails {
        var details = ContactDetails()
        details.emails = [LabeledValue(address)]
        if !name.isEmpty {
            // `Nowak, Łukasz` is how some companies write names.
            details.name = StructuredName(parsing: name)
            details.formattedName = name.contains(",") ? details.name.formatted : name
        }
        return details
    }
}
