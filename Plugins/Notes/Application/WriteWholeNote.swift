import HubKit
import NotesDomain
import Storage
import Synchronization

/// A PUT of a whole note by a client of NoteApp.
struct WholeNotePut: Sendable {
    /// The result of a PUT.
    struct Result: Sendable {
        let note: String
        let isChanged: Bool
    }

    let id: NoteAppID
    /// The id as the client writes it.
    let wireID: String
    let write: WholeNoteWrite
    let actor: NotesDomain.Actor
    let client: String
    /// What tells the client apart from others at its address.
    let reader: String
    /// The connection that it came over; nil if it is not known.
    let connection: UInt64?
    /// What clients without an account may do, if the settings say so.
    let legacy: LegacyMode?

    init(_ draft: NoteAppDraft, of id: NoteAppID, as wireID: String, by request: NoteAppRequest, _ legacy: LegacyMode?)
    {
        self.id = id
        self.wireID = wireID
        write = WholeNoteWrite(
            title: draft.title, content: draft.content, members: draft.access, owner: draft.owner)
        actor = request.actor
        client = request.client
        reader = request.reader
        connection = request.connection
        self.legacy = legacy
    }

    /// The author of the edits.
    var person: String { actor.name ?? client }
}

extension Transaction {
    /// Merges a PUT at the version that its client has most likely read. `bases` has what its client may have read before.
    func merge(
        _ put: WholeNotePut, _ bases: RecentBases, _ notes: OpenNotes, telling live: HubClients
    ) throws -> WholeNotePut.Result {
        let id = try served(put).id
        return try notes.change(id, in: self) { try merge(put, into: &$0, bases, live) }
            ?? WholeNotePut.Result(note: id, isChanged: false)
    }

    private func merge(
        _ put: WholeNotePut, into open: inout OpenNote, _ bases: RecentBases, _ live: HubClients
    ) throws -> WholeNotePut.Result {
        let (note, document) = (open.record, open.texts.document)
        let legacy = try legacyMode(put.legacy)
        let read = try lastRead(of: note.id, by: put.reader)
        let recent = read == nil ? try recentVersions(of: note.id, limit: MergeBase.candidateCount) : []
        let agent = try agent()
        let earlier = try earlierReads(of: note.id, by: put.reader)
        let outcome = try refusing { () throws(WholeNoteWrite.Refusal) in
            try put.write.merged(
                into: document, note.access, read: read, earlier: earlier,
                others: bases.reads(before: put, of: note.id, at: now), recent: recent, by: put.actor,
                legacy: legacy, agent: agent)
        }
        if !earlier.isEmpty { try removeEarlierReads(of: note.id, by: put.reader) }
        try setLastRead(outcome.read, of: note.id, by: put.reader)
        bases.wrote(
            put, outcome.read.version, to: note, over: outcome.previous, after: [read].compactMap(\.self) + earlier,
            from: document.version, to: outcome.isChanged ? outcome.document.version : nil, at: now)
        guard outcome.isChanged else { return WholeNotePut.Result(note: note.id, isChanged: false) }
        guard outcome.access != note.access else {
            open.texts.replace(by: outcome.document, after: outcome.edits)
            try store(
                outcome.edits, of: &open, since: document.version, by: put.person, wireID: put.wireID,
                telling: live)
            return WholeNotePut.Result(note: note.id, isChanged: true)
        }
        try changed(note.id, words: .later) {
            try changeTexts(of: note.id, known: document, by: put.person) { document, _ in
                document = outcome.document
                return outcome.edits
            }
            try setAccess(outcome.access, of: note.id)
        }
        return WholeNotePut.Result(note: note.id, isChanged: true)
    }

    private func served(_ put: WholeNotePut) throws -> NoteRecord {
        guard let note = try served(put.id) else { throw NoteAppError(404, "Note not found.") }
        return note
    }

    private func refusing<T>(_ body: () throws(WholeNoteWrite.Refusal) -> T) throws -> T {
        do {
            return try body()
        } catch {
            switch error {
            case .access(let refusal): throw NoteAppError(refusal)
            case .text(let reason): throw reason
            }
        }
    }
}
