/// The tables of notes that others share.
enum SharingSchema {
    // What each client of NoteApp read last, by its address: the base of what it writes next, also after a restart.
    // `notes_request` has one request of each person and note.
    static let tables = """
        CREATE TABLE notes_read (
            client TEXT NOT NULL,
            note TEXT NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            members TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (client, note)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_read_note ON notes_read(note);
        CREATE TABLE notes_request (
            note TEXT NOT NULL,
            requester TEXT NOT NULL,
            reason TEXT NOT NULL,
            requested_at INTEGER NOT NULL,
            answer TEXT NOT NULL,
            PRIMARY KEY (note, requester)
        ) STRICT, WITHOUT ROWID;
        """

    // `readers` in `notes_remote` are those that both sides last had.
    static let readers = """
        ALTER TABLE notes_member ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0
            CONSTRAINT read_only_form CHECK (read_only IN (0, 1));
        ALTER TABLE notes_remote ADD COLUMN readers TEXT NOT NULL DEFAULT '';
        """

    // `token` is the secret in the address at which everyone can read the note.
    static let publications = """
        CREATE TABLE notes_publication (
            note TEXT NOT NULL PRIMARY KEY REFERENCES notes_note(id),
            token TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_publication_token ON notes_publication(token);
        """
}
