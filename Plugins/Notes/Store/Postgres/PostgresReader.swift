import NotesDomain
import PostgreSQL
import System
import TextCRDT

/// What a server on PostgreSQL reads without a lock.
struct PostgresReader: Sendable {
    let pool: PostgresPool
    let cache: PostgresNotes
    /// Pages of changes by their places and sizes: after news of another server all clients of this one read the same.
    private let pages = SharedReads<[Int], PostgresResult>()

    /// The notes of such pages by their ids and states.
    private let loads = SharedReads<[String], [String: PostgresNote]>()

    init(pool: PostgresPool, cache: PostgresNotes) { (self.pool, self.cache) = (pool, cache) }

    /// The numbers that say whether there is news.
    struct Position: Hashable, Sendable {
        var (change, accounts, requests) = (0, 0, 0)
    }

    func position() async throws -> Position {
        let row = try await pool.run(PostgresQuery("SELECT change, accounts, requests FROM hub_position"))[0].first
        return Position(change: row?.int(0) ?? 0, accounts: row?.int(1) ?? 0, requests: row?.int(2) ?? 0)
    }

    /// Reads again while texts are packed in between.
    private func repeating<Result>(_ body: () async throws -> Result) async throws -> Result {
        var attempt = 0
        while true {
            do { return try await body() } catch is PostgresNotes.Stale where attempt < 20 {
                attempt += 1
                try await Task.sleep(for: PostgresPool.pause(attempt))
            }
        }
    }

    private func loaded(_ heads: [PostgresHead]) async throws -> [String: PostgresNote] {
        try await cache.notes(heads) { queries in
            try await pool.withConnection { try await $0.run(queries, deadline: .now + PostgresPool.patience) }
        }
    }

    /// Returns notes as they are in memory or in the database, at their heads or later: those who ask for the same while they are read wait.
    private func shared(_ heads: [PostgresHead]) async throws -> [String: PostgresNote] {
        if heads.isEmpty { return [:] }
        return try await loads.read(heads.map { "\($0.id) \($0.seq)" }) {
            try await cache.notes(heads, orNewer: true) { queries in
                try await pool.withConnection { try await $0.run(queries, deadline: .now + PostgresPool.patience) }
            }
        }
    }

    /// Returns notes as ``shared(_:)`` does, and why the others cannot be read.
    private func readable(
        _ heads: [PostgresHead]
    ) async throws -> (notes: [String: PostgresNote], unreadable: [String: HubError]) {
        do {
            return (try await shared(heads), [:])
        } catch let error as HubError where error.concernsOneNote {
            if heads.count == 1 { return ([:], [heads[0].id: error]) }
        }
        // It does not say how many there are.
        var (notes, unreadable): ([String: PostgresNote], [String: HubError]) = ([:], [:])
        for head in heads {
            let found = try await readable([head])
            notes.merge(found.notes) { $1 }
            unreadable.merge(found.unreadable) { $1 }
        }
        return (notes, unreadable)
    }

    // MARK: Accounts

    func names() async throws -> Set<String> {
        Set(try await pool.run(PostgresQuery("SELECT DISTINCT person FROM hub_token"))[0].rows.map { $0.text(0) })
    }

    func accounts() async throws -> [ServerAccount] {
        var accounts = try await pool.run(
            PostgresQuery(
                """
                SELECT person, count(*), min(created_at), max(used_at) FROM hub_token GROUP BY person ORDER BY person
                """))[0].rows.map { row in
                ServerAccount(
                    name: row.text(0), tokens: row.int(1), createdAt: Instant(milliseconds: Int64(row.int(2))),
                    usedAt: row.optionalInt(3).map { Instant(milliseconds: Int64($0)) })
            }
        let known = Dictionary(
            try await pool.run(.usage(of: accounts.map(\.name)))[0].rows.map { ($0.text(0), $0.account) }
        ) { $1 }
        for index in accounts.indices {
            guard let account = known[accounts[index].name] else { continue }
            (accounts[index].usage, accounts[index].limits) = (account.usage, account.limits)
        }
        return accounts
    }

