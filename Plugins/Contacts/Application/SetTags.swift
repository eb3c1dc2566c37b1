package import ContactsDomain
package import HubKit

/// Adds tags to contacts and removes them.
package struct SetTags: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Adds the tags `added` to the contacts `ids` and removes `removed`; tags are compared without case.
    /// - Returns: the changed contacts.
    package func callAsFunction(
        _ ids: [String], adding added: [String] = [], removing removed: [String] = [], operation: Operation
    ) async throws -> [ContactSummary] {
        let rules = contacts.rules
        let added = added.map(\.trimmed).filter { !$0.isEmpty }
        let gone = Set(removed.map { $0.trimmed.lowercased() })
        return try await contacts.write(operation) { transaction in
            try ids.compactMap { id in
                let result = try transaction.updateContact(id, expecting: nil, rules) { details in
                    details.tags.removeAll { gone.contains($0.lowercased()) }
                    let present = Set(details.tags.map { $0.lowercased() })
                    details.tags += added.filter { !present.contains($0.lowercased()) }
                }
                return result.changes.isEmpty ? nil : result.contact.summary
            }
        }
    }
}
