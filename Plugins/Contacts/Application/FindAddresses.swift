package import ContactsDomain

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
    /// address rather than by name, only that address is returned. For a group, those of its members are. Of those with the same `key` the first is returned. Any
    /// input is valid.
    package func findAddresses(
        _ text: String, _ kind: AddressKind, isByUse: Bool = false, limit: Int = 100,
        key: @escaping @Sendable (ContactAddress) -> String? = { _ in nil }
    ) async throws -> [ContactAddress] {
        let query = SearchQuery(text)
        return try await contacts.read { transaction in
            let isAll = isByUse && text.allSatisfy(\.isWhitespace)
            let used = isByUse ? try transaction.mostUsedContacts(query, isAll: isAll) : []
            var (read, keys) = (Set<String>(), Set<String>())
            var found: [ContactAddress] = []
            /// Adds the addresses of contacts until there are enough.
            func add(_ contacts: [ContactSummary]) throws {
                for summary in contacts where found.count < limit && read.insert(summary.id).inserted {
                    guard let row = try transaction.contact(summary.id) else { return }
                    let details = row.card.details
                    let values =
                        details.kind == .group
                        ? try transaction.addresses(ofGroup: summary, details, kind)
                        : ContactsPlugin.addresses(of: details, summary, kind, query)
                    found += values.filter { key($0).map { keys.insert($0).inserted } ?? true }
                    read.formUnion(values.map(\.contact.id))
                }
            }
            try add(used)
            if isAll { try add(transaction.contacts(ContactFilter()).filter { !$0.email.isEmpty }) }
            // Few contacts are looked for first: some may have no such address.
            var (count, isComplete) = (limit, isAll)
            while found.count < limit, !isComplete {
                let contacts = try transaction.searchContacts(query, limit: count, withEmail: kind == .email)
                try add(contacts)
                isComplete = contacts.count < count
                count = count.multipliedReportingOverflow(by: 4).overflow ? .max : count * 4
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
