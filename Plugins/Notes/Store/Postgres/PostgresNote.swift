import NotesDomain
import PostgreSQL
import Synchronization
import System
import TextCRDT

/// What is stored of a note beside its texts.
struct PostgresHead: Sendable {
    let id: String
    let wireID: NoteAppID?
    var folder: String
    var access: NoteAccess
    var tags: [String]
    var attachments: [AttachmentReference]
    /// What its file has before the text, the name of the file, and the title in it.
    var file: (head: String?, stem: [UInt8]?, title: String?)
    /// The number of the last events, and of those that are packed.
    var (seq, packedSeq) = (0, 0)
    /// The bytes of the events that are packed, and of the others.
    var (packedBytes, tailBytes) = (0, 0)
    var (change, accessChange, metadataChange) = (0, 0, 0)
    let createdAt: Instant
    var changedAt: Instant
    var editedAt: Instant?
    var deletedAt: Instant?

    /// The columns of `hub_note n` that ``init(_:)`` reads.
    static let columns = """
        n.id, n.wire_id, n.folder, n.owner, n.members, n.readers, n.tags, n.seq, n.packed_seq, n.packed_bytes,
        n.tail_bytes, n.change, n.access_change, n.metadata_change, n.created_at, n.changed_at, n.edited_at, n.deleted_at,
        n.head, n.stem, n.head_title,
        ARRAY(SELECT path FROM hub_attachment a WHERE a.note = n.id ORDER BY path),
        ARRAY(SELECT hash FROM hub_attachment a WHERE a.note = n.id ORDER BY path),
        ARRAY(SELECT size FROM hub_attachment a WHERE a.note = n.id ORDER BY path),
        ARRAY(SELECT link FROM hub_attachment a WHERE a.note = n.id ORDER BY path)
        """
    /// How many there are.
    static let columnCount = 25

    init(_ row: PostgresRow) {
        func instant(_ column: Int) -> Instant? {
            row.optionalInt(column).map { Instant(milliseconds: Int64($0)) }
        }
        id = row.text(0)
        wireID = NoteAppID(row.text(1))
        folder = row.text(2)
        access = NoteAccess(owner: row.text(3), members: row.texts(4), readers: row.texts(5))
        tags = row.texts(6)
        (seq, packedSeq, packedBytes, tailBytes) = (row.int(7), row.int(8), row.int(9), row.int(10))
        (change, accessChange, metadataChange) = (row.int(11), row.int(12), row.int(13))
        createdAt = instant(14) ?? Instant(milliseconds: 0)
        changedAt = instant(15) ?? createdAt
        (editedAt, deletedAt) = (instant(16), instant(17))
        file = (row.optionalText(18), row.optionalBytes(19), row.optionalText(20))
        let (paths, hashes, sizes, links) = (row.blobs(21), row.texts(22), row.ints(23), row.optionalTexts(24))
        attachments = paths.indices.map { index in
            AttachmentReference(
                path: ByteString(paths[index]), hash: hashes[index], size: sizes[index], link: links[index])
        }
    }

    /// Makes a new note.
    init(id: String, wireID: NoteAppID, access: NoteAccess, at now: Instant) {
        (self.id, self.wireID, self.access) = (id, wireID, access)
        (folder, tags, attachments, file) = ("", [], [], (nil, nil, nil))
        (createdAt, changedAt) = (now, now)
    }

    /// What its file has, as other machines get it, while its title is `title`.
    func sharedFile(title: String) -> NoteFile? {
        guard let head = file.head, head.utf8.count <= FileHead.maximumSize else { return nil }
        return NoteFile(
            head: FileHead(head).naming(id), stem: file.title == title ? file.stem.map { ByteString($0) } : nil)
    }

    func record(title: String, content: String) -> NoteRecord {
        NoteRecord(
            id: id, title: title, content: content, folder: folder, access: access, tags: tags, revision: seq + 1,
            createdAt: createdAt, changedAt: changedAt, deletedAt: deletedAt)
    }
}

/// A note with its texts, as they are stored.
struct PostgresNote: KeptNote {
    private(set) var head: PostgresHead
    var open: OpenNote

    init(_ head: PostgresHead, _ texts: OpenTexts, accounts: [AgentName: String] = [:]) {
        self.head = head
        let (title, content) = (texts.document.title.text, texts.document.content.text)
        open = OpenNote(
            record: head.record(title: title, content: content), wireID: head.wireID, attachments: head.attachments,
            file: head.sharedFile(title: title), texts: texts, change: head.change, lastEdit: head.editedAt,
            accounts: accounts)
    }

    /// Puts in what is beside the texts.
    mutating func set(_ head: PostgresHead) {
        let (title, content, past) = (open.record.title, open.record.content, open.pastTexts)
        self.head = head
        open = OpenNote(
            record: head.record(title: title, content: content), wireID: head.wireID, attachments: head.attachments,
            file: head.sharedFile(title: title), texts: open.texts, change: head.change, lastEdit: head.editedAt,
            accounts: open.accounts, pastTexts: past)
    }

    /// Counts events that were added to the texts.
    mutating func add(bytes: Int, at now: Instant) {
        head.seq += 1
        head.tailBytes += bytes
        (head.changedAt, head.editedAt) = (max(head.changedAt, now), now)
        (open.record.changedAt, open.record.revision, open.lastEdit) = (head.changedAt, head.seq + 1, now)
    }

