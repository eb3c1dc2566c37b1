/// The tables of notes that another machine of the person has too.
enum MachineSchema {
    // `notes_machine_note` has one row for each note that both machines have, as it was when they were last equal: the columns of
    // `notes_remote`, and what only machines exchange; `pinned`, `created_at` and `changed_at` are NULL while that is not known. `server`
    // is the name of the machine after an @, as in `notes_server`. `sent` in that table is the number of the last change here that was
    // looked at.
    static let tables = """
        CREATE TABLE notes_machine_note (
            note TEXT NOT NULL,
            server TEXT NOT NULL,
            remote TEXT NOT NULL,
            state TEXT NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            owner TEXT NOT NULL,
            members TEXT NOT NULL,
            readers TEXT NOT NULL,
            tags TEXT NOT NULL,
            folder TEXT NOT NULL,
            in_trash INTEGER NOT NULL,
            attachments TEXT NOT NULL,
            front_matter TEXT,
            pinned INTEGER,
            created_at INTEGER,
            changed_at INTEGER,
            PRIMARY KEY (server, note)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_machine_note_remote ON notes_machine_note(server, remote);
        ALTER TABLE notes_server ADD COLUMN sent INTEGER;
        """
}
