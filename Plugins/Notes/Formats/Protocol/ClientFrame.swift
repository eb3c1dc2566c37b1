import JSON
package import Text
package import TextCRDT

/// A change of a note beside its texts, as sets, so that it can be repeated and merged.
package struct NoteChange: Hashable, Sendable {
    /// The tags to add.
    package var addedTags: [String]
    /// The tags to remove.
    package var removedTags: [String]
    /// The members to add and to remove.
    package var access: AccessChange
    /// The new folder; nil when it stays.
    package var folder: String?
    /// Whether the note goes to the trash, or comes back; nil when it stays where it is.
    package var isDeleted: Bool?
    /// The attachments to add, or to replace by their paths; the server has their content.
    package var attached: [AttachmentReference]
    /// The paths of the attachments to remove.
    package var detached: [ByteString]
    /// The change of what is only in the note's file; nil without one.
    package var head: HeadChange?
    /// What only machines of one person exchange; nil when it stays.
    package var facts: NoteFacts?
    /// Whether the note is deleted for good, which only a machine of the person can do.
    package var isPurged = false
    /// The state that a machine of the person has seen; nil from all others.
    package var seen: SeenNote?

    package init(
        addedTags: [String] = [], removedTags: [String] = [], access: AccessChange = AccessChange(),
        folder: String? = nil, isDeleted: Bool? = nil, attached: [AttachmentReference] = [],
        detached: [ByteString] = [],
        head: HeadChange? = nil
    ) {
        self.head = head
        self.attached = attached
        self.detached = detached
        self.addedTags = addedTags
        self.removedTags = removedTags
        self.access = access
        self.folder = folder
        self.isDeleted = isDeleted
    }
}

/// Edits of one text by a client that keeps no history, such as the page.
package struct EditRequest: Hashable, Sendable {
    /// The text.
    package var field: NoteField
    /// The number of the first of the edits' events among those of the client's agent; by it a repeated request is known.
    package var sequence: Int
    /// The version that the edits were made on.
    package var base: Version
    /// The edits, each relative to those before it.
    package var edits: [TextEdit]

    package init(field: NoteField, sequence: Int, base: Version, edits: [TextEdit]) {
        self.field = field
        self.sequence = sequence
        self.base = base
        self.edits = edits
    }

    /// The number of events that the edits become: one for each scalar deleted or inserted.
    package var eventCount: Int {
        edits.reduce(0) { $0 + $1.deletedCount + $1.inserted.unicodeScalars.count }
    }
}

/// A request about a note, which the server answers under its number.
package struct NoteRequest: Hashable, Sendable {
    /// What is asked for.
    package enum Kind: Hashable, Sendable {
        /// Take in events of the texts; a note that is not known is made.
        case push(NotePatch)
        /// Take in edits of one text.
        case edit(EditRequest)
        /// Change what is beside the texts.
        case set(NoteChange)
        /// Send the note, as patches or edits since a version, or whole; in mode `edits` also follow it from now on.
        case open(NoteVersion?)
        /// Ask the owner for access.
        case unlock(reason: String)
        /// Answer someone's request for access.
        case answer(requester: String, allow: Bool)
    }

    /// The number, by which the client knows the answer.
    package var number: Int
    /// The id of the note.
    package var note: String
    /// What is asked for.
    package var kind: Kind

    package init(_ number: Int, _ note: String, _ kind: Kind) {
        self.number = number
        self.note = note
        self.kind = kind
    }
}

/// A frame that a client sends.
package enum ClientFrame: Hashable, Sendable {
    /// How a client follows texts.
    package enum Mode: String, Sendable {
        /// It keeps each note's history, and gets patches of all notes.
        case log
        /// It keeps texts only, and gets edits of the notes that it has opened.
        case edits
    }

    case hello(agent: String, mode: Mode, cursor: String?)
    case request(NoteRequest)
    /// The client no longer follows a note.
    case close(note: String)
    /// Where a cursor is: the client's own, or that of an agent that it speaks for.
    case presence(Presence, agent: String? = nil)

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
        case "hello":
            guard let mode = Mode(rawValue: json["mode"]?.string ?? "log") else { throw .malformed("mode") }
            let agent = try json.text("agent")
            guard EventID.isAcceptable(agent: agent) else { throw .malformed("agent") }
            self = .hello(agent: agent, mode: mode, cursor: json["cursor"]?.string)
        case "close": self = .close(note: try json.text("note"))
        case "at": self = .presence(try Presence(json), agent: json["agent"] == nil ? nil : try json.text("agent"))
        default:
            guard let request = try NoteRequest.Kind(kind, json) else { return nil }
            self = .request(NoteRequest(try json.count("n"), try json.text("note"), request))
        }
    }

    /// The frame as text.
    package var text: String {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .hello(let agent, let mode, let cursor):
                json.text("t", "hello")
                json.text("agent", agent)
                json.text("mode", mode.rawValue)
                if let cursor { json.text("cursor", cursor) }
            case .request(let request):
                json.text("t", request.kind.name)
                json.number("n", request.number)
                json.text("note", request.note)
                request.kind.write(to: &json)
            case .close(let note):
                json.text("t", "close")
                json.text("note", note)
            case .presence(let presence, let agent):
                json.text("t", "at")
                if let agent { json.text("agent", agent) }
                presence.write(to: &json)
            }
        }
        return json.string
    }
}

