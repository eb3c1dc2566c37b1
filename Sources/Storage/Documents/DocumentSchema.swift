/// The tables for exchanging documents with other hubs.
enum DocumentSchema {
    /// - `core_document`: the documents as they were last looked at, empty until another hub joins. `number` is that of the last change, a
    ///   higher one than any before; a row stays when its document is gone, so that every machine learns it.
    /// - `core_document_stale`: the entities that have changed since.
    /// - `core_machine`: the hubs that this one has joined. `own` is the identity that this store had then, `position` the number of the
    ///   home up to which its changes are here, `fork` the token of the last exchange and `pending` that of one that has begun.
    /// - `core_machine_item`: the document when both were last equal; `name` is that at the home, `local` the one here, `former` the
    ///   hashes of earlier such versions. `etag` is empty for one that is gone on both sides.
    /// - `core_machine_held`: what could not be exchanged, or was replaced, for the person to look at.
    /// - `core_machine_spoke`: the hubs that have joined this one, each with its last fork token.
    /// - `core_machine_code`: the codes by which a hub may join, for some minutes.
    static let migration = Migration(
        "documents",
        """
        CREATE TABLE core_document (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            subject TEXT NOT NULL,
            etag TEXT NOT NULL,
            number INTEGER NOT NULL,
            gone INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX core_document_number ON core_document (number);
        CREATE INDEX core_document_subject ON core_document (kind, subject);
        CREATE TABLE core_document_stale (
            owner TEXT NOT NULL,
            subject TEXT NOT NULL,
            PRIMARY KEY (owner, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_machine (
            name TEXT NOT NULL PRIMARY KEY,
            replica TEXT NOT NULL,
            own TEXT NOT NULL,
            position INTEGER NOT NULL,
            fork TEXT NOT NULL,
            pending TEXT NOT NULL,
            reach TEXT NOT NULL,
            joined_at INTEGER NOT NULL,
            seen_at INTEGER,
            failure TEXT NOT NULL DEFAULT ''
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_machine_item (
            machine TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            local TEXT NOT NULL,
            etag TEXT NOT NULL,
            former TEXT NOT NULL,
            content BLOB,
            PRIMARY KEY (machine, kind, name)
        ) STRICT;
        CREATE INDEX core_machine_item_local ON core_machine_item (machine, kind, local);
        CREATE TABLE core_machine_held (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            machine TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            etag TEXT NOT NULL,
            at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            is_open INTEGER NOT NULL,
            content BLOB
        ) STRICT;
        CREATE INDEX core_machine_held_name ON core_machine_held (machine, kind, name);
        CREATE TABLE core_machine_spoke (
            device TEXT NOT NULL,
            replica TEXT NOT NULL,
            fork TEXT NOT NULL,
            reach TEXT NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (device, replica)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE core_machine_code (
            hash BLOB NOT NULL PRIMARY KEY,
            device TEXT NOT NULL,
            ends_at INTEGER NOT NULL,
            tries INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// - `core_machine_file`: the files that rows here name and that are on another machine alone; `at` is the time of what they belong to. The
    ///   column is not called `blob`, since it needs no file to be here.
    static let files = Migration(
        "machine-files",
        """
        CREATE TABLE core_machine_file (
            file TEXT NOT NULL PRIMARY KEY,
            machine TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)

    /// - `core_machine_sent`: the documents of the last message to each home, while its answer has not come.
    /// - `message`, `stored`: the last message of a hub that has joined this one, and a digit for each of its documents, 1 for one that was
    ///   stored.
    static let sent = Migration(
        "machine-sent",
        """
        CREATE TABLE core_machine_sent (
            machine TEXT NOT NULL,
            place INTEGER NOT NULL,
            message TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            local TEXT NOT NULL,
            etag TEXT NOT NULL,
            content BLOB,
            PRIMARY KEY (machine, place)
        ) STRICT;
        ALTER TABLE core_machine_spoke ADD COLUMN message TEXT NOT NULL DEFAULT '';
        ALTER TABLE core_machine_spoke ADD COLUMN stored TEXT NOT NULL DEFAULT '';
        """)
}
