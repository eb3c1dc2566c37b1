import Commands
import Hashing
import HubKit
import NotesDomain
import Storage
import Sync
import TextCRDT

/// One sync with a server of whole notes. Each step is one transaction, and what is about to be sent is stored before; so it
/// may end at any point.
struct SyncNoteApp {
    /// The other servers, to which a new note may belong instead.
    struct Others: Sendable {
        /// The names of all configured servers.
        let names: [String]
        /// The folders of the others.
        let folders: [String]
        /// Whether new notes go to this server.
        let takesNewNotes: Bool
    }

    /// The most exchanges of one note; one that others change all the time is left to the next sync.
    private static let maximumRounds = 5
    /// The number of notes up to which all may be moved to the trash at once.
    private static let fewNotes = 10

    /// The age from which on what was read is read again before it is replaced.
    private static let maximumAge = Duration.seconds(5)

    private let store: Store
    private let clock: any Clock
    private let account: Account
    private let client: NoteAppClient
    private let name: String
    private let request: SyncRequest
    private let others: Others
    private var received = SyncLogEntry.Counts()
    private var sent = SyncLogEntry.Counts()
    private var problems: [Diagnostic] = []
    private var merged: [String] = []
    /// The time at which the list of notes was read.
    private var listedAt = Duration.zero

    init(
        _ store: Store, _ clock: any Clock, _ account: Account, _ client: NoteAppClient, name: String,
        _ request: SyncRequest,
        others: Others
    ) {
        self.store = store
        self.clock = clock
        self.account = account
        self.client = client
        self.name = name
        self.request = request
        self.others = others
    }

    /// Adds what was done so far to a report.
    func add(to report: inout SyncReport<SyncNotes>) {
        (report.run.received, report.run.sent) = (received, sent)
        (report.run.merged, report.run.problems) = (merged.count, problems.count)
        report.notes = merged.prefix(20).map { Diagnostic("  merged  \($0)") } + problems.prefix(20)
    }

    /// One note with what is to be done.
    private struct Plan {
        let note: String?
        let remote: NoteAppNote?
        let step: NoteAppStep
    }

    mutating func run() async throws {
        listedAt = clock.monotonicNow
        let listing = try await client.list()
        var plans = try await plans(listing)
        plans = try await confirmed(plans)
        for (index, plan) in plans.enumerated() {
            try Task.checkCancellation()
            if plans.count > 1 { request.progress(index, plans.count) }
            do {
                try await perform(plan)
            } catch let error as NoteAppError {
                try await skip(plan, error.message)
            } catch let error as TextCRDTError {
                try await skip(plan, "its text cannot be merged (\(error))")
            } catch let error as HubError where error.kind == .invalid {
                try await skip(plan, error.message)
            }
        }
    }

    // MARK: Planning

    private func plans(_ listing: NoteAppListing) async throws -> [Plan] {
        let (account, others, name) = (account, others, name)
        return try await store.read { transaction in
            var remotes = Dictionary(listing.notes.map { ($0.id, $0) }) { first, _ in first }
            let damaged = Set(listing.damaged)
            var plans: [Plan] = []
            var unlinked =
                try others.takesNewNotes
                ? transaction.unsentNotes(
                    for: account.folder, otherFolders: others.folders, configured: others.names) : []
            let links = try transaction.links(on: account.name)
            let linked = Set(links.compactMap(\.remote))
            var new = listing.notes.filter { !linked.contains($0.id) && remotes[$0.id] == $0 }
            for var link in links where link.remote.map(damaged.contains) != true {
                if link.remote == nil, let place = try new.firstIndex(where: { try transaction.isStored($0, link) }) {
                    // A POST whose answer was lost was stored.
                    link.remote = new.remove(at: place).id
                }
                let remote = link.remote.flatMap { remotes.removeValue(forKey: $0) }
                let step = NoteAppSync.step(
                    link: link, local: try transaction.localState(of: link.note), remote: remote,
                    fingerprint: try remote?.fingerprint() ?? "", name: name, at: transaction.now)
                if step != .none { plans.append(Plan(note: link.note, remote: remote, step: step)) }
            }
            let twins = try new.isEmpty || unlinked.isEmpty ? [:] : transaction.notesByText(unlinked)
            var paired: Set<String> = []
            for remote in new where remote.isUnlocked(for: name) || !remote.title.isEmpty {
                // The same text on both sides is the same note, as after the server was added again.
                let text = [remote.title, remote.content]
                let twin = twins[text]?.first { !paired.contains($0) }
                if let twin { paired.insert(twin) }
                plans.append(Plan(note: twin, remote: remote, step: .receive))
            }
            unlinked.removeAll { paired.contains($0) }
            return plans + unlinked.map { Plan(note: $0, remote: nil, step: .create) }
        }
    }

