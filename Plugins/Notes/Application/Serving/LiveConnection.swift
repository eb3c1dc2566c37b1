import HubKit
import NotesDomain
import Synchronization
import WebSocket

/// One connection of hub's protocol: it moves frames between the WebSocket, the session that decides, and the store.
///
/// Two tasks work for it: one takes in frames, the other what others have done. Each input is carried through, with its reads and
/// writes of the store, before the next one begins.
actor LiveConnection {
    /// What others have done since it was looked at.
    private struct News {
        /// What has changed, in its order.
        var changes: [Changes] = []
        /// The edits and notes in that.
        var count = 0
        var change = 0
        /// The last place of each cursor.
        var cursors = PresenceTable()
        var requests: [AccessRequest] = []
    }

    private enum Changes {
        /// What this process has stored.
        case edits([StoredEdits])
        /// What was read for all clients.
        case page(SharedChanges)
        /// Nothing that is for this client.
        case nothing(after: Int, upTo: Int)
    }

    /// What the client follows.
    private struct Interest {
        var mode: ClientFrame.Mode?
        var notes: Set<String> = []
    }

    /// The most edits that wait; of a client that takes nothing in they are read from the store later.
    private static let maximumEdits = 1000
    private static let maximumRequests = 1000

    /// The client.
    nonisolated let actor: NotesDomain.Actor
    /// The name of the store when the client connected.
    nonisolated let epoch: String
    private let number: Int
    private let peer: any WebSocketPeer
    private let notes: NotesPlugin
    private let person: String
    /// The name of the machine, for one.
    private let machine: String
    private var session: ServerSession
    private var isGreeted = false
    /// The bytes that were given to the WebSocket since it was last empty.
    private var unsent = 0
    private let typing: TypingOperations
    private let inputs = AsyncSemaphore(1)
    /// The client's cursors in versions of texts that are not here yet.
    private var unplaced = PresenceTable()
    private let news = Mutex(News())
    private let interest = Mutex(Interest())
    /// The number of notes of ``interest``, and whether the client had said who it is.
    private var known = (notes: 0, isGreeted: false)
    private let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// `person` is the author of the client's edits; `machine` the name of a machine of the person.
    init(
        _ number: Int, _ peer: any WebSocketPeer, of notes: NotesPlugin, _ session: ServerSession, epoch: String,
        person: String, machine: String = ""
    ) {
        self.machine = machine
        self.number = number
        self.peer = peer
        self.notes = notes
        self.session = session
        actor = session.actor
        self.epoch = epoch
        self.person = person
        typing = TypingOperations(
            clock: notes.clock,
            operationPause: session.actor == .local ? TypingOperations.localPause : TypingOperations.pause
        ) { await NotesPlugin.publish(changesOf: $0, in: notes.serverStore, notes.log) }
    }

    /// Serves the client until the WebSocket is over.
    func run() async throws {
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await self.receive() }
                group.addTask { try await self.follow() }
                // The first to end is the one that receives, or a failure.
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is CancellationError where Task.isCancelled {
            // The server stops, or the client is gone. What was not acknowledged comes again.
        } catch {
            failure = error
        }
        await typing.end()
        for case .announce(let announcement) in session.disconnected() {
            notes.cursors.announce(announcement, from: number)
        }
        if let failure { throw failure }
    }

    private func receive() async throws {
        while let message = await peer.receive() {
            // Binary frames are reserved.
            guard case .text(let text) = message else { continue }
            if session.agent == nil {
                // What was committed since the connection was opened is among what the client is told first.
                let latest = try await notes.serverStore.position().latest
                try await exclusively { $0.changed(latest) }
            }
            try await exclusively { $0.receive(text) }
            if session.agent != nil, !isGreeted {
                isGreeted = true
                for pending in try await notes.serverStore.pendingRequests() { tell(pending.request) }
            }
        }
    }

    /// Ends the connection of an account that is gone.
    nonisolated func close() { peer.close(.policyViolation, reason: "the account was removed") }

    /// Ends a connection that was made to another store, or an earlier state of it: the client finds out what is missing when it connects again.
    nonisolated func closeForOtherStore() { peer.close(.goingAway, reason: "the notes are those of another time") }

    /// Sends the client to another server, or to this one after its restart.
    nonisolated func closeForRestart() { peer.close(.goingAway, reason: "the server is restarting") }

    // MARK: News

    /// Takes edits that this process has just stored, of all changes after `start`.
    /// - Returns: whether the client is told something now; if not, ``settle()`` tells it its place.
    nonisolated func stored(_ edits: [StoredEdits], after start: Int) -> Bool {
        let end = edits.last?.change ?? start
        // A machine is told of all that is stored by a look at the store.
        if actor != .machine, !edits.contains(where: { mayRead($0.metadata.access) }) {
            return skip(after: start, upTo: end)
        }
        add { news in
            news.change = max(news.change, end)
            guard news.count < Self.maximumEdits else { return }
            news.count += edits.count
            news.changes.append(.edits(edits))
        }
        return true
    }

    /// Takes changes that were read for all clients.
    /// - Returns: as ``stored(_:after:)`` does.
    nonisolated func passed(_ changes: SharedChanges) -> Bool {
        let isForClient = changes.page.notes.contains { note in
            mayRead(note.metadata.access) || actor.name.map { note.revoked.contains($0) } ?? true
        }
        guard isForClient else { return skip(after: changes.start, upTo: changes.page.end) }
        add { news in
            news.change = max(news.change, changes.page.end)
            guard news.count < Self.maximumEdits else { return }
            news.count += changes.page.notes.count
            news.changes.append(.page(changes))
        }
        return true
    }

    private nonisolated func mayRead(_ access: NoteAccess) -> Bool {
        AccessRule.decide(.read, by: actor, on: access, legacy: .off) == nil
    }

    /// Records that nothing of some changes is for this client, which is told so with what comes next, or soon.
    private nonisolated func skip(after start: Int, upTo end: Int) -> Bool {
        news.withLock { news in
            news.change = max(news.change, end)
            if case .nothing(let first, _)? = news.changes.last {
                news.changes[news.changes.count - 1] = .nothing(after: first, upTo: end)
            } else if news.count < Self.maximumEdits {
                news.count += 1
                news.changes.append(.nothing(after: start, upTo: end))
            }
        }
        return false
    }

    /// Tells the client its place if it has changed.
    nonisolated func settle() {
        if news.withLock({ !$0.changes.isEmpty }) { wakes.continuation.yield() }
    }

    /// What the client needs of a note that has changed.
    nonisolated func need(of note: ChangedNote) -> SharedChanges.Need {
        guard !note.isPurged, mayRead(note.metadata.access) else { return .nothing }
        return interest.withLock { interest in
            switch interest.mode {
            case .log: .events
            case .edits: interest.notes.contains(note.note) ? .edits : .metadata
            case nil: .nothing
            }
        }
    }

    /// Says that the store has a change with this number.
    nonisolated func changed(_ change: Int) { add { $0.change = max($0.change, change) } }

    /// Says where another client's cursor is.
    nonisolated func presence(_ announcement: PresenceAnnouncement) { add { $0.cursors.set(announcement) } }

    /// Says that someone asks for access.
    nonisolated func tell(_ request: AccessRequest) { add { $0.requests.append(request) } }

    private nonisolated func add(_ change: (inout News) -> Void) {
        news.withLock { news in
            // They are in the store.
            if news.requests.count >= Self.maximumRequests { news.requests = [] }
            change(&news)
        }
        wakes.continuation.yield()
    }

    private func follow() async throws {
        for await _ in wakes.stream {
            let news = news.withLock { news in
                defer { news = News() }
                return news
            }
            if news.change > 0 {
                try await exclusively { session in
                    var actions: [ServerSession.Action] = []
                    var edits: [StoredEdits] = []
                    for changes in news.changes {
                        if case .edits(let more) = changes {
                            edits += more
                            continue
                        }
                        if !edits.isEmpty { actions += session.stored(edits) }
                        edits = []
                        switch changes {
                        case .page(let shared):
                            actions += session.passed(shared.page, after: shared.start, texts: shared.texts)
                        case .nothing(let start, let end): actions += session.skipped(after: start, upTo: end)
                        case .edits: break
                        }
                    }
                    return actions + session.stored(edits) + session.changed(news.change)
                }
                if !unplaced.isEmpty { try await placeCursors() }
            }
            for announcement in news.cursors.all { try await show(announcement) }
            for request in news.requests {
                guard let access = try await notes.serverStore.access(of: request.note) else { continue }
                try await exclusively {
                    $0.accessRequested(
                        request.note, requester: request.requester, reason: request.reason, on: access)
                }
            }
            // While a slow client takes in what it has, changes wait in the store and become one.
            while unsent > 0 {
                await peer.flushed()
                if Task.isCancelled { return }
                let count = unsent
                unsent = 0
                try await exclusively { $0.written(count) }
            }
        }
    }

    // MARK: Actions

    private func exclusively(_ body: (inout ServerSession) -> [ServerSession.Action]) async throws {
        try await inputs.withPermit {
            try await perform(body(&session))
            let client = session.client
            guard known != (client.followedNotes.count, client.agent != nil) else { return }
            known = (client.followedNotes.count, client.agent != nil)
            interest.withLock { interest in
                interest = Interest(mode: client.agent == nil ? nil : client.mode, notes: Set(client.followedNotes))
            }
        }
    }

    private func perform(_ first: [ServerSession.Action]) async throws {
        var actions = first[...]
        while let action = actions.popFirst() {
            switch action {
            case .send(let text):
                var messages: [WebSocketConnection.Message] = [.text(text)]
                unsent += text.utf8.count
                while case .send(let text)? = actions.first {
                    actions.removeFirst()
                    messages.append(.text(text))
                    unsent += text.utf8.count
                }
                peer.send(messages)
                wakes.continuation.yield()
            case .readChanges(let after, let limit):
                let page = try await notes.serverStore.changes(after: after, limit: limit, for: session.client)
                for error in page.unreadable { notes.log.error("\(person) does not get a note: \(error)") }
                actions = session.changes(page) + actions
            case .perform(let request):
                let operation = typing.operation(of: person, beginOperation)
                let outcome = await notes.perform(request, of: session.client, as: person, operation: operation)
                actions = session.finished(request, outcome) + actions
                if case .edited = outcome { typing.hasTyped(person, in: request.note) }
                if case .push = request.kind, outcome == .done { typing.hasTyped(person, in: request.note) }
                if case .unlock = request.kind, outcome == .done {
                    await notes.remind(of: request.note, requestedBy: person)
                }
            case .announce(let announcement): try await announce(announcement)
            case .close(let code, let reason): peer.close(WebSocketCloseCode(code), reason: reason)
            }
        }
    }

    // MARK: Cursors

    /// Tells the others where a cursor of the client is, once its place can be told.
    private func announce(_ announcement: PresenceAnnouncement) async throws {
        unplaced.remove(announcement.key)
        guard announcement.presence.selection != nil else {
            return notes.cursors.announce(announcement, from: number)
        }
        let moved = notes.live.moved(announcement.presence)
        let found = moved == nil ? try await notes.serverStore.place(announcement.presence, for: nil) : nil
        let known = moved == nil ? found?.access : try await notes.serverStore.access(of: announcement.presence.note)
        guard let access = known, AccessRule.decide(.presence, by: actor, on: access, legacy: .off) == nil else {
            return
        }
        guard let placed = moved ?? found?.presence else {
            unplaced.set(announcement)
            return
        }
        var announcement = announcement
        announcement.presence = placed
        announcement.access = access
        notes.cursors.announce(announcement, from: number)
    }

    /// Looks again at the cursors whose edits may have come since.
    private func placeCursors() async throws {
        try await inputs.withPermit {
            for announcement in unplaced.all { try await announce(announcement) }
        }
    }

    /// Shows the client where another one's cursor is.
    private func show(_ announcement: PresenceAnnouncement) async throws {
        try await inputs.withPermit { try await showNow(announcement) }
    }

    private func showNow(_ announcement: PresenceAnnouncement) async throws {
        // Mostly the client has the text of the cursor, or a newer one to which the latest edits lead.
        if let access = announcement.access,
            let actions = session.presence(announcement, on: access, moved: { notes.live.moved($0, to: $1) })
        {
            return try await perform(actions)
        }
        guard let found = try await notes.serverStore.place(announcement.presence, for: session.client),
            let placed = found.presence
        else { return }
        var announcement = announcement
        announcement.presence = placed
        try await perform(session.presence(announcement, on: found.access, after: found.way))
    }

    private nonisolated func beginOperation() -> Operation {
        switch actor {
        case .local: Operation("notes edit", commandLine: "page: edit notes")
        case .machine:
            Operation("machine", who: .service(machine), commandLine: "\(machine): sync notes with this machine")
        case .account, .anonymous: Operation("notes serve", who: .service(person))
        }
    }
}
