package import ContactsDomain
import HubKit
package import Storage

/// A group with its members.
package struct ContactGroup: Sendable {
    /// The group.
    package let group: ContactSummary
    /// The members that are contacts here, in the order of the card.
    package let members: [ContactSummary]
    /// The number of members that are none: links to unknown cards, and mail addresses.
    package let unknownCount: Int
}

/// The result of a change of members.
package struct MembershipChange: Sendable {
    /// The group after the change.
    package let group: ContactGroup
    /// The contacts that became members, or no longer are.
    package let changed: [ContactSummary]
    /// The contacts that are in other address books than the group, where devices do not find them.
    package let elsewhere: [ContactSummary]
}

extension ContactsPlugin {
    /// Returns all groups, in the order of names.
    package func groups() async throws -> [ContactGroup] {
        try await contacts.read { transaction in
            try transaction.groupSummaries().map { try transaction.group($0) }
        }
    }

    /// Returns the groups that the contact `id` is a member of.
    package func groups(of id: String) async throws -> [ContactSummary] {
        try await contacts.read { transaction in
            guard let uid = try transaction.contact(id)?.card.plainUID else { return [] }
            let ids = try transaction.referringContacts(to: [uid])
            return try transaction.contactSummaries(ids).filter(\.isGroup)
        }
    }

    /// Returns the groups called `name`, without regard to case and accents.
    package func groups(named name: String) async throws -> [ContactSummary] {
        let wanted = ContactIndexRow.folded(name)
        return try await contacts.read { transaction in
            try transaction.groupSummaries().filter { ContactIndexRow.folded($0.name) == wanted }
        }
    }

    /// Stores a new group with these members, all or none, as one undoable operation. `book` is the id of its book; nil for
    /// none. Throws `invalid` if the name is empty, and `conflict` if the book has a group of that name.
    package func createGroup(
        _ name: String, of ids: [String], book: String?, operation: Operation
    ) async throws -> MembershipChange {
        let (rules, folded) = (contacts.rules, ContactIndexRow.folded(name))
        return try await contacts.write(operation) { transaction in
            for group in try transaction.groupSummaries() where ContactIndexRow.folded(group.name) == folded {
                guard try transaction.contact(group.id)?.book == book else { continue }
                throw HubError(
                    .conflict, code: "group-exists", "there is a group \"\(group.name)\" already",
                    hint: "hub contacts groups add \(ShellWords.quote(group.name)) SEL… adds members to it")
            }
            let group = try transaction.insertGroup(name, book: book, rules)
            return try transaction.addMembers(ids, to: group.id)
        }
    }

    /// Adds members to the group `id`, as one undoable operation. Throws `invalid` if it is not a group.
    package func addMembers(_ ids: [String], to id: String, operation: Operation) async throws -> MembershipChange {
        try await contacts.write(operation) { try $0.addMembers(ids, to: id) }
    }

    /// Removes members from the group `id`; the contacts stay.
    package func removeMembers(_ ids: [String], from id: String, operation: Operation) async throws -> MembershipChange
    {
        try await contacts.write(operation) { try $0.removeMembers(ids, from: id) }
    }

    /// Gives the group `id` another name.
    package func renameGroup(_ id: String, to name: String, operation: Operation) async throws -> UpdatedContact {
        try await contacts.write(operation) { transaction in
            _ = try transaction.editableGroup(id)
            return try transaction.updateContact(id, expecting: nil) { details in
                if details.name.family == details.formattedName || details.name.isEmpty { details.name.family = name }
                details.formattedName = name
            }
        }
    }
}

extension Transaction {
    /// Returns the group of a summary with its direct members.
    func group(_ summary: ContactSummary) throws -> ContactGroup {
        let details = try contact(summary.id)?.details ?? ContactDetails()
        let members = try members(of: details)
        return ContactGroup(group: summary, members: members.contacts, unknownCount: members.others.count)
    }

