import NotesDomain
import PostgreSQL
import Storage
import System
import TextCRDT

/// A transaction in which messages to the store follow each other: the notes that they are about are locked and in memory, and what they
/// write is sent at the end, with the commit.
///
/// The order of locks is the same everywhere: notes by their ids, and the number of the last change at last, for the time of one flush.
final class PostgresTurn {
    /// Something that comes with the number of a change: the note, the number among those of this turn, and what clients are told.
    private struct Change {
        let note: String
        var edits: StoredEdits?
    }

    private struct Write {
        let query: PostgresQuery
        /// Whether queries of later messages have to see it; others come with the commit.
        var isImmediate = true
        /// The number of the change among those of this turn, which follows the parameters.
        var change: Int?
    }

    /// Where messages that fail go back to.
    struct Mark {
        fileprivate let writes: Int
        fileprivate let changes: Int
        fileprivate let events: Int
        fileprivate let batches: Int
        fileprivate let sent: Int
    }

    /// An earlier message of the turn is in the way of the failure of a later one: each has to have a turn of its own.
    struct Entangled: Error {}

    /// The time of the turn.
    let now: Instant
    /// Whether there is any account.
    let hasAccounts: Bool
    /// Whether any account has limits of its own.
    private let hasLimits: Bool
    /// What messages of this turn have added to accounts.
    private var grown: [String: AccountUsage] = [:]
    /// The name under which this process edits.
    let agent: String

    private let transaction: PostgresTransaction
    private let cache: PostgresNotes
    private(set) var notes: [String: PostgresNote] = [:]
    /// The ids of notes by those for NoteApp.
    private(set) var ids: [String: String] = [:]
    /// The notes that have been changed, and before which message first.
    private var touched: [String: Int] = [:]
    private var message = 0
    /// The last message that has changed what an earlier one had.
    private var entangled = 0
    /// Whether someone asks for access.
    private var hasRequests = false
    private var writes: [Write] = []
    private var sent = 0
    private var changes: [Change] = []
    private var events: [(note: String, seq: Int, field: NoteField, bytes: [UInt8])] = []
    private var batches: [(note: String, field: NoteField, batch: EditBatch)] = []

    private init(
        _ transaction: PostgresTransaction, _ cache: PostgresNotes, now: Instant, agent: String, hasAccounts: Bool,
        hasLimits: Bool
    ) {
        self.transaction = transaction
        self.cache = cache
        self.now = now
        self.agent = agent
        self.hasAccounts = hasAccounts
        self.hasLimits = hasLimits
    }

    /// Begins a turn that may change notes, by their ids or those for NoteApp.
    static func begin(
        _ transaction: PostgresTransaction, _ ids: [String], wireIDs: [String], _ cache: PostgresNotes, now: Instant,
        agent: String
    ) async throws -> PostgresTurn {
        let results = try await transaction.run([
            PostgresQuery("SELECT EXISTS (SELECT 1 FROM hub_token), EXISTS (SELECT 1 FROM hub_limit)"),
            PostgresQuery(
                """
                SELECT id FROM hub_note
                WHERE id = ANY($1::text[] || ARRAY(SELECT id FROM hub_note WHERE wire_id = ANY($2::text[])))
                ORDER BY id FOR NO KEY UPDATE
                """, ids, wireIDs),
            // Another statement, which sees what was committed while the lock was awaited.
            PostgresQuery(
                """
                SELECT \(PostgresHead.columns) FROM hub_note n
                WHERE n.id = ANY($1::text[] || ARRAY(SELECT id FROM hub_note WHERE wire_id = ANY($2::text[])))
                """, ids, wireIDs),
        ])
        let turn = PostgresTurn(
            transaction, cache, now: now, agent: agent, hasAccounts: results[0].first?.bool(0) ?? false,
            hasLimits: results[0].first?.bool(1) ?? false)
        let heads = results[2].rows.map { PostgresHead($0) }
        turn.notes = try await cache.notes(heads) { try await transaction.run($0) }
        for head in heads { if let wireID = head.wireID { turn.ids[wireID.text] = head.id } }
        return turn
    }

    // MARK: Messages

    /// Begins the next message.
    func mark() -> Mark {
        message += 1
        return Mark(
            writes: writes.count, changes: changes.count, events: events.count, batches: batches.count, sent: sent)
    }

