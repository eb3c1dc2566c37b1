package import Time

/// The owner of a note and those who may open it: names of accounts, or ids of devices of NoteApp.
package struct NoteAccess: Hashable, Sendable {
    /// The owner; empty for a note of this machine that no server has.
    package var owner: String
    /// The members in the order in which they were added, without duplicates. The owner may be among them.
    package private(set) var members: [String]
    /// Those of the members who can read the note and not edit it.
    private var readOnly: Set<String>

    /// Creates an access list; of equal members the first stays. Of `readers`, only members count.
    package init(owner: String, members: [String] = [], readers: [String] = []) {
        self.owner = owner
        var seen: Set<String> = []
        self.members = members.filter { seen.insert($0).inserted }
        readOnly = readers.isEmpty ? [] : Set(readers).intersection(seen)
    }

    /// The members who can read the note and not edit it, in their order.
    package var readers: [String] { readOnly.isEmpty ? [] : members.filter { isReader($0) } }

    /// Whether someone is a member who cannot edit the note.
    package func isReader(_ name: String) -> Bool { name != owner && readOnly.contains(name) }

    /// Whether the note is unlocked for someone: the owner, or a member.
    package func isUnlocked(for name: String) -> Bool { !name.isEmpty && (name == owner || members.contains(name)) }

    /// Whether the note belongs to someone who has not shared it with a person. What has no owner is never locked.
    package func isLocked(for name: String) -> Bool { !owner.isEmpty && !isUnlocked(for: name) }

    /// Whether there is anyone but the owner.
    package var isShared: Bool { members.contains { $0 != owner } }

    /// Adds members who can edit the note; those that are known keep their place, and can edit it from now on.
    package mutating func grant(_ names: some Sequence<String>) {
        for name in names where !name.isEmpty {
            if !members.contains(name) { members.append(name) }
            readOnly.remove(name)
        }
    }

    /// Adds members who can only read the note; those that are known keep their place, and can no longer edit it. The owner can.
    package mutating func grantReading(_ names: some Sequence<String>) {
        for name in names where !name.isEmpty {
            if !members.contains(name) { members.append(name) }
            if name != owner { readOnly.insert(name) }
        }
    }

    /// Removes members; the owner keeps access as long as there is one.
    package mutating func revoke(_ names: some Sequence<String>) {
        let revoked = Set(names)
        members.removeAll { revoked.contains($0) && $0 != owner }
        readOnly.formIntersection(members)
    }
}

/// A change of who may open a note, as sets, so that a stale list undoes no change of others.
package struct AccessChange: Hashable, Sendable {
    /// The names to add, and the members that can edit the note from now on.
    package var granted: [String]
    /// The names to add, and the members that can only read the note from now on.
    package var readers: [String]
    /// The names to remove.
    package var revoked: [String]

    package init(granted: [String] = [], readers: [String] = [], revoked: [String] = []) {
        self.granted = granted
        self.readers = readers
        self.revoked = revoked
    }

    /// The change that turns the members `base`, which someone had read, into `members`.
    package init(from base: [String], to members: [String]) {
        let (old, new) = (Set(base), Set(members))
        granted = NoteAccess(owner: "", members: members.filter { !old.contains($0) && !$0.isEmpty }).members
        readers = []
        revoked = base.filter { !new.contains($0) }
    }

    /// The change that turns `base`, which someone had read, into `access`.
    package init(from base: NoteAccess, to access: NoteAccess) {
        self.init(from: base.members, to: access.members)
        let old = Set(base.members)
        let changed = access.members.filter {
            !$0.isEmpty && (!old.contains($0) || base.isReader($0) != access.isReader($0))
        }
        granted = changed.filter { !access.isReader($0) }
        readers = changed.filter { access.isReader($0) }
    }

    /// Whether nothing changes.
    package var isEmpty: Bool { granted.isEmpty && readers.isEmpty && revoked.isEmpty }

    /// Returns who may open the note after the change.
    package func applied(to access: NoteAccess) -> NoteAccess {
        var changed = access
        changed.revoke(revoked)
        changed.grant(granted)
        changed.grantReading(readers)
        return changed
    }
}

/// The filter of a list by whether notes are open to the reader.
package enum AccessFilter: String, CaseIterable, Sendable {
    case all, locked, unlocked

    /// Whether the list shows a note to `reader`.
    package func includes(_ access: NoteAccess, for reader: String) -> Bool {
        switch self {
        case .all: true
        case .locked: !access.isUnlocked(for: reader)
        case .unlocked: access.isUnlocked(for: reader)
        }
    }
}

/// An account of the server.
package struct ServerAccount: Hashable, Sendable {
    /// The name, as notes have it.
    package let name: String
    /// The number of its tokens: one for each invitation.
    package let tokens: Int
    /// When it was first invited.
    package let createdAt: Instant
    /// When one of its tokens was last used, to the hour; nil when none was.
    package let usedAt: Instant?
    /// What it has.
    package var usage = AccountUsage()
    /// The limits of its own; nil if it has those of the settings.
    package var limits: AccountLimits?

    package init(name: String, tokens: Int, createdAt: Instant, usedAt: Instant?) {
        self.name = name
        self.tokens = tokens
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}
