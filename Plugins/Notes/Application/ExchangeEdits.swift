import HubKit
package import NotesDomain
package import Storage
import TextCRDT

extension NotesPlugin {
    /// Answers the frames of a client of mode `edits` about one note, as its session on a WebSocket would: requests to
    /// `open` it, and edits, which are merged at the version that they were made on. What was carried out before changes
    /// nothing.
    ///
    /// Throws `not-found` if the note is gone, or edits are for one in the trash, and `invalid` for edits that its text cannot have.
    package func exchange(
        _ frames: [ClientFrame], with id: String, operation: Operation
    ) async throws -> [ServerFrame] {
        guard case .hello(let agent, .edits, _)? = frames.first else {
            throw HubError(.invalid, code: "hello-missing", "the first frame must be a hello of mode edits")
        }
        let requests = frames.compactMap { frame -> NoteRequest? in
            if case .request(let request) = frame, request.note == id { request } else { nil }
        }
        let hasEdits = requests.contains { if case .edit = $0.kind { true } else { false } }
        guard hasEdits else {
            return try await store.read { transaction in
                _ = try NoteRecord.kind.item(id, in: transaction)
                let texts = OpenTexts(try transaction.document(of: id))
                var exchange = EditExchange(note: id, agent: agent)
                for request in requests { exchange.open(request, texts) }
                return exchange.frames
            }
        }
        let frames = try await store.write(operation) { [openNotes, committed] transaction in
            _ = try NoteRecord.kind.live(id, in: transaction)
            guard try transaction.agent() != agent else {
                throw HubError(.invalid, code: "agent-taken", "the agent is this machine's own")
            }
            return try openNotes.change(id, in: transaction) { note in
                var exchange = EditExchange(note: id, agent: agent)
                for request in requests {
                    if case .edit(let edit) = request.kind {
                        try exchange.carryOut(edit, request.number, in: &note, transaction, telling: committed)
                    } else {
                        exchange.open(request, note.texts)
                    }
                }
                return exchange.frames
            }
        }
        indexed.catchUpLater()
        return frames ?? []
    }
}

/// The answers to the requests of one client, in the transaction that carries them out.
private struct EditExchange {
    let note: String
    let agent: String
    private(set) var frames: [ServerFrame] = []
    /// The versions that the client knows.
    private var known: [NoteField: Version] = [:]

    init(note: String, agent: String) {
        self.note = note
        self.agent = agent
    }

    /// Answers a request to open the note; any other is refused.
    mutating func open(_ request: NoteRequest, _ texts: OpenTexts) {
        guard case .open(let since) = request.kind else {
            frames.append(.refused(request.number, .invalid, message: "Not for a note that is open"))
            return
        }
        for delta in texts.texts(of: note, since: since, for: agent) { tell(delta) }
        frames.append(.acknowledged(request.number))
    }

    /// Carries out an edit.
    mutating func carryOut(
        _ edit: EditRequest, _ number: Int, in note: inout OpenNote, _ transaction: Transaction,
        telling committed: CommittedEdits
    ) throws {
        let before = note.texts.version
        let result: (others: TextDelta?, own: TextDelta)
        do throws(TextCRDTError) {
            result = try note.texts.perform(edit, in: self.note, by: agent, known: known[edit.field] ?? edit.base)
        } catch {
            throw HubError(
                .invalid, code: "edits-invalid", "the edits do not fit the text", hint: "open the note again",
                cause: error)
        }
        if note.texts.version != before {
            var edits = NoteEdits()
            edits[edit.field] = result.own.edits
            try transaction.store(
                edits, of: &note, since: before, by: transaction.operation?.who.text ?? "", telling: committed)
        }
        if let others = result.others { tell(others) }
        tell(result.own)
        frames.append(.acknowledged(number))
    }

    private mutating func tell(_ delta: TextDelta) {
        known[delta.field] = delta.to
        frames.append(.text(delta))
    }
}
