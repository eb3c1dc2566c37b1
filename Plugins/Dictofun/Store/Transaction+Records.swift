package import DictofunDomain
import SQLite
package import Storage

/// The records with their tags and texts.
extension Transaction {
    /// Returns the record `id`, live or in the trash; nil if it does not exist.
    package func record(_ id: String) throws -> StoredRecord? {
        try row(
            """
            SELECT r.id, r.revision, r.deleted_at, r.blob, r.size, r.format, r.name, r.device, r.remote, r.started,
                r.is_time_unknown, r.length_ms, r.edited, t.engine, t.body, t.is_rough
            FROM dictofun_record r LEFT JOIN dictofun_transcript t ON t.record = r.id WHERE r.id = ?
            """, id
        ) { row in
            let (device, file) = (row.text(7), FileID(text: row.text(8)))
            let machine = row.optionalText(14).flatMap { TranscriptJSON.transcript($0) }
            return StoredRecord(
                id: row.text(0), revision: row.int(1),
                deletedAt: row.optionalInt(2).map { Instant(milliseconds: Int64($0)) }, blob: row.text(3),
                size: row.int(4), format: SoundFormat(text: row.text(5)), name: row.text(6),
                record: Record(
                    origin: file.map { .device(address: device, file: $0) } ?? .file(name: row.text(6)),
                    startTime: try LocalTime(storedIn: row.text(9)), isTimeUnknown: row.bool(10),
                    length: .milliseconds(row.int(11)),
                    tags: try tags(of: id),
                    transcript: Transcript(
                        machine: machine, engine: row.optionalText(13), edited: row.optionalText(12))),
                isRough: row.optionalInt(15) == 1)
        }
    }

    /// Returns the records whose ids begin with `prefix`, live or in the trash, at most `limit`.
    func records(beginning prefix: String, limit: Int) throws -> [StoredRecord] {
        try rows(
            "SELECT id FROM dictofun_record WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix, limit
        ) { $0.text(0) }.compactMap { try record($0) }
    }

    /// Stores a new record without a text.
    package func insertRecord(_ new: StoredRecord) throws {
        var (device, remote) = ("", "")
        if case .device(let address, let file) = new.record.origin { (device, remote) = (address, file.text) }
        try run(
            """
            INSERT INTO dictofun_record (id, blob, size, format, name, device, remote, started, is_time_unknown, length_ms,
                revision, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
            """, new.id, new.blob, new.size, new.format.text, new.name, device, remote, new.record.startTime.stored,
            new.record.isTimeUnknown, new.record.length.milliseconds, now.milliseconds, now.milliseconds)
        try setTags(new.record.tags, of: new.id)
    }

    /// Returns the record with the given content, a live one first, and whether it is in the trash.
    package func record(withContent blob: BlobID) throws -> (id: String, isTrashed: Bool)? {
        try row(
            """
            SELECT id, deleted_at IS NOT NULL FROM dictofun_record WHERE blob = ? ORDER BY deleted_at IS NOT NULL, rowid
            """, blob.text
        ) { ($0.text(0), $0.bool(1)) }
    }

    /// Sets the user's version of a text; nil for none.
    package func setEdited(_ text: String?, of id: String) throws {
        try run("UPDATE dictofun_record SET edited = ? WHERE id = ?", text, id)
        try noteChange(of: id)
    }

    /// Gives a record the sound of `new`, with its name, time and length. The text of the earlier sound goes.
    package func setSound(of id: String, to new: StoredRecord) throws {
        try run(
            """
            UPDATE dictofun_record SET blob = ?, size = ?, format = ?, name = ?, started = ?, is_time_unknown = ?,
                length_ms = ? WHERE id = ?
            """, new.blob, new.size, new.format.text, new.name, new.record.startTime.stored,
            new.record.isTimeUnknown, new.record.length.milliseconds, id)
        try run("DELETE FROM dictofun_transcript WHERE record = ?", id)
    }

    /// Returns the record that an inbox made of the file at `path`, as it was then; nil for none.
    package func inboxRecord(of path: String) throws -> RecordVersion? {
        try row("SELECT record, revision FROM dictofun_inbox WHERE path = ?", ByteString(path: path).bytes) {
            RecordVersion(id: $0.text(0), revision: $0.int(1))
        }
    }

