import HubKit
import NotesDomain
import Storage
import Synchronization

/// Hands on the edits that this process has stored, once they are committed, in the order of their changes.
final class CommittedEdits: Sendable {
    private let receiver = Mutex<(@Sendable (StoredEdits) -> Void)?>(nil)

    /// Sets who gets them.
    func receive(_ receive: @escaping @Sendable (StoredEdits) -> Void) { receiver.withLock { $0 = receive } }

    func callAsFunction(_ edits: StoredEdits) { receiver.withLock(\.self)?(edits) }
}

/// The tables of this machine as the store of a notes server. What is served is what the person here has, so each change is also recorded,
/// indexed and published as the person's own are.
struct SQLiteNoteServerStore: NoteServerStore {
    let store: Store
    let bus: EventBus
    let indexed: IndexedNotes
    let openNotes: OpenNotes
    let bases: RecentBases
    let committed: CommittedEdits
    let clock: any Clock
    let contents: any AttachmentContents
    let meter: AccountMeter

    /// The operation of changes by clients that are not recorded under their own names.
    static func serving(_ kind: Operation.Kind = .edit) -> Operation {
        Operation("notes serve", who: .service("notes server"), kind: kind)
    }

    // MARK: Following

    var revision: Int? { store.revision }

    func position() async throws -> ServerPosition {
        try await store.read { transaction in
            ServerPosition(
                epoch: try transaction.replica(), latest: try transaction.latestChange(),
                replica: try transaction.knownAgent() ?? "",
                accounts: Set(try transaction.serverAccounts().map(\.name)))
        }
    }

    func wakes() -> AsyncStream<Void> {
        let changes = bus.changes(of: ["domain.notes/*"])
        return AsyncStream {
            var iterator = changes.makeAsyncIterator()
            return await iterator.next().map { _ in }
        }
    }

    func receiveStored(_ receive: @escaping @Sendable (StoredEdits) -> Void) { committed.receive(receive) }

    // MARK: Other servers

    /// There are none.
    func tellServers(_ text: String, key: String) {}

    /// Nothing comes: there are no others.
    func receiveMessages(_ receive: @escaping @Sendable (_ server: String, _ texts: [String]) -> Void) {}

    // MARK: Accounts

    func accounts() async throws -> [ServerAccount] { try await store.read { try $0.serverAccounts() } }

    func addToken(_ hash: [UInt8], of person: String, operation: Operation) async throws {
        try await store.write(operation) { transaction in
            try transaction.addToken(hash, of: person)
            try transaction.record(.token, of: person, by: "")
        }
    }

    func removeAccount(_ person: String, operation: Operation) async throws -> Bool {
        try await store.write(operation) { transaction in
            // The server looks again whose connections are to be ended.
            transaction.afterCommit(NotesEvents.changed)
            guard try transaction.removeTokens(of: person) > 0 else { return false }
            try transaction.record(.removal, of: person, by: "")
            return true
        }
    }

    func setLimits(_ limits: AccountLimits?, of person: String, operation: Operation) async throws {
        try await store.write(operation) { transaction in
            try transaction.setLimits(limits, of: person)
            try transaction.record(.limits, of: person, by: "")
        }
        meter.forget(person)
    }

    func limitedAccount(_ person: String) async throws -> (usage: AccountUsage, limits: AccountLimits)? {
        try await store.read { [meter] in try $0.limited(person, meter) }.map { ($0.usage, $0.limits) }
    }

    func account(ofToken hash: [UInt8]) async throws -> (person: String, usedAt: Instant?)? {
        try await store.read { try $0.token(hash) }
    }

    func recordUse(ofToken hash: [UInt8]) async throws {
        let operation = Operation("notes login", who: .service("notes server"), kind: .cache)
        try await store.write(operation) { transaction in
            guard let person = try transaction.token(hash)?.person else { return }
            try transaction.setUsed(hash)
            try transaction.record(.login, of: person, by: person)
        }
    }

    func legacyMode(_ decided: LegacyMode?) async throws -> LegacyMode {
        try await store.read { try $0.legacyMode(decided) }
    }

    // MARK: Audit

    func record(_ entry: AuditEntry) async throws {
        let operation = Operation("notes audit", who: .service("notes server"), kind: .cache)
        try await store.write(operation) { try $0.record(entry) }
    }

    func audit(of person: String?, limit: Int) async throws -> [AuditEntry] {
        try await store.read { try $0.audit(of: person, limit: limit) }
    }

    // MARK: Notes