    /// Asks before many notes are moved to the trash; returns the plans without them if they are to stay.
    private mutating func confirmed(_ plans: [Plan]) async throws -> [Plan] {
        let gone = plans.count { $0.step == .trash }
        let known = try await store.read { [account] in try $0.noteCounts(on: account.name).synced }
        let isMany = gone > max(Self.fewNotes, known / 4) || (gone == known && gone > 1)
        guard isMany, !request.isForced else { return plans }
        let what =
            "\(NumberFormat.counted(gone, "note")) of \(known) are gone on the server and would be moved to the trash"
        if !request.isDryRun, try await request.confirm(what) { return plans }
        problems.append(
            .warning("\(what); they were kept", code: "many-notes-gone", hint: "hub notes sync \(account.name) --force")
        )
        return plans.filter { $0.step != .trash }
    }

    // MARK: Steps

    private mutating func perform(_ plan: Plan) async throws {
        switch plan.step {
        case .none: break
        case .exchange, .revive:
            guard let id = plan.note, let remote = plan.remote else { return }
            if plan.step == .revive { received.changed += 1 }
            if request.isDryRun { return }
            try await exchange(id, remote, isRevived: plan.step == .revive)
        case .create:
            sent.new += 1
            if !request.isDryRun, let id = plan.note { try await create(id) }
        case .receive:
            received.new += 1
            if !request.isDryRun, let remote = plan.remote { try await receive(remote, as: plan.note) }
        case .trash:
            received.removed += 1
            try await write { try plan.note.map($0.trashFromServer) }
        case .delete:
            sent.removed += 1
            guard !request.isDryRun, let id = plan.remote?.id, let note = plan.note else { return }
            _ = try await client.delete(id)
            try await write { try $0.removeLink(of: note) }
        case .leave, .forget, .lock: try await settle(plan)
        }
    }

    private func settle(_ plan: Plan) async throws {
        let account = account
        try await write { transaction in
            guard let id = plan.note, var link = try transaction.link(of: id) else { return }
            switch plan.step {
            case .forget: try transaction.removeLink(of: id)
            case .leave:
                link.state = .left
                try transaction.setLink(link, on: account.name)
            default:
                guard let remote = plan.remote else { return }
                link.state = .locked
                link.remote = remote.id
                link.fingerprint = try remote.fingerprint()
                link.access = NoteAccess(owner: remote.owner, members: remote.access)
                try transaction.setLink(link, on: account.name)
                let access = link.access
                try transaction.changed(id) { try transaction.setAccess(access, of: id) }
            }
        }
    }

    private func write(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        if !request.isDryRun { try await store.write(request.operation, body) }
    }

    private mutating func skip(_ plan: Plan, _ reason: String) async throws {
        let label =
            try await store.read { transaction in try plan.note.flatMap { try transaction.note($0) }?.displayName }
            ?? plan.remote?.title ?? ""
        problems.append(
            .warning("\(TerminalSanitizer.line(label)): \(reason)", code: "note-not-synced"))
    }

    /// Merges what the server has, sends what differs, and looks at what became of it.
    private mutating func exchange(_ id: String, _ remote: NoteAppNote, isRevived: Bool) async throws {
        var (current, isSent) = (remote, false)
        var readAt = listedAt
        for round in 0..<Self.maximumRounds {
            let taken = try await store.take(
                current, into: id, from: account.name, as: request.operation, isRevived: isRevived && round == 0)
            if taken.isChanged, round == 0, !isRevived { received.changed += 1 }
            if taken.isMerged { merged.append(taken.name) }
            guard let draft = taken.draft else { return }
            let isOld = clock.monotonicNow - readAt > Self.maximumAge
            if !isOld {
                if !isSent { sent.changed += 1 }
                isSent = true
                // Where it was deleted meanwhile, the next sync sees it so.
                guard try await client.replace(current.id, with: draft) else { return }
            }
            readAt = clock.monotonicNow
            guard let seen = try await client.note(current.id) else { return }
            current = seen
        }
        throw NoteAppError(409, "it keeps changing on the server")
    }

