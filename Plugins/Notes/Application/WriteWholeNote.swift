import HubKit
import NotesDomain
import Storage
import Synchronization

/// A PUT of a whole note by a client of NoteApp.
struct WholeNotePut: Sendable {
    /// The result of a PUT.
    enum Result: Sendable {
        case changed, unchanged
        /// The client has not read the newest version, or changes more than the texts: the PUT has to be merged.
        case notNewest
    }

    let id: NoteAppID
    let write: WholeNoteWrite
    let actor: NotesDomain.Actor
    let client: String
    /// What tells the client apart from others at its address.
    let reader: String
    /// The connection that it came over; nil if it is not known.
    let connection: UInt64?
    /// What clients without an account may do, if the settings say so.
    let legacy: LegacyMode?

    init(_ draft: NoteAppDraft, of id: NoteAppID, by request: NoteAppRequest, _ legacy: LegacyMode?) {
        self.id = id
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
    /// Stores a PUT of a client that has read the newest texts, as edits that follow them, without reading their history.
    /// `bases` has what its client may have read before, and `claim` gets the number of the change.
    func add(_ put: WholeNotePut, _ bases: RecentBases, claim: (Int) -> Void) throws -> WholeNotePut.Result {
        let note = try served(put)
        guard bases.reads(before: put, of: note.id, at: now).isEmpty,
            let (read, newest) = try newestRead(of: note.id, by: put.reader)
        else { return .notNewest }
        let legacy = try legacyMode(put.legacy)
        let access = try refusing { () throws(WholeNoteWrite.Refusal) in
            try put.write.access(from: note.access, read: read, by: put.actor, legacy: legacy)
        }
        guard access == note.access else { return .notNewest }
        let edits = put.write.edits(of: note.title, note.content)
        if edits.isEmpty { return .unchanged }
        let change = try nextChange()
        let texts = CurrentTexts(title: put.write.title, content: put.write.content)
        guard
            let version = try add(
                edits, by: agent(), to: note, at: newest, texts: texts, by: put.person, change: change)
        else { return .notNewest }
        try setLastRead(NoteRead(version: version, members: put.write.members), of: note.id, by: put.reader)
        bases.wrote(put, version, to: note, over: read, after: [read], from: read.version, to: version, at: now)
        var changed = note
        (changed.title, changed.content) = (put.write.title, put.write.content)
        try followEdit(of: changed, from: note)
        // Events are published at the beginning and after a pause; what is shown is read again at once.
        let isFirst = now - note.changedAt >= LiveConnection.pause
        if isFirst { try emit(NotesEvents.changed, changed.summary) } else { afterCommit(NotesEvents.changed) }
        try addUnrecorded(note.id, isUnpublished: !isFirst)
        claim(change)
        return .changed
    }

    /// Merges a PUT at the version that its client has most likely read. `claim` gets the number of the change.
    func merge(_ put: WholeNotePut, _ bases: RecentBases, claim: (Int) -> Void) throws -> WholeNotePut.Result {
        let note = try served(put)
        let legacy = try legacyMode(put.legacy)
        let read = try lastRead(of: note.id, by: put.reader)
        let recent = read == nil ? try recentVersions(of: note.id, limit: MergeBase.candidateCount) : []
        let (document, agent) = (try document(of: note.id), try agent())
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
        guard outcome.isChanged else { return .unchanged }
        try changed(note.id, words: .later) {
            try changeTexts(of: note.id, known: document, by: put.person) { document, _ in
                document = outcome.document
                return outcome.edits
            }
            if outcome.access != note.access { try setAccess(outcome.access, of: note.id) }
        }
        claim(try latestChange())
        return .changed
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
