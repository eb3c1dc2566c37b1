package import ContactsDomain
package import HubKit

/// Tags contacts and takes tags from them.
package struct SetLabels: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Gives the contacts `ids` the tags `added` and takes `removed` from them; tags are compared without case.
    /// - Returns: the contacts that changed by it.
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
