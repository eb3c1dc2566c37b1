import HubKit
import NotesDomain
import Storage

/// The notes as clients of NoteApp read and write them: whole.
extension SQLiteNoteServerStore {
    /// What a client gets, and what of it has to be remembered as read by it.
    private struct Found: Sendable {
        var served: ServedNotes
        var news: [(id: String, read: NoteRead)]
    }

    func wireID(of note: String) async throws -> NoteAppID? { try await store.read { try $0.wireID(of: note) } }

    func read(_ id: NoteAppID?, by caller: NoteAppCaller) async throws -> ServedNotes {
        let found = try await store.read { [bases, clock] transaction in
            let notes = try id.map { [try transaction.readable($0, by: caller)] } ?? transaction.readable(by: caller)
            let wire = try notes.map { try transaction.wire($0) }
            let reads = wire.map(\.read)
            let news = try reads.filter { try transaction.lastRead(of: $0.id, by: caller.reader) != $0.read }
            let isCounted = bases.reads(
                reads, news: news, by: caller.reader, over: caller.connection, all: id == nil, at: clock.now)
            return Found(
                served: ServedNotes(notes: wire.map(\.note), isRepeatable: news.isEmpty && !isCounted), news: news)
        }
        // Before the client has the answer; mostly it is known.
        if !found.news.isEmpty {
            try await store.write(Operation("notes read", who: .service("notes server"), kind: .cache)) { transaction in
                for (id, read) in found.news { try transaction.addRead(read, of: id, by: caller.reader) }
            }
        }
        return found.served
    }

    func create(_ draft: NoteAppDraft, by caller: NoteAppCaller) async throws -> NoteAppID {
        try await store.write(Self.serving()) { [bases, clock, meter] transaction in
            try transaction.check(.create, caller, nil)
            let more = AccountUsage(notes: 1, texts: draft.title.utf8.count + draft.content.utf8.count)
            try transaction.take(more, for: draft.owner, meter)
            let note = try transaction.createNote(draft, by: caller.person)
            let (wire, read) = try transaction.wire(note)
            try transaction.setLastRead(read.read, of: note.id, by: caller.reader)
            bases.made(read.read.version, of: note.id, by: caller.reader, at: clock.now)
            return wire.id
        }
    }

    func write(_ put: WholeNotePut) async throws {
        func write(_ kind: Operation.Kind) async throws -> WholeNoteResult {
            try await store.write(Operation("notes serve", who: .service(put.caller.person), kind: kind)) {
                [bases, openNotes, committed, meter] transaction in
                try transaction.carryOut(put, bases, openNotes, meter, telling: committed)
            }
        }
        var result = try await write(.cache)
        if result == .notRecorded { result = try await write(.edit) }
        if result == .changed { indexed.catchUpLater() }
    }

    func delete(_ id: NoteAppID, by caller: NoteAppCaller) async throws {
        try await store.write(Self.serving()) { transaction in
            let note = try transaction.served(id)
            try transaction.check(.delete, caller, note.access)
            try NoteRecord.kind.setDeleted(note.id, at: transaction.now, in: transaction)
            try transaction.reindexNotes([note.id])
            try transaction.record(.deletion, of: note.id, by: caller.person)
            try transaction.emit(NotesEvents.deleted, note.summary)
        }
    }
}

extension Transaction {
    /// Returns the live note with this id, which has an owner. Throws where there is none.
    func served(_ id: NoteAppID) throws -> NoteRecord {
        guard let note = try note(withWireID: id), note.deletedAt == nil, !note.access.owner.isEmpty else {
            throw NoteAppError(404, "Note not found.")
        }
        return note
    }

    /// Throws if the access rules do not allow an operation of a client.
    func check(_ operation: NoteOperation, _ caller: NoteAppCaller, _ access: NoteAccess?) throws {
        let legacy = try legacyMode(caller.legacy)
        if let refusal = AccessRule.decide(operation, by: caller.actor, on: access, legacy: legacy) {
            throw NoteAppError(refusal)
        }
    }

    fileprivate func readable(_ id: NoteAppID, by caller: NoteAppCaller) throws -> NoteRecord {
        let note = try served(id)
        try check(.read, caller, note.access)
        return note
    }

    /// Returns the notes that a client may read: what is locked for an account is not there for it, not even as a title.
    fileprivate func readable(by caller: NoteAppCaller) throws -> [NoteRecord] {
        try check(.list, caller, nil)
        let legacy = try legacyMode(caller.legacy)
        return try servedNotes().filter {
            AccessRule.decide(.read, by: caller.actor, on: $0.access, legacy: legacy) == nil
        }
    }

    /// Returns a note as its readers see it, and what they have read then.
    fileprivate func wire(_ note: NoteRecord) throws -> (note: NoteAppNote, read: (id: String, read: NoteRead)) {
        guard let id = try wireID(of: note.id) else { throw NoteAppError(404, "Note not found.") }
        let wire = NoteAppNote(
            id: id, title: note.title, content: note.content, access: note.access.members, owner: note.access.owner)
        return (wire, (note.id, NoteRead(version: try version(of: note.id), members: note.access.members)))
    }

    fileprivate func createNote(_ draft: NoteAppDraft, by person: String) throws -> NoteRecord {
        let id = try insertNote(access: NoteAccess(owner: draft.owner, members: draft.access))
        try changeTexts(of: id, by: person) { document, agent in
            try document.set(title: draft.title, content: draft.content, by: agent)
        }
        try reindexNotes([id])
        let note = try NoteRecord.kind.item(id, in: self)
        try emit(NotesEvents.created, note.summary)
        return note
    }
}