    /// Takes back what the last message has written.
    func rollback(to mark: Mark) throws(Entangled) {
        guard sent == mark.sent, entangled != message else { throw Entangled() }
        writes.removeSubrange(mark.writes...)
        changes.removeSubrange(mark.changes...)
        events.removeSubrange(mark.events...)
        batches.removeSubrange(mark.batches...)
        for (id, first) in touched {
            guard first == message else { continue }
            // As it was committed, which may have been forgotten since.
            guard let note = cache[id], note.head.seq <= (notes[id]?.head.seq ?? 0) else { throw Entangled() }
            notes[id] = note
            touched[id] = nil
        }
    }

    /// Changes a note in place, with its texts; nil if there is none. After an error the message has to be taken back.
    func change<Result>(_ id: String, _ body: (inout PostgresNote) throws -> Result) throws -> Result? {
        guard var note = notes.removeValue(forKey: id) else { return nil }
        defer { notes[id] = note }
        let count = changes.count
        if let first = touched[id], first != message { entangled = message }
        let wasTouched = touched[id] != nil
        touched[id] = touched[id] ?? message
        let result = try body(&note)
        if changes.count == count, !wasTouched { touched[id] = nil }
        return result
    }

    /// Sends queries, with what was written before and they may read.
    private func query(_ queries: PostgresQuery...) async throws -> [PostgresResult] {
        let immediate = writes.filter(\.isImmediate)
        writes.removeAll(where: \.isImmediate)
        if !immediate.isEmpty { sent += 1 }
        return Array(try await transaction.run(immediate.map(\.query) + queries).dropFirst(immediate.count))
    }

    private func write(_ sql: String, _ parameters: any PostgresBindable...) {
        writes.append(Write(query: PostgresQuery(sql, parameters: parameters.map(\.postgresValue))))
    }

    /// Writes with the commit.
    private func writeLate(_ sql: String, _ parameters: any PostgresBindable...) {
        let query = PostgresQuery(sql, parameters: parameters.map(\.postgresValue))
        writes.append(Write(query: query, isImmediate: false))
    }

    /// Writes with the commit; the number of a change is the last parameter, counted from the last change backwards.
    private func write(at change: Int, _ sql: String, _ parameters: any PostgresBindable...) {
        let query = PostgresQuery(sql, parameters: parameters.map(\.postgresValue))
        writes.append(Write(query: query, isImmediate: false, change: change))
    }

    // MARK: Texts

    /// Stores events that a note has got since the version `before`, by edits of `person`.
    /// - Returns: the agents of the events, and the number of the change among those of this turn.
    private func add(
        _ patch: NotePatch, to note: inout PostgresNote, since before: NoteVersion, by person: String, change: Int
    ) -> Set<AgentName> {
        let (id, document) = (note.head.id, note.open.texts.document)
        note.add(bytes: patch.count, at: now)
        for field in NoteField.allCases {
            guard let bytes = patch[field] else { continue }
            events.append((id, note.head.seq, field, bytes))
        }
        var agents: Set<AgentName> = []
        for field in NoteField.allCases where document[field].version != before[field] {
            for (agent, sequences) in document[field].events(since: before[field]) {
                agents.insert(AgentName(agent))
                batches.append(
                    (id, field, EditBatch(agent: agent, sequences: sequences, person: person, at: now, change: change)))
            }
        }
        if note.head.tailBytes > Self.unpackedBytes, note.head.tailBytes > note.head.packedBytes / 2 {
            pack(&note, document)
        }
        return agents
    }

    /// The bytes of events from which on they are packed.
    private static let unpackedBytes = 64 << 10

    private func pack(_ note: inout PostgresNote, _ document: NoteDocument) {
        let id = note.head.id
        var size = 0
        write("DELETE FROM hub_event WHERE note = $1", id)
        for field in NoteField.allCases where !document[field].version.heads.isEmpty {
            let bytes = document.encoded(field)
            size += bytes.count
            write(
                """
                INSERT INTO hub_log (note, field, seq, events) VALUES ($1, $2::bigint, $3, $4)
                ON CONFLICT (note, field) DO UPDATE SET seq = excluded.seq, events = excluded.events
                """, id, field.number, note.head.seq, bytes)
        }
        // Those of this turn are among them.
        events.removeAll { $0.note == id }
        note.pack(bytes: size)
    }

