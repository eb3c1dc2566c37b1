/// The tables of the server: what its clients have to be told, and who they are.
enum ServerSchema {
    // `notes_sharing` has what is beside the texts as it was at the last change, by which the next change is known to be one of
    // it; `notes_revoked` whose access was taken, and `notes_purged` the notes that are gone for good. `notes_agent` says whose
    // replica an agent is. Of a token only its hash is stored.
    static let tables = """
        CREATE TABLE notes_sharing (
            note TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            members TEXT NOT NULL,
            rest TEXT NOT NULL,
            access_change INTEGER NOT NULL,
            metadata_change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO notes_sharing (note, owner, members, rest, access_change, metadata_change)
            SELECT n.id, n.owner, ifnull((SELECT group_concat(name, char(10))
                FROM (SELECT name FROM notes_member WHERE note = n.id ORDER BY place)), ''), '', t.change, t.change
            FROM notes_note n JOIN notes_text t ON t.note = n.id;
        CREATE TABLE notes_revoked (
            note TEXT NOT NULL,
            name TEXT NOT NULL,
            change INTEGER NOT NULL,
            PRIMARY KEY (note, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_purged (
            note TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            members TEXT NOT NULL,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_purged_change ON notes_purged(change);
        CREATE INDEX notes_batch_change ON notes_batch(note, change);
        CREATE TABLE notes_agent (
            agent TEXT PRIMARY KEY,
            person TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_token (
            hash BLOB PRIMARY KEY,
            person TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_token_person ON notes_token(person);
        """

    // Who did what at the server, in the order of `id`.
    static let audit = """
        CREATE TABLE notes_audit (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            person TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notes_audit_at ON notes_audit(at);
        """

    // The limits of accounts that have their own; NULL means no limit.
    static let limits = """
        CREATE TABLE notes_limit (
            person TEXT PRIMARY KEY,
            notes INTEGER,
            texts INTEGER,
            attachments INTEGER
        ) STRICT, WITHOUT ROWID;
        """
}