    func addToken(_ hash: [UInt8], of person: String, at now: Instant) async throws {
        // The same may be asked again, when the answer was lost.
        let results = try await pool.run(
            PostgresQuery(
                """
                WITH added AS (
                    INSERT INTO hub_token VALUES ($1, $2, $3, NULL)
                    ON CONFLICT (hash) DO UPDATE SET person = excluded.person WHERE hub_token.person = excluded.person
                    RETURNING person)
                INSERT INTO hub_audit (at, person, action, subject, detail) SELECT $3, '', $4, person, '' FROM added
                """, hash, person, now.milliseconds, AuditEntry.Action.token.rawValue),
            PostgresQuery("UPDATE hub_position SET accounts = accounts + 1"))
        guard results[0].count > 0 else {
            throw HubError(.conflict, code: "token-taken", "this invitation is one of another account")
        }
    }

    func removeTokens(of person: String, at now: Instant) async throws -> Bool {
        try await pool.run(
            PostgresQuery(
                """
                WITH gone AS (DELETE FROM hub_token WHERE person = $1 RETURNING person)
                INSERT INTO hub_audit (at, person, action, subject, detail) SELECT DISTINCT $2::bigint, '', $3, person, ''
                FROM gone
                """, person, now.milliseconds, AuditEntry.Action.removal.rawValue),
            PostgresQuery("UPDATE hub_position SET accounts = accounts + 1"))[0].count > 0
    }

    func setLimits(_ limits: AccountLimits?, of person: String, at now: Instant) async throws {
        var queries = [PostgresQuery("DELETE FROM hub_limit WHERE person = $1", person)]
        if let limits {
            queries.append(
                PostgresQuery(
                    "INSERT INTO hub_limit (person, notes, texts, attachments) VALUES ($1, $2, $3, $4)", person,
                    limits.notes, limits.texts, limits.attachments))
        }
        queries.append(.record(AuditEntry(at: now, person: "", .limits, person)))
        _ = try await pool.transaction { try await $0.commit(queries) }
    }

    /// Returns what an account has and may have; nil where there are no limits.
    func limited(_ person: String, _ defaults: AccountLimits) async throws -> AccountMeter.Account? {
        let results = try await pool.run(
            PostgresQuery("SELECT EXISTS (SELECT 1 FROM hub_limit)"), .usage(of: [person]))
        guard !defaults.isEmpty || results[0].first?.bool(0) == true, let found = results[1].first?.account else {
            return nil
        }
        let limits = found.limits ?? defaults
        return limits.isEmpty ? nil : AccountMeter.Account(usage: found.usage, limits: limits)
    }

    func token(_ hash: [UInt8]) async throws -> (person: String, usedAt: Instant?)? {
        try await pool.run(PostgresQuery("SELECT person, used_at FROM hub_token WHERE hash = $1", hash))[0].first.map {
            ($0.text(0), $0.optionalInt(1).map { Instant(milliseconds: Int64($0)) })
        }
    }

    func setUsed(_ hash: [UInt8], at now: Instant) async throws {
        _ = try await pool.run(
            PostgresQuery(
                """
                WITH used AS (UPDATE hub_token SET used_at = $2 WHERE hash = $1 RETURNING person)
                INSERT INTO hub_audit (at, person, action, subject, detail) SELECT $2::bigint, person, $3, person, '' FROM used
                """, hash, now.milliseconds, AuditEntry.Action.login.rawValue))
    }

    func hasAccounts() async throws -> Bool {
        try await pool.run(PostgresQuery("SELECT EXISTS (SELECT 1 FROM hub_token)"))[0].first?.bool(0) ?? false
    }

    // MARK: Notes

    func wireID(of note: String) async throws -> NoteAppID? {
        try await pool.run(PostgresQuery("SELECT wire_id FROM hub_note WHERE id = $1", note))[0].first.flatMap {
            NoteAppID($0.text(0))
        }
    }

    func access(of note: String) async throws -> NoteAccess? {
        try await pool.run(PostgresQuery("SELECT owner, members, readers FROM hub_note WHERE id = $1", note))[0]
            .first?.access()
    }

    func servedCount() async throws -> Int {
        try await pool.run(
            PostgresQuery("SELECT count(*) FROM hub_note WHERE owner <> '' AND deleted_at IS NULL"))[0].first?.int(0)
            ?? 0
    }

    /// Returns a note by its id; nil if there is none.
    func note(_ id: String) async throws -> PostgresNote? {
        try await repeating {
            let query = PostgresQuery("SELECT \(PostgresHead.columns) FROM hub_note n WHERE n.id = $1", id)
            return try await loaded(try await pool.run(query)[0].rows.map { PostgresHead($0) })[id]
        }
    }

