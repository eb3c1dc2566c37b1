import ContactsDomain
import Queries
package import Storage

/// The tables of contacts.
///
/// `contacts_contact` stores the cards, which are the source of truth. `contacts_conflict` stores open conflicts,
/// `contacts_apart` pairs that were marked as different people, `contacts_search` the saved searches, `contacts_local_book` the books that
/// belong to no account. These five have history. The state when both sides of
/// a sync were last equal is in `contacts_book`, `contacts_link` and `contacts_membership`, the `UID`s that servers give cards in
/// `contacts_uid`, and the use of contacts in `contacts_use`; these have none. All other tables are derived from the cards by `reindexContacts`, are not recorded, and are only read
/// with SQL.
package enum ContactsSchema {
    /// The plugin's tables with their migrations and undo; `announce` publishes the changes by undo and redo.
    package static func schema(announce: @escaping PluginSchema.EntityHandler) -> PluginSchema {
        PluginSchema(
            owner: "contacts",
            migrations: [
                Migration("0001-contacts", contacts), Migration("0002-sync", sync),
                Migration("0003-duplicates", duplicates), Migration("0004-use", use),
                Migration("0005-accounts", AccountsSchema.tables), Migration("0006-imports", imports),
                Migration("0007-unsynced", AccountsSchema.unsynced), Migration("0008-references", references),
                Migration("0009-groups", groups), Migration("0010-queries", queries),
                Migration("0011-memberships", memberships), Migration("0012-hrefs", hrefs),
                Migration("0013-etags", etags),
                // In stores of before, SQLite merged nothing until there were more segments than it takes.
                Migration(
                    "0014-segments", Transaction.searchTables.map(\.disableAutomaticMerge).joined(separator: "\n")),
                Migration("0015-books", books), Migration("0016-book-ids", bookIDs),
            ],
            recorded: [
                RecordedTable("contacts_contact", subject: "id"),
                RecordedTable("contacts_conflict", subject: "contact"),
                RecordedTable("contacts_apart", subject: "first"), RecordedTable("contacts_search", subject: "id"),
                RecordedTable("contacts_local_book", subject: "id"),
            ],
            documents: ContactDocuments.all,
            reindex: { subjects, transaction in
                try transaction.reindexContacts(subjects.filter(isContact))
                for book in subjects where Book.isLocalID(book) { try transaction.numberServed(ofBook: book) }
            },
            merge: { try $1.mergeOutdatedChange($0) },
            announce: { try announce($0.filter(isContact), $1) },
            compact: { try $0.compactSearchTables() })
    }

    /// Whether the subject of a change is a contact.
    private static func isContact(_ id: String) -> Bool { !SavedSearch.isID(id) && !Book.isLocalID(id) }

    // `source` identifies an incoming card (CardSource); `origin` is the content hash of the card as last imported, so
    // that reading the same file again changes nothing, even after local edits.
    // `contacts_entry` is used for sorting, filtering and display; its number is internal to the search tables, which
    // have no copy of the text. Text is folded before, so words are only split, and trigrams compared, as they are.
    // They merge their segments only in `mergeSearchTables`.
    // The sort index has the prefixes of the sort keys, which distinguish nearly all names: an index of whole keys is
    // three times as large, and an import would rewrite most of it with every transaction.
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

    // A link is a card on both sides: `theirs` is the remote text when the sides were last equal, `ours` the local one
    // if its content differs, `ours_hash` its content hash. Whether the local side has changed since is computed from
    // the card; `revision`, `changed_at` and `seen_hash` cache the result. A link without a contact is a remote card
    // that is skipped.
    private static let sync = """
        ALTER TABLE contacts_contact ADD COLUMN book TEXT;
        CREATE INDEX contacts_contact_book ON contacts_contact(book) WHERE book IS NOT NULL;
        CREATE TABLE contacts_book (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            href TEXT NOT NULL,
            name TEXT NOT NULL,
            read_only INTEGER NOT NULL,
            versions TEXT NOT NULL,
            maximum_size INTEGER,
            token TEXT,
            state TEXT,
            rewrites INTEGER,
            synced_at INTEGER,
            result TEXT,
            UNIQUE (account, href)
        ) STRICT;
        CREATE TABLE contacts_link (
            book TEXT NOT NULL,
            href TEXT NOT NULL,
            contact TEXT,
            tag TEXT NOT NULL,
            ours_hash INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            seen_hash INTEGER NOT NULL,
            theirs BLOB NOT NULL,
            ours BLOB,
            PRIMARY KEY (book, href)
        ) STRICT;
        CREATE INDEX contacts_link_contact ON contacts_link(contact, book);
        CREATE TABLE contacts_conflict (
            contact TEXT NOT NULL,
            book TEXT NOT NULL,
            since INTEGER NOT NULL,
            changed_here INTEGER NOT NULL,
            theirs BLOB NOT NULL,
            base BLOB,
            PRIMARY KEY (contact, book)
        ) STRICT;
        """

    // `merged_into` is the contact that one in the trash was merged into. `contacts_alias` is derived from the lines in
    // which a card records merged cards: the source of each, and its content hash.
    private static let duplicates = """
        ALTER TABLE contacts_contact ADD COLUMN merged_into TEXT;
        CREATE TABLE contacts_apart (
            pair TEXT PRIMARY KEY,
            first TEXT NOT NULL,
            second TEXT NOT NULL
        ) STRICT;
        CREATE INDEX contacts_apart_first ON contacts_apart(first);
        CREATE INDEX contacts_apart_second ON contacts_apart(second);
        CREATE TABLE contacts_alias (
            source INTEGER NOT NULL,
            number INTEGER NOT NULL,
            content INTEGER,
            PRIMARY KEY (source, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_alias_number ON contacts_alias(number);
        """

    // `imported` is the card as last imported, if the contact's card has changed since; it is stored with the first
    // change. `origins` are the content hashes of the states that were imported before `origin`, eight bytes each: none
    // of them is imported again.
    private static let imports = """
        ALTER TABLE contacts_contact ADD COLUMN imported BLOB;
        ALTER TABLE contacts_contact ADD COLUMN origins BLOB;
        """

    // `contacts_reference` is derived: the `UID`s that a card names. In `contacts_uid`, `theirs` is the `UID` that the
    // server of a book gave to the card with the `UID` `ours`, the last one with `is_current`; all without `urn:uuid:`.
    // Its rows outlive the card and the book, so that both are recognised when they come back.
    // `knows_uids` is null for a book that was synced before they were recorded.
    private static let references = """
        CREATE TABLE contacts_reference (
            uid BLOB NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (uid, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_reference_number ON contacts_reference(number);
        CREATE TABLE contacts_uid (
            book TEXT NOT NULL,
            theirs BLOB NOT NULL,
            ours BLOB NOT NULL,
            is_current INTEGER NOT NULL,
            PRIMARY KEY (book, theirs)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_uid_ours ON contacts_uid(book, ours);
        CREATE INDEX contacts_uid_theirs ON contacts_uid(theirs);
        ALTER TABLE contacts_book ADD COLUMN knows_uids INTEGER;
        """

    private static let groups = """
        ALTER TABLE contacts_entry ADD COLUMN is_group INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX contacts_entry_group ON contacts_entry(number) WHERE is_group;
        """

    // `properties` are the bits of the fields that a contact has. `contacts_date` is derived: the days of anniversaries and other
    // dates as month × 100 + day. The id of a saved search is its name after an `@`.
    private static let queries = """
        ALTER TABLE contacts_entry ADD COLUMN properties INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE contacts_date (
            day INTEGER NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (day, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_date_number ON contacts_date(number);
        CREATE TABLE contacts_search (
            id TEXT PRIMARY KEY,
            query TEXT NOT NULL
        ) STRICT;
        """

    // The tags that were also memberships in groups of the book when both were last in step; `name` is folded.
    private static let memberships = """
        CREATE TABLE contacts_membership (
            book TEXT NOT NULL,
            name TEXT NOT NULL,
            contact TEXT NOT NULL,
            PRIMARY KEY (book, name, contact)
        ) STRICT, WITHOUT ROWID;
        """

    // The names of contacts for devices; a row is never removed, so that every device learns what is gone. `number` is that of the last
    // change, a higher one than any before. `revision` and `changed_at` tell a change from a rebuilt index. It is empty until a device
    // asks for contacts.
    private static let hrefs = """
        CREATE TABLE contacts_href (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            contact TEXT NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            gone INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX contacts_href_contact ON contacts_href(contact, gone, number);
        """

    // The tag and the length of each card, so that a list of them reads no card. Rows that were there before are given theirs with the
    // next request of a device, which the index finds.
    private static let etags = """
        ALTER TABLE contacts_href ADD COLUMN etag TEXT NOT NULL DEFAULT '';
        ALTER TABLE contacts_href ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX contacts_href_untagged ON contacts_href(number) WHERE etag = '' AND gone = 0;
        """

    // Names and numbers of each address book that a device sees: `collection` is empty for all contacts, `here` for those in no book,
    // else the id of a book. A number is that of one change in one of them. The id of a local book begins with `book:`; `word` is its
    // address.
    private static let books = """
        CREATE TABLE contacts_local_book (
            id TEXT PRIMARY KEY,
            word TEXT NOT NULL,
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE contacts_href_each (
            number INTEGER PRIMARY KEY,
            collection TEXT NOT NULL DEFAULT '',
            name TEXT NOT NULL,
            contact TEXT NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            gone INTEGER NOT NULL,
            etag TEXT NOT NULL DEFAULT '',
            length INTEGER NOT NULL DEFAULT 0,
            UNIQUE (collection, name)
        ) STRICT;
        INSERT INTO contacts_href_each (number, name, contact, revision, changed_at, gone, etag, length)
        SELECT number, name, contact, revision, changed_at, gone, etag, length FROM contacts_href;
        DROP TABLE contacts_href;
        ALTER TABLE contacts_href_each RENAME TO contacts_href;
        CREATE INDEX contacts_href_contact ON contacts_href(contact, collection, gone, number);
        CREATE INDEX contacts_href_number ON contacts_href(collection, number, gone);
        CREATE INDEX contacts_href_untagged ON contacts_href(number) WHERE etag = '' AND gone = 0;
        """

    // The id of a local book is made of its word, so that a book that was made on two machines is one.
    private static let bookIDs = """
        CREATE TABLE contacts_local_book_id (
            old TEXT PRIMARY KEY,
            new TEXT NOT NULL
        ) STRICT;
        INSERT INTO contacts_local_book_id SELECT min(id), 'book:' || word FROM contacts_local_book GROUP BY word;
        DELETE FROM contacts_local_book_id WHERE old = new OR new IN (SELECT id FROM contacts_local_book);
        UPDATE contacts_contact SET book = (SELECT new FROM contacts_local_book_id WHERE old = book)
        WHERE book IN (SELECT old FROM contacts_local_book_id);
        UPDATE contacts_href SET collection = (SELECT new FROM contacts_local_book_id WHERE old = collection)
        WHERE collection IN (SELECT old FROM contacts_local_book_id);
        UPDATE contacts_local_book SET id = (SELECT new FROM contacts_local_book_id WHERE old = id)
        WHERE id IN (SELECT old FROM contacts_local_book_id);
        DROP TABLE contacts_local_book_id;
        """

    // The number of uses of a contact and the time of the last, for the order of `query`.
    private static let use = """
        CREATE TABLE contacts_use (
            id TEXT PRIMARY KEY,
            count INTEGER NOT NULL,
            used_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX contacts_use_order ON contacts_use(count, used_at);
        """
}
