/// The agent of a cursor, after the agents of the hubs that have passed it on: `server's client/page`.
package struct AgentPath: Hashable, Sendable {
    /// The path, as frames have it.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Returns the path after one more hub has passed the cursor on; nil when it is too long.
    package func relayed(by agent: String) -> AgentPath? {
        let path = "\(agent)/\(text)"
        return path.utf8.count <= NoteLimits.name ? AgentPath(path) : nil
    }

    /// Whether the cursor is one of an agent, or was passed on by it.
    package func contains(_ agent: String) -> Bool { text.split(separator: "/").contains { $0 == agent } }

    /// The agent whose cursor it is.
    var origin: Substring { text.split(separator: "/").last ?? "" }
}

/// Where someone's cursor is, on its way from one client to the others.
package struct PresenceAnnouncement: Hashable, Sendable {
    /// What tells one cursor from others.
    package struct Key: Hashable, Comparable, Sendable {
        /// The id of the note.
        package let note: String
        /// The agent, as an ``AgentPath``.
        package let agent: String

        /// Orders by note, then by agent.
        package static func < (one: Key, other: Key) -> Bool { (one.note, one.agent) < (other.note, other.agent) }
    }

    /// The place.
    package var presence: Presence
    /// The agent, as an ``AgentPath``.
    package var agent: String
    /// The name of the person.
    package let user: String
    /// Who must have access to the note; nil when a server has checked it.
    package let actor: Actor?
    /// The access to the note when the cursor was placed; nil when it has to be read.
    package var access: NoteAccess?

    package init(_ presence: Presence, agent: String, user: String, actor: Actor?) {
        self.presence = presence
        self.agent = agent
        self.user = user
        self.actor = actor
    }

    /// What tells the cursor from others.
    package var key: Key { Key(note: presence.note, agent: agent) }

    /// The same cursor after it has left the note.
    package var left: PresenceAnnouncement {
        var left = self
        left.presence = Presence(note: presence.note, field: presence.field, selection: nil)
        return left
    }
}

/// The latest announcement of each cursor, of a limited number of them.
package struct PresenceTable: Sendable {
    /// The number of cursors above which others are not taken in.
    package static let limit = 1000

    private var announcements: [PresenceAnnouncement.Key: PresenceAnnouncement] = [:]

    package init() {}

    /// Whether there is none.
    package var isEmpty: Bool { announcements.isEmpty }

    /// The announcements in any order.
    package var all: [PresenceAnnouncement] { Array(announcements.values) }

    /// Whether there is one of this cursor.
    package func contains(_ key: PresenceAnnouncement.Key) -> Bool { announcements[key] != nil }

    /// Stores an announcement in place of the one before of its cursor. Returns false when there is no room for another cursor.
    @discardableResult
    package mutating func set(_ announcement: PresenceAnnouncement) -> Bool {
        let key = announcement.key
        guard announcements.count < Self.limit || announcements[key] != nil else { return false }
        announcements[key] = announcement
        return true
    }

    /// Removes the announcement of a cursor. Returns whether there was one.
    @discardableResult
    package mutating func remove(_ key: PresenceAnnouncement.Key) -> Bool {
        announcements.removeValue(forKey: key) != nil
    }

    /// Removes and returns all announcements, or those of one note.
    package mutating func take(of note: String? = nil) -> [PresenceAnnouncement] {
        let taken = announcements.values.filter { note == nil || $0.presence.note == note }
        for announcement in taken { announcements[announcement.key] = nil }
        return taken
    }
}

/// The cursors of all clients, each under the source that it came from: a client, or a server.
///
/// Hubs that are clients of each other tell of one cursor on several ways; the first way counts while it is there.
package struct PresenceRegistry: Sendable {
    private struct Origin: Hashable {
        let note: String
        let agent: Substring

        init(_ key: PresenceAnnouncement.Key) { (note, agent) = (key.note, AgentPath(key.agent).origin) }
    }

    private var tables: [Int: PresenceTable] = [:]
    private var owners: [Origin: (source: Int, agent: String)] = [:]

    package init() {}

    /// Takes in an announcement. Returns whether others have to be told.
    ///
    /// A client that has connected again takes its cursors over from the connection before, so that the end of that one does
    /// not take them away.
    package mutating func announce(_ announcement: PresenceAnnouncement, from source: Int) -> Bool {
        let key = announcement.key
        let origin = Origin(key)
        guard announcement.presence.selection != nil else {
            guard tables[source]?.remove(key) ?? false else { return false }
            owners[origin] = nil
            return true
        }
        let owner = owners[origin]
        guard owner == nil || owner?.agent == key.agent, tables[source, default: PresenceTable()].set(announcement)
        else { return false }
        if let owner, owner.source != source { tables[owner.source]?.remove(key) }
        owners[origin] = (source, key.agent)
        return true
    }

    /// The cursors that came from a source.
    package func cursors(from source: Int) -> [PresenceAnnouncement] { tables[source]?.all ?? [] }

    /// Forgets the cursors of a source, all or those in one note, and returns what others have to be told.
    package mutating func forget(_ source: Int, in note: String? = nil) -> [PresenceAnnouncement] {
        let taken = tables[source]?.take(of: note) ?? []
        if tables[source]?.isEmpty ?? false { tables[source] = nil }
        for announcement in taken { owners[Origin(announcement.key)] = nil }
        return taken.map(\.left)
    }
}