    /// Returns the live notes with an owner, in the order of their creation: those that `isIncluded`, or the one with an id.
    func served(
        _ id: NoteAppID?, _ isIncluded: (NoteAccess) -> Bool
    ) async throws -> [PostgresNote] {
        try await repeating {
            let query = PostgresQuery(
                """
                SELECT \(PostgresHead.columns) FROM hub_note n
                WHERE ($1::text IS NULL OR n.wire_id = $1) AND n.owner <> '' AND n.deleted_at IS NULL ORDER BY n.place
                """, id?.text)
            let heads = try await pool.run(query)[0].rows.map { PostgresHead($0) }.filter { isIncluded($0.access) }
            let notes = try await loaded(heads)
            return heads.compactMap { notes[$0.id] }
        }
    }

    // MARK: Changes

    /// Returns the notes that have changed after a number, as ``NoteServerStore/changes(after:limit:for:)`` says.
    func changes(after: Int, limit: Int, for client: ServedClient?) async throws -> ChangePage {
        try await repeating {
            let result = try await pages.read([after, limit]) { try await pool.run(Self.changes(after, limit))[0] }
            var (page, heads) = Self.page(result.rows, after: after)
            if let client { try await addTexts(to: &page, heads, after: after, for: client) }
            return page
        }
    }

    /// Returns the changes after a number with the texts of those notes for which `need` says that clients of this process need them, each
    /// loaded once.
    func sharedChanges(
        after: Int, limit: Int, _ need: @Sendable (ChangedNote) -> SharedChanges.Need
    ) async throws -> SharedChanges {
        try await repeating {
            var (page, heads) = Self.page(try await pool.run(Self.changes(after, limit))[0].rows, after: after)
            let needs = Dictionary(page.notes.map { ($0.note, need($0)) }) { $1 }
            heads.removeAll { head in
                switch needs[head.id] {
                case .metadata: head.file.head == nil || max(head.metadataChange, head.accessChange) <= after
                case .edits, .events: false
                case .nothing, nil: true
                }
            }
            let bases = Dictionary(heads.compactMap { head in cache[head.id].map { (head.id, $0) } }) { $1 }
            let notes = try await shared(heads)
            for index in page.notes.indices {
                let note = page.notes[index]
                guard note.isMetadataChanged || note.accessChange > after else { continue }
                page.notes[index].metadata.file = notes[note.note]?.open.file
            }
            // What was in memory before is what a client had after `after`, or less, if nothing later had changed it.
            let events = notes.keys.filter { needs[$0] == .events }
            var known = bases.filter { $0.value.head.change <= after }.mapValues(\.open.texts.version)
            let unknown = events.filter { known[$0] == nil }
            if !unknown.isEmpty { known.merge(try await versions(of: unknown, afterChange: after)) { $1 } }
            return SharedChanges(
                start: after, page: page, texts: SharedTexts(LoadedTexts(notes: notes, known: known)),
                deltas: bases.flatMap { id, base in notes[id].map { Self.deltas(from: base, to: $0) } ?? [] })
        }
    }

    private static func deltas(from base: PostgresNote, to note: PostgresNote) -> [TextDelta] {
        NoteField.allCases.compactMap { field in
            let before = base.open.texts.version[field]
            let way = note.open.texts.way(field, since: before)
            guard way.from == before, way.to != before else { return nil }
            return TextDelta(
                note: note.head.id, field: field, from: before, to: way.to, edits: way.edits, acknowledged: 0)
        }
    }

    private static func page(_ rows: some RandomAccessCollection<PostgresRow>, after: Int) -> (
        ChangePage, [PostgresHead]
    ) {
        guard let first = rows.first else { return (ChangePage(notes: [], end: after, hasMore: false), []) }
        let latest = first.int(0)
        var notes: [ChangedNote] = []
        var heads: [PostgresHead] = []
        for row in rows where !row.isNull(2) { notes.append(note(row, after: after, &heads)) }
        let isWhole = rows.last?.bool(7) ?? true || notes.isEmpty
        let end = isWhole ? max(latest, after) : notes.last?.change ?? after
        return (ChangePage(notes: notes, end: end, hasMore: end < latest), heads)
    }

