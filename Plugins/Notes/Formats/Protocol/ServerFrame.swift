import JSON
package import TextCRDT
package import Time

/// What is beside the texts of a note.
package struct NoteMetadata: Hashable, Sendable {
    /// The owner and the members.
    package var access: NoteAccess
    /// The tags.
    package var tags: [String]
    /// The folder.
    package var folder: String
    /// Whether the note is in the trash.
    package var isDeleted: Bool
    /// The time of the last change.
    package var changedAt: Instant
    /// The attachments; nil from a server that knows none.
    package var attachments: [AttachmentReference]?
    /// What the note's file has besides; nil where that is not known.
    package var file: NoteFile?
    /// What only machines of one person exchange; nil for all other clients.
    package var facts: NoteFacts?

    package init(
        access: NoteAccess, tags: [String] = [], folder: String = "", isDeleted: Bool = false, changedAt: Instant,
        attachments: [AttachmentReference]? = nil, file: NoteFile? = nil, facts: NoteFacts? = nil
    ) {
        self.facts = facts
        self.file = file
        self.attachments = attachments
        self.access = access
        self.tags = tags
        self.folder = folder
        self.isDeleted = isDeleted
        self.changedAt = changedAt
    }

    /// The same for a client that writes no files.
    var withoutFile: NoteMetadata {
        var metadata = withoutFacts
        metadata.file = nil
        return metadata
    }

    /// The same for a client that is not a machine of the person.
    var withoutFacts: NoteMetadata {
        var metadata = self
        metadata.facts = nil
        return metadata
    }
}

/// A change of a note as the server sends it.
package struct NoteDelta: Hashable, Sendable {
    /// The id.
    package var note: String
    /// What is beside the texts; nil when it is as it was.
    package var metadata: NoteMetadata?
    /// The events that the client may lack; empty in mode `edits`.
    package var patch: NotePatch
    /// The version of the server's texts, all of which the client has after the patch; nil in mode `edits`.
    package var version: NoteVersion?

    package init(
        note: String, metadata: NoteMetadata? = nil, patch: NotePatch = NotePatch(), version: NoteVersion? = nil
    ) {
        self.note = note
        self.metadata = metadata
        self.patch = patch
        self.version = version
    }
}

/// Edits that lead from one version of a text to another.
package struct TextDelta: Hashable, Sendable {
    /// The id of the note.
    package var note: String
    /// The text.
    package var field: NoteField
    /// The version that the edits apply to; nil for the empty text.
    package let from: Version?
    /// The version that they lead to.
    package var to: Version
    /// The edits, each relative to those before it.
    package var edits: [TextEdit]
    /// The number of the client's own events that `to` holds.
    package var acknowledged: Int

    /// An empty `from` becomes nil, since a client that does not know a text has no version to compare it with.
    package init(note: String, field: NoteField, from: Version?, to: Version, edits: [TextEdit], acknowledged: Int) {
        self.note = note
        self.field = field
        self.from = from.flatMap { $0.heads.isEmpty ? nil : $0 }
        self.to = to
        self.edits = edits
        self.acknowledged = acknowledged
    }
}

extension TextDelta {
    /// Puts together the deltas that follow each other.
    static func joined(_ deltas: [TextDelta]) -> [TextDelta] {
        var joined: [TextDelta] = []
        for delta in deltas {
            let index = joined.lastIndex { $0.note == delta.note && $0.field == delta.field }
            if let index, joined[index].edits.count + delta.edits.count <= ServerSession.maximumDelta {
                joined[index].to = delta.to
                joined[index].edits += delta.edits
            } else {
                joined.append(delta)
            }
        }
        return joined
    }
}

