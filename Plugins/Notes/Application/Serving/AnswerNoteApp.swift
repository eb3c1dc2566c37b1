import HubKit
package import NotesDomain

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

    /// Who asks, as the store has to know it.
    fileprivate func caller(_ legacy: LegacyMode?) -> NoteAppCaller {
        NoteAppCaller(actor: actor, client: client, reader: reader, connection: connection, legacy: legacy)
    }

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

/// The server's side of NoteApp: each request is one message to the store, which checks access.
extension NotesPlugin {
    /// Answers a request as NoteApp's server does, with a remedy for each of its defects: nothing is ever overwritten, no
    /// null is stored, and what a client may not see is left out. `legacy` says what clients without an account may do; nil
    /// leaves it to the accounts.
    package func answer(_ request: NoteAppRequest, legacy: LegacyMode?) async throws -> NoteAppAnswer {
        do {
            switch NoteAppRoute(method: request.method, target: request.target) {
            case .list: return try await list(request, legacy)
            case .create: return try await create(request, legacy)
            case .read(let id): return try await read(id, request, legacy)
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
    /// - Returns: the id of the note, and who asks.
    @discardableResult
    package func receive(
        _ frame: [UInt8], from actor: Actor, legacy: LegacyMode?
    ) async throws -> (note: String, requester: String) {
        let event = try NoteAppEvent(fromClient: frame)
        // Who has proved a name asks under this name.
        let requester = actor.name ?? event.deviceId
        guard let id = NoteAppID(event.id) else { throw NoteAppError(404, "Note not found.") }
        let caller = NoteAppCaller(actor: actor, client: "", reader: "", connection: nil, legacy: legacy)
        let note = try await serverStore.requestAccess(
            to: id, by: requester, reason: event.reason ?? "", caller: caller)
        return (note, requester)
    }

    /// Returns the id for NoteApp that a path names. An id of hub's protocol, which the original does not know, names the same note.
    private func lookUp(_ segment: String) async throws -> NoteAppID {
        if segment.utf8.count == Identifier.length, Identifier.isPrefix(segment) {
            guard let id = try await serverStore.wireID(of: segment) else {
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

    // MARK: Requests

    private func list(_ request: NoteAppRequest, _ legacy: LegacyMode?) async throws -> NoteAppAnswer {
        // Before anything is read: what a commit changes meanwhile has to be asked again.
        let revision = serverStore.revision
        let served = try await serverStore.read(nil, by: request.caller(legacy))
        return NoteAppAnswer(.notes(served.notes), at: served.isRepeatable ? revision : nil)
    }

    private func read(
        _ segment: String, _ request: NoteAppRequest, _ legacy: LegacyMode?
    ) async throws -> NoteAppAnswer {
        // As for a list.
        let revision = serverStore.revision
        let id = try await lookUp(segment)
        let served = try await serverStore.read(id, by: request.caller(legacy))
        guard let note = served.notes.first else { return NoteAppAnswer(.notFound) }
        return NoteAppAnswer(.note(note), at: served.isRepeatable ? revision : nil)
    }

    private func create(_ request: NoteAppRequest, _ legacy: LegacyMode?) async throws -> NoteAppAnswer {
        // Before anything is said of the body.
        let decided = try await serverStore.legacyMode(legacy)
        if let refusal = AccessRule.decide(.create, by: request.actor, on: nil, legacy: decided) {
            throw NoteAppError(refusal)
        }
        let name = request.actor.name
        var draft = try NoteAppDraft(
            request.body, contentType: request.contentType, .create(caller: name ?? ""))
        // Who has proved a name makes notes under this name alone.
        if let name { draft.owner = name }
        // The original stores an empty name, under which no one could answer requests for access.
        guard !draft.owner.allSatisfy(\.isWhitespace) else {
            throw NoteAppError(400, "\"owner\" is empty: send the id of the device or person that the note belongs to.")
        }
        return NoteAppAnswer(.inserted(try await serverStore.create(draft, by: request.caller(legacy))))
    }

    private func replace(
        _ segment: String, _ request: NoteAppRequest, _ legacy: LegacyMode?
    ) async throws -> NoteAppAnswer {
        let id = try await lookUp(segment)
        let draft = try NoteAppDraft(request.body, contentType: request.contentType, .replace)
        try await serverStore.write(WholeNotePut(draft, of: id, as: segment, by: request.caller(legacy)))
        return NoteAppAnswer(.updated)
    }

    private func delete(
        _ segment: String, _ request: NoteAppRequest, _ legacy: LegacyMode?
    ) async throws -> NoteAppAnswer {
        try await serverStore.delete(try await lookUp(segment), by: request.caller(legacy))
        return NoteAppAnswer(.deleted)
    }
}
