import DictofunDomain
import SQLite
package import Storage

/// Records as devices see them: sound files.
extension Transaction {
    /// Returns the ids of the live records that are kept as sound files, with their names, kinds and times, in the order in which they were made.
    package func servedRecords() throws -> [ServedRecordRow] {
        try rows(
            """
            SELECT id, name, format, blob, size, changed_at, created_at FROM dictofun_record
            WHERE deleted_at IS NULL AND format LIKE 'file:%' ORDER BY rowid
            """
        ) { row in
            guard case .file(let kind) = SoundFormat(text: row.text(2)), let blob = BlobID(row.text(3)) else {
                return nil
            }
            return ServedRecordRow(
                id: row.text(0), name: row.text(1), kind: kind, blob: blob, size: row.int(4),
                changedAt: Int64(row.int(5)), createdAt: Int64(row.int(6)))
        }.compactMap(\.self)
    }

    /// Returns a number that grows with each change of a record.
    package func servedRecordNumber() throws -> Int {
        try row("SELECT ifnull(sum(revision), 0) + ifnull(max(rowid), 0) + count(deleted_at) FROM dictofun_record") {
            $0.int(0)
        } ?? 0
    }
}

/// A record that is kept as a sound file.
package struct ServedRecordRow: Sendable {
    /// The id.
    package let id: String
    /// The name of the file without its extension.
    package let name: String
    /// The extension.
    package let kind: String
    /// The sound.
    package let blob: BlobID
    /// The size in bytes.
    package let size: Int
    /// The time of the last change, in milliseconds since 1970 UTC.
    package let changedAt: Int64
    /// The time of the import.
    package let createdAt: Int64
}