/// Why a request is refused.
package enum RefusalCode: String, Sendable {
    /// The access rules do not allow it.
    case locked, ownerOnly = "owner-only", readOnly = "read-only", unlocked, notMember = "not-member"
    /// There is no such note.
    case notFound = "not-found"
    /// The events follow others that the server lacks: send everything.
    case missing
    /// The events, positions or names cannot be right.
    case invalid
    /// Another account uses this agent's name.
    case agentTaken = "agent-taken"
    /// A part is larger than the limits allow.
    case tooLarge = "too-large"
    /// The server could not store it; try again.
    case unavailable
    /// The note was changed since another machine of the person has seen it.
    case changed

    /// Creates the code for a refusal by the access rules.
    package init(_ refusal: AccessRefusal) {
        switch refusal {
        case .authenticationRequired, .locked: self = .locked
        case .ownerOnly: self = .ownerOnly
        case .readOnly, .readerOnly: self = .readOnly
        case .alreadyUnlocked: self = .unlocked
        case .notMember: self = .notMember
        }
    }

    /// Whether the same request may succeed later.
    package var isTransient: Bool { self == .unavailable || self == .missing }
}

/// A frame that the server sends.
package enum ServerFrame: Hashable, Sendable {
    /// Why a note is no longer there for the client.
    package enum Loss: String, Sendable {
        case deleted, locked
    }

    /// The answer to `hello`; `isResync` says that the cursor was of no use, and everything comes again, `knowsFiles` that the
    /// server keeps what only files have.
    case welcome(user: String, isResync: Bool, knowsFiles: Bool = true)
    /// A note has changed; the cursor is nil for a note that was asked for.
    case note(NoteDelta, cursor: String?)
    /// A frame of a note that cannot be read.
    case unreadable(note: String, cursor: String?)
    case gone(note: String, Loss, cursor: String)
    /// Everything up to this place was sent.
    case cursor(String)
    case text(TextDelta)
    case acknowledged(Int)
    case refused(Int, RefusalCode, message: String)
    /// Someone's cursor.
    case presence(Presence, user: String, agent: String)
    /// Someone asks the owner for access.
    case request(note: String, requester: String, reason: String)

    /// Reads a frame; nil for a kind that is not known, which is ignored.
    package init?(_ text: String) throws(ProtocolError) {
        let json: JSONValue
        do {
            json = try JSONReader.read(Array(text.utf8), limits: .init(bytes: NotesProtocol.maximumFrame, depth: 8))
        } catch {
            throw .malformed(error.kind.reason)
        }
        guard let kind = json["t"]?.string else { throw .malformed("t") }
        switch kind {
        case "welcome":
            self = .welcome(
                user: try json.text("user"), isResync: json["resync"]?.bool ?? false,
                knowsFiles: json["front_matter"]?.bool ?? false)
        case "note":
            let cursor = json["cursor"]?.string
            do {
                self = .note(try NoteDelta(json), cursor: cursor)
            } catch {
                self = .unreadable(note: try json.text("note"), cursor: cursor)
            }
        case "gone":
            let loss = json["why"]?.string.flatMap(Loss.init) ?? .locked
            self = .gone(note: try json.text("note"), loss, cursor: try json.text("cursor"))
        case "cursor": self = .cursor(try json.text("cursor"))
        case "text": self = .text(try TextDelta(json))
        case "ack": self = .acknowledged(try json.count("n"))
        case "no":
            self = .refused(
                try json.count("n"), json["code"]?.string.flatMap(RefusalCode.init) ?? .invalid,
                message: json["message"]?.string ?? "")
        case "at": self = .presence(try Presence(json), user: try json.text("who"), agent: try json.text("agent"))
        case "request":
            self = .request(
                note: try json.text("note"), requester: try json.text("who"),
                reason: json["reason"] == nil ? "" : try json.text("reason", limit: NoteLimits.reason))
        default: return nil
        }
    }

    /// The frame as text.
    package var text: String {
        var json = JSONWriter()
        json.object { json in write(to: &json) }
        return json.string
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .welcome(let user, let isResync, let knowsFiles):
            json.text("t", "welcome")
            json.text("user", user)
            json.name("resync")
            json.value(isResync)
            if knowsFiles {
                json.name("front_matter")
                json.value(true)
            }
        case .note(let delta, let cursor):
            json.text("t", "note")
            delta.write(to: &json)
            if let cursor { json.text("cursor", cursor) }
        case .unreadable(let note, let cursor):
            json.text("t", "note")
            json.text("note", note)
            json.number("content", 0)
            if let cursor { json.text("cursor", cursor) }
        case .gone(let note, let loss, let cursor):
            json.text("t", "gone")
            json.text("note", note)
            json.text("why", loss.rawValue)
            json.text("cursor", cursor)
        case .cursor(let cursor):
            json.text("t", "cursor")
            json.text("cursor", cursor)
        case .text(let delta):
            json.text("t", "text")
            delta.write(to: &json)
        case .acknowledged(let number):
            json.text("t", "ack")
            json.number("n", number)
        case .refused(let number, let code, let message):
            json.text("t", "no")
            json.number("n", number)
            json.text("code", code.rawValue)
            json.text("message", message)
        case .presence(let presence, let user, let agent):
            json.text("t", "at")
            json.text("who", user)
            json.text("agent", agent)
            presence.write(to: &json)
        case .request(let note, let requester, let reason):
            json.text("t", "request")
            json.text("note", note)
            json.text("who", requester)
            if !reason.isEmpty { json.text("reason", reason) }
        }
    }
}

