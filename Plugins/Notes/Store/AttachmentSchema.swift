/// The tables of attachments.
enum AttachmentSchema {
    /// What was in the database becomes files.
    static let blobs = "ALTER TABLE notes_attachment ADD COLUMN blob TEXT;"

    // `path` is where the file is in a folder of Markdown files; `link` the target in the text that leads to it, where its path does
    // not say so. `notes_mirror_file` has the other files of the mirrored folder: `hash` is that of the content which an attachment
    // and its file last had in common, empty for a file that no note links to.
    static let tables = """
        CREATE TABLE notes_attachment_new (
            note TEXT NOT NULL REFERENCES notes_note(id),
            path BLOB NOT NULL,
            size INTEGER NOT NULL,
            link TEXT,
            blob TEXT NOT NULL,
            PRIMARY KEY (note, path)
        ) STRICT;
        INSERT INTO notes_attachment_new (note, path, size, link, blob)
            SELECT note, CAST('attachments/' || iif(number = 1, '', number || '/') || name AS BLOB), length(content), target,
                blob
            FROM (SELECT note, target, content, blob, replace(name, '/', '-') AS name,
                row_number() OVER (PARTITION BY note, lower(replace(name, '/', '-')) ORDER BY target) AS number
                FROM notes_attachment);
        DROP TABLE notes_attachment;
        ALTER TABLE notes_attachment_new RENAME TO notes_attachment;
        CREATE INDEX notes_attachment_path ON notes_attachment(path);
        CREATE INDEX notes_attachment_blob ON notes_attachment(blob);
        CREATE TABLE notes_mirror_file (
            path BLOB PRIMARY KEY,
            hash TEXT NOT NULL,
            stamp TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}

extension AttachmentSchema {
    // `notes_upload` has what accounts have sent and no note has yet; `notes_wanted` the attachments of notes on servers whose content
    // is not here. `attachments` in `notes_remote` are those that both sides last had.
    static let sync = """
        CREATE TABLE notes_upload (
            person TEXT NOT NULL,
            blob TEXT NOT NULL,
            size INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (person, blob)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notes_wanted (
            note TEXT NOT NULL,
            path BLOB NOT NULL,
            server TEXT NOT NULL,
            hash TEXT NOT NULL,
            size INTEGER NOT NULL,
            link TEXT,
            PRIMARY KEY (note, path)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE notes_remote ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]';
        """
}
