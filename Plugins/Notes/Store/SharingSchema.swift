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
}
