import Commands
package import ContactsDomain
import HubKit
package import Storage
import Sync

/// A person of a mail and what became of it.
package struct MailPerson: Sendable {
    /// What becomes of a person of a mail.
    package enum Outcome: String, Sendable {
        /// There was no such contact, so it is new.
        case new
        /// The address is that of a contact, which is not changed.
        case known
        /// The address is added to a contact.
        case added
        /// A contact with another address has the same name; nothing is changed.
        case similar
        /// It is an address of the user; nothing is changed.
        case own
        /// It is the address of a mailing list; nothing is changed.
        case list
    }

    /// What becomes of it.
    package let outcome: Outcome
    /// The contact; without an id if there is none yet.
    package let contact: ContactSummary
    /// The address in the mail.
    package let address: MailAddress
}

/// The people of a mail, with what decides about them.
package struct MailPeople: Sendable {
    /// The decision about a person whose name a contact with another address has.
    package enum Decision: Hashable, Sendable {
        /// The address is added to this contact.
        case addTo(String)
        /// It is another person, and becomes a contact.
        case create
    }

    /// The people.
    package var people: [MailAddress]
    /// The addresses of the user, in lower case.
    package var own: Set<String>
    /// The addresses of the mailing list that the mail came from, in lower case.
    package var lists: Set<String>
    /// The decisions, by address.
    package var decisions: [String: Decision] = [:]

    package init(_ people: [MailAddress], own: Set<String> = [], lists: Set<String> = []) {
        self.people = people
        self.own = own
        self.lists = lists
    }
}

extension ContactsPlugin {
    /// The addresses of the user: those of the accounts and of the setting `own_addresses`, in lower case.
    package func ownAddresses() -> Set<String> {
        var own = config[ContactsKeys.ownAddresses]
        for setup in (try? accounts.registry.accounts()) ?? [] {
            own += [setup.account.user ?? "", setup.account.place]
        }
        return Set(own.filter { $0.contains("@") && !$0.contains("/") }.map { $0.lowercased() })
    }

    /// Adds people to the book `book`; nil for no book. With `isDryRun` it returns only the plan. Known contacts count as
    /// used. A person whose name a contact with another address has is added only by a decision.
    package func importFromMail(
        _ mail: MailPeople, book: String? = nil, operation: Operation, isDryRun: Bool = false
    ) async throws -> [MailPerson] {
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try mail.people.map { person in
                    try transaction.plan(person, in: mail)
                        ?? MailPerson(outcome: .new, contact: ContactSummary(id: "", person.details), address: person)
                }
            }
        }
        return try await contacts.write(operation) { transaction in
            try mail.people.map { person in
                if let plan = try transaction.plan(person, in: mail) {
                    if plan.outcome == .known || plan.outcome == .added {
                        try transaction.noteUse(of: plan.contact.id)
                    }
                    guard plan.outcome == .added else { return plan }
                    let update = try transaction.updateContact(plan.contact.id, expecting: nil) { details in
                        details.emails.append(LabeledValue(person.address))
                    }
                    try transaction.reindexContacts([plan.contact.id], rules)
                    return MailPerson(outcome: .added, contact: update.contact.summary, address: person)
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
                return MailPerson(outcome: .new, contact: summary, address: person)
            }
        }
    }
}

extension Transaction {
    /// The number of contacts with the words of a name that are compared.
    private static let namesakeLimit = 20

    /// Returns what becomes of a person; nil if it is a new contact.
    fileprivate func plan(_ person: MailAddress, in mail: MailPeople) throws -> MailPerson? {
        let address = person.address.lowercased()
        func result(_ outcome: MailPerson.Outcome, _ contact: ContactSummary? = nil) -> MailPerson {
            MailPerson(outcome: outcome, contact: contact ?? ContactSummary(id: "", person.details), address: person)
        }
        if let known = try contacts(withEmail: person.address).first { return result(.known, known) }
        switch mail.decisions[address] {
        case .addTo(let id): return result(.added, try editableContact(id, expecting: nil).summary)
        case .create: return nil
        case nil: break
        }
        if mail.own.contains(address) { return result(.own) }
        if mail.lists.contains(address) { return result(.list) }
        return try namesake(of: person).map { result(.similar, $0) }
    }

    /// Returns the first contact with the same name, whatever the order, spelling and titles of its words.
    private func namesake(of person: MailAddress) throws -> ContactSummary? {
        let name = ComparableName(person.details)
        if person.name.isEmpty || name.isEmpty { return nil }
        let found = try searchContacts(SearchQuery(name.searchWords), limit: Transaction.namesakeLimit)
        return try found.first { summary in
            guard !summary.isGroup, let contact = try contact(summary.id) else { return false }
            return name.isNamesake(of: ComparableName(contact.card.details))
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
