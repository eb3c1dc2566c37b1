/// A note with changes that a server does not have yet.
package struct OutgoingNote: Hashable, Sendable {
    /// The id.
    package var note: String
    /// The version that the server has after it took in the patch.
    package var version: NoteVersion
    /// The events that the server lacks; empty when only ``change`` is to be sent.
    package var patch: NotePatch
    /// The changes beside the texts; nil without any.
    package var change: NoteChange?

    package init(note: String, version: NoteVersion, patch: NotePatch, change: NoteChange? = nil) {
        self.note = note
        self.version = version
        self.patch = patch
        self.change = change
    }
}

/// A replica's end of one connection of hub's protocol: frames and local changes in, actions out. It does no I/O.
///
/// What a server has of each note is kept by the owner of the store, with the cursor, in the transactions that the actions
/// name; so a connection, or the process, may end at any point.
package struct ClientSession: Sendable {
    /// What the owner of the connection has to do.
    package enum Action: Hashable, Sendable {
        /// Send this text frame.
        case send(String)
        /// Read notes with changes that the server lacks, without `excluding`, and answer with ``outgoing(_:)``.
        case readOutgoing(limit: Int, excluding: Set<String>)
        /// Merge a note, and keep the cursor in the same transaction. When events lack their parents, or are others than those
        /// that are known by their names, call ``missing(_:have:)`` instead.
        case merge(NoteDelta, cursor: String?)
        /// A note of the server cannot be taken in: keep the cursor, and tell the user.
        case unreadable(note: String, reason: String, cursor: String?)
        /// Keep the note here but stop syncing it; keep the cursor in the same transaction.
        case lost(note: String, ServerFrame.Loss, cursor: String?)
        /// Keep the cursor.
        case keepCursor(String)
        /// Forget what the server has, since its store is another one: all notes are sent again.
        case forgetServerState
        /// The server has taken in a version of a note, and the change beside its texts.
        case confirmed(OutgoingNote)
        /// The server lacks events that were thought to be there: forget what it has of this note.
        case forgetNoteState(String)
        /// The server does not take the changes of a note; they stay here, and the user is told.
        case refused(note: String, RefusalCode, message: String)
        /// The server keeps what only files have: changes of it can be sent.
        case serverKnowsFiles
        /// Everything of both sides was exchanged.
        case upToDate
        case presence(Presence, user: String, agent: String)
        case accessRequested(note: String, requester: String, reason: String)
        /// End the connection: the server is faulty.
        case close(code: UInt16, reason: String)
    }

    private enum State {
        case closed, greeting, live
    }

    private enum Pending {
        case note(OutgoingNote)
        case other
    }

    /// The most requests for what received notes lack, for each note of a connection.
    private static let maximumAsked = 3

    private let agent: String
    private var state = State.closed
    private var nextNumber = 1
    private var pending: [Int: Pending] = [:]
    /// Notes whose changes are on their way, with the number of frames that are not answered.
    private var busy: [String: Int] = [:]
    /// Notes that were refused on this connection; they are not sent again before it ends.
    private var refused: Set<String> = []
    /// Notes of which one of several frames was refused.
    private var failed: Set<String> = []
    /// The requests for what received notes lacked.
    private var missing: Set<Int> = []
    /// How often that was asked for on this connection, by the notes.
    private var askedFor: [String: Int] = [:]
    private var isReading = false
    private var hasMore = false
    /// Whether everything that the server had when the connection began was received.
    package private(set) var isCaughtUp = false

    /// Creates the session of a replica; `agent` names it in its edits.
    package init(agent: String) { self.agent = agent }

    /// Whether the server has answered.
    package var isLive: Bool { state == .live }

    // MARK: Connection

    /// Begins on a new connection. The local changes follow at once, so that one round trip brings both sides up to date.
    package mutating func connected(cursor: String?) -> [Action] {
        state = .greeting
        (pending, busy, refused, failed, missing, askedFor) = ([:], [:], [], [], [], [:])
        (isReading, hasMore, isCaughtUp) = (false, true, false)
        return [.send(ClientFrame.hello(agent: agent, mode: .log, cursor: cursor).text)] + read()
    }

    /// Records that the connection is over. What was on its way is sent again on the next one.
    package mutating func disconnected() {
        state = .closed
        (pending, busy) = ([:], [:])
    }

    // MARK: Local changes

    /// Records that there are local changes.
    package mutating func changed() -> [Action] {
        hasMore = true
        return read()
    }

    private mutating func read() -> [Action] {
        let free = NotesProtocol.maximumInFlight / 2 - pending.count / 2
        guard state != .closed, hasMore, !isReading, free > 0 else { return [] }
        (isReading, hasMore) = (true, false)
        return [.readOutgoing(limit: free, excluding: refused.union(busy.keys))]
    }

    /// Takes in notes with changes that the server lacks; fewer than asked for when there are no more.
    package mutating func outgoing(_ notes: [OutgoingNote], isComplete: Bool) -> [Action] {
        isReading = false
        guard state != .closed else { return [] }
        if !isComplete { hasMore = true }
        var actions: [Action] = []
        for note in notes where busy[note.note] == nil && !refused.contains(note.note) {
            var kinds: [NoteRequest.Kind] = []
            if !note.patch.isEmpty { kinds.append(.push(note.patch)) }
            if let change = note.change { kinds.append(.set(change)) }
            if kinds.isEmpty {
                actions.append(.confirmed(note))
                continue
            }
            busy[note.note] = kinds.count
            for kind in kinds {
                let number = take()
                pending[number] = .note(note)
                actions.append(.send(ClientFrame.request(NoteRequest(number, note.note, kind)).text))
            }
        }
        return actions + read() + settle()
    }

    /// Asks for what a received note lacked, which was not merged.
    ///
    /// No cursor is kept before the answer, so that a lost connection does not skip it. A server whose answers lack it too is not
    /// asked for ever.
    package mutating func missing(_ note: String, have version: NoteVersion) -> [Action] {
        guard askedFor[note, default: 0] < Self.maximumAsked else {
            return [
                .unreadable(note: note, reason: "the server's edits follow others that it does not send", cursor: nil)
            ]
        }
        askedFor[note, default: 0] += 1
        missing.insert(nextNumber)
        return request(note, .open(version))
    }

    /// Sends a request of the user, such as one for access.
    package mutating func request(_ note: String, _ kind: NoteRequest.Kind) -> [Action] {
        guard state != .closed else { return [] }
        let number = take()
        pending[number] = .other
        return [.send(ClientFrame.request(NoteRequest(number, note, kind)).text)]
    }

    /// Shows the cursor of an agent that this replica speaks for.
    package func present(_ presence: Presence, by agent: String) -> [Action] {
        state == .live ? [.send(ClientFrame.presence(presence, agent: agent).text)] : []
    }

    private mutating func take() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    // MARK: The server

    /// Takes in a text frame.
    package mutating func receive(_ text: String) -> [Action] {
        guard state != .closed else { return [] }
        let frame: ServerFrame?
        do throws(ProtocolError) {
            frame = try ServerFrame(text)
        } catch {
            state = .closed
            return [.close(code: 1002, reason: "malformed frame")]
        }
        switch frame {
        case nil, .text: return []
        case .welcome(_, let isResync, let knowsFiles):
            state = .live
            return (knowsFiles ? [.serverKnowsFiles] : []) + (isResync ? [.forgetServerState] + changed() : [])
        case .note(let delta, let cursor):
            // A note that was locked before may take changes now.
            if refused.remove(delta.note) != nil { hasMore = true }
            return [.merge(delta, cursor: missing.isEmpty ? cursor : nil)] + read()
        case .unreadable(let note, let cursor):
            return [
                .unreadable(
                    note: note, reason: "the server's data is invalid", cursor: missing.isEmpty ? cursor : nil)
            ]
        case .gone(let note, let loss, let cursor):
            return [.lost(note: note, loss, cursor: missing.isEmpty ? cursor : nil)]
        case .cursor(let cursor):
            isCaughtUp = true
            return (missing.isEmpty ? [.keepCursor(cursor)] : []) + settle()
        case .acknowledged(let number): return answered(number, nil)
        case .refused(let number, let code, let message): return answered(number, (code, message))
        case .presence(let presence, let user, let agent):
            // What went out from here comes back over servers that are clients of each other.
            if AgentPath(agent).contains(self.agent) { return [] }
            return [.presence(presence, user: user, agent: agent)]
        case .request(let note, let requester, let reason):
            return [.accessRequested(note: note, requester: requester, reason: reason)]
        }
    }

    private mutating func answered(_ number: Int, _ refusal: (code: RefusalCode, message: String)?) -> [Action] {
        guard let request = pending.removeValue(forKey: number) else { return [] }
        missing.remove(number)
        var actions: [Action] = []
        if case .note(let note) = request {
            let id = note.note
            if let refusal {
                if refusal.code == .missing {
                    hasMore = true
                    actions.append(.forgetNoteState(id))
                } else if refusal.code == .changed {
                    hasMore = true
                    actions.append(.refused(note: id, refusal.code, message: refusal.message))
                } else if refusal.code == .agentTaken, askedFor[id, default: 0] == 0 {
                    // The server has other edits of the same names. Its note tells which; then they are sent under another name.
                    refused.insert(id)
                    actions += missing(id, have: NoteVersion())
                } else {
                    refused.insert(id)
                    actions.append(.refused(note: id, refusal.code, message: refusal.message))
                }
            }
            let left = (busy[id] ?? 1) - 1
            busy[id] = left > 0 ? left : nil
            if left == 0 {
                // All or nothing counts as confirmed; what was taken in twice does no harm.
                let isFailed = refusal != nil || failed.contains(id)
                if !isFailed { actions.append(.confirmed(note)) }
                failed.remove(id)
                // Changes made meanwhile were left out.
                hasMore = true
            } else if refusal != nil {
                failed.insert(id)
            }
        }
        return actions + read() + settle()
    }

    private func settle() -> [Action] {
        isCaughtUp && state == .live && pending.isEmpty && !isReading && !hasMore ? [.upToDate] : []
    }
}
