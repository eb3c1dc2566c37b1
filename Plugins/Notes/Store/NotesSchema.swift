import Queries
package import Storage

/// The tables of notes.
///
/// `notes_note`, `notes_member`, `notes_tag`, `notes_attachment`, `notes_publication`, `notes_edit` and `notes_search`, the saved searches, hold
/// facts and have history. The texts
/// are replicas with a history of their own: `notes_text` holds them as they are now, for reading without a replay,
/// `notes_log` and `notes_events` the original edits, and `notes_batch` and `notes_pending` who made them and when. None of
/// these is ever taken back. An undo removes a row of `notes_edit` instead, and `reindexUndoneNotes` answers with an edit that is the inverse of what
/// `notes_effect` says the row stands for. `notes_entry`, `notes_link`, `notes_name` and the full-text table are derived.
package enum NotesSchema {
    /// The plugin's tables with their migrations and undo; `announce` publishes the changes by undo and redo.
    package static func schema(announce: @escaping PluginSchema.EntityHandler) -> PluginSchema {
        PluginSchema(
            owner: "notes",
            migrations: [
                Migration("0001-notes", notes), Migration("0002-texts", texts), Migration("0003-search", search),
                Migration("0004-mirror", mirror), Migration("0005-sharing", SharingSchema.tables),
                Migration("0006-server", ServerSchema.tables),
                Migration("0007-remotes", RemoteSchema.tables), .syncLog("0008-syncs", of: "notes"),
                Migration("0009-whole-notes", WholeNoteSchema.tables),
                Migration("0010-mirror-writes", mirrorWrites),
                Migration("0011-indexes", indexes),
                Migration("0012-waiting-words", waitingWords),
                Migration("0013-additions", additions),
                Migration("0014-note-files", noteFiles),
                Migration(
                    "0015-attachment-blobs", AttachmentSchema.blobs,
                    blobs: BlobMove(table: "notes_attachment", content: "content", blob: "blob")),
                Migration("0016-attachments", AttachmentSchema.tables),
                Migration("0017-attachment-sync", AttachmentSchema.sync),
                Migration("0018-events", events),
                Migration("0019-front-matter", frontMatter),
                Migration("0020-pending", pending),
                Migration("0021-links", LinkSchema.tables),
                Migration("0022-readers", SharingSchema.readers),
                Migration("0023-publications", SharingSchema.publications),
                Migration("0024-searches", searches),
                // In stores of before, SQLite merged nothing until there were more segments than it takes.
                Migration("0025-segments", words.disableAutomaticMerge),
                Migration("0026-audit", ServerSchema.audit),
                Migration("0027-limits", ServerSchema.limits),
                Migration("0028-machines", MachineSchema.tables),
            ],
            recorded: [
                RecordedTable("notes_note", subject: "id"), RecordedTable("notes_member", subject: "note"),
                RecordedTable("notes_tag", subject: "note"), RecordedTable("notes_attachment", subject: "note"),
                RecordedTable("notes_edit", subject: "note"), RecordedTable("notes_publication", subject: "note"),
                RecordedTable("notes_search", subject: "id"),
            ],
            reindex: { try $1.reindexUndoneNotes($0.filter { !SavedSearch.isID($0) }) },
            announce: { try announce($0.filter { !SavedSearch.isID($0) }, $1) }, compact: { try $0.compactNotes() })
    }

    /// The tables with a column `note` that are neither recorded nor derived.
    static let unrecorded = [
        "effect", "text", "log", "addition", "batch", "import", "read", "earlier_read", "request", "sharing", "revoked",
        "waiting", "events", "pending", "file", "mirror_trash", "wanted", "former_name",
    ].map { "notes_" + $0 }

    /// The full-text table.
    static let words = FullTextTable("notes_words", over: "notes_entry", columns: ["title", "tags", "content"])

    // `wire_id` is the id for NoteApp. `source` is the identity of the file, or of the event, that the note was made of;
    // `front_matter` what an imported Markdown file had besides.
    private static let notes = """
        CREATE TABLE notes_note (
            id TEXT PRIMARY KEY,
            wire_id TEXT NOT NULL,
            folder TEXT NOT NULL,
            owner TEXT NOT NULL,
            pinned INTEGER NOT NULL CONSTRAINT pinned_form CHECK (pinned IN (0, 1)),
            source TEXT,
            front_matter TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX notes_note_wire ON notes_note(wire_id);
        CREATE INDEX notes_note_source ON notes_note(source) WHERE source IS NOT NULL;
        CREATE INDEX notes_note_trash ON notes_note(deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE TABLE notes_member (
            note TEXT NOT NULL REFERENCES notes_note(id),
            name TEXT NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (note, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_member_name ON notes_member(name);
        CREATE TABLE notes_tag (
            note TEXT NOT NULL REFERENCES notes_note(id),
            folded TEXT NOT NULL,
            tag TEXT NOT NULL,
            place INTEGER NOT NULL,
            PRIMARY KEY (note, folded)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_tag_folded ON notes_tag(folded);
        CREATE TABLE notes_attachment (
            note TEXT NOT NULL REFERENCES notes_note(id),
            target TEXT NOT NULL,
            name TEXT NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (note, target)
        ) STRICT;
        """

    // The key of a table without rowid must be its first columns, else SQLite 3.40 reports NULL values that are not there.
    // A row of `notes_edit` stands for the edits of one text by one change. `notes_effect` says which edits its state
    // comes from: the original ones, or those of the last undo or redo. `change` numbers all changes of the plugin. `notes_import`
    // has the version that the last import of a note has written.
    private static let texts = """
        CREATE TABLE notes_edit (
            id TEXT PRIMARY KEY,
            note TEXT NOT NULL REFERENCES notes_note(id),
            field TEXT NOT NULL CONSTRAINT field_form CHECK (field IN ('title', 'content')),
            inserted INTEGER NOT NULL,
            deleted INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notes_edit_note ON notes_edit(note);
        CREATE TABLE notes_effect (
            edit TEXT NOT NULL,
            place INTEGER NOT NULL,
            note TEXT NOT NULL,
            field TEXT NOT NULL,
            agent TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            in_force INTEGER NOT NULL,
            PRIMARY KEY (edit, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_effect_note ON notes_effect(note);
        CREATE TABLE notes_text (
            note TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            size INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            change INTEGER NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notes_text_change ON notes_text(change);
        CREATE TABLE notes_log (
            note TEXT NOT NULL,
            field TEXT NOT NULL,
            events BLOB NOT NULL,
            PRIMARY KEY (note, field)
        ) STRICT;
        CREATE TABLE notes_batch (
            note TEXT NOT NULL,
            field TEXT NOT NULL,
            agent TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            person TEXT NOT NULL,
            at INTEGER NOT NULL,
            change INTEGER NOT NULL,
            PRIMARY KEY (note, field, agent, first)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_import (
            note TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            content TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_setting (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // The files of the mirrored folder when they and their notes were last the same; `stamp` tells without reading a
    // file whether it has changed.
    private static let mirror = files("notes_mirror")

    // The files that are about to be written. One that is still here after the end of a process may have been.
    private static let mirrorWrites = files("notes_mirror_write")

    private static func files(_ table: String) -> String {
        """
        CREATE TABLE \(table) (
            path TEXT PRIMARY KEY,
            hash TEXT NOT NULL,
            note TEXT NOT NULL,
            title_version TEXT NOT NULL,
            content_version TEXT NOT NULL,
            title TEXT NOT NULL,
            folder TEXT NOT NULL,
            tags TEXT NOT NULL,
            pinned INTEGER NOT NULL,
            stated_id TEXT,
            stamp TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    }

    // What is only in the file of a mirrored note, and the files of notes that the mirror moved to the trash; their `stamp` is the
    // time when it did. All files are read once more for it.
    private static let noteFiles = """
        CREATE TABLE notes_file (
            note TEXT PRIMARY KEY,
            stem TEXT NOT NULL,
            title TEXT,
            head TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        \(files("notes_mirror_trash"))
        CREATE INDEX notes_mirror_trash_note ON notes_mirror_trash(note);
        UPDATE notes_mirror SET stamp = '';
        """

    // `written` is what the file still has before its text, where `head` came from another machine and is not in the file yet.
    // `front_matter` is the head that a server was last seen to have, NULL where that is not known. Notes with a head count as changed,
    // so that clients of this server get it; and what servers have told before is asked for again, since heads were passed over.
    private static let frontMatter = """
        ALTER TABLE notes_file ADD COLUMN written TEXT;
        ALTER TABLE notes_remote ADD COLUMN front_matter TEXT;
        UPDATE notes_server SET cursor = NULL;
        UPDATE notes_text SET change = numbered.number
            FROM (SELECT t.note AS id, row_number() OVER (ORDER BY t.change, t.note) + (
                    SELECT max(ifnull((SELECT max(change) FROM notes_text), 0),
                        ifnull((SELECT max(change) FROM notes_purged), 0))) AS number
                FROM notes_text t JOIN notes_note n ON n.id = t.note LEFT JOIN notes_file f ON f.note = t.note
                WHERE f.note IS NOT NULL OR n.front_matter IS NOT NULL) AS numbered
            WHERE notes_text.note = numbered.id;
        UPDATE notes_sharing SET metadata_change = t.change
            FROM notes_text t WHERE t.note = notes_sharing.note AND t.change > notes_sharing.metadata_change
                AND (EXISTS (SELECT 1 FROM notes_file f WHERE f.note = t.note)
                    OR EXISTS (SELECT 1 FROM notes_note n WHERE n.id = t.note AND n.front_matter IS NOT NULL));
        """

    // So that what follows a change of one note looks at few rows: its files, the beginning of the list, and the notes
    // of others.
    private static let indexes = """
        CREATE INDEX notes_mirror_note ON notes_mirror(note);
        CREATE INDEX notes_text_changed ON notes_text(changed_at);
        CREATE INDEX notes_note_pinned ON notes_note(pinned) WHERE pinned = 1;
        CREATE INDEX notes_note_owner ON notes_note(owner) WHERE owner <> '';
        """

    // `id` is the name of a saved search after `@`.
    private static let searches = """
        CREATE TABLE notes_search (
            id TEXT PRIMARY KEY,
            query TEXT NOT NULL
        ) STRICT;
        """

    // The notes whose text has changed since its words were put into the full-text table.
    private static let waitingWords = "CREATE TABLE notes_waiting (note TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"

    // `notes_addition` has edits that are not in `notes_log` yet, in their order: each follows all before it. `person` and what
    // follows are those of a batch that is not in `notes_batch` and in the history yet; `person` is NULL when it is. A note in
    // `notes_unrecorded` has such batches; `is_unpublished` says that its last change has no event. `events` is the number of
    // edits that both texts consist of, NULL while it is not known.
    private static let additions = """
        CREATE TABLE notes_addition (
            note TEXT NOT NULL,
            place INTEGER NOT NULL,
            field TEXT NOT NULL,
            agent TEXT NOT NULL,
            edits BLOB NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            person TEXT,
            at INTEGER NOT NULL,
            change INTEGER NOT NULL,
            inserted INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            PRIMARY KEY (note, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_unrecorded (
            note TEXT PRIMARY KEY,
            is_unpublished INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE notes_text ADD COLUMN events INTEGER;
        """

    // `notes_events` has the edits that are not in `notes_log`, as they came; `size` counts the bytes of all until then. What stands in
    // `notes_addition` stays there until the log is written again.
    private static let events = """
        CREATE TABLE notes_events (
            note TEXT NOT NULL,
            place INTEGER NOT NULL,
            field TEXT NOT NULL,
            events BLOB NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (note, place)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO notes_batch (note, field, agent, first, last, person, at, change)
            SELECT note, field, agent, first, last, person, at, change FROM notes_addition WHERE person IS NOT NULL
            ON CONFLICT DO NOTHING;
        DELETE FROM notes_addition WHERE edits = x'';
        DROP TABLE notes_unrecorded;
        ALTER TABLE notes_text DROP COLUMN events;
        """

    // `notes_pending` has the batches of edits that are stored, and not in `notes_batch` and in the history yet; the words of their notes
    // wait as well.
    private static let pending = """
        CREATE TABLE notes_pending (
            note TEXT NOT NULL,
            change INTEGER NOT NULL,
            field TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            agent TEXT NOT NULL,
            person TEXT NOT NULL,
            at INTEGER NOT NULL,
            inserted INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            PRIMARY KEY (note, change, field, first)
        ) STRICT, WITHOUT ROWID;
        """

    // `key` is the title as links compare it. The texts are folded and have every spelling that a search may type.
    private static let search = """
        CREATE TABLE notes_entry (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            tags TEXT NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notes_entry_key ON notes_entry(key);
        CREATE TABLE notes_link (
            note TEXT NOT NULL,
            place INTEGER NOT NULL,
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            PRIMARY KEY (note, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notes_link_key ON notes_link(key);
        CREATE VIRTUAL TABLE notes_words USING fts5(
            title, tags, content, content = 'notes_entry', content_rowid = 'number', tokenize = 'ascii',
            detail = column, columnsize = 0
        );
        \(words.disableAutomaticMerge)
        """
}
