package import TextCRDT

/// A note of the server that has changed, as one session needs it.
package struct ChangedNote: Hashable, Sendable {
    /// The id.
    package var note: String
    /// What is beside the texts.
    package var metadata: NoteMetadata
    /// The number of its latest change.
    package var change: Int
    /// The number of the latest change of its members or owner; its creation is one.
    package var accessChange: Int
    /// Whether anything but the texts changed after the place that was asked for.
    package var isMetadataChanged: Bool
    /// The agents of the edits after the place that was asked for.
    package var agents: Set<AgentName>
    /// Those whose access was taken after the place that was asked for.
    package var revoked: Set<String>
    /// Whether the note was deleted for good.
    package var isPurged: Bool
    /// The id for NoteApp; nil without one.
    package var wireID: NoteAppID?
    /// What the session's client is told of the texts; nil for nothing.
    package var texts: ChangedTexts?

    package init(
        _ note: String, _ metadata: NoteMetadata, change: Int, accessChange: Int, isMetadataChanged: Bool,
        agents: Set<AgentName>, revoked: Set<String> = [], isPurged: Bool = false, wireID: NoteAppID? = nil
    ) {
        self.wireID = wireID
        self.note = note
        self.metadata = metadata
        self.change = change
        self.accessChange = accessChange
        self.isMetadataChanged = isMetadataChanged
        self.agents = agents
        self.revoked = revoked
        self.isPurged = isPurged
    }
}

/// One part of the changes after a place, in their order.
package struct ChangePage: Sendable {
    /// The notes by the number of their latest change.
    package var notes: [ChangedNote]
    /// The number of the last change that was looked at.
    package var end: Int
    /// Whether there are more.
    package var hasMore: Bool
    /// Why notes are left out that have changed: their texts are damaged.
    package var unreadable: [any Error] = []

    package init(notes: [ChangedNote], end: Int, hasMore: Bool) {
        self.notes = notes
        self.end = end
        self.hasMore = hasMore
    }
}

/// Edits of a note that this process has just stored, with all that its clients have to be told, so that no one reads them again.
package struct StoredEdits: Sendable {
    /// The id of the note.
    package var note: String
    /// The number of the change.
    package var change: Int
    /// What is beside the texts.
    package var metadata: NoteMetadata
    /// The agents of the edits.
    package var agents: Set<AgentName>
    /// The edits of each text that has changed, from the version before to the new one.
    package var texts: [TextDelta]
    /// Their events.
    package var patch: NotePatch
    /// The new version of the texts.
    package var version: NoteVersion
    /// The id for NoteApp, as the client that made the edits writes it.
    package var wireID: String?

    package init(
        note: String, wireID: String? = nil, change: Int, metadata: NoteMetadata, agents: Set<AgentName>,
        texts: [TextDelta], patch: NotePatch, version: NoteVersion
    ) {
        self.note = note
        self.wireID = wireID
        self.change = change
        self.metadata = metadata
        self.agents = agents
        self.texts = texts
        self.patch = patch
        self.version = version
    }
}

