package import ContactsDomain
import HubKit

/// Finds what people are reached by: for address books of mail programs, and for scripts.
package struct FindAddresses: Sendable {
    /// What is looked for.
    package enum Kind: Sendable {
        case email, phone, postal
    }

    /// One address or number.
    package struct Address: Hashable, Sendable {
        /// Whose it is.
        package let contact: ContactSummary
        /// The address or number as it is written on the card; a postal address on one line.
        package let value: String
        /// Its kind in people's words, such as `work`; may be empty.
        package let label: String
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The addresses of the contacts that match all words of `text`, the best contact first, at most `limit`.
    ///
    /// With `isByUse` the contacts used most come before the others. Of a contact that matches by an address rather than
    /// by name only that address is given. With `isByUse`, blank text matches all contacts. No input is an error.
    package func callAsFunction(
        _ text: String, _ kind: Kind, isByUse: Bool = false, limit: Int = 100
    ) async throws -> [Address] {
        let query = SearchQuery(text)
        return try await contacts.read { transaction in
            var found: [Address] = []
            let isAll = isByUse && text.allSatisfy(\.isWhitespace)
            let used = isByUse ? try transaction.mostUsedContacts(query, isAll: isAll) : []
            let others =
                try isAll
                ? transaction.contacts(ContactFilter()).filter { !$0.email.isEmpty }
                : transaction.searchContacts(query, limit: limit, withEmail: kind == .email)
            let usedIDs = Set(used.map(\.id))
            for summary in used + others.filter({ !usedIDs.contains($0.id) }) {
                guard found.count < limit, let row = try transaction.contact(summary.id) else { break }
                found += FindAddresses.addresses(of: row.card.details, summary, kind, query)
            }
            return Array(found.prefix(limit))
        }
    }

    private static func addresses(
        of details: ContactDetails, _ contact: ContactSummary, _ kind: Kind, _ query: SearchQuery
    ) -> [Address] {
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
            Address(contact: contact, value: $0.value, label: $0.label)
        }
    }
}
