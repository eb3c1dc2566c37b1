package import ContactsDomain
import Text

extension ContactsPlugin {
    /// Returns the live contacts for `links` (`urn:uuid:…`, a bare `UID`, or `mailto:…`), by link.
    package func resolveRelations(_ links: [String]) async throws -> [String: ContactSummary] {
        if links.isEmpty { return [:] }
        return try await contacts.read { transaction in
            var found: [String: ContactSummary] = [:]
            for link in links {
                if link.lowercased().hasPrefix("mailto:") {
                    found[link] = try transaction.contacts(withEmail: String(link.dropFirst(7))).first
                } else if let known = try transaction.importedContact(
                    from: CardSource.key(uid: ByteString(link), contentHash: 0)), !known.isTrashed, link.count > 1
                {
                    found[link] = try transaction.contactSummaries([known.id]).first
                }
            }
            return found
        }
    }
}