    /// Stores edits that an open note has got, and tells the clients of this process once they are committed.
    func store(
        _ edits: NoteEdits, of note: inout PostgresNote, since before: NoteVersion, by person: String,
        isMerge: Bool = false, wireID: String? = nil, access: NoteAccess? = nil
    ) throws {
        let old = note.open.record
        let document = note.open.texts.document
        if note.open.texts.version.title != before.title { note.open.record.title = document.title.text }
        if note.open.texts.version.content != before.content { note.open.record.content = document.content.text }
        try NoteSizes.check(note.open.record, isMerge: isMerge, instead: old)
        let patch = document.patch(since: before)
        changes.append(Change(note: note.head.id))
        let number = changes.count - 1
        let agents = add(patch, to: &note, since: before, by: person, change: number)
        if let access {
            // Others hear of the members, so they read the texts with them.
            return setMetadata(&note, at: number) { $0.access = access }
        }
        let deltas = NoteField.allCases.filter { patch[$0] != nil }.map { field in
            TextDelta(
                note: note.head.id, field: field, from: before[field], to: note.open.texts.version[field],
                edits: edits[field], acknowledged: 0)
        }
        changes[number].edits = StoredEdits(
            note: note.head.id, wireID: wireID ?? note.head.wireID?.text, change: 0, metadata: note.open.metadata,
            agents: agents, texts: deltas, patch: patch, version: note.open.texts.version)
    }

    /// Creates a note.
    func create(_ head: PostgresHead, _ document: NoteDocument, by person: String) throws {
        var note = PostgresNote(head, OpenTexts(document))
        try NoteSizes.check(note.open.record, isMerge: true, instead: nil)
        changes.append(Change(note: head.id))
        let number = changes.count - 1
        if !document.patch(since: NoteVersion()).isEmpty {
            _ = add(
                document.patch(since: NoteVersion()), to: &note, since: NoteVersion(), by: person, change: number)
        }
        touched[head.id] = touched[head.id] ?? message
        notes[head.id] = note
        if let wireID = head.wireID { ids[wireID.text] = head.id }
        let saved = note.head
        write(
            at: number,
            """
            INSERT INTO hub_note (id, wire_id, folder, owner, members, readers, tags, seq, change, access_change,
                metadata_change, packed_seq, packed_bytes, tail_bytes, created_at, changed_at, edited_at)
            SELECT $1, $2, '', $3, $4, $5, ARRAY[]::text[], $6, p.change + $11, p.change + $11, p.change + $11, $7, $8,
                $9, $10, $10, $10
            FROM hub_position p
            """, saved.id, saved.wireID?.text, saved.access.owner, saved.access.members, saved.access.readers,
            saved.seq, saved.packedSeq, saved.packedBytes, saved.tailBytes, saved.createdAt.milliseconds)
    }

    // MARK: Beside the texts

    /// Changes what is beside the texts of a note, as one change.
    func setMetadata(_ note: inout PostgresNote, _ change: (inout PostgresHead) -> Void) {
        changes.append(Change(note: note.head.id))
        setMetadata(&note, at: changes.count - 1, change)
    }

    private func setMetadata(_ note: inout PostgresNote, at number: Int, _ change: (inout PostgresHead) -> Void) {
        var head = note.head
        let old = head.access
        change(&head)
        head.changedAt = max(head.changedAt, now)
        note.set(head)
        let isAccess = head.access != old
        let (names, known) = (Set(head.access.members + [head.access.owner]), Set(old.members + [old.owner]))
        write(
            at: number,
            """
            UPDATE hub_note n SET folder = $2, owner = $3, members = $4, readers = $5, tags = $6, deleted_at = $7,
                head = $8, stem = $9, head_title = $10, changed_at = greatest(n.changed_at, $11),
                change = greatest(n.change, p.change + $13), metadata_change = p.change + $13,
                access_change = CASE WHEN $12 THEN p.change + $13 ELSE n.access_change END
            FROM hub_position p WHERE n.id = $1
            """, head.id, head.folder, head.access.owner, head.access.members, head.access.readers, head.tags,
            head.deletedAt?.milliseconds, head.file.head, head.file.stem, head.file.title, now.milliseconds, isAccess)
        guard isAccess else { return }
        writeLate("DELETE FROM hub_revoked WHERE note = $1 AND name = ANY($2)", head.id, Array(names))
        let revoked = known.subtracting(names).subtracting([""])
        if !revoked.isEmpty {
            write(
                at: number,
                """
                INSERT INTO hub_revoked (note, name, change)
                    SELECT $1, name, p.change + $3 FROM unnest($2::text[]) name, hub_position p
                ON CONFLICT (note, name) DO UPDATE SET change = excluded.change
                """, head.id, Array(revoked))
        }
        write(
            """
            UPDATE hub_request SET answer = 'allowed'
            WHERE note = $1 AND requester = ANY($2) AND answer = 'pending' AND requested_at > $3
            """, head.id, head.access.members, (now - AccessRequest.lifetime).milliseconds)
    }

