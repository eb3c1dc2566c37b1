package import TextCRDT

/// A client of hub's protocol, as the store has to know it to answer: who it is, and what it knows already.
package struct ServedClient: Sendable {
    /// What a client knows of a note that it follows.
    struct Followed {
        var version = NoteVersion()
        /// The numbers of its own events that it has been told of.
        var acknowledged: [NoteField: Int] = [:]
    }

    /// Who it is.
    package let actor: Actor
    /// Its name in what others are shown.
    package let user: String
    /// The name under which its edits appear; nil before its `hello`.
    package internal(set) var agent: String?
    /// How it follows texts.
    package internal(set) var mode = ClientFrame.Mode.log
    /// The newest change when it came. What it wrote until then it may have lost, with the end of an older copy of its store.
    var greeted = 0
    /// What it knows of the notes that it follows in mode `edits`.
    var followed: [String: Followed] = [:]

    /// Creates a client that has proved who it is.
    package init(actor: Actor, user: String) {
        self.actor = actor
        self.user = user
    }

    /// The notes that it follows in mode `edits`.
    package var followedNotes: some Collection<String> { followed.keys }

    // MARK: Requests

    /// Returns the operations that a request needs. `access` is that of its note; nil when there is none.
    package func operations(of request: NoteRequest, on access: NoteAccess?) -> [NoteOperation] {
        switch request.kind {
        case .push: return [access == nil ? .create : .edit]
        case .edit: return [.edit]
        case .open: return [.read]
        case .unlock: return [.requestAccess]
        case .answer: return [.answerRequest]
        case .set(let change):
            var operations: [NoteOperation] = []
            var rest = change
            (rest.access, rest.isDeleted) = (AccessChange(), nil)
            // All that a change can have, but for what has a rule of its own below.
            if rest != NoteChange() { operations.append(.edit) }
            if change.access == AccessChange(revoked: [user]) {
                operations.append(.leave)
            } else if !change.access.isEmpty {
                operations.append(.share)
            }
            if change.isDeleted != nil { operations.append(.delete) }
            return operations.isEmpty ? [.read] : operations
        }
    }

    /// Returns why a request must not be carried out; nil when it may. To be asked in the transaction that carries it out.
    package func refusal(of request: NoteRequest, on access: NoteAccess?) -> ServerSession.Outcome? {
        if access == nil, case .push = request.kind { return nil }
        guard let access else { return .refused(.notFound, "Note not found") }
        for operation in operations(of: request, on: access) {
            if let refusal = AccessRule.decide(operation, by: actor, on: access, legacy: .off) {
                return .refused(RefusalCode(refusal), refusal.message)
            }
        }
        return nil
    }

    /// Returns why events of these agents must not be taken in; nil when they may. `owner` returns the account that used an
    /// agent first: events under another's name would keep its own from ever being taken in.
    package func refusal(
        ofAgents agents: some Sequence<AgentName>, owner: (AgentName) -> String?
    ) -> ServerSession.Outcome? {
        for agent in agents where owner(agent).map({ $0 != user }) ?? false {
            return .refused(.agentTaken, "The agent \(agent.text) belongs to another account")
        }
        return nil
    }

    // MARK: Texts

    /// Returns the version of a text that it knows; nil when it does not follow the note.
    package func knownVersion(_ note: String, _ field: NoteField) -> Version? { followed[note]?.version[field] }

    /// Whether a change since a position is but what the client wrote itself, so that it needs no echo of it.
    package func isOwn(_ note: ChangedNote, after position: Int) -> Bool {
        position >= greeted && note.accessChange <= position && !note.isMetadataChanged
            && note.agents.isSubset(of: [AgentName(agent ?? "")])
    }

    /// Whether all edits since a position are what the client wrote itself.
    func hasTexts(of note: ChangedNote, after position: Int) -> Bool {
        position >= greeted && note.agents.isSubset(of: [AgentName(agent ?? "")])
    }

    /// Whether it may read a note that has changed.
    package func mayRead(_ note: ChangedNote) -> Bool {
        AccessRule.decide(.read, by: actor, on: note.metadata.access, legacy: .off) == nil
    }
}

/// What a client is told of the texts of a note that has changed.
package enum ChangedTexts: Hashable, Sendable {
    /// In mode `log`: the events that it lacks, and the version that they lead to.
    case events(NotePatch, NoteVersion)
    /// In mode `edits`: what leads from the versions that it knows to the newest ones.
    case deltas([TextDelta])
}

/// How texts are read that clients are told of, within the transaction that read what has changed.
package protocol NoteTextReader {
    /// Returns the events of a note after a change, or all when it is nil, and the version that they lead to.
    func patch(_ note: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion)
    /// Returns what leads from a version of a text to its newest one; from nil, or where the version is not known, the whole
    /// text.
    func edits(_ note: String, _ field: NoteField, since version: Version?) throws -> (
        from: Version?, to: Version, edits: [TextEdit]
    )
    /// Returns the number of the agent's next event in a text.
    func nextSequence(_ note: String, _ field: NoteField, of agent: String) throws -> Int
}

extension NoteTextReader {
    /// Returns what leads a client from the version of a text that it knows to the newest one; nil if it has that, or does not follow the
    /// note.
    package func delta(_ note: String, _ field: NoteField, for client: ServedClient) throws -> TextDelta? {
        guard let known = client.knownVersion(note, field) else { return nil }
        let way = try edits(note, field, since: known)
        guard way.to != known else { return nil }
        return TextDelta(
            note: note, field: field, from: way.from, to: way.to, edits: way.edits,
            acknowledged: try nextSequence(note, field, of: client.agent ?? ""))
    }
}

extension ChangePage {
    /// Adds the texts that a client is told of, which got the changes up to `position` before. Notes of which they cannot be read are left
    /// out if `isOfOneNote` says so of the error.
    package mutating func addTexts(
        for client: ServedClient, after position: Int, from reader: some NoteTextReader,
        unless isOfOneNote: (any Error) -> Bool = { _ in false }
    ) throws {
        var told: [ChangedNote] = []
        for note in notes {
            var note = note
            do {
                if !note.isPurged, client.mayRead(note) {
                    try note.addTexts(for: client, after: position, from: reader)
                }
                told.append(note)
            } catch let error where isOfOneNote(error) {
                unreadable.append(error)
            }
        }
        notes = told
    }
}

extension ChangedNote {
    fileprivate mutating func addTexts(
        for client: ServedClient, after position: Int, from reader: some NoteTextReader
    ) throws {
        switch client.mode {
        case .log where client.isOwn(self, after: position): break
        case .log where client.actor == .machine && client.hasTexts(of: self, after: position):
            let (patch, version) = try reader.patch(note, afterChange: change)
            texts = .events(patch, version)
        case .log:
            let (patch, version) = try reader.patch(note, afterChange: accessChange > position ? nil : position)
            texts = .events(patch, version)
        case .edits:
            texts = .deltas(try NoteField.allCases.compactMap { try reader.delta(note, $0, for: client) })
        }
    }
}
