/// The tables by which whole notes are merged, at both ends.
enum WholeNoteSchema {
    // `notes_sent` has the versions that were sent to a server of whole notes and are not settled, after the one that is, at
    // place 0; without a row, what the server was last seen to have is settled. `notes_earlier_read` has what a client read before
    // what `notes_read` says, since it wrote last: it may not have got the later answers.
    static let tables = """
        DROP TABLE notes_base;
        CREATE TABLE notes_sent (
            note TEXT NOT NULL,
            place INTEGER NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            kept_since INTEGER,
            are_deletions_seen INTEGER NOT NULL,
            is_coarse INTEGER NOT NULL,
            PRIMARY KEY (note, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_earlier_read (
            client TEXT NOT NULL,
            note TEXT NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            members TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (client, note, title_version, content_version)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_earlier_read_note ON notes_earlier_read(note);
        """
}
