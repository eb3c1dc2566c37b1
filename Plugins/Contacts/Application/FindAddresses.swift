package import ContactsDomain
import HubKit

/// The kind of address or number to find.
package enum AddressKind: Sendable {
    case email, phone, postal
}

/// An address or number of a contact.
package struct ContactAddress: Hashable, Sendable {
    /// The contact that it belongs to.
    package let contact: ContactSummary
    /// The value as written in the card; a postal address on one line.
    package let value: String
    /// The label, such as `work`; may be empty.
    package let label: String
}

extension ContactsPlugin {
    /// Returns the addresses of the contacts that match all words of `text`, best match first, at most `limit`.
    ///
    /// With `isByUse` the most used contacts come first, and blank text matches all contacts. If a contact matches by an
    /// address rather than by name, only that address is returned. Any input is valid.
    package func findAddresses(
        _ text: String, _ kind: AddressKind, isByUse: Bool = false, limit: Int = 100
    ) async throws -> [ContactAddress] {
        let query = SearchQuery(text)
        return try await contacts.read { transaction in
            var found: [ContactAddress] = []
            let isAll = isByUse && text.allSatisfy(\.isWhitespace)
            let used = isByUse ? try transaction.mostUsedContacts(query, isAll: isAll) : []
            let others =
                try isAll
                ? transaction.contacts(ContactFilter()).filter { !$0.email.isEmpty }
                : transaction.searchContacts(query, limit: limit, withEmail: kind == .email)
            let usedIDs = Set(used.map(\.id))
            for summary in used + others.filter({ !usedIDs.contains($0.id) }) {
                guard found.count < limit, let row = try transaction.contact(summary.id) else { break }
                found += ContactsPlugin.addresses(of: row.card.details, summary, kind, query)
            }
            return Array(found.prefix(limit))
        }
    }

    private static func addresses(
        of details: ContactDetails, _ contact: ContactSummary, _ kind: AddressKind, _ query: SearchQuery
    ) -> [ContactAddress] {
        let values =
            switch kind {
            case .email: details.emails
            case .phone: details.phones
            case .postal:
                details.addresses.map { LabeledValue($0.lines.joined(separator: ", "), label: $0.label) }
            }
        var seen = Set<String>()
        let all = values.filter { seen.insert($0.value).inserted }
        let matching = all.filter { query.isMet(by: $0.value) }
        return (matching.isEmpty ? all : matching).map {
            ContactAddress(contact: contact, value: $0.value, label: $0.label)
        }
    }
}
