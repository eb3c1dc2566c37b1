/// The tables of HubKit itself, which carry the prefix `core_`.
enum CoreSchema {
    static let owner = "core"

    /// All modules of HubKit share one sequence of migrations: append new ones at the end.
    static let schema = PluginSchema(
        owner: owner,
        migrations: [
            history, EventsSchema.migration, credentials, EventsSchema.absence, credentialNames,
            Transaction.jobsMigration, devices, deviceProperties, deviceCodes, apiTokens,
            pushSubscriptions, kept, DocumentSchema.migration, DocumentSchema.files,
            DocumentSchema.sent,
        ],
        // What devices store here that belongs to no plugin.
        recorded: [
            RecordedTable("core_file", subject: "id"), RecordedTable("core_file_property", subject: "file"),
            RecordedTable("core_calendar", subject: "id"), RecordedTable("core_calendar_property", subject: "calendar"),
            RecordedTable("core_calendar_item", subject: "id"),
        ], reindex: { try $1.renumberKept($0) })

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

    /// The devices of the person, each with the hash of its password, and what is known of each.
    ///
    /// - `core_device_item`: the version of an item that a program on a device was last given, or sent itself. The base of a merge.
    /// - `core_device_version`: the content of such versions by their hashes, each once for all devices.
    /// - `core_device_program`: the words that a program has been seen to write.
    /// - `core_device_refused`: what a device sent that was not stored as sent, for the person to decide on.
    private static let devices = Migration(
        "devices",
        """
        CREATE TABLE core_device (
            name TEXT NOT NULL PRIMARY KEY,
            hash BLOB NOT NULL,
            scopes TEXT NOT NULL,
            read_only INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            seen_at INTEGER,
            program TEXT NOT NULL DEFAULT '',
            own_card TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_device_item (
            device TEXT NOT NULL,
            program TEXT NOT NULL,
            collection TEXT NOT NULL,
            name TEXT NOT NULL,
            subject TEXT NOT NULL,
            version TEXT NOT NULL,
            PRIMARY KEY (device, program, collection, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX core_device_item_version ON core_device_item (version);
        CREATE INDEX core_device_item_subject ON core_device_item (subject);
        CREATE TABLE core_device_version (
            version TEXT NOT NULL PRIMARY KEY,
            content BLOB NOT NULL
        ) STRICT;
        CREATE TABLE core_device_program (
            device TEXT NOT NULL,
            program TEXT NOT NULL,
            words TEXT NOT NULL,
            PRIMARY KEY (device, program)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_device_refused (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            device TEXT NOT NULL,
            collection TEXT NOT NULL,
            name TEXT NOT NULL,
            subject TEXT NOT NULL,
            at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        """)

    /// The properties of collections that a device has set for itself, such as a color; and when a program was given a version.
    private static let deviceProperties = Migration(
        "device-properties",
        """
        CREATE TABLE core_device_property (
            device TEXT NOT NULL,
            collection TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (device, collection, name)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE core_device_item ADD COLUMN given_at INTEGER NOT NULL DEFAULT 0;
        """)

    /// The hashes of codes by which a device gets its settings, for some minutes.
    private static let deviceCodes = Migration(
        "device-codes",
        """
        CREATE TABLE core_device_code (
            hash BLOB NOT NULL PRIMARY KEY,
            device TEXT NOT NULL,
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// The tokens with which programs use the HTTP API, each as a hash.
    private static let apiTokens = Migration(
        "api-tokens",
        """
        CREATE TABLE core_api_token (
            name TEXT NOT NULL PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            ends_at INTEGER,
            seen_at INTEGER
        ) STRICT, WITHOUT ROWID;
        """)

    /// The browsers that get messages, each with the hash of its session, which it ends with.
    private static let pushSubscriptions = Migration(
        "push-subscriptions",
        """
        CREATE TABLE core_push_subscription (
            endpoint TEXT NOT NULL PRIMARY KEY,
            session BLOB NOT NULL,
            key BLOB NOT NULL,
            secret BLOB NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// What devices keep here for programs of others, byte for byte. It has history and undo.
    ///
    /// - `core_file`: files and folders; a folder has no blob, and the top of the tree is the empty id.
    /// - `core_calendar`, `core_calendar_item`: calendars that devices have made, and what is in them.
    /// - `core_calendar_change`, derived: the number of the last change of each item, gone or not.
    /// - `core_kept_number`, derived: the last number of each calendar, and of the files under the empty name.
    private static let kept = Migration(
        "kept-files-and-calendars",
        """
        CREATE TABLE core_file (
            id TEXT NOT NULL PRIMARY KEY,
            parent TEXT NOT NULL,
            name TEXT NOT NULL,
            blob TEXT,
            size INTEGER NOT NULL,
            type TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX core_file_name ON core_file (parent, name);
        CREATE TABLE core_file_property (
            file TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (file, name)
        ) STRICT;
        CREATE TABLE core_calendar (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            components TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX core_calendar_name ON core_calendar (name);
        CREATE TABLE core_calendar_property (
            calendar TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (calendar, name)
        ) STRICT;
        CREATE TABLE core_calendar_item (
            id TEXT NOT NULL PRIMARY KEY,
            calendar TEXT NOT NULL,
            name TEXT NOT NULL,
            uid TEXT NOT NULL,
            content BLOB NOT NULL,
            etag TEXT NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX core_calendar_item_name ON core_calendar_item (calendar, name);
        CREATE INDEX core_calendar_item_uid ON core_calendar_item (calendar, uid);
        CREATE TABLE core_calendar_change (
            calendar TEXT NOT NULL,
            name TEXT NOT NULL,
            item TEXT NOT NULL,
            number INTEGER NOT NULL,
            is_gone INTEGER NOT NULL,
            PRIMARY KEY (calendar, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX core_calendar_change_number ON core_calendar_change (calendar, number);
        CREATE INDEX core_calendar_change_item ON core_calendar_change (item);
        CREATE TABLE core_kept_number (
            calendar TEXT NOT NULL PRIMARY KEY,
            number INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
}
