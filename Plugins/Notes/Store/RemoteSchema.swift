/// The tables of notes that are on servers too.
enum RemoteSchema {
    // `notes_remote` has one row for each note that a server has; it stays when the note is deleted for good, so that the
    // server learns of it. `remote` is the id there, NULL while it is not known whether a POST was stored. The versions
    // are those that the server was last seen to have, as are the columns after them.
    static let tables = """
        CREATE TABLE notes_server (
            server TEXT PRIMARY KEY,
            address TEXT NOT NULL,
            cursor TEXT,
            link TEXT NOT NULL,
            link_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_remote (
            note TEXT PRIMARY KEY,
            server TEXT NOT NULL,
            remote TEXT,
            state TEXT NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            owner TEXT NOT NULL,
            members TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            tags TEXT NOT NULL DEFAULT '',
            folder TEXT NOT NULL DEFAULT '',
            in_trash INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_remote_server ON notes_remote(server, remote);
        CREATE TABLE notes_base (
            note TEXT NOT NULL,
            kind TEXT NOT NULL CONSTRAINT base_kind CHECK (kind IN ('sent', 'replaced')),
            place INTEGER NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (note, kind, place)
        ) STRICT, WITHOUT ROWID;
        """
}
