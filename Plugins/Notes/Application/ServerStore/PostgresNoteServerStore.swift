import HubKit
import NotesDomain
import TextCRDT

/// A database of PostgreSQL as the store of a notes server: one of any number that are equal. Nothing of the person here is in it.
struct PostgresNoteServerStore: NoteServerStore {
    let database: PostgresNoteDatabase
    let bases: RecentBases
    let clock: any Clock
    let meter: AccountMeter

    // MARK: Following

    /// What other servers commit is not known at once.
    var revision: Int? { nil }

    func position() async throws -> ServerPosition { try await database.position() }

    func wakes() -> AsyncStream<Void> { database.wakes() }

    func receiveStored(_ receive: @escaping @Sendable (StoredEdits) -> Void) { database.receiveStored(receive) }

    // MARK: Other servers

    func tellServers(_ text: String, key: String) { database.tellServers(text, key: key) }

    func receiveMessages(_ receive: @escaping @Sendable (_ server: String, _ texts: [String]) -> Void) {
        database.receiveMessages(receive)
    }

    // MARK: Accounts

    func accounts() async throws -> [ServerAccount] { try await database.read { try await $0.accounts() } }

    func addToken(_ hash: [UInt8], of person: String, operation: Operation) async throws {
        try await database.read { try await $0.addToken(hash, of: person, at: clock.now) }
        database.accountsChanged()
    }

    func removeAccount(_ person: String, operation: Operation) async throws -> Bool {
        let isRemoved = try await database.read(isRepeatable: false) {
            try await $0.removeTokens(of: person, at: clock.now)
        }
        database.accountsChanged()
        return isRemoved
    }

    func setLimits(_ limits: AccountLimits?, of person: String, operation: Operation) async throws {
        try await database.read { try await $0.setLimits(limits, of: person, at: clock.now) }
        meter.forget(person)
    }

    func limitedAccount(_ person: String) async throws -> (usage: AccountUsage, limits: AccountLimits)? {
        try await database.read { try await $0.limited(person, meter.defaults) }.map { ($0.usage, $0.limits) }
    }

    func account(ofToken hash: [UInt8]) async throws -> (person: String, usedAt: Instant?)? {
        try await database.read { try await $0.token(hash) }
    }

    func recordUse(ofToken hash: [UInt8]) async throws {
        try await database.read { try await $0.setUsed(hash, at: clock.now) }
    }

    func legacyMode(_ decided: LegacyMode?) async throws -> LegacyMode {
        if let decided { return decided }
        return try await database.read { try await $0.hasAccounts() } ? .off : .open
    }

    // MARK: Audit

    func record(_ entry: AuditEntry) async throws { try await database.read { try await $0.record(entry) } }

    func audit(of person: String?, limit: Int) async throws -> [AuditEntry] {
        try await database.read { try await $0.audit(of: person, limit: limit) }
    }

    // MARK: Notes

    func changes(after position: Int, limit: Int, for client: ServedClient?) async throws -> ChangePage {
        try await database.read { try await $0.changes(after: position, limit: limit, for: client) }
    }

    func sharedChanges(
        after position: Int, limit: Int, _ need: @escaping @Sendable (ChangedNote) -> SharedChanges.Need
    ) async throws -> SharedChanges? {
        try await database.read { try await $0.sharedChanges(after: position, limit: limit, need) }
    }

    func place(_ presence: Presence, for client: ServedClient?) async throws -> PlacedPresence? {
        guard let note = try await database.read({ try await $0.note(presence.note) }) else { return nil }
        let placed = note.open.texts.placed(presence)
        var way: TextDelta?
        if let client, placed?.selection != nil {
            way = try LoadedTexts(notes: [presence.note: note]).delta(presence.note, presence.field, for: client)
        }
        return PlacedPresence(access: note.head.access, presence: placed, way: way)
    }

    func access(of note: String) async throws -> NoteAccess? {
        try await database.read { try await $0.access(of: note) }
    }

    func noteCount() async throws -> Int { try await database.read { try await $0.servedCount() } }

    /// Events are those of the person's own notes.
    func publish(changesOf notes: Set<String>) async throws {}

    // MARK: Requests for access

    func pendingRequests() async throws -> [PendingRequest] {
        try await database.read { try await $0.pendingRequests(at: clock.now) }.map { found in
            let event = found.wireID.map {
                NoteAppEvent(
                    .accessRequest, id: $0.text, deviceId: found.request.requester,
                    reason: found.request.reason.isEmpty ? nil : found.request.reason)
            }
            return PendingRequest(request: found.request, owner: found.owner, event: event)
        }
    }

    func requestAccess(
        to id: NoteAppID, by requester: String, reason: String, caller: NoteAppCaller
    ) async throws -> String {
        try await database.write(wireIDs: [id.text]) { turn in
            let note = try turn.served(id)
            try turn.check(.requestAccess, caller, note.head.access)
            if note.head.access.isUnlocked(for: requester) { throw NoteAppError(.alreadyUnlocked) }
            try await turn.requestAccess(to: note.head.id, by: requester, reason: reason)
            turn.record(.request, of: note.head.id, by: requester)
            return note.head.id
        }
    }

    // MARK: Attachments

    var contents: any AttachmentContents { PostgresContents(database: database) }

    func attachmentSize(_ hash: String, readableBy account: String) async throws -> Int? {
        try await database.read {
            try await $0.attachmentSize(hash) {
                AccessRule.decide(.read, by: .account(account), on: $0, legacy: .off) == nil
            }
        }
    }

    func uploadSize(_ hash: String, by account: String) async throws -> Int? {
        try await database.read { try await $0.uploadSize(hash, by: account) }
    }

    func uploadedBytes(by account: String) async throws -> Int {
        try await database.read { try await $0.uploadedBytes(by: account) }
    }

    func addUpload(_ hash: String, size: Int, by account: String) async throws {
        try await database.read { try await $0.addUpload(hash, size: size, by: account, at: clock.now) }
    }
}

extension PostgresTurn {
    /// Returns the live note with this id, which has an owner. Throws where there is none.
    func served(_ id: NoteAppID) throws -> PostgresNote {
        guard let note = ids[id.text].flatMap({ notes[$0] }), note.head.deletedAt == nil,
            !note.head.access.owner.isEmpty
        else { throw NoteAppError(404, "Note not found.") }
        return note
    }

    /// What clients without an account may do.
    func legacyMode(_ decided: LegacyMode?) -> LegacyMode { decided ?? (hasAccounts ? .off : .open) }

    /// Throws if the access rules do not allow an operation of a client.
    func check(_ operation: NoteOperation, _ caller: NoteAppCaller, _ access: NoteAccess?) throws {
        let legacy = legacyMode(caller.legacy)
        if let refusal = AccessRule.decide(operation, by: caller.actor, on: access, legacy: legacy) {
            throw NoteAppError(refusal)
        }
    }

    /// Stores a request for access to a live note.
    func requestAccess(to note: String, by requester: String, reason: String) async throws {
        let (known, waiting) = try await request(for: note, by: requester)
        var request = known ?? AccessRequest(note: note, requester: requester, requestedAt: now, answer: .expired)
        guard waiting.count < AccessRequest.maximumPending || waiting.contains(note) else {
            throw NoteAppError(429, "Too many pending requests.")
        }
        if request.renew(reason: reason, at: now) { setRequest(request) }
    }
}
