package import DictofunDomain
import SQLite
package import Storage

/// Records as devices see them: sound files, with subtitles beside them.
extension Transaction {
    /// Returns the live records with their names, formats and times, in the order in which they were made.
    package func servedRecords() throws -> [ServedRecordRow] {
        try rows(
            """
            SELECT r.id, r.name, r.format, r.blob, r.size, r.changed_at, r.created_at, r.revision, r.edited IS NOT NULL,
                t.made_at, r.started, r.is_time_unknown
            FROM dictofun_record r LEFT JOIN dictofun_transcript t ON t.record = r.id
            WHERE r.deleted_at IS NULL ORDER BY r.rowid
            """
        ) { row in
            guard let blob = BlobID(row.text(3)) else { return nil }
            let made = row.optionalInt(9)
            let hasText = row.bool(8) || made != nil
            return ServedRecordRow(
                id: row.text(0), name: Self.name(row.text(1), started: row.text(10), isTimeUnknown: row.bool(11)),
                format: SoundFormat(text: row.text(2)), blob: blob,
                size: row.int(4), changedAt: Int64(row.int(5)), createdAt: Int64(row.int(6)),
                textVersion: hasText ? "\(row.int(7)) \(row.int(5)) \(made ?? 0)" : nil)
        }.compactMap(\.self)
    }

    /// The name of a record's file: what a recorder sends has none, and gets that of its time.
    private static func name(_ name: String, started: String, isTimeUnknown: Bool) -> String {
        name.isEmpty && !isTimeUnknown ? String(started.prefix(16)).replacing(":", with: ".") : name
    }

    /// Returns a number that grows with each change of a record.
    package func servedRecordNumber() throws -> Int {
        try row(
            """
            SELECT ifnull(sum(revision), 0) + ifnull(max(rowid), 0) + count(deleted_at)
                + (SELECT ifnull(max(made_at), 0) + count(*) FROM dictofun_transcript) FROM dictofun_record
            """
        ) { $0.int(0) } ?? 0
    }
}

/// A record as a device sees it.
package struct ServedRecordRow: Sendable {
    /// The id.
    package let id: String
    /// The name of the file without its extension.
    package let name: String
    /// The format of the sound.
    package let format: SoundFormat
    /// The sound.
    package let blob: BlobID
    /// The size in bytes.
    package let size: Int
    /// The time of the last change, in milliseconds since 1970 UTC.
    package let changedAt: Int64
    /// The time of the import.
    package let createdAt: Int64
    /// A text that changes with the record's text; nil if it has none.
    package let textVersion: String?

    /// The extension of the sound file: what a recorder sent becomes a WAV file.
    package var kind: String { if case .file(let kind) = format { kind } else { "wav" } }
}
