import JSON
package import Time

/// What machines of one person exchange of a note besides what all clients of a server do.
package struct NoteFacts: Hashable, Sendable {
    /// The owner; empty for a note of the person that no server has.
    package var owner: String
    /// Whether lists show the note first.
    package var isPinned: Bool
    /// The time of creation.
    package var createdAt: Instant
    /// The time of the last change.
    package var changedAt: Instant

    package init(owner: String, isPinned: Bool, createdAt: Instant, changedAt: Instant) {
        self.owner = owner
        self.isPinned = isPinned
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// Those of a note.
    package init(_ note: NoteRecord) {
        self.init(
            owner: note.access.owner, isPinned: note.isPinned, createdAt: note.createdAt, changedAt: note.changedAt)
    }

    func write(to json: inout JSONWriter) {
        json.name("facts")
        json.object { json in
            json.text("owner", owner)
            json.name("pinned")
            json.value(isPinned)
            json.number("created", Int(createdAt.milliseconds))
            json.number("changed", Int(changedAt.milliseconds))
        }
    }

    /// Nil when the frame has none.
    init?(in json: JSONValue) throws(ProtocolError) {
        guard let facts = json["facts"] else { return nil }
        guard let created = facts["created"]?.integer, let changed = facts["changed"]?.integer else {
            throw .malformed("facts")
        }
        self.init(
            owner: facts["owner"] == nil ? "" : try facts.text("owner"), isPinned: facts["pinned"]?.bool ?? false,
            createdAt: Instant(milliseconds: Int64(created)), changedAt: Instant(milliseconds: Int64(changed)))
    }
}

/// The state of a note that another machine has seen before it moves the note to the trash, or deletes it for good: a later change counts more.
package struct SeenNote: Hashable, Sendable {
    /// The version of the texts.
    package var version: NoteVersion
    /// The time of the last change; nil if the machine has just changed the note itself.
    package var changedAt: Instant?

    package init(version: NoteVersion, changedAt: Instant? = nil) {
        self.version = version
        self.changedAt = changedAt
    }

    func write(to json: inout JSONWriter) {
        json.name("seen")
        json.object { json in
            version.write(to: &json)
            if let changedAt { json.number("changed", Int(changedAt.milliseconds)) }
        }
    }

    /// Nil when the frame has none.
    init?(in json: JSONValue) throws(ProtocolError) {
        guard let seen = json["seen"] else { return nil }
        self.init(
            version: try NoteVersion(in: seen) ?? NoteVersion(),
            changedAt: seen["changed"]?.integer.map { Instant(milliseconds: Int64($0)) })
    }
}