/// The server's end of one connection of hub's protocol: frames and news in, actions out. It does no I/O and keeps no note;
/// what it forgets with the connection, the client's cursor brings back.
///
/// Requests are carried out by the store, which asks ``ServedClient/refusal(of:on:)`` in the same transaction, so access is
/// checked on each frame. A slow client costs a bounded queue: changes wait in the store until it has read.
package struct ServerSession: Sendable {
    /// What the owner of the connection has to do.
    package enum Action: Hashable, Sendable {
        /// Send this text frame.
        case send(String)
        /// Read the changes after a number, at most so many notes, and answer with ``changes(_:)``.
        case readChanges(after: Int, limit: Int)
        /// Carry out a request, and answer with ``finished(_:_:)``.
        case perform(NoteRequest)
        /// Tell the other sessions where a cursor of this client is.
        case announce(PresenceAnnouncement)
        /// End the connection with a WebSocket close code; nothing follows.
        case close(code: UInt16, reason: String)
    }

    /// The result of a request.
    package enum Outcome: Hashable, Sendable {
        case done
        /// Edits were taken in: what others did since the version that the client knew, and then its own.
        case edited(others: TextDelta?, own: TextDelta)
        /// A note was opened in mode `log`.
        case note(NoteDelta)
        /// A note was opened in mode `edits`: its texts since the versions that the client knew.
        case texts([TextDelta])
        case refused(RefusalCode, String)
    }

    /// The bytes on their way to the client at which changes wait.
    package static let fullQueue = 1 << 20
    /// The bytes on their way at which the client is too slow even for the answers to its own requests.
    package static let maximumQueue = NotesProtocol.maximumFrame + 4 * fullQueue
    /// The most notes of one page.
    package static let pageSize = 64
    /// The most edits of one delta; a longer way is sent as the whole text.
    package static let maximumDelta = 2000
    /// The most notes that one client of mode `edits` may follow.
    package static let maximumOpen = 64
    /// The most cursors that one client may show; one that speaks for others has several.
    package static let maximumCursors = 256

    /// The client, with what it knows.
    package private(set) var client: ServedClient
    private let epoch: String
    private let frames: SharedFrames?
    /// The agent of the server itself as a client of others.
    private let replica: String
    /// The changes up to this number were sent.
    private var position = 0
    /// The notes of the first page whose latest changes are up to this one were told over the client's last connection.
    private var told = 0
    /// The newest change that is known of.
    private var latest: Int
    /// The last change that a cursor was sent for.
    private var sentCursor = -1
    /// Whether the client was told once that it has everything.
    private var isCaughtUp = false
    private var isReading = false
    private var queuedBytes = 0
    private var inFlight = 0
    private var isClosed = false
    /// The cursors that the client shows.
    private var cursors: Set<PresenceAnnouncement.Key> = []

    /// Creates the session of a client that has proved who it is; `name` is that of a client without an account. `epoch` names
    /// the store, so that a cursor of another one is told apart; `latest` is the number of its last change. `replica` is the
    /// agent of the server itself as a client of others. Frames that other sessions send too are encoded once in `frames`.
    package init(
        actor: Actor, name: String = "", epoch: String, latest: Int, replica: String = "", frames: SharedFrames? = nil
    ) {
        self.frames = frames
        client = ServedClient(actor: actor, user: actor.name ?? name)
        self.epoch = epoch
        self.replica = replica
        self.latest = latest
    }

    /// Who the client is.
    package var actor: Actor { client.actor }
    /// The name under which its edits appear; nil before its `hello`.
    package var agent: String? { client.agent }
    private var user: String { client.user }
    private var mode: ClientFrame.Mode { client.mode }

    // MARK: The client

    /// Takes in a text frame.
    package mutating func receive(_ text: String) -> [Action] {
        guard !isClosed else { return [] }
        guard text.utf8.count <= NotesProtocol.maximumFrame else { return close(1009, "frame too large") }
        let frame: ClientFrame?
        do throws(ProtocolError) {
            frame = try ClientFrame(text)
        } catch {
            return close(1008, "malformed frame")
        }
        switch frame {
        case nil: return []
        case .hello(let agent, let mode, let cursor): return greet(agent, mode, cursor)
        case _ where agent == nil: return close(1008, "hello expected")
        case .request(var request):
            if case .set(var change) = request.kind, actor != .machine {
                (change.facts, change.isPurged, change.seen) = (nil, false, nil)
                request.kind = .set(change)
            }
            inFlight += 1
            guard inFlight <= NotesProtocol.maximumInFlight else { return close(1008, "too many requests in flight") }
            return [.perform(request)]
        case .close(let note):
            client.followed[note] = nil
            return leave(note)
        case .presence(let presence, let agent): return present(presence, by: agent)
        }
    }

    private mutating func present(_ presence: Presence, by other: String?) -> [Action] {
        guard let own = agent, let path = other.map({ AgentPath($0).relayed(by: own) }) ?? AgentPath(own),
            !path.contains(replica)
        else { return [] }
        let announcement = PresenceAnnouncement(presence, agent: path.text, user: user, actor: actor)
        guard presence.selection != nil else { return leave([announcement.key]) }
        guard cursors.contains(announcement.key) || cursors.count < ServerSession.maximumCursors else { return [] }
        cursors.insert(announcement.key)
        return [.announce(announcement)]
    }

    private mutating func greet(_ agent: String, _ mode: ClientFrame.Mode, _ cursor: String?) -> [Action] {
        guard self.agent == nil else { return close(1008, "second hello") }
        (client.agent, client.mode) = (agent, mode)
        let known = cursor.flatMap { Place($0, epoch) }.flatMap { max($0.position, $0.told) <= latest ? $0 : nil }
        client.greeted = latest
        // Without a cursor there is nothing to lose by beginning at the beginning.
        position = known?.position ?? (mode == .edits && cursor == nil ? latest : 0)
        told = known?.told ?? 0
        // An empty one is that of a client which knows nothing, and has nothing to discard.
        let welcome = send(.welcome(user: user, isResync: cursor?.isEmpty == false && known == nil))
        guard position == latest else { return welcome + read() }
        (sentCursor, isCaughtUp) = (position, true)
        return welcome + send(.cursor(self.cursor(position)))
    }

    /// Records that the connection is over; returns what others have to be told.
    package mutating func disconnected() -> [Action] {
        isClosed = true
        return leave()
    }

    /// Takes away the cursors of a note, or all.
    private mutating func leave(_ note: String? = nil) -> [Action] {
        leave(cursors.filter { note == nil || $0.note == note }.sorted())
    }

    private mutating func leave(_ keys: [PresenceAnnouncement.Key]) -> [Action] {
        keys.filter { cursors.remove($0) != nil }.map { key in
            .announce(
                PresenceAnnouncement(
                    Presence(note: key.note, selection: nil), agent: key.agent, user: user, actor: actor))
        }
    }

    /// Records that bytes left the queue of the connection.
    package mutating func written(_ count: Int) -> [Action] {
        queuedBytes = max(0, queuedBytes - count)
        return read()
    }

    // MARK: Requests

    /// Takes in the result of a request.
    package mutating func finished(_ request: NoteRequest, _ outcome: Outcome) -> [Action] {
        inFlight = max(0, inFlight - 1)
        guard !isClosed else { return [] }
        switch outcome {
        case .done: return send(.acknowledged(request.number))
        case .refused(let code, let message): return send(.refused(request.number, code, message: message))
        case .note(var delta):
            if actor != .machine { delta.metadata = delta.metadata?.withoutFacts }
            return send(.note(delta, cursor: nil)) + send(.acknowledged(request.number))
        case .edited(let others, let own):
            var actions: [Action] = []
            if let others { actions += text(others) }
            return actions + text(own) + send(.acknowledged(request.number))
        case .texts(let deltas):
            guard client.followed[request.note] != nil || client.followed.count < ServerSession.maximumOpen else {
                return send(.refused(request.number, .tooLarge, message: "Too many open notes; close one"))
            }
            var actions: [Action] = []
            client.followed[request.note] = client.followed[request.note] ?? ServedClient.Followed()
            for delta in deltas { actions += text(delta) }
            return actions + send(.acknowledged(request.number))
        }
    }

    /// Sends a delta, and keeps what the client knows then.
    private mutating func text(_ delta: TextDelta) -> [Action] {
        client.followed[delta.note]?.version[delta.field] = delta.to
        client.followed[delta.note]?.acknowledged[delta.field] = delta.acknowledged
        return sendShared(.text(delta))
    }

    // MARK: Changes

    /// Takes in edits that this process has stored, in the order of their changes. What they do not follow directly is read from the
    /// store, as the changes of others are.
    package mutating func stored(_ edits: some Sequence<StoredEdits>) -> [Action] {
        guard agent != nil, !isClosed else { return [] }
        var actions: [Action] = []
        var deltas: [TextDelta] = []
        let before = position
        for edits in edits where edits.change > position {
            latest = max(latest, edits.change)
            // A machine also gets the time of the change, which is read with it.
            guard edits.change == position + 1, !isReading, queuedBytes < ServerSession.fullQueue, actor != .machine
            else { continue }
            position = edits.change
            guard AccessRule.decide(.read, by: actor, on: edits.metadata.access, legacy: .off) == nil else { continue }
            let isOwn = edits.change > client.greeted && edits.agents.isSubset(of: [AgentName(agent ?? "")])
            switch mode {
            case .log where !isOwn:
                let delta = NoteDelta(note: edits.note, patch: edits.patch, version: edits.version)
                actions += sendShared(.note(delta, cursor: cursor(position)))
                sentCursor = position
            case .edits where client.followed[edits.note] != nil:
                // The answer to a request of the client has its own edits, and those of others before them.
                for delta in edits.texts
                where delta.from ?? Version([]) == client.followed[edits.note]?.version[delta.field] {
                    client.followed[edits.note]?.version[delta.field] = delta.to
                    deltas.append(delta)
                }
            case .edits where !isOwn:
                let delta = NoteDelta(note: edits.note, metadata: edits.metadata.withoutFile)
                actions += sendShared(.note(delta, cursor: cursor(position)))
                sentCursor = position
            default: break
            }
        }
        for delta in TextDelta.joined(deltas) {
            var delta = delta
            delta.acknowledged = client.followed[delta.note]?.acknowledged[delta.field] ?? 0
            actions += sendShared(.text(delta))
        }
        if position > before { actions += tellPosition() }
        return actions + read()
    }

    /// Takes in the changes after `start` that were read once for all clients, with `texts` of those notes that clients here follow. A client
    /// that is elsewhere, or follows what is not among them, reads them itself.
    package mutating func passed(_ page: ChangePage, after start: Int, texts: some NoteTextReader) -> [Action] {
        guard position < page.end, isFollowing(from: start), queuedBytes < ServerSession.fullQueue else {
            return changed(page.end)
        }
        var page = page
        page.notes.removeAll { $0.change <= position }
        do { try page.addTexts(for: client, after: position, from: texts) } catch { return changed(page.end) }
        return changes(page)
    }

    /// Takes in that nothing up to `end` is for this client, of the changes after `start`.
    package mutating func skipped(after start: Int, upTo end: Int) -> [Action] {
        guard position < end, isFollowing(from: start) else { return changed(end) }
        position = end
        latest = max(latest, end)
        return tellPosition() + read()
    }

    /// Whether what comes after a change is what the client needs next.
    private func isFollowing(from start: Int) -> Bool {
        agent != nil && !isClosed && !isReading && isCaughtUp && position >= start
    }

    /// Tells the client that it has everything, if it was not told with a note.
    private mutating func tellPosition() -> [Action] {
        guard sentCursor != position, position == latest else { return [] }
        sentCursor = position
        return send(.cursor(cursor(position)))
    }

    /// Records that the store has a change with this number.
    package mutating func changed(_ number: Int) -> [Action] {
        latest = max(latest, number)
        return read()
    }

    private mutating func read() -> [Action] {
        guard agent != nil, !isClosed, !isReading, position < latest, queuedBytes < ServerSession.fullQueue else {
            return []
        }
        isReading = true
        return [.readChanges(after: position, limit: ServerSession.pageSize)]
    }

    /// Takes in the changes that were asked for, with the texts that the client lacks. What it may not see, and what it sent itself, is left
    /// out.
    package mutating func changes(_ page: ChangePage) -> [Action] {
        isReading = false
        guard !isClosed else { return [] }
        var actions: [Action] = []
        for (index, note) in page.notes.enumerated() where note.change > told {
            let next = index + 1 < page.notes.count ? page.notes[index + 1] : nil
            let isOpen = client.mayRead(note)
            if isOpen, !note.isPurged {
                actions += tell(note, before: next)
            } else if isOpen || note.revoked.contains(user) {
                client.followed[note.note] = nil
                actions += leave(note.note)
                let loss = note.isPurged ? ServerFrame.Loss.deleted : .locked
                actions += send(.gone(note: note.note, loss, cursor: cursor(after: note, before: next)))
            }
        }
        position = max(position, page.end)
        latest = max(latest, position)
        // Frames of notes carry cursors too; the first end is always told.
        if sentCursor != position || (!page.hasMore && !isCaughtUp) { actions += send(.cursor(cursor(position))) }
        isCaughtUp = isCaughtUp || !page.hasMore
        return actions + read()
    }

    /// Returns the cursor of a client that was told of this note of a page. Those after it may have earlier changes, too, than the one by which
    /// they are in the page: until the last, the page is read from its beginning again, without the notes that were told. Several may have the
    /// same number, such as those that change again after the page.
    private mutating func cursor(after note: ChangedNote, before next: ChangedNote?) -> String {
        if let next { return cursor(position) + "+\(min(note.change, next.change - 1))" }
        sentCursor = note.change
        return cursor(note.change)
    }

    private mutating func tell(_ note: ChangedNote, before next: ChangedNote?) -> [Action] {
        let isOwn = client.isOwn(note, after: position)
        var delta = NoteDelta(note: note.note)
        switch note.texts {
        case .events(let patch, let version)?:
            let isBeside = note.accessChange > position || note.isMetadataChanged || actor == .machine
            let metadata = actor == .machine ? note.metadata : note.metadata.withoutFacts
            delta = NoteDelta(note: note.note, metadata: isBeside ? metadata : nil, patch: patch, version: version)
        case _ where mode == .edits: delta = NoteDelta(note: note.note, metadata: note.metadata.withoutFile)
        case .deltas?, nil: return []
        }
        var actions: [Action] = []
        // Those of the text of an open note are its news.
        let isTextAlone = client.followed[note.note] != nil && note.accessChange <= position && !note.isMetadataChanged
        if !isOwn, !isTextAlone {
            actions += sendShared(.note(delta, cursor: cursor(after: note, before: next)))
        }
        if case .deltas(let deltas)? = note.texts { for delta in deltas { actions += text(delta) } }
        return actions
    }

    // MARK: Others

    /// Passes on a cursor of another client, whose positions are in the newest text. `access` is that of the note at this
    /// moment; both clients must have it, but anyone may leave. A full queue drops it: the next one says all.
    ///
    /// A client of mode `edits` gets before what leads it to the text that the positions are of: `way`, nil if it has that.
    package mutating func presence(
        _ announcement: PresenceAnnouncement, on access: NoteAccess, after way: TextDelta?
    ) -> [Action] {
        func mayBePresent(_ actor: Actor) -> Bool {
            AccessRule.decide(.presence, by: actor, on: access, legacy: .off) == nil
        }
        var presence = announcement.presence
        let hasLeft = presence.selection == nil
        guard agent != nil, !isClosed, queuedBytes < ServerSession.fullQueue, mayBePresent(actor),
            hasLeft || announcement.actor.map(mayBePresent) ?? true
        else { return [] }
        var actions: [Action] = []
        if mode == .edits {
            if !hasLeft, let way { actions = text(way) }
            presence.version = nil
        }
        return actions + send(.presence(presence, user: announcement.user, agent: announcement.agent))
    }

    /// Does the same without a look at the texts; nil if that is needed. `moved` returns a cursor in another version of its text.
    package mutating func presence(
        _ announcement: PresenceAnnouncement, on access: NoteAccess, moved: (Presence, Version) -> Presence?
    ) -> [Action]? {
        var announcement = announcement
        if mode == .edits, announcement.presence.selection != nil,
            let known = client.knownVersion(announcement.presence.note, announcement.presence.field)
        {
            guard let placed = moved(announcement.presence, known) else { return nil }
            announcement.presence = placed
        }
        return presence(announcement, on: access, after: nil)
    }

    /// Passes on a request for access, to the owner alone.
    package mutating func accessRequested(
        _ note: String, requester: String, reason: String, on access: NoteAccess
    ) -> [Action] {
        guard agent != nil, !isClosed, AccessRule.decide(.answerRequest, by: actor, on: access, legacy: .off) == nil
        else { return [] }
        return send(.request(note: note, requester: requester, reason: reason))
    }

    // MARK: Sending

    private mutating func send(_ frame: ServerFrame) -> [Action] { isClosed ? [] : send(frame.text) }

    /// Sends a frame that others may get as well.
    private mutating func sendShared(_ frame: ServerFrame) -> [Action] {
        isClosed ? [] : send(frames?.text(of: frame) ?? frame.text)
    }

    private mutating func send(_ text: String) -> [Action] {
        queuedBytes += text.utf8.count
        guard queuedBytes <= ServerSession.maximumQueue else { return close(1013, "too slow") }
        return [.send(text)]
    }

    private mutating func close(_ code: UInt16, _ reason: String) -> [Action] {
        isClosed = true
        return [.close(code: code, reason: reason)] + leave()
    }

    private func cursor(_ position: Int) -> String { "\(epoch):\(position)" }

    /// What a cursor says.
    private struct Place {
        /// The changes up to this number were told.
        var position = 0
        /// The notes whose latest changes are up to this number were told too.
        var told = 0

        /// Reads the cursor of a store; nil for that of another one.
        init?(_ cursor: String, _ epoch: String) {
            guard let colon = cursor.lastIndex(of: ":"), cursor[..<colon] == epoch else { return nil }
            let parts = cursor[cursor.index(after: colon)...].split(separator: "+", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }.filter { $0 >= 0 }
            guard numbers.count == parts.count, let first = numbers.first, numbers.count <= 2 else { return nil }
            (position, told) = (first, numbers.count == 2 ? numbers[1] : 0)
        }
    }
}