    /// Records with the commit what is done in this turn.
    func record(_ action: AuditEntry.Action, of note: String, by person: String, detail: String = "") {
        let entry = AuditEntry(at: now, person: person, action, note, detail: detail)
        writes.append(Write(query: .record(entry), isImmediate: false))
    }

    func setAttachment(_ attachment: AttachmentReference, of id: String) {
        write(
            """
            INSERT INTO hub_attachment (note, path, size, link, hash) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (note, path) DO UPDATE SET size = excluded.size, link = excluded.link, hash = excluded.hash
            """, id, attachment.path.bytes, attachment.size, attachment.link, attachment.hash)
    }

    func removeAttachment(_ path: ByteString, of id: String) {
        write("DELETE FROM hub_attachment WHERE note = $1 AND path = $2", id, path.bytes)
    }

    /// Returns the size of content that an account has sent, or can read in a note; nil if there is none. The content stays until the turn ends.
    func size(of hash: String, sentBy person: String, isReadable: (NoteAccess) -> Bool) async throws -> Int? {
        let results = try await query(
            PostgresQuery("SELECT size FROM hub_upload WHERE person = $1 AND hash = $2", person, hash),
            PostgresQuery(
                """
                SELECT n.owner, n.members, n.readers, a.size FROM hub_attachment a JOIN hub_note n ON n.id = a.note
                WHERE a.hash = $1
                """, hash),
            PostgresQuery("SELECT 1 FROM hub_content WHERE hash = $1 AND person IS NULL FOR KEY SHARE", hash))
        if results[2].first == nil { return nil }
        if let size = results[0].first?.int(0) { return size }
        return results[1].rows.first { isReadable($0.access()) }?.int(3)
    }

    func forgetUpload(_ hash: String, by person: String) {
        write("DELETE FROM hub_upload WHERE person = $1 AND hash = $2", person, hash)
    }

    // MARK: Limits

    /// Throws if an account may not have `more`.
    func take(_ more: AccountUsage, for person: String, _ meter: AccountMeter) async throws {
        guard hasLimits || !meter.defaults.isEmpty, !person.isEmpty, more != AccountUsage() else { return }
        var account = meter.account(person, for: more, at: now)
        if account == nil {
            guard let found = try await query(.usage(of: [person]))[0].first?.account else { return }
            let limits = found.limits ?? meter.defaults
            // What earlier messages add comes with the commit.
            let counted = AccountMeter.Account(usage: found.usage + (grown[person] ?? AccountUsage()), limits: limits)
            meter.keep(counted, of: person, at: now)
            account = counted
        }
        guard let account else { return }
        try meter.take(more, for: person, account)
        grown[person] = (grown[person] ?? AccountUsage()) + more
    }

    // MARK: Agents

    /// Returns the people whose replicas agents are, as far as that is known, and which agents are recorded. The edits of a recorded agent
    /// without a person may come from anyone; those of this process itself have an empty name.
    func people(
        ofAgents agents: Set<AgentName>
    ) async throws -> (people: [AgentName: String], recorded: Set<AgentName>) {
        let rows = try await query(
            PostgresQuery("SELECT agent, person FROM hub_agent WHERE agent = ANY($1)", agents.map(\.text)))[0].rows
        let recorded = Dictionary(rows.map { (AgentName($0.text(0)), $0.text(1)) }) { $1 }
        var people = recorded.filter { $0.value != Transaction.anyone }
        for agent in agents where Transaction.machine(ofAgent: agent.text) == self.agent { people[agent] = "" }
        return (people, Set(recorded.keys))
    }

