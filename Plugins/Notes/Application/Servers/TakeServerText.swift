import HubKit
import NotesDomain
import Storage
import TextCRDT

/// The result of taking in what a server has of a note.
struct TakenNote: Sendable {
    /// The name of the note in messages.
    var name = ""
    /// Whether the note has changed here.
    var isChanged = false
    /// Whether both sides had changed.
    var isMerged = false
    /// What is to be sent; nil if both sides are the same.
    var draft: NoteAppDraft?
}

/// The texts of a note here, as they are merged with those of a server.
struct UnmergedTexts: Sendable {
    let document: NoteDocument
    let sent: SentEdits
    let agent: String
    let now: Instant

    func merged(_ remote: NoteAppNote, _ server: String) throws(TextCRDTError) -> MergedTexts {
        var (document, sent) = (document, sent)
        let edits = try document.merge(
            serverTitle: remote.title, content: remote.content, sent: &sent, at: now, by: agent,
            server: Transaction.serverAgent(agent, server))
        return MergedTexts(base: self, document: document, sent: sent, edits: edits)
    }
}

/// The result of such a merge.
struct MergedTexts: Sendable {
    /// What was merged.
    let base: UnmergedTexts
    let document: NoteDocument
    let sent: SentEdits
    let edits: NoteEdits
}

extension Store {
    /// The most merges of one note that is changed here all the time.
    private static let maximumMerges = 5

    /// Takes in what a server has of a note. The texts are merged before the write, so that others can write meanwhile; if one of them has
    /// changed the note, they are merged again. `merged` is called before each write.
    func take(
        _ remote: NoteAppNote, into id: String, from server: String, as operation: Operation, isRevived: Bool = false,
        merged: @Sendable () async throws -> Void = {}
    ) async throws -> TakenNote {
        if try await read({ try $0.knownAgent() }) == nil { _ = try await write(operation) { try $0.agent() } }
        for _ in 0..<Self.maximumMerges {
            let texts = try await read { try $0.texts(of: id, on: server)?.merged(remote, server) }
            try await merged()
            let taken = try await write(operation) { transaction in
                try transaction.take(remote, texts, into: id, from: server, isRevived: isRevived)
            }
            if let taken { return taken }
        }
        throw NoteAppError(409, "it keeps changing here")
    }
}

extension Transaction {
    /// The agent of the edits that a server's texts show.
    static func serverAgent(_ agent: String, _ server: String) -> String { "\(agent)@\(server)" }

    /// Returns the texts of a note that is merged with what `server` has of it; nil if there is no such note.
    fileprivate func texts(of id: String, on server: String) throws -> UnmergedTexts? {
        guard let link = try link(of: id), try note(id) != nil, let agent = try knownAgent() else { return nil }
        return UnmergedTexts(document: try document(of: id), sent: link.edits, agent: agent, now: now)
    }

    /// Stores what a server has of a note, merged with the texts here before, and prepares what is to be sent. Returns nil if the note has
    /// changed since the texts were read.
    fileprivate func take(
        _ remote: NoteAppNote, _ texts: MergedTexts?, into id: String, from server: String, isRevived: Bool
    ) throws -> TakenNote? {
        var taken = TakenNote()
        guard var link = try link(of: id), let before = try note(id) else { return taken }
        let old = try version(of: id)
        guard let texts, texts.base.document.version == old, texts.base.sent == link.edits,
            try texts.base.agent == knownAgent()
        else { return nil }
        if before.deletedAt != nil {
            guard isRevived else { return taken }
            try NoteRecord.kind.setDeleted(id, at: nil, in: self)
        }
        let wasChanged = link.remote != nil && old != link.edits.seen
        let sent = texts.sent
        let isText = try changeTexts(of: id, known: texts.base.document, by: server, isMerge: true) { document, _ in
            document = texts.document
            return texts.edits
        }
        link.edits = sent
        var access = AccessChange(from: link.access.members, to: remote.access).applied(to: before.access)
        if !remote.owner.isEmpty { access.owner = remote.owner }
        taken.isChanged = isText || isRevived || access != before.access
        if taken.isChanged { try changed(id) { [access] in try setAccess(access, of: id) } }
        guard let after = try note(id) else { return taken }
        (link.remote, link.state) = (remote.id, .synced)
        link.access = NoteAccess(owner: remote.owner, members: remote.access)
        link.fingerprint = try remote.fingerprint()
        taken.name = after.displayName
        taken.isMerged = isText && wasChanged
        // Two Unicode forms of one text are not the same.
        let isSame =
            after.title.unicodeScalars.elementsEqual(remote.title.unicodeScalars)
            && after.content.unicodeScalars.elementsEqual(remote.content.unicodeScalars)
            && Set(after.access.members) == Set(remote.access)
        if !isSame {
            taken.draft = NoteAppDraft(
                title: after.title, content: after.content, access: after.access.members, owner: after.access.owner)
        }
        try setLink(link, on: server)
        return taken
    }
}
