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
                var exchange = EditExchange(note: id, agent: agent)
                for request in requests { try exchange.answer(request, in: transaction) }
                return exchange.frames
            }
        }
        return try await store.write(operation) { transaction in
            _ = try NoteRecord.kind.live(id, in: transaction)
            guard try transaction.agent() != agent else {
                throw HubError(.invalid, code: "agent-taken", "the agent is this machine's own")
            }
            var exchange = EditExchange(note: id, agent: agent)
            var isChanged = false
            for request in requests { isChanged = try exchange.answer(request, in: transaction) || isChanged }
            if isChanged { try transaction.changed(id) {} }
            return exchange.frames
        }
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

    /// Answers a request. Returns whether it changed a text.
    @discardableResult
    mutating func answer(_ request: NoteRequest, in transaction: Transaction) throws -> Bool {
        var isChanged = false
        switch request.kind {
        case .open(let since):
            let document = try transaction.document(of: note)
            for field in NoteField.allCases {
                let way = document.way(field, since: since?[field])
                tell(
                    TextDelta(
                        note: note, field: field, from: way.from, to: way.to, edits: way.edits,
                        acknowledged: document[field].nextSequence(of: agent)))
            }
        case .edit(let edit): isChanged = try perform(edit, in: transaction)
        default:
            frames.append(.refused(request.number, .invalid, message: "Not for a note that is open"))
            return false
        }
        frames.append(.acknowledged(request.number))
        return isChanged
    }

    private mutating func perform(_ edit: EditRequest, in transaction: Transaction) throws -> Bool {
        var answer: (others: TextDelta?, own: TextDelta)?
        let isChanged = try transaction.changeTexts(of: note) { document, _ in
            do throws(TextCRDTError) {
                let result = try document.perform(edit, note: note, by: agent, known: known[edit.field] ?? edit.base)
                answer = result
                var edits = NoteEdits()
                edits[edit.field] = result.own.edits
                return edits
            } catch {
                throw HubError(
                    .invalid, code: "edits-invalid", "the edits do not fit the text", hint: "open the note again",
                    cause: error)
            }
        }
        if let others = answer?.others { tell(others) }
        if let own = answer?.own { tell(own) }
        return isChanged
    }

    private mutating func tell(_ delta: TextDelta) {
        known[delta.field] = delta.to
        frames.append(.text(delta))
    }
}