    func perform(_ request: ServedRequest) async throws -> ServerSession.Outcome {
        var merged: MergedPush?
        if case .push(let patch) = request.request.kind, patch.count > MergedPush.minimumSize {
            merged = try await store.read { try $0.merged(patch, by: request) }
        }
        var operation = request.operation
        if case .set(let change) = request.request.kind, change.isPurged {
            // As when the trash is emptied: what is recorded could come back.
            operation = Operation(
                id: operation.id, operation.name, who: operation.who, commandLine: operation.commandLine, kind: .cache)
        }
        do {
            let outcome = try await store.write(operation) {
                [openNotes, committed, merged, meter] transaction in
                try transaction.checkLimits(of: request, meter)
                return try transaction.perform(request, merged, openNotes, committed)
            }
            indexed.catchUpLater()
            return outcome
        } catch let refusal as RequestRefusal {
            return refusal.outcome
        }
    }

    func changes(after position: Int, limit: Int, for client: ServedClient?) async throws -> ChangePage {
        try await store.read { transaction in
            var page = try transaction.changePage(after: position, limit: limit)
            if let client {
                try page.addTexts(for: client, after: position, from: StoredTexts(transaction: transaction)) {
                    ($0 as? HubError)?.concernsOneNote == true
                }
            }
            return page
        }
    }

    /// There are no other servers; what a command has written is read from this machine's file.
    func sharedChanges(
        after position: Int, limit: Int, _ need: @escaping @Sendable (ChangedNote) -> SharedChanges.Need
    ) async throws -> SharedChanges? { nil }

    func place(_ presence: Presence, for client: ServedClient?) async throws -> PlacedPresence? {
        try await store.read { transaction in
            guard let access = try transaction.note(presence.note)?.access else { return nil }
            let placed = try transaction.placed(presence)
            var way: TextDelta?
            if let client, placed?.selection != nil {
                way = try StoredTexts(transaction: transaction).delta(presence.note, presence.field, for: client)
            }
            return PlacedPresence(access: access, presence: placed, way: way)
        }
    }

    func access(of note: String) async throws -> NoteAccess? { try await store.read { try $0.note(note)?.access } }

    func noteCount() async throws -> Int { try await store.read { try $0.servedCount() } }

    func publish(changesOf notes: Set<String>) async throws {
        try await store.write(Self.serving(.cache)) { transaction in
            for id in notes {
                guard let note = try transaction.note(id), note.deletedAt == nil else { continue }
                try transaction.emit(NotesEvents.changed, note.summary)
            }
        }
    }

    // MARK: Requests for access

    func pendingRequests() async throws -> [PendingRequest] {
        let now = clock.now
        return try await store.read { transaction in
            try transaction.openRequests().filter { $0.state(at: now) == .pending }.compactMap { request in
                guard let note = try transaction.note(request.note), note.deletedAt == nil else { return nil }
                let event = try transaction.wireID(of: note.id).map {
                    NoteAppEvent(
                        .accessRequest, id: $0.text, deviceId: request.requester,
                        reason: request.reason.isEmpty ? nil : request.reason)
                }
                return PendingRequest(request: request, owner: note.access.owner, event: event)
            }
        }
    }

    func requestAccess(
        to id: NoteAppID, by requester: String, reason: String, caller: NoteAppCaller
    ) async throws -> String {
        try await store.write(Self.serving()) { transaction in
            let note = try transaction.served(id)
            try transaction.check(.requestAccess, caller, note.access)
            if note.access.isUnlocked(for: requester) { throw NoteAppError(.alreadyUnlocked) }
            try transaction.requestAccess(to: note, by: requester, reason: reason)
            try transaction.record(.request, of: note.id, by: requester)
            return note.id
        }
    }

    // MARK: Attachments

    func attachmentSize(_ hash: String, readableBy account: String) async throws -> Int? {
        guard let blob = BlobID(hash) else { return nil }
        return try await store.read { transaction in
            try transaction.size(of: blob) {
                AccessRule.decide(.read, by: .account(account), on: $0.access, legacy: .off) == nil
            }
        }
    }

    func uploadSize(_ hash: String, by account: String) async throws -> Int? {
        guard let blob = BlobID(hash) else { return nil }
        return try await store.read { try $0.uploadedSize(of: blob, by: account) }
    }

    func uploadedBytes(by account: String) async throws -> Int {
        try await store.read { try $0.uploadedBytes(by: account) }
    }

    func addUpload(_ hash: String, size: Int, by account: String) async throws {
        guard let blob = BlobID(hash) else { return }
        try await store.write(Operation("notes upload", who: .service("notes"), kind: .cache)) {
            try $0.addUpload(blob, size: size, by: account)
        }
    }
}