    /// Keeps which record an inbox made of the file at `path`.
    package func setInboxRecord(_ id: String, of path: String) throws {
        try run(
            """
            INSERT INTO dictofun_inbox (path, record, revision) SELECT ?, id, revision FROM dictofun_record WHERE id = ?
            ON CONFLICT (path) DO UPDATE SET record = excluded.record, revision = excluded.revision
            """, ByteString(path: path).bytes, id)
    }

    /// Sets the title of a record and the time at which it began.
    package func setTitle(_ title: String, start: LocalTime, isTimeUnknown: Bool, of id: String) throws {
        try run(
            "UPDATE dictofun_record SET name = ?, started = ?, is_time_unknown = ? WHERE id = ?", title, start.stored,
            isTimeUnknown, id)
    }

    /// Increases the revision of a record.
    package func noteChange(of id: String) throws {
        try run(
            "UPDATE dictofun_record SET revision = revision + 1, changed_at = ? WHERE id = ?", now.milliseconds, id)
    }

    /// Stores what an engine heard, in the place of an earlier version.
    package func setTranscript(_ transcript: MachineTranscript, engine: String, isRough: Bool, of id: String) throws {
        try run(
            """
            INSERT INTO dictofun_transcript (record, engine, is_rough, made_at, body) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (record) DO UPDATE SET engine = excluded.engine, is_rough = excluded.is_rough,
                made_at = excluded.made_at, body = excluded.body
            """, id, engine, isRough, now.milliseconds, TranscriptJSON.text(transcript))
        try noteDocuments(of: [id])
    }

    /// Permanently deletes the record `id`; the caller deletes its history.
    package func destroyRecord(_ id: String) throws {
        // A file of a recorder that was destroyed here is still not fetched again.
        try run(
            """
            INSERT OR IGNORE INTO dictofun_file (device, remote, size)
            SELECT device, remote, size FROM dictofun_record WHERE id = ? AND remote <> ''
            """, id)
        try run("DELETE FROM dictofun_record WHERE id = ?", id)
        try run("DELETE FROM dictofun_tag WHERE record = ?", id)
        try run("DELETE FROM dictofun_transcript WHERE record = ?", id)
        try run("DELETE FROM dictofun_waveform WHERE record = ?", id)
        try run("DELETE FROM dictofun_inbox WHERE record = ?", id)
        try reindexRecords([id])
    }

    /// Returns the cached outline of a record's sound; nil if there is none.
    package func outline(of id: String) throws -> [UInt8]? {
        try row("SELECT outline FROM dictofun_waveform WHERE record = ?", id) { $0.blob(0) }
    }

    /// Caches the outline of a record's sound.
    package func setOutline(_ bytes: [UInt8], of id: String) throws {
        try run(
            "INSERT INTO dictofun_waveform VALUES (?, ?) ON CONFLICT (record) DO UPDATE SET outline = excluded.outline",
            id,
            bytes)
    }
}

/// Tags, which exist as long as a record has them.
extension Transaction {
    /// Returns the tags of a record by name.
    package func tags(of id: String) throws -> [String] {
        try rows("SELECT name FROM dictofun_tag WHERE record = ? ORDER BY folded", id) { $0.text(0) }
    }

    /// Sets the tags of a record. A tag that another record has keeps its spelling.
    package func setTags(_ names: [String], of id: String) throws {
        let wanted = Dictionary(names.map { (RecordWords.foldedTag($0), $0) }) { first, _ in first }
        let present = Set(try rows("SELECT folded FROM dictofun_tag WHERE record = ?", id) { $0.text(0) })
        for tag in present.subtracting(wanted.keys) {
            try run("DELETE FROM dictofun_tag WHERE record = ? AND folded = ?", id, tag)
        }
        for (folded, name) in wanted.sorted(by: { $0.key < $1.key }) where !present.contains(folded) && !folded.isEmpty
        {
            let spelling = try row("SELECT name FROM dictofun_tag WHERE folded = ? LIMIT 1", folded) { $0.text(0) }
            try run("INSERT INTO dictofun_tag VALUES (?, ?, ?)", id, folded, spelling ?? name)
        }
    }

    /// Returns the tags of live records with their number of records, by name.
    package func recordTags() throws -> [TagUsage] {
        try rows(
            """
            SELECT max(t.name), count(*) FROM dictofun_tag t JOIN dictofun_record r ON r.id = t.record
            WHERE r.deleted_at IS NULL GROUP BY t.folded ORDER BY t.folded
            """
        ) { TagUsage($0.text(0), count: $0.int(1)) }
    }
}