    /// Counts that all events are packed.
    mutating func pack(bytes: Int) {
        (head.packedSeq, head.packedBytes, head.tailBytes) = (head.seq, bytes, 0)
    }

    /// Takes the number of its last change, which is known after the commit.
    mutating func setCommitted(_ change: Int) { (head.change, open.change) = (change, change) }

    var memorySize: Int { open.memorySize }

    mutating func forgetChanges() { open.forgetChanges() }
}

/// The notes that were used lately, as they were last known to be committed. Others may have written since: their heads say so.
final class PostgresNotes: Sendable {
    /// The bytes of events from which on they are read on a thread of their own.
    private static let largeSize = 32 << 10

    private let memory = Mutex(NoteMemory<PostgresNote>())

    subscript(id: String) -> PostgresNote? { memory.withLock { $0[id] } }

    /// Keeps a committed state, unless a newer one is known.
    func keep(_ note: PostgresNote) {
        memory.withLock { memory in
            if let known = memory[note.head.id], known.head.seq > note.head.seq { return }
            memory.keep(note, as: note.head.id, at: .now)
        }
    }

    /// Forgets notes of which it is not known what was committed.
    func forget(_ ids: some Sequence<String>) {
        memory.withLock { memory in for id in ids { memory.remove(id) } }
    }

    /// Forgets all: the database may have gone back to an earlier state.
    func forgetAll() { memory.withLock { $0.removeAll() } }

    /// The texts of notes were packed after their heads were read: read the heads again.
    struct Stale: Error {}

    /// Returns the notes with these heads, with no later edits, unless it may be `orNewer` ones of the same people; `run` sends statements.
    func notes(
        _ heads: [PostgresHead], orNewer: Bool = false, run: ([PostgresQuery]) async throws -> [PostgresResult]
    ) async throws -> [String: PostgresNote] {
        var notes: [String: PostgresNote] = [:]
        var missing: [PostgresHead] = []
        var bases: [String: PostgresNote] = [:]
        for head in heads {
            let known = self[head.id]
            if var known, known.head.seq == head.seq {
                known.set(head)
                notes[head.id] = known
            } else if let known, orNewer, known.head.seq > head.seq, known.head.access == head.access {
                // This process has stored more since the heads were read; with other readers it would be more than they say.
                notes[head.id] = known
            } else {
                missing.append(head)
                if let known, known.head.seq < head.seq, known.head.seq >= head.packedSeq { bases[head.id] = known }
            }
        }
        if missing.isEmpty { return notes }
        let whole = missing.filter { bases[$0.id] == nil && $0.packedSeq > 0 }.map(\.id)
        let logs =
            whole.isEmpty
            ? [] : [PostgresQuery("SELECT note, field, seq, events FROM hub_log WHERE note = ANY($1)", whole)]
        let events = PostgresQuery(
            """
            SELECT e.note, e.field, e.seq, e.events
            FROM unnest($1::text[], $2::bigint[], $3::bigint[]) w(note, after, upto)
            JOIN LATERAL (SELECT * FROM hub_event e
                WHERE e.note = w.note AND e.seq > w.after AND e.seq <= w.upto) e ON true
            ORDER BY e.note, e.seq
            """, missing.map(\.id), missing.map { bases[$0.id]?.head.seq ?? $0.packedSeq }, missing.map(\.seq))
        let results = try await run(logs + [events])
        var parts: [String: [(field: NoteField, seq: Int, events: [UInt8])]] = [:]
        for result in results {
            for row in result.rows {
                let field: NoteField = row.int(1) == 0 ? .title : .content
                parts[row.text(0), default: []].append((field, row.int(2), row.bytes(3)))
            }
        }
        for head in missing {
            let (events, base) = (parts[head.id] ?? [], bases[head.id])
            // Others are served meanwhile.
            let isLarge = events.reduce(0) { $0 + $1.events.count } > Self.largeSize
            let note =
                isLarge
                ? try await BackgroundThread.run { try Self.note(head, events, on: base) }
                : try Self.note(head, events, on: base)
            notes[head.id] = note
            keep(note)
        }
        return notes
    }

    private static func note(
        _ head: PostgresHead, _ parts: [(field: NoteField, seq: Int, events: [UInt8])], on base: PostgresNote?
    ) throws -> PostgresNote {
        // With each number there are events; and nothing of what is packed may be of later ones.
        guard base != nil || head.packedSeq == 0 || parts.contains(where: { $0.seq == head.packedSeq }),
            (parts.map(\.seq).max() ?? base?.head.seq ?? 0) == head.seq
        else { throw Stale() }
        do {
            guard let base else {
                func events(_ field: NoteField) -> [[UInt8]] { parts.filter { $0.field == field }.map(\.events) }
                let document = try NoteDocument(title: events(.title), content: events(.content))
                return PostgresNote(head, OpenTexts(document))
            }
            var texts = base.open.texts
            for part in parts {
                var patch = NotePatch()
                patch[part.field] = part.events
                _ = try texts.merge(patch)
            }
            return PostgresNote(head, texts, accounts: base.open.accounts)
        } catch {
            throw HubError.damagedLog(
                of: head.id, hint: "a backup of the database has the note", cause: error)
        }
    }
}
