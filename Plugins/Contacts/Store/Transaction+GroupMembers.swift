import ContactsDomain
import SQLite
import Storage

/// The members of groups, which their cards name by `UID`.
extension Transaction {
    /// The most groups within groups that are followed.
    static let deepestGroup = 8
    /// The most members of a group that are looked up.
    static let mostGroupMembers = 10_000

    /// Returns the direct members of a group: contacts, and the links to all others.
    func members(of details: ContactDetails) throws -> (contacts: [ContactSummary], others: [String]) {
        var (found, others): ([ContactSummary], [String]) = ([], [])
        for link in details.members.prefix(Transaction.mostGroupMembers) {
            let known = try importedContact(from: CardSource.key(uid: ByteString(link), contentHash: 0))
            if let known, !known.isTrashed, let summary = try contactSummaries([known.id]).first {
                found.append(summary)
            } else {
                others.append(link)
            }
        }
        return (found, others)
    }

    /// Returns the ids of the members of the groups `ids` that are contacts, also those of groups in them.
    func memberIDs(ofGroups ids: [String]) throws -> Set<String> {
        var (found, seen): (Set<String>, Set<String>) = ([], Set(ids))
        func add(_ id: String, depth: Int) throws {
            guard let details = try contact(id)?.details else { return }
            for member in try members(of: details).contacts {
                found.insert(member.id)
                if member.isGroup, depth < Transaction.deepestGroup, seen.insert(member.id).inserted {
                    try add(member.id, depth: depth + 1)
                }
            }
        }
        for id in ids { try add(id, depth: 0) }
        return found
    }
}