extension NoteDelta {
    fileprivate func write(to json: inout JSONWriter) {
        json.text("note", note)
        metadata?.write(to: &json)
        patch.write(to: &json)
        if let version {
            json.name("version")
            json.object { json in version.write(to: &json) }
        }
    }

    fileprivate init(_ json: JSONValue) throws(ProtocolError) {
        self.init(
            note: try json.text("note"), metadata: try NoteMetadata(in: json), patch: try NotePatch(in: json),
            version: try json["version"].flatMap { json throws(ProtocolError) in try NoteVersion(in: json) })
    }
}

extension NoteMetadata {
    fileprivate func write(to json: inout JSONWriter) {
        json.text("owner", access.owner)
        json.names("access", access.members)
        if case let readers = access.readers, !readers.isEmpty { json.names("readers", readers) }
        json.names("tags", tags)
        json.text("folder", folder)
        json.name("trash")
        json.value(isDeleted)
        json.number("changed", Int(changedAt.milliseconds))
        if let attachments {
            json.name("attachments")
            AttachmentReference.write(attachments, to: &json)
        }
        file?.write(to: &json)
        facts?.write(to: &json)
    }

    /// Nil when the frame has none.
    fileprivate init?(in json: JSONValue) throws(ProtocolError) {
        guard json["owner"] != nil else { return nil }
        self.init(
            access: NoteAccess(
                owner: try json.text("owner"), members: try json.names("access"), readers: try json.names("readers")),
            tags: try json.names("tags", limit: NoteLimits.tags),
            folder: json["folder"] == nil ? "" : try json.text("folder", limit: NoteLimits.title),
            isDeleted: json["trash"]?.bool ?? false,
            changedAt: Instant(milliseconds: Int64(json["changed"]?.integer ?? 0)),
            attachments: try AttachmentReference.list(json["attachments"]), file: try NoteFile(in: json),
            facts: try NoteFacts(in: json))
    }
}

extension TextDelta {
    fileprivate func write(to json: inout JSONWriter) {
        json.text("note", note)
        json.text("field", field.rawValue)
        if let from {
            json.name("from")
            from.write(to: &json)
        }
        json.name("to")
        to.write(to: &json)
        json.name("edits")
        TextEdit.write(edits, to: &json)
        json.number("ack", acknowledged)
    }

    fileprivate init(_ json: JSONValue) throws(ProtocolError) {
        guard let field = json["field"]?.string.flatMap(NoteField.init), let to = json["to"] else {
            throw .malformed("field or to")
        }
        var from: Version?
        if let value = json["from"] { from = try Version(value) }
        self.init(
            note: try json.text("note"), field: field, from: from, to: try Version(to),
            edits: try TextEdit.list(json["edits"]), acknowledged: try json.count("ack"))
    }
}