    /// Records whose replica new agents are. Of two that claim one at the same time, the later one fails, and looks again.
    func setPerson(_ person: String, ofAgents agents: Set<AgentName>) {
        for agent in agents {
            write("INSERT INTO hub_agent (agent, person) VALUES ($1, $2)", agent.text, person)
        }
    }

    // MARK: Reads

    /// Returns what a client has read of a note last, and before that, the latest first.
    func reads(of note: String, by client: String) async throws -> (last: NoteRead?, earlier: [NoteRead]) {
        let columns = "title_version, content_version, members"
        let results = try await query(
            PostgresQuery("SELECT \(columns) FROM hub_read WHERE client = $1 AND note = $2", client, note),
            PostgresQuery(
                "SELECT \(columns) FROM hub_earlier_read WHERE client = $1 AND note = $2 ORDER BY at DESC", client, note
            ))
        return (results[0].first.map { NoteRead($0) }, results[1].rows.map { NoteRead($0) })
    }

    /// Records what a client has read or written of a note last, and forgets what it had read before.
    func setRead(_ read: NoteRead, of note: String, by client: String) {
        write("DELETE FROM hub_earlier_read WHERE client = $1 AND note = $2", client, note)
        writes.append(Write(query: PostgresQuery.setRead(read, of: note, by: client, at: now)))
    }

    /// Returns the newest versions of a note with their texts, the newest first.
    func recentVersions(of note: PostgresNote, limit: Int) async throws -> [MergeBase.Candidate] {
        let rows = try await query(
            PostgresQuery(
                "SELECT field, agent, first, last, person, at, change FROM hub_batch WHERE note = $1", note.head.id))[0]
            .rows
        func batches(_ field: NoteField) -> [EditBatch] {
            rows.filter { $0.int(0) == field.number }.map {
                EditBatch(
                    agent: $0.text(1), sequences: $0.int(2)..<$0.int(3) + 1, person: $0.text(4),
                    at: Instant(milliseconds: Int64($0.int(5))), change: $0.int(6))
            }
        }
        let (titles, contents) = (EditJournal(batches(.title)), EditJournal(batches(.content)))
        let document = note.open.texts.document
        return try Set(rows.map { $0.int(6) }).sorted(by: >).prefix(limit).map { change in
            let version = NoteVersion(
                title: titles.version(afterChange: change), content: contents.version(afterChange: change))
            return MergeBase.Candidate(
                version: version, title: try document.title.text(at: version.title),
                content: try document.content.text(at: version.content))
        }
    }

    // MARK: Requests for access

    /// Returns the request of a person for a note, and the notes for which this person waits.
    func request(
        for note: String, by requester: String
    ) async throws -> (request: AccessRequest?, waiting: [String]) {
        let results = try await query(
            PostgresQuery(
                "SELECT note, requester, reason, requested_at, answer FROM hub_request WHERE note = $1 AND requester = $2",
                note, requester),
            PostgresQuery(
                "SELECT note FROM hub_request WHERE requester = $1 AND answer = 'pending' AND requested_at > $2",
                requester, (now - AccessRequest.lifetime).milliseconds))
        return (results[0].first.map { AccessRequest($0) }, results[1].rows.map { $0.text(0) })
    }

    func setRequest(_ request: AccessRequest) {
        write(
            """
            INSERT INTO hub_request (note, requester, reason, requested_at, answer) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (note, requester) DO UPDATE SET reason = excluded.reason, requested_at = excluded.requested_at,
                answer = excluded.answer
            """, request.note, request.requester, request.reason, request.requestedAt.milliseconds,
            request.answer.rawValue)
        guard request.answer == .pending else { return }
        hasRequests = true
        write("UPDATE hub_position SET requests = requests + 1")
    }

    /// Whether there was a note that is gone for good.
    func isPurged(_ id: String) async throws -> Bool {
        try await query(PostgresQuery("SELECT 1 FROM hub_purged WHERE note = $1", id))[0].first != nil
    }

    // MARK: Commit

    /// What came of a turn: what clients are told, in the order of the changes, and whether there is more that they have to read.
    struct Committed: Sendable {
        var edits: [StoredEdits] = []
        var hasOthers = false
        /// The last change; nil if there was none, or it is not known.
        var latest: Int?
        /// The number of changes.
        var count = 0
    }

