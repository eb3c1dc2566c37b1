/// The tables of HubKit itself, which carry the prefix `core_`.
enum CoreSchema {
    static let owner = "core"

    /// All modules of HubKit share one sequence of migrations: append new ones at the end.
    static let schema = PluginSchema(
        owner: owner,
        migrations: [
            history, EventsSchema.migration, credentials, EventsSchema.absence, credentialNames,
            Transaction.jobsMigration,
        ])

    /// The migrations applied for each owner. The table is not part of the migration sequence, because it records the
    /// progress of that sequence.
    ///
    /// `closed` lists the tables, separated by spaces, that got more than new columns at the end: changes of these
    /// that were recorded before can no longer be undone.
    static let migrationTable =
        """
        CREATE TABLE IF NOT EXISTS core_migration (
            owner TEXT NOT NULL,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            checksum TEXT NOT NULL,
            closed TEXT NOT NULL,
            applied_at INTEGER NOT NULL,
            PRIMARY KEY (owner, position)
        ) STRICT, WITHOUT ROWID
        """

    /// The operations with their authors and changed rows.
    ///
    /// - `core_operation`: `seq` is the order of the first commits. `undoes` and `redoes` name the operation that this
    ///   one takes back or brings back; `undone_by` the undo that is in force; `redone_by` the newest redo, whose
    ///   changes then count instead of the operation's own.
    /// - `core_change`: one changeset of one operation and owner; NULL when it has grown too old to be undone. `schema`
    ///   is the number of migrations that the owner had.
    /// - `core_touch`, `core_touch_list`: the entities that each change concerns, singly or in bulk. They have no
    ///   foreign key, because that would need one more index; code that deletes changes deletes these rows.
    private static let history = Migration(
        "history",
        """
        CREATE TABLE core_setting (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE core_operation (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            at INTEGER NOT NULL,
            name TEXT NOT NULL,
            who TEXT NOT NULL,
            command_line TEXT NOT NULL,
            state TEXT NOT NULL
                CONSTRAINT operation_state CHECK (state IN ('open', 'done', 'undone', 'abandoned')),
            undoes INTEGER,
            redoes INTEGER,
            undone_by INTEGER,
            redone_by INTEGER
        ) STRICT;
        CREATE INDEX core_operation_open ON core_operation (id) WHERE state = 'open';

        CREATE TABLE core_change (
            id INTEGER PRIMARY KEY,
            operation INTEGER NOT NULL REFERENCES core_operation ON DELETE CASCADE,
            owner TEXT NOT NULL,
            schema INTEGER NOT NULL,
            changeset BLOB
        ) STRICT;
        CREATE INDEX core_change_by_operation ON core_change (operation, id);

        CREATE TABLE core_touch (
            owner TEXT NOT NULL,
            subject TEXT NOT NULL,
            change INTEGER NOT NULL,
            PRIMARY KEY (owner, subject, change)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_touch_list (
            change INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            subjects TEXT NOT NULL
        ) STRICT;
        """)

    /// Login codes and sessions of the web page, each as a hash; `expires` is in milliseconds since 1970 UTC.
    private static let credentials = Migration(
        "web-credentials",
        """
        CREATE TABLE core_web_credential (
            kind TEXT NOT NULL,
            hash BLOB NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (kind, hash)
        ) STRICT, WITHOUT ROWID;
        """)

    /// The browser that has the session, in words for the list of sessions.
    private static let credentialNames = Migration(
        "web-credential-names", "ALTER TABLE core_web_credential ADD COLUMN name TEXT NOT NULL DEFAULT '';")
}
