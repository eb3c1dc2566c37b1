/// The tables of links between notes.
enum LinkSchema {
    // `notes_name` has the names by which links lead to live notes, `notes_link` the links of their texts; `is_weak` is that of one which
    // may lead to something else than a note. `notes_former_name` has names that links still use after a note was renamed or moved. The
    // derived rows of all notes are made again before they are read.
    static let tables = """
        CREATE TABLE notes_name (
            key TEXT NOT NULL,
            note TEXT NOT NULL,
            kind INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (key, note)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_name_note ON notes_name(note);
        DROP TABLE notes_link;
        CREATE TABLE notes_link (
            note TEXT NOT NULL,
            place INTEGER NOT NULL,
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            heading TEXT,
            is_markdown INTEGER NOT NULL,
            is_weak INTEGER NOT NULL,
            PRIMARY KEY (note, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_link_key ON notes_link(key);
        CREATE TABLE notes_former_name (
            key TEXT PRIMARY KEY,
            note TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_former_name_note ON notes_former_name(note);
        INSERT INTO notes_waiting (note) SELECT id FROM notes_note WHERE deleted_at IS NULL ON CONFLICT DO NOTHING;
        """
}
