import ContactsDomain
import HubKit
import Storage

/// The form in which the tags of the contacts of an account reach its server.
package enum TagForm: String, Sendable, CaseIterable {
    /// As `CATEGORIES` of the cards.
    case categories
    /// Also as groups, which name their members.
    case groups
}

/// Keeps the tags of the contacts of a book and its groups of the same names in step.
///
/// A tag on a contact and its membership in a group are two forms of one fact. Both are merged over the facts of the last
/// sync, for each contact and name: what was added or removed in one form since is added or removed in the other.
struct TagGroups: Sendable {
    let contacts: ContactStore
    let operation: Operation

    /// Merges the tags and groups of a book, and returns the number of tags and memberships that changed. With `isDryRun`
    /// nothing is written.
    func merge(_ book: Book, isDryRun: Bool = false) async throws -> Int {
        let change = try await contacts.read { try $0.tagGroupChange(in: book.id) }
        if change.isEmpty || isDryRun { return change.count }
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            let change = try transaction.tagGroupChange(in: book.id)
            for (id, tags) in change.tags.sorted(by: { $0.key < $1.key }) {
                _ = try transaction.updateContact(id, expecting: nil) { $0.tags = tags }
            }
            for group in change.groups { try transaction.apply(group, in: book.id, rules) }
            try transaction.setMemberships(change.memberships, in: book.id)
            return change.count
        }
    }

    /// Forgets the facts of the last sync of the books: when their tags become groups again, none is taken as removed.
    func forget(_ books: [Book]) async throws {
        let known = try await contacts.read { transaction in
            try books.map(\.id).filter { try transaction.hasMemberships(in: $0) }
        }
        if known.isEmpty { return }
        try await contacts.store.write(Operation(operation.name, who: operation.who, kind: .cache)) { transaction in
            for book in known { try transaction.setMemberships([], in: book) }
        }
    }
}

/// The changes that bring tags and groups of a book in step.
private struct TagGroupChange: Sendable {
    /// The changes of the members of one name.
    struct Group: Sendable {
        let name: String
        /// The groups of that name, which lose the removed members; the first one gets the new ones.
        let groups: [String]
        var added: [String] = []
        var removed: [String] = []
    }

    /// The new tags of the contacts whose tags change.
    var tags: [String: [String]] = [:]
    /// The groups whose members change.
    var groups: [Group] = []
    /// The facts to remember.
    var memberships: Set<TagMembership> = []
    /// Whether `memberships` differ from those that are stored.
    var isRemembered = true
    /// The number of tags and memberships that change.
    var count = 0

    var isEmpty: Bool { count == 0 && isRemembered }
}

/// The tags and groups of a book, by folded name.
private struct TaggedBook {
    /// A name with the contacts that have it as a tag, and those that its groups have as members.
    struct Name {
        /// The spelling of the group, or else of the tag.
        var spelling: String
        var tagged: Set<String> = []
        var members: Set<String> = []
        var groups: [String] = []
    }

    var names: [String: Name] = [:]
    /// The tags of each contact.
    var tags: [String: [String]] = [:]

    /// Whether a tag can be the name of a group and the reverse.
    static func isName(_ text: String) -> Bool {
        !text.trimmed.isEmpty && text.utf8.count <= ContactDetails.maximumLength
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    static func key(_ name: String) -> String {
        let folded = ContactIndexRow.folded(name)
        return folded.isEmpty ? name.lowercased() : folded
    }

    /// Decides by the facts of the last sync: a fact that only one form has was added there, or removed in the other form.
    func change(since base: Set<TagMembership>) -> TagGroupChange {
        var change = TagGroupChange()
        for (key, name) in names.sorted(by: { $0.key < $1.key }) {
            var group = TagGroupChange.Group(name: name.spelling, groups: name.groups)
            for contact in name.tagged.union(name.members).sorted() {
                let fact = TagMembership(name: key, contact: contact)
                let (isTagged, isMember) = (name.tagged.contains(contact), name.members.contains(contact))
                if isTagged && isMember || !base.contains(fact) { change.memberships.insert(fact) }
                if isTagged == isMember { continue }
                change.count += 1
                switch (isTagged, base.contains(fact)) {
                case (true, false): group.added.append(contact)
                case (false, true): group.removed.append(contact)
                case (false, false): change.tags[contact, default: tags[contact] ?? []].append(name.spelling)
                case (true, true):
                    change.tags[contact, default: tags[contact] ?? []].removeAll { TaggedBook.key($0) == key }
                }
            }
            if !group.added.isEmpty || !group.removed.isEmpty { change.groups.append(group) }
        }
        change.isRemembered = change.memberships == base
        return change
    }
}

extension Transaction {
    fileprivate func tagGroupChange(in book: String) throws -> TagGroupChange {
        var state = TaggedBook()
        for (contact, tags) in try taggedContacts(in: book) {
            state.tags[contact] = tags
            for tag in tags where TaggedBook.isName(tag) {
                let key = TaggedBook.key(tag)
                state.names[key, default: .init(spelling: tag)].tagged.insert(contact)
            }
        }
        var unread: Set<String> = []
        for group in try groupSummaries() where TaggedBook.isName(group.name) {
            guard let contact = try contact(group.id), contact.book == book else { continue }
            let (key, members) = (TaggedBook.key(group.name), contact.details.members)
            // Who is in a group of more members than are looked up is not known.
            if members.count > Transaction.mostGroupMembers { unread.insert(key) }
            var name = state.names[key] ?? .init(spelling: group.name)
            if name.groups.isEmpty { name.spelling = group.name }
            name.groups.append(group.id)
            for member in try self.members(of: contact.details).contacts where !member.isGroup {
                if try self.contact(member.id)?.book == book { name.members.insert(member.id) }
            }
            state.names[key] = name
        }
        let base = try memberships(in: book)
        for key in unread { state.names[key] = nil }
        var change = state.change(since: base)
        let kept = base.filter { unread.contains($0.name) }
        change.memberships.formUnion(kept)
        change.isRemembered = change.memberships == base
        return change
    }

    fileprivate func apply(_ change: TagGroupChange.Group, in book: String, _ rules: IndexingOptions) throws {
        for group in change.groups { _ = try removeMembers(change.removed, from: group) }
        if change.added.isEmpty { return }
        let group = try change.groups.first ?? insertGroup(change.name, book: book, rules).id
        _ = try addMembers(change.added, to: group)
    }
}
