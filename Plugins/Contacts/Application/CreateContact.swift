import CivilDate
package import ContactsDomain
import HubKit
package import Storage

/// The new contact and possible duplicates.
package struct CreatedContact: Sendable {
    /// The stored contact.
    package let contact: Contact
    /// Other contacts with the same e-mail address or phone number; a warning, not an error.
    package let lookalikes: [ContactSummary]
}

extension ContactsPlugin {
    /// Stores a contact with these details as a vCard 3.0 card. Throws `invalid` if they are not valid.
    ///
    /// `book` is the id of the contact's book; nil for none.
    package func create(
        _ details: ContactDetails, book: String? = nil, operation: Operation
    ) async throws -> CreatedContact {
        try details.checked()
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            try details.checkBirthday(at: transaction.now)
            var details = details
            details.uid = details.uid ?? ByteString(ContactUID.random())
            let card = Card(details, at: transaction.now.milliseconds)
            let source = CardSource.key(uid: details.uid, contentHash: 0)
            let lookalikes = try transaction.lookalikes(of: details, rules)
            let contact = try transaction.insertContact(
                Identifier.make(), card, source: source, origin: nil, book: book)
            try transaction.reindexContacts([contact.id], rules)
            try transaction.emit(ContactEvents.added, contact.summary)
            return CreatedContact(contact: contact, lookalikes: lookalikes)
        }
    }
}

extension ContactDetails {
    /// Throws `invalid` if the details are not valid; `fields` are the changed fields, nil for all.
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

extension ContactDetails {
    /// Throws `invalid` if the birthday is in the future.
    func checkBirthday(at now: Instant) throws(HubError) {
        let today = TimeZoneRules.system.localTime(at: now).day.components
        guard let date = birthday?.date, let year = date.year,
            (year, date.month ?? 1, date.day ?? 1) > (today.year, today.month, today.day)
        else { return }
        let reason = "\(date) is in the future"
        var refusal = HubError(
            .invalid, code: "contact-invalid", "the birthday cannot be saved", details: [reason])
        refusal.problems = [FieldProblem(field: "birthday", reason)]
        throw refusal
    }
}

extension Transaction {
    /// Returns the contacts that share an e-mail address or certainly a phone number with `details`.
    fileprivate func lookalikes(of details: ContactDetails, _ rules: IndexingOptions) throws -> [ContactSummary] {
        var found: [ContactSummary] = []
        for email in details.emails.prefix(10) { found += try contacts(withEmail: email.value) }
        for phone in details.phones.prefix(10) where PhoneNumber(phone.value).digits.count >= PhoneNumber.lookupLength {
            found += try contacts(withPhone: phone.value, rules)
        }
        var seen = Set<String>()
        return found.filter { seen.insert($0.id).inserted }
    }
}
