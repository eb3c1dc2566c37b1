import HubKit
package import NotesDomain
import Storage

/// A request of a client to NoteApp's REST interface.
package struct NoteAppRequest: Sendable {
    /// The method, in capitals.
    package let method: String
    /// The path with its query, as sent.
    package let target: String
    /// The media type of the body; nil without one.
    package let contentType: String?
    /// The body, which a DELETE may have as well.
    package let body: [UInt8]
    /// The address of the client, and its account if it has one.
    package let client: String
    /// What tells the client apart from others at its address.
    package let reader: String
    /// The connection that the request came over; nil if it is not known.
    package let connection: UInt64?
    /// Who asks.
    package let actor: Actor

    /// Creates a request; without `reader`, the client is told apart by its address alone.
    package init(
        _ method: String, _ target: String, contentType: String? = nil, body: [UInt8] = [], client: String,
        reader: String? = nil, connection: UInt64? = nil, actor: Actor = .anonymous
    ) {
        self.method = method
        self.target = target
        self.contentType = contentType
        self.body = body
        self.client = client
        self.reader = reader ?? client
        self.connection = connection
        self.actor = actor
    }
}

/// The answer to a request.
package struct NoteAppAnswer: Sendable {
    /// The answer.
    package let reply: NoteAppReply
    /// The revision of the database at which the same request gets the same answer; nil if it has to be asked again.
    package let revision: Int?

    init(_ reply: NoteAppReply, at revision: Int? = nil) {
        self.reply = reply
        self.revision = revision
    }
}

/// The server's side of NoteApp: each request is one transaction, in which access is checked.
extension NotesPlugin {
    /// Answers a request as NoteApp's server does, with a remedy for each of its defects: nothing is ever overwritten, no
    /// null is stored, and what a client may not see is left out. `legacy` says what clients without an account may do; nil
    /// leaves it to the accounts.
    package func answer(_ request: NoteAppRequest, legacy: LegacyMode?) async throws -> NoteAppAnswer {
        // Before anything is read: what a commit changes meanwhile has to be asked again.
        let revision = store.revision
        do {
            switch NoteAppRoute(method: request.method, target: request.target) {
            case .list: return try await list(request, legacy, revision)
            case .create: return try await create(request, legacy)
            case .read(let id): return try await read(try await lookUp(id), request, legacy, revision)
            case .replace(let id): return try await replace(id, request, legacy)
            case .delete(let id): return try await delete(id, request, legacy)
            case .options, .notFound: return NoteAppAnswer(.notFound)
            case .badRequest: return NoteAppAnswer(.refused(NoteAppError(400, "The path is not valid.")))
            }
        } catch let error as NoteAppError {
            return NoteAppAnswer(error.status == 404 ? .notFound : .refused(error))
        } catch let error as HubError where error.kind == .invalid {
            return NoteAppAnswer(.refused(NoteAppError(413, error.message)))
        }
    }

    /// Takes in a frame of a client's socket: only a request for access is accepted.
    /// - Returns: the message for the owner of the note.
    package func receive(_ frame: [UInt8], from actor: Actor, legacy: LegacyMode?) async throws -> NoteAppEvent {
        let event = try NoteAppEvent(fromClient: frame)
        // Who has proved a name asks under this name.
        let requester = actor.name ?? event.deviceId
        try await store.write(Self.serving) { transaction in
            guard let id = NoteAppID(event.id), let note = try transaction.served(id) else {
                throw NoteAppError(404, "Note not found.")
            }
            try Self.check(.requestAccess, actor, note.access, try transaction.legacyMode(legacy))
            if note.access.isUnlocked(for: requester) { throw NoteAppError(.alreadyUnlocked) }
            try transaction.requestAccess(to: note, by: requester, reason: event.reason ?? "")
        }
        return NoteAppEvent(.accessRequest, id: event.id, deviceId: requester, reason: event.reason)
    }

    /// The operation of changes by clients.
    private static var serving: Operation { Operation("notes serve", who: .service("notes server")) }

    private static func check(
        _ operation: NoteOperation, _ actor: Actor, _ access: NoteAccess?, _ legacy: LegacyMode
    ) throws(NoteAppError) {
        if let refusal = AccessRule.decide(operation, by: actor, on: access, legacy: legacy) {
            throw NoteAppError(refusal)
        }
    }

    /// Returns the id for NoteApp that a path names. An id of hub's protocol, which the original does not know, names the same note.
    private func lookUp(_ segment: String) async throws -> NoteAppID {
        if segment.utf8.count == Identifier.length, Identifier.isPrefix(segment) {
            guard let id = try await store.read({ try $0.wireID(of: segment) }) else {
                throw NoteAppError(404, "Note not found.")
            }
            return id
        }
        switch NoteAppID.lookUp(segment) {
        case .id(let id): return id
        case .unknown: throw NoteAppError(404, "Note not found.")
        case .invalid: throw NoteAppError.invalidID
        }
    }

    // MARK: Reading

    /// What a client gets, and what of it the store has to remember as read by it.
    private struct Served<Note: Sendable>: Sendable {
        let note: Note
        let news: [(id: String, read: NoteRead)]
        /// Whether the next read counts too, and has to be asked.
        var isCounted = false
    }