    private func create(_ id: String) async throws {
        let (server, name) = (account.name, name)
        let draft = try await store.write(request.operation) { transaction -> NoteAppDraft? in
            guard let note = try transaction.note(id), note.deletedAt == nil else { return nil }
            var access = note.access
            if access.owner.isEmpty { access.owner = name }
            access.grant([name])
            if access != note.access {
                try transaction.changed(id) { [access] in try transaction.setAccess(access, of: id) }
            }
            let edits = SentEdits(settled: try transaction.version(of: id))
            try transaction.setLink(NoteAppLink(note: id, edits: edits, access: access), on: server)
            return NoteAppDraft(
                title: note.title, content: note.content, access: access.members, owner: access.owner)
        }
        guard let draft else { return }
        let remote = try await client.create(draft)
        try await write { transaction in
            guard var link = try transaction.link(of: id) else { return }
            link.remote = remote
            link.access = NoteAccess(owner: draft.owner, members: draft.access)
            link.fingerprint = try NoteAppNote(
                id: remote, title: draft.title, content: draft.content, access: draft.access, owner: draft.owner
            ).fingerprint()
            try transaction.setLink(link, on: server)
        }
    }

    private func receive(_ remote: NoteAppNote, as twin: String?) async throws {
        let (account, name) = (account, name)
        try await write { transaction in
            let access = NoteAccess(owner: remote.owner, members: remote.access)
            let isLocked = !remote.isUnlocked(for: name)
            var link = NoteAppLink(
                note: "", remote: remote.id, state: isLocked ? .locked : .synced, access: access,
                fingerprint: try remote.fingerprint())
            if let twin, try transaction.note(twin) != nil {
                link.note = twin
                link.edits = SentEdits(settled: try transaction.version(of: twin))
                try transaction.changed(twin) { try transaction.setAccess(access, of: twin) }
            } else {
                // A note that was deleted here for good and changed there comes back as a new one.
                for old in try transaction.links(on: account.name) where old.remote == remote.id {
                    try transaction.removeLink(of: old.note)
                }
                link.note = try transaction.insertNote(
                    wireID: remote.id, folder: NoteFileName.folder(account.folder), access: access)
                try transaction.changeTexts(of: link.note, by: account.name, isMerge: true) { document, agent in
                    try document.set(
                        title: remote.title, content: isLocked ? nil : remote.content,
                        by: Transaction.serverAgent(agent, account.name))
                }
                link.edits = SentEdits(settled: try transaction.version(of: link.note))
                try transaction.reindexNotes([link.note])
                try transaction.emit(NotesEvents.created, NoteRecord.kind.item(link.note, in: transaction).summary)
            }
            try transaction.setLink(link, on: account.name)
        }
    }
}

extension Transaction {
    /// Moves a note to the trash that was deleted on its server.
    fileprivate func trashFromServer(_ id: String) throws {
        try removeLink(of: id)
        guard let note = try note(id), note.deletedAt == nil else { return }
        try NoteRecord.kind.setDeleted(id, at: now, in: self)
        try reindexNotes([id])
        try emit(NotesEvents.deleted, note.summary)
    }

    /// Whether a note on a server is the one that a POST without an answer was to make.
    fileprivate func isStored(_ remote: NoteAppNote, _ link: NoteAppLink) throws -> Bool {
        guard remote.owner == link.access.owner, try note(link.note) != nil else { return false }
        let version = link.edits.settled
        let document = try document(of: link.note)
        return try document.title.text(at: version.title) == remote.title
            && document.content.text(at: version.content) == remote.content
    }

    /// Returns notes by their title and text, without empty ones.
    fileprivate func notesByText(_ ids: [String]) throws -> [[String]: [String]] {
        var notes: [[String]: [String]] = [:]
        for id in ids {
            guard let note = try note(id), !(note.title + note.content).isEmpty else { continue }
            notes[[note.title, note.content], default: []].append(id)
        }
        return notes
    }
}

extension NoteAppNote {
    /// The hash of all that a client may read of the note.
    func fingerprint() throws -> String {
        let bytes = draft.encoded(id: id.text)
        return try SHA256.hash(bytes).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
