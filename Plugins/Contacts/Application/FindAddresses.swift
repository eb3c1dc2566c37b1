package import ContactsDomain
import HubKit

/// Finds addresses and numbers of contacts, for mail programs and scripts.
package struct FindAddresses: Sendable {
    /// The kind of value to find.
    package enum Kind: Sendable {
        case email, phone, postal
    }

    /// An address or number.
    package struct Address: Hashable, Sendable {
        /// The contact that it belongs to.
        package let contact: ContactSummary
        /// The value as written in the card; a postal address on one line.
        package let value: String
        /// The label, such as `work`; may be empty.
        package let label: String
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the addresses of the contacts that match all words of `text`, best match first, at most `limit`.
    ///
    /// With `isByUse` the most used contacts come first, and blank text matches all contacts. If a contact matches by an
    /// address rather than by name, only that address is returned. Any input is valid.
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