    private func list(
        _ request: NoteAppRequest, _ legacy: LegacyMode?, _ revision: Int?
    ) async throws -> NoteAppAnswer {
        let served = try await store.read { transaction in
            let legacy = try transaction.legacyMode(legacy)
            try Self.check(.list, request.actor, nil, legacy)
            // What is locked for an account is not there for it, not even as a title.
            let notes = try transaction.servedNotes().compactMap { note in
                AccessRule.decide(.read, by: request.actor, on: note.access, legacy: legacy) == nil
                    ? try transaction.wire(note) : nil
            }
            let reads = notes.map(\.read)
            let news = try transaction.news(reads, request.reader)
            return Served(
                note: notes.map(\.note), news: news,
                isCounted: bases.reads(
                    reads, news: news, by: request.reader, over: request.connection, all: true, at: clock.now))
        }
        try await remember(served.news, by: request.reader)
        return NoteAppAnswer(.notes(served.note), at: served.news.isEmpty && !served.isCounted ? revision : nil)
    }

    private func read(
        _ id: NoteAppID, _ request: NoteAppRequest, _ legacy: LegacyMode?, _ revision: Int?
    ) async throws -> NoteAppAnswer {
        let served = try await store.read { transaction in
            guard let note = try transaction.served(id) else { throw NoteAppError(404, "Note not found.") }
            let legacy = try transaction.legacyMode(legacy)
            try Self.check(.read, request.actor, note.access, legacy)
            let found = try transaction.wire(note)
            let reads = [found.read]
            let news = try transaction.news(reads, request.reader)
            return Served(
                note: found.note, news: news,
                isCounted: bases.reads(reads, news: news, by: request.reader, over: request.connection, at: clock.now))
        }
        try await remember(served.news, by: request.reader)
        return NoteAppAnswer(.note(served.note), at: served.news.isEmpty && !served.isCounted ? revision : nil)
    }

    /// Records what a client has read, before it has the answer; mostly it is known.
    private func remember(_ news: [(id: String, read: NoteRead)], by client: String) async throws {
        guard !news.isEmpty else { return }
        try await store.write(Operation("notes read", who: .service("notes server"), kind: .cache)) { transaction in
            for (id, read) in news { try transaction.addRead(read, of: id, by: client) }
        }
    }

    // MARK: Writing

    private func create(_ request: NoteAppRequest, _ legacy: LegacyMode?) async throws -> NoteAppAnswer {
        let legacy = try await store.read { try $0.legacyMode(legacy) }
        try Self.check(.create, request.actor, nil, legacy)
        let caller = request.actor.name
        var draft = try NoteAppDraft(
            request.body, contentType: request.contentType, .create(caller: caller ?? ""))
        // Who has proved a name makes notes under this name alone.
        if let caller { draft.owner = caller }
        // The original stores an empty name, under which no one could answer requests for access.
        guard !draft.owner.allSatisfy(\.isWhitespace) else {
            throw NoteAppError(400, "\"owner\" is empty: send the id of the device or person that the note belongs to.")
        }
        let id = try await store.write(Self.serving) { [draft, bases, clock] transaction in
            let note = try transaction.createNote(draft, by: caller ?? request.client)
            let read = NoteRead(version: try transaction.version(of: note.id), members: note.access.members)
            try transaction.setLastRead(read, of: note.id, by: request.reader)
            bases.made(read.version, of: note.id, by: request.reader, at: clock.now)
            return try transaction.wireID(of: note.id)
        }
        return NoteAppAnswer(id.map { .inserted($0) } ?? .notFound)
    }

    private func replace(
        _ segment: String, _ request: NoteAppRequest, _ legacy: LegacyMode?
    ) async throws -> NoteAppAnswer {
        let id = try await lookUp(segment)
        let draft = try NoteAppDraft(request.body, contentType: request.contentType, .replace)
        let put = WholeNotePut(draft, of: id, as: segment, by: request, legacy)
        let author = Operation.Author.service(put.person)
        func write(_ kind: Operation.Kind) async throws -> WholeNotePut.Result {
            try await store.write(Operation("notes serve", who: author, kind: kind)) {
                [bases, openNotes, live] in try $0.carryOut(put, bases, openNotes, telling: live)
            }
        }
        var result = try await write(.cache)
        if result == .notRecorded { result = try await write(.edit) }
        if result == .changed { indexed.catchUpLater() }
        return NoteAppAnswer(.updated)
    }

    private func delete(
        _ segment: String, _ request: NoteAppRequest, _ legacy: LegacyMode?
    ) async throws -> NoteAppAnswer {
        let id = try await lookUp(segment)
        try await store.write(Self.serving) { transaction in
            guard let note = try transaction.served(id) else { throw NoteAppError(404, "Note not found.") }
            try Self.check(.delete, request.actor, note.access, try transaction.legacyMode(legacy))
            try NoteRecord.kind.setDeleted(note.id, at: transaction.now, in: transaction)
            try transaction.reindexNotes([note.id])
            try transaction.emit(NotesEvents.deleted, note.summary)
        }
        return NoteAppAnswer(.deleted)
    }
}

extension Transaction {
    /// Returns the live note with this id, if the server serves it.
    func served(_ id: NoteAppID) throws -> NoteRecord? {
        try note(withWireID: id).flatMap { $0.deletedAt == nil && !$0.access.owner.isEmpty ? $0 : nil }
    }

    /// Returns those of the notes that are not yet known as read so by a client.
    fileprivate func news(
        _ reads: [(id: String, read: NoteRead)], _ client: String
    ) throws -> [(id: String, read: NoteRead)] {
        try reads.filter { try lastRead(of: $0.id, by: client) != $0.read }
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
