package import ContactsDomain
package import HubKit

/// Makes a contact of what a person entered.
package struct CreateContact: Sendable {
    /// The new contact, and who it may be already.
    package struct Result: Sendable {
        /// The contact as it is stored.
        package let contact: Contact
        /// Other contacts with the same e-mail address or phone number: a warning, no error.
        package let lookalikes: [ContactSummary]
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Stores a contact with these details, as a card of vCard 3.0; throws `invalid` when they cannot be kept.
    ///
    /// `book` is the id of the book elsewhere that it belongs to; nil is the one that is only here.
    package func callAsFunction(
        _ details: ContactDetails, book: String? = nil, operation: Operation
    ) async throws -> Result {
        try details.checked()
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            var details = details
            details.uid = details.uid ?? ContactUID.make()
            let card = Card(details, at: transaction.now.milliseconds)
            let source = CardSource.key(uid: details.uid, contentHash: 0)
            let lookalikes = try transaction.lookalikes(of: details, rules)
            let row = try transaction.insertContact(Identifier.make(), card, source: source, origin: nil, book: book)
            try transaction.reindexContacts([row.id], rules)
            let contact = Contact(row)
            try transaction.emit(ContactEvents.added, contact.summary)
            return Result(contact: contact, lookalikes: lookalikes)
        }
    }
}

extension ContactDetails {
    /// Throws `invalid` when the details cannot be saved; `fields` are those that were changed, all unless given.
    func checked(_ fields: Set<String>? = nil) throws(HubError) {
        do throws(ContactValidationError) {
            try validate(fields)
        } catch {
            var refusal = HubError(
                .invalid, code: "contact-invalid", "the \(error.field) cannot be saved", details: [error.reason])
            refusal.problems = [FieldProblem(field: error.field, error.reason)]
            throw refusal
        }
    }
}

extension Transaction {
    /// Contacts that share an e-mail address or surely a phone number with `details`.
    fileprivate func lookalikes(of details: ContactDetails, _ rules: IndexRules) throws -> [ContactSummary] {
        var found: [ContactSummary] = []
        for email in details.emails.prefix(10) { found += try contacts(withEmail: email.value) }
        for phone in details.phones.prefix(10) where PhoneNumber(phone.value).digits.count >= PhoneNumber.lookupLength {
            found += try contacts(withPhone: phone.value, rules)
        }
        var seen = Set<String>()
        return found.filter { seen.insert($0.id).inserted }
    }
}
