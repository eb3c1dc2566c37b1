/// The table of accounts: how the last sync of each went. Where they are stands in the config file.
enum AccountsSchema {
    static let tables = """
        CREATE TABLE contacts_run (
            account TEXT PRIMARY KEY,
            finished_at INTEGER NOT NULL,
            duration_ms INTEGER NOT NULL,
            received_new INTEGER NOT NULL,
            received_changed INTEGER NOT NULL,
            received_removed INTEGER NOT NULL,
            sent_new INTEGER NOT NULL,
            sent_changed INTEGER NOT NULL,
            sent_removed INTEGER NOT NULL,
            merged INTEGER NOT NULL,
            conflicts INTEGER NOT NULL,
            problems INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            failure TEXT,
            next_at INTEGER NOT NULL
        ) STRICT;
        """

    // `unread` is the tag of what stands in the place of a linked card and could not be read, empty when it could not
    // even be fetched; `tag` stays that of the card that was read last. `contacts_problem` keeps why an item was not
    // synced, `item` being a contact's id or a place, and `revision` the contact's at that time. `contacts_sending` keeps
    // what is about to be sent, by which a card is known again whose receipt was lost.
    static let unsynced = """
        ALTER TABLE contacts_link ADD COLUMN unread TEXT;
        CREATE TABLE contacts_problem (
            book TEXT NOT NULL,
            item TEXT NOT NULL,
            contact TEXT,
            code TEXT NOT NULL,
            reason TEXT NOT NULL,
            revision INTEGER,
            since INTEGER NOT NULL,
            PRIMARY KEY (book, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE contacts_sending (
            book TEXT NOT NULL,
            contact TEXT NOT NULL,
            ours BLOB NOT NULL,
            sent BLOB NOT NULL,
            PRIMARY KEY (book, contact)
        ) STRICT, WITHOUT ROWID;
        """
}