    /// One statement, so one view. What is older than the outbox is looked for among all notes.
    ///
    /// A page ends where no note that comes later has an earlier change after the place, too: who has read up to its end is not told again
    /// of that change.
    private static func changes(_ after: Int, _ limit: Int) -> PostgresQuery {
        PostgresQuery(
            """
            WITH changed AS (
                SELECT n.id, n.change, min(c.change) first FROM hub_position p, hub_change c JOIN hub_note n ON n.id = c.note
                    WHERE p.kept_after <= $1 AND p.change - $1 <= $3 AND c.change > $1 GROUP BY n.id
                UNION ALL
                SELECT n.id, n.change, n.change FROM hub_position p, hub_note n
                    WHERE (p.kept_after > $1 OR p.change - $1 > $3) AND n.change > $1
                UNION ALL
                SELECT g.note, g.change, g.change FROM hub_purged g WHERE g.change > $1),
            placed AS (
                SELECT *, row_number() OVER (ORDER BY change) place, count(*) OVER () total,
                    min(first) OVER (ORDER BY change ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) later
                FROM changed),
            paged AS (
                SELECT * FROM placed WHERE place <= coalesce(
                    (SELECT min(place) FROM placed WHERE place >= $2 AND (later IS NULL OR later > change)), total))
            SELECT p.change, c.change, c.id, g.owner, g.members,
                ARRAY(SELECT DISTINCT agent FROM hub_batch b WHERE b.note = c.id AND b.change > $1),
                ARRAY(SELECT name FROM hub_revoked r WHERE r.note = c.id AND r.change > $1), c.place = c.total,
                \(PostgresHead.columns)
            FROM hub_position p LEFT JOIN paged c ON true LEFT JOIN hub_note n ON n.id = c.id
                LEFT JOIN hub_purged g ON g.note = c.id
            ORDER BY c.change
            """, after, limit, outboxDistance)
    }

    /// The number of changes from which on all notes are looked at, and not the outbox.
    private static let outboxDistance = 100_000

    private static func note(_ row: PostgresRow, after: Int, _ heads: inout [PostgresHead]) -> ChangedNote {
        guard row.isNull(3) else {
            let access = NoteAccess(owner: row.text(3), members: row.texts(4))
            return ChangedNote(
                row.text(2), NoteMetadata(access: access, isDeleted: true, changedAt: Instant(milliseconds: 0)),
                change: row.int(1), accessChange: 0, isMetadataChanged: true, agents: [], isPurged: true)
        }
        let head = PostgresHead(row.dropFirst(8))
        heads.append(head)
        let metadata = NoteMetadata(
            access: head.access, tags: head.tags, folder: head.folder, isDeleted: head.deletedAt != nil,
            changedAt: head.changedAt, attachments: head.attachments)
        return ChangedNote(
            head.id, metadata, change: head.change, accessChange: head.accessChange,
            isMetadataChanged: head.metadataChange > after, agents: Set(row.texts(5).map { AgentName($0) }),
            revoked: Set(row.texts(6)), wireID: head.wireID)
    }

    private func addTexts(
        to page: inout ChangePage, _ heads: [PostgresHead], after: Int, for client: ServedClient
    ) async throws {
        // What is not told is not loaded.
        let open = page.notes.filter { !$0.isPurged && client.mayRead($0) }
        let told = Set(
            open.filter { note in
                client.mode == .log
                    ? !client.isOwn(note, after: after) : client.knownVersion(note.note, .title) != nil
            }.map(\.note))
        let filed = Set(open.filter { $0.isMetadataChanged || $0.accessChange > after }.map(\.note))
        let needed = heads.filter { told.contains($0.id) || filed.contains($0.id) && $0.file.head != nil }
        let (notes, unreadable) = try await readable(needed)
        page.unreadable = Array(unreadable.values)
        page.notes.removeAll { unreadable[$0.note] != nil }
        for index in page.notes.indices where filed.contains(page.notes[index].note) {
            page.notes[index].metadata.file = notes[page.notes[index].note]?.open.file
        }
        var known: [String: NoteVersion] = [:]
        if client.mode == .log, !told.isEmpty { known = try await versions(of: Array(told), afterChange: after) }
        try page.addTexts(for: client, after: after, from: LoadedTexts(notes: notes, known: known))
    }

    /// Returns the versions of notes after a change.
    private func versions(of notes: [String], afterChange change: Int) async throws -> [String: NoteVersion] {
        let rows = try await pool.run(
            PostgresQuery(
                """
                SELECT note, field, agent, max(last) FROM hub_batch WHERE note = ANY($1) AND change <= $2
                GROUP BY note, field, agent
                """, notes, change))[0].rows
        var heads: [String: [NoteField: [EventID]]] = [:]
        for row in rows {
            let field: NoteField = row.int(1) == 0 ? .title : .content
            heads[row.text(0), default: [:]][field, default: []].append(
                EventID(agent: row.text(2), sequence: row.int(3)))
        }
        return heads.mapValues {
            NoteVersion(title: Version($0[.title] ?? []), content: Version($0[.content] ?? []))
        }
    }

