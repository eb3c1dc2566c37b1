import Hashing

/// The tables of one plugin: how they came to be, and which of them history keeps.
package struct PluginSchema: Sendable {
    /// Does something about the entities with these ids, which may be gone by now.
    package typealias EntityHandler = @Sendable (_ subjects: [String], Transaction) throws -> Void

    /// The plugin's id: lower-case letters and digits. Its tables begin with the id and an underscore.
    package let owner: String
    /// From the first to the newest.
    package let migrations: [Migration]
    /// The tables that hold facts. All others are derived from these or never undone.
    package let recorded: [RecordedTable]
    /// The kinds of documents that hubs exchange, each after those that it refers to.
    package let documents: [DocumentKind]
    /// Computes all derived rows of some subjects again, and removes those of subjects that are gone.
    package let reindex: EntityHandler
    /// Merges a change that undo or redo would make into a row that was changed later.
    package let merge: OutdatedChange.Merge
    /// Emits the events that say that some subjects changed in a way the plugin itself did not bring about (undo).
    package let announce: EntityHandler
    /// Removes what derived tables still hold of rows that are gone, such as old words of a full-text index.
    package let compact: @Sendable (Transaction) throws -> Void

    /// Creates a schema; the names of all tables must start with `owner` and an underscore.
    package init(
        owner: String, migrations: [Migration], recorded: [RecordedTable] = [],
        documents: [DocumentKind] = [], reindex: @escaping EntityHandler = { _, _ in },
        merge: @escaping OutdatedChange.Merge = { _, _ in nil },
        announce: @escaping EntityHandler = { _, _ in },
        compact: @escaping @Sendable (Transaction) throws -> Void = { _ in }
    ) {
        self.owner = owner
        self.migrations = migrations
        self.recorded = recorded
        self.documents = documents
        self.reindex = reindex
        self.merge = merge
        self.announce = announce
        self.compact = compact
    }
}

/// A table whose rows are facts: every edit of it is recorded and can be undone.
package struct RecordedTable: Hashable, Sendable {
    /// The table's name.
    package let name: String
    /// The column that holds the id of the entity a row belongs to.
    package let subject: String

    package init(_ name: String, subject: String) {
        self.name = name
        self.subject = subject
    }
}

/// One step from an older to a newer form of an owner's tables. Once released it never changes.
package struct Migration: Hashable, Sendable {
    /// A name that no other migration of the owner has.
    package let id: String
    /// The statements, run in one transaction.
    package let sql: String
    /// The content that becomes blobs after the statements, in the same transaction; nil without any.
    package let blobs: BlobMove?

    package init(_ id: String, _ sql: String, blobs: BlobMove? = nil) {
        self.id = id
        self.sql = sql
        self.blobs = blobs
    }

    /// A checksum of sixteen hexadecimal digits that shows whether the statements are still the applied ones
    /// (FNV-1a).
    var checksum: String {
        var hash = FNV1a()
        hash.add(sql.utf8)
        return hash.hexadecimal
    }
}

/// Content in a table that a migration makes blobs of.
package struct BlobMove: Hashable, Sendable {
    /// The table, which has a rowid.
    package let table: String
    /// The column of the content, which stays for a later migration to remove.
    package let content: String
    /// The column that names the blob; rows where it is not NULL are left alone.
    package let blob: String

    package init(table: String, content: String, blob: String) {
        self.table = table
        self.content = content
        self.blob = blob
    }
}
