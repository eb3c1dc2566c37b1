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

/// The tags of contacts that are also memberships in groups, as the last sync left them. They have no history.
extension Transaction {
    /// Returns the facts of a book.
    func memberships(in book: String) throws -> Set<TagMembership> {
        Set(
            try rows("SELECT name, contact FROM contacts_membership WHERE book = ?", book) {
                TagMembership(name: $0.text(0), contact: $0.text(1))
            })
    }

    /// Whether there are facts of a book.
    func hasMemberships(in book: String) throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_membership WHERE book = ?)", book) { $0.bool(0) } ?? false
    }

    /// Replaces the facts of a book.
    func setMemberships(_ facts: Set<TagMembership>, in book: String) throws {
        let known = try memberships(in: book)
        for fact in known.subtracting(facts) {
            try run(
                "DELETE FROM contacts_membership WHERE book = ? AND name = ? AND contact = ?", book, fact.name,
                fact.contact)
        }
        for fact in facts.subtracting(known) {
            try run(
                "INSERT INTO contacts_membership (book, name, contact) VALUES (?, ?, ?)", book, fact.name, fact.contact)
        }
    }

    /// Returns the live contacts of a book that have tags, with these; no groups.
    func taggedContacts(in book: String) throws -> [(id: String, tags: [String])] {
        try rows(
            """
            SELECT e.id, e.tags FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id
            WHERE c.book = ? AND e.tags <> '' AND NOT e.is_group
            """, book
        ) { ($0.text(0), ContactIndexRow.tags($0.text(1))) }
    }
}

/// A contact with a tag that is also its membership in a group.
struct TagMembership: Hashable, Sendable {
    /// The folded name of the tag and the group.
    let name: String
    let contact: String
}