    /// Commits all. What was changed becomes known to the process.
    func commit() async throws -> Committed {
        do {
            return try await finish()
        } catch {
            // It may be committed, or not.
            cache.forget(touched.keys)
            throw error
        }
    }

    private func finish() async throws -> Committed {
        let count = changes.count
        var queries: [PostgresQuery] = []
        if count > 0 {
            queries.append(
                PostgresQuery("UPDATE hub_position SET change = change + $1 RETURNING change", count))
        }
        for write in writes {
            let number = write.change.map { [PostgresValue.int($0 + 1 - count)] } ?? []
            queries.append(PostgresQuery(write.query.sql, parameters: write.query.parameters + number))
        }
        queries += bulk(count)
        // Without a change the locks alone are to be given back, which the end of the transaction does.
        if queries.isEmpty { return Committed() }
        let turn = Identifier.make()
        queries.append(
            PostgresQuery(
                """
                INSERT INTO hub_server (name, seen_at, turn) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, turn = excluded.turn
                """, agent, now.milliseconds, turn))
        let proof = PostgresQuery("SELECT EXISTS (SELECT 1 FROM hub_server WHERE name = $1 AND turn = $2)", agent, turn)
        guard let results = try await transaction.commit(queries, proof: proof) else {
            cache.forget(touched.keys)
            return Committed(hasOthers: count > 0 || hasRequests)
        }
        var committed = Committed(hasOthers: hasRequests, count: count)
        if count > 0, let latest = results.first?.first?.int(0) {
            committed.latest = latest
            for (number, change) in changes.enumerated() {
                let change = (number: latest - count + 1 + number, change: change)
                notes[change.change.note]?.setCommitted(change.number)
                guard var edits = change.change.edits else {
                    committed.hasOthers = true
                    continue
                }
                edits.change = change.number
                committed.edits.append(edits)
            }
        }
        for id in touched.keys { if let note = notes[id] { cache.keep(note) } }
        return committed
    }

    /// The rows that most turns have, each table's with one statement.
    private func bulk(_ count: Int) -> [PostgresQuery] {
        guard count > 0 else { return [] }
        var queries = [
            PostgresQuery(
                """
                INSERT INTO hub_change (change, note)
                SELECT p.change + u.number, u.note FROM unnest($1::bigint[], $2::text[]) u(number, note), hub_position p
                """, changes.indices.map { $0 + 1 - count }, changes.map(\.note))
        ]
        if !events.isEmpty {
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO hub_event (note, seq, field, events)
                    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[])
                    """, events.map(\.note), events.map(\.seq), events.map(\.field.number), events.map(\.bytes)))
        }
        if !batches.isEmpty {
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO hub_batch (note, field, agent, first, last, person, at, change)
                    SELECT u.note, u.field, u.agent, u.first, u.last, u.person, $7, p.change + u.number
                    FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $8::bigint[])
                        u(note, field, agent, first, last, person, number), hub_position p
                    """, batches.map(\.note), batches.map(\.field.number), batches.map(\.batch.agent),
                    batches.map(\.batch.sequences.lowerBound), batches.map { $0.batch.sequences.upperBound - 1 },
                    batches.map(\.batch.person), now.milliseconds, batches.map { $0.batch.change + 1 - count }))
        }
        let last = Dictionary(changes.enumerated().map { ($1.note, $0 + 1 - count) }) { $1 }
        let heads = last.keys.sorted().compactMap { notes[$0]?.head }
        queries.append(
            PostgresQuery(
                """
                UPDATE hub_note n SET seq = u.seq, packed_seq = u.packed, packed_bytes = u.packed_bytes,
                    tail_bytes = u.tail, change = greatest(n.change, p.change + u.number),
                    changed_at = greatest(n.changed_at, u.changed), edited_at = u.edited
                FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                    $8::bigint[]) u(id, seq, packed, packed_bytes, tail, number, changed, edited), hub_position p
                WHERE n.id = u.id
                """, heads.map(\.id), heads.map(\.seq), heads.map(\.packedSeq), heads.map(\.packedBytes),
                heads.map(\.tailBytes), heads.map { last[$0.id] ?? 0 }, heads.map { Int($0.changedAt.milliseconds) },
                heads.map { Int(($0.editedAt ?? $0.createdAt).milliseconds) }))
        return queries
    }
}