    /// Returns the preferred addresses of the members of a group, also of groups in it, each member once.
    func addresses(
        ofGroup summary: ContactSummary, _ details: ContactDetails, _ kind: AddressKind
    ) throws -> [ContactAddress] {
        var (found, seen): ([ContactAddress], Set<String>) = ([], [summary.id])
        func add(_ summary: ContactSummary, _ details: ContactDetails, depth: Int) throws {
            let members = try members(of: details)
            for link in members.others where kind == .email && link.lowercased().hasPrefix("mailto:") {
                found.append(ContactAddress(contact: summary, value: String(link.dropFirst(7)), label: ""))
            }
            for member in members.contacts
            where seen.insert(member.id).inserted && found.count < Transaction.mostGroupMembers {
                guard let details = try contact(member.id)?.details else { continue }
                if details.kind == .group {
                    if depth < Transaction.deepestGroup { try add(member, details, depth: depth + 1) }
                } else if let address = details.preferred(kind) {
                    found.append(ContactAddress(contact: member, value: address.value, label: address.label))
                }
            }
        }
        try add(summary, details, depth: 0)
        return found
    }

    /// Returns the live group `id`. Throws `invalid` if the contact is not a group.
    fileprivate func editableGroup(_ id: String) throws -> Contact {
        let contact = try editableContact(id, expecting: nil)
        guard contact.details.kind == .group else {
            throw HubError(
                .invalid, code: "no-group", "\(contact.summary.shownName) is not a group",
                hint: "hub contacts groups lists the groups; hub contacts groups new NAME SEL… creates one")
        }
        return contact
    }

    /// Stores a new group without members, in the version of the other groups of its book. Throws `invalid` if the name is
    /// empty.
    func insertGroup(_ name: String, book: String?, _ rules: IndexingOptions) throws -> Contact {
        var details = ContactDetails()
        details.formattedName = name
        // Apple's programs show the family name of a group.
        details.name.family = name
        details.uid = ByteString(ContactUID.random())
        try details.checked()
        let others = try groupSummaries().lazy.compactMap { try? self.contact($0.id) }.filter { $0.book == book }
        let version: VCardVersion = others.first?.card.version == .v4 ? .v4 : .v3
        let row = try insertContact(
            Identifier.make(), Card(details, version: version, at: now.milliseconds).asGroup(),
            source: CardSource.key(uid: details.uid, contentHash: 0), origin: nil, book: book)
        try reindexContacts([row.id], rules)
        try emit(ContactEvents.added, row.summary)
        return row
    }

    func addMembers(_ ids: [String], to id: String) throws -> MembershipChange {
        let group = try editableGroup(id)
        var (uids, changed, elsewhere): ([ByteString], [ContactSummary], [ContactSummary]) = ([], [], [])
        let known = Set(group.details.references)
        for member in ids where member != id {
            var contact = try editableContact(member, expecting: nil)
            if contact.card.plainUID == nil {
                // A member is named by its UID.
                let uid = ByteString(ContactUID.random())
                try updateContact(member, card: contact.card.identified(as: uid).revised(at: now.milliseconds))
                try setSource(member, CardSource.key(uid: uid, contentHash: 0))
                contact = try saved(member, ContactEvents.changed)
            }
            guard let uid = contact.card.plainUID, !known.contains(uid), !uids.contains(uid) else { continue }
            uids.append(uid)
            changed.append(contact.summary)
            if contact.book != group.book { elsewhere.append(contact.summary) }
        }
        return try store(
            group, uids.isEmpty ? group.card : group.card.addingMembers(uids, at: now.milliseconds), changed, elsewhere)
    }

    func removeMembers(_ ids: [String], from id: String) throws -> MembershipChange {
        let group = try editableGroup(id)
        let members = try members(of: group.details).contacts
        let removed = members.filter { ids.contains($0.id) }
        let uids = Set(try removed.compactMap { try contact($0.id)?.card.plainUID })
        let card = removed.isEmpty ? group.card : group.card.removingMembers(at: now.milliseconds) { uids.contains($0) }
        return try store(group, card, removed, [])
    }

    private func store(
        _ group: Contact, _ card: Card, _ changed: [ContactSummary], _ elsewhere: [ContactSummary]
    ) throws -> MembershipChange {
        var summary = group.summary
        if card != group.card {
            try updateContact(group.id, card: card)
            summary = try saved(group.id, ContactEvents.changed).summary
        }
        return MembershipChange(group: try self.group(summary), changed: changed, elsewhere: elsewhere)
    }
}

extension ContactDetails {
    /// The preferred address or number of a kind.
    fileprivate func preferred(_ kind: AddressKind) -> LabeledValue? {
        switch kind {
        case .email: emails.primary
        case .phone: phones.primary
        case .postal: addresses.first.map { LabeledValue($0.lines.joined(separator: ", "), label: $0.label) }
        }
    }
}