    // MARK: Others

    /// Returns what a client has read of notes last.
    func lastReads(of notes: [String], by client: String) async throws -> [String: NoteRead] {
        let rows = try await pool.run(
            PostgresQuery(
                """
                SELECT title_version, content_version, members, note FROM hub_read WHERE client = $1 AND note = ANY($2)
                """, client, notes))[0].rows
        return Dictionary(rows.map { ($0.text(3), NoteRead($0)) }) { $1 }
    }

    /// Records that a client is about to be sent notes.
    func addReads(_ reads: [(id: String, read: NoteRead)], by client: String, at now: Instant, limit: Int) async throws
    {
        let queries = reads.flatMap { PostgresQuery.addRead($0.read, of: $0.id, by: client, at: now, limit: limit) }
        _ = try await pool.withConnection { try await $0.run(queries, deadline: .now + PostgresPool.patience) }
    }

    /// Returns the requests that wait, the oldest first, with the owners and the ids for NoteApp of their notes.
    func pendingRequests(at now: Instant) async throws -> [(request: AccessRequest, owner: String, wireID: NoteAppID?)]
    {
        try await pool.run(
            PostgresQuery(
                """
                SELECT r.note, r.requester, r.reason, r.requested_at, r.answer, n.owner, n.wire_id
                FROM hub_request r JOIN hub_note n ON n.id = r.note
                WHERE r.answer = 'pending' AND r.requested_at > $1 AND n.deleted_at IS NULL
                ORDER BY r.requested_at, r.requester
                """, (now - AccessRequest.lifetime).milliseconds))[0].rows.map {
                (AccessRequest($0), $0.text(5), NoteAppID($0.text(6)))
            }
    }

    func record(_ entry: AuditEntry) async throws { _ = try await pool.run(.record(entry)) }

    func audit(of person: String?, limit: Int) async throws -> [AuditEntry] {
        try await pool.run(
            PostgresQuery(
                """
                SELECT at, person, action, subject, detail FROM hub_audit
                WHERE $1::text IS NULL OR person = $1 OR subject = $1 ORDER BY id DESC LIMIT $2
                """, person, limit))[0].rows.compactMap { row in
                AuditEntry.Action(rawValue: row.text(2)).map {
                    AuditEntry(
                        at: Instant(milliseconds: Int64(row.int(0))), person: row.text(1), $0, row.text(3),
                        detail: row.text(4))
                }
            }
    }

    func attachmentSize(_ hash: String, _ isReadable: (NoteAccess) -> Bool) async throws -> Int? {
        try await pool.run(
            PostgresQuery(
                """
                SELECT n.owner, n.members, n.readers, a.size FROM hub_attachment a JOIN hub_note n ON n.id = a.note
                WHERE a.hash = $1
                """, hash))[0].rows.first { isReadable($0.access()) }?.int(3)
    }

    func uploadSize(_ hash: String, by person: String) async throws -> Int? {
        try await pool.run(
            PostgresQuery("SELECT size FROM hub_upload WHERE person = $1 AND hash = $2", person, hash))[0].first?.int(0)
    }

    func uploadedBytes(by person: String) async throws -> Int {
        try await pool.run(
            PostgresQuery("SELECT coalesce(sum(size), 0)::bigint FROM hub_upload WHERE person = $1", person))[0]
            .first?.int(0) ?? 0
    }

    func addUpload(_ hash: String, size: Int, by person: String, at now: Instant) async throws {
        _ = try await pool.run(
            PostgresQuery("DELETE FROM hub_upload WHERE at < $1", (now - .seconds(86_400)).milliseconds),
            PostgresQuery(
                """
                INSERT INTO hub_upload (person, hash, size, at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (person, hash) DO UPDATE SET at = excluded.at
                """, person, hash, size, now.milliseconds))
    }

    /// Returns the contents that notes and senders name and that are not here, by their hashes after one: at most `limit`.
    func missingContents(after last: String, limit: Int) async throws -> [String] {
        try await pool.run(
            PostgresQuery(
                """
                SELECT hash FROM (SELECT hash FROM hub_attachment UNION SELECT hash FROM hub_upload) named
                WHERE hash > $1 AND NOT EXISTS (
                    SELECT 1 FROM hub_content c WHERE c.hash = named.hash AND c.person IS NULL)
                ORDER BY hash LIMIT $2
                """, last, limit))[0].rows.map { $0.text(0) }
    }
}