extension NoteRequest.Kind {
    /// The word for it in frames.
    package var name: String {
        switch self {
        case .push: "push"
        case .edit: "edit"
        case .set: "set"
        case .open: "open"
        case .unlock: "unlock"
        case .answer: "answer"
        }
    }

    fileprivate init?(_ name: String, _ json: JSONValue) throws(ProtocolError) {
        switch name {
        case "push": self = .push(try NotePatch(in: json))
        case "edit":
            guard let field = json["field"]?.string.flatMap(NoteField.init), let base = json["base"] else {
                throw .malformed("field or base")
            }
            let sequence = try json.count("seq")
            guard EventID.sequences.contains(sequence) else { throw .malformed("seq") }
            self = .edit(
                EditRequest(
                    field: field, sequence: sequence, base: try Version(base),
                    edits: try TextEdit.list(json["edits"])))
        case "set":
            self = .set(
                NoteChange(
                    addedTags: try json.names("tag", limit: NoteLimits.tags),
                    removedTags: try json.names("untag", limit: NoteLimits.tags),
                    access: AccessChange(
                        granted: try json.names("share"), readers: try json.names("share_read"),
                        revoked: try json.names("unshare")),
                    folder: json["folder"] == nil ? nil : try json.text("folder", limit: NoteLimits.title),
                    isDeleted: json["trash"]?.bool,
                    attached: try AttachmentReference.list(json["attach"]) ?? [],
                    detached: try json.names("detach", limit: NoteLimits.attachments)
                        .map { AttachmentReference.path($0) },
                    head: try HeadChange(in: json)))
            if case .set(var change) = self {
                change.facts = try NoteFacts(in: json)
                change.isPurged = json["purge"]?.bool ?? false
                change.seen = try SeenNote(in: json)
                self = .set(change)
            }
        case "open": self = .open(try NoteVersion(in: json))
        case "unlock":
            self = .unlock(reason: json["reason"] == nil ? "" : try json.text("reason", limit: NoteLimits.reason))
        case "answer":
            guard let allow = json["allow"]?.bool else { throw .malformed("allow") }
            self = .answer(requester: try json.text("who"), allow: allow)
        default: return nil
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .push(let patch): patch.write(to: &json)
        case .edit(let edit):
            json.text("field", edit.field.rawValue)
            json.number("seq", edit.sequence)
            json.name("base")
            edit.base.write(to: &json)
            json.name("edits")
            TextEdit.write(edit.edits, to: &json)
        case .set(let change):
            if !change.addedTags.isEmpty { json.names("tag", change.addedTags) }
            if !change.removedTags.isEmpty { json.names("untag", change.removedTags) }
            if !change.access.granted.isEmpty { json.names("share", change.access.granted) }
            if !change.access.readers.isEmpty { json.names("share_read", change.access.readers) }
            if !change.access.revoked.isEmpty { json.names("unshare", change.access.revoked) }
            if let folder = change.folder { json.text("folder", folder) }
            if let isDeleted = change.isDeleted {
                json.name("trash")
                json.value(isDeleted)
            }
            if !change.attached.isEmpty {
                json.name("attach")
                AttachmentReference.write(change.attached, to: &json)
            }
            if !change.detached.isEmpty { json.names("detach", change.detached.map { MarkdownTargets.target($0) }) }
            change.head?.write(to: &json)
            change.facts?.write(to: &json)
            if change.isPurged {
                json.name("purge")
                json.value(true)
            }
            change.seen?.write(to: &json)
        case .open(let version): version?.write(to: &json)
        case .unlock(let reason): if !reason.isEmpty { json.text("reason", reason) }
        case .answer(let requester, let allow):
            json.text("who", requester)
            json.name("allow")
            json.value(allow)
        }
    }
}
