package import HubKit

/// The tables of contacts.
///
/// `contacts_contact` holds the facts, and alone has history: the card as it was read is the truth about a contact.
/// `contacts_use` counts how often a contact was used, which nobody wants back by undo. All other tables are derived
/// from the facts by `reindexContacts`, are never recorded, and are read by SQL alone.
package enum ContactsSchema {
    /// The plugin's tables, how they came to be, and which of them have undo; `announce` tells the rest of the house
    /// what undo and redo have changed.
    package static func schema(announce: @escaping PluginSchema.SubjectHandler) -> PluginSchema {
        PluginSchema(
            owner: "contacts", migrations: [Migration("0001-contacts", contacts), Migration("0002-use", use)],
            recorded: [RecordedTable("contacts_contact", subject: "id")],
            reindex: { try $1.reindexContacts($0) }, announce: announce)
    }

    // `source` tells an incoming card apart (CardSource); `origin` is the content hash of the card as it last came from
    // outside, so that reading the same file again changes nothing, whatever was edited here since.
    // `contacts_entry` is sorted, filtered and shown; its number is private to the search tables, which keep no copy of
    // the text. Folding is done before, so the words need only be cut, and the trigrams be compared, as they stand. They
    // merge their parts only when `mergeSearchTables` says so: an import does that once, at its end.
    // The index of the order holds the beginnings of the sort keys, which tell nearly all names apart: an index of whole
    // keys is three times as large, and an import would write most of it again with every transaction.
    private static let contacts = """
        CREATE TABLE contacts_contact (
            id TEXT PRIMARY KEY,
            card BLOB NOT NULL,
            source INTEGER NOT NULL,
            origin INTEGER,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER
        ) STRICT;
        CREATE INDEX contacts_contact_source ON contacts_contact(source);
        CREATE INDEX contacts_contact_trash ON contacts_contact(deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE TABLE contacts_entry (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            sort_key BLOB NOT NULL,
            title TEXT NOT NULL,
            phone TEXT NOT NULL,
            email TEXT NOT NULL,
            tags TEXT NOT NULL,
            birthday INTEGER,
            name TEXT NOT NULL,
            initials TEXT NOT NULL,
            reach TEXT NOT NULL,
            other TEXT NOT NULL
        ) STRICT;
        CREATE INDEX contacts_entry_order ON contacts_entry(substr(sort_key, 1, 8));
        CREATE INDEX contacts_entry_birthday ON contacts_entry(birthday) WHERE birthday IS NOT NULL;
        CREATE TABLE contacts_tag (
            folded TEXT NOT NULL,
            number INTEGER NOT NULL,
            tag TEXT NOT NULL,
            PRIMARY KEY (folded, number)
        ) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE contacts_words USING fts5(
            name, initials, reach, other,
            content = 'contacts_entry', content_rowid = 'number', tokenize = 'ascii', detail = column, columnsize = 0
        );
        CREATE VIRTUAL TABLE contacts_grams USING fts5(
            name, reach, content = 'contacts_entry', content_rowid = 'number',
            tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
        );
        INSERT INTO contacts_words (contacts_words, rank) VALUES ('automerge', 0), ('crisismerge', 1999);
        INSERT INTO contacts_grams (contacts_grams, rank) VALUES ('automerge', 0), ('crisismerge', 1999);
        CREATE TABLE contacts_index (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    // How often a contact was used and when last, for the order of `query`.
    private static let use = """
        CREATE TABLE contacts_use (
            id TEXT PRIMARY KEY,
            count INTEGER NOT NULL,
            used_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_use_order ON contacts_use(count, used_at);
        """
}
