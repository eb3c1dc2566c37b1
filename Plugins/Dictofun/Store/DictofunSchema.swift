package import Storage

/// The tables of Dictofun.
///
/// `dictofun_record` and `dictofun_tag` are facts with history. What an engine heard is in `dictofun_transcript`, which has
/// none: it can be made again, and an undo of an import must not fail because a service has transcribed it meanwhile. The
/// user's own version of a text is a column of the record. `dictofun_entry` and the search table are derived by
/// `reindexRecords`; `dictofun_waveform` is a cache. `dictofun_device` holds the last reports of recorders, `dictofun_inbox` which record was made of
/// which file, whose later content takes the place of an earlier one.
package enum DictofunSchema {
    /// The plugin's tables with their migrations and undo; `announce` publishes the changes by undo and redo.
    package static func schema(announce: @escaping PluginSchema.EntityHandler) -> PluginSchema {
        PluginSchema(
            owner: "dictofun",
            migrations: [
                Migration("0001-records", records), Migration("0002-devices", devices),
                Migration("0003-inbox", inbox),
            ],
            recorded: [
                RecordedTable("dictofun_record", subject: "id"), RecordedTable("dictofun_tag", subject: "record"),
            ],
            documents: RecordDocuments.all, reindex: { try $1.reindexRecords($0) }, announce: announce,
            compact: { try $0.compactRecordIndex() })
    }

    // `started` is local time as yyyy-MM-dd HH:mm:ss. `device` and `remote` name the file on a recorder: the address and the
    // id there; both are empty for an imported file.
    private static let records = """
        CREATE TABLE dictofun_record (
            id TEXT PRIMARY KEY,
            blob TEXT NOT NULL,
            size INTEGER NOT NULL,
            format TEXT NOT NULL,
            name TEXT NOT NULL,
            device TEXT NOT NULL,
            remote TEXT NOT NULL,
            started TEXT NOT NULL,
            is_time_unknown INTEGER NOT NULL,
            length_ms INTEGER NOT NULL,
            edited TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER
        ) STRICT;
        CREATE INDEX dictofun_record_started ON dictofun_record(started, id);
        CREATE INDEX dictofun_record_blob ON dictofun_record(blob);
        CREATE INDEX dictofun_record_remote ON dictofun_record(device, remote);
        CREATE INDEX dictofun_record_trash ON dictofun_record(deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE TABLE dictofun_tag (
            record TEXT NOT NULL,
            folded TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (record, folded)
        ) STRICT;
        CREATE INDEX dictofun_tag_folded ON dictofun_tag(folded);
        CREATE TABLE dictofun_transcript (
            record TEXT PRIMARY KEY,
            engine TEXT NOT NULL,
            is_rough INTEGER NOT NULL,
            made_at INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE TABLE dictofun_entry (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            excerpt TEXT NOT NULL,
            tags TEXT NOT NULL,
            name TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE dictofun_words USING fts5(
            name, text, content = 'dictofun_entry', content_rowid = 'number', tokenize = 'ascii'
        );
        CREATE TABLE dictofun_waveform (
            record TEXT PRIMARY KEY,
            outline BLOB NOT NULL
        ) STRICT;
        """

    private static let inbox = """
        CREATE TABLE dictofun_inbox (
            path BLOB PRIMARY KEY,
            record TEXT NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX dictofun_inbox_record ON dictofun_inbox(record);
        """

    private static let devices = """
        CREATE TABLE dictofun_device (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            alias TEXT,
            is_paired INTEGER NOT NULL,
            battery INTEGER,
            storage_free INTEGER,
            storage_used INTEGER,
            storage_files INTEGER,
            firmware TEXT,
            seen_at INTEGER,
            synced_at INTEGER
        ) STRICT;
        CREATE TABLE dictofun_file (
            device TEXT NOT NULL,
            remote TEXT NOT NULL,
            size INTEGER NOT NULL,
            PRIMARY KEY (device, remote, size)
        ) STRICT, WITHOUT ROWID;
        """
}
