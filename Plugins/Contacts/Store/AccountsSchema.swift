/// The table of accounts: the result of the last sync of each. Their settings are in the config file.
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

    // `unread` is the tag of an unreadable item at the path of a linked card, empty if it could not be fetched; `tag`
    // stays the one of the last card that was read. `contacts_problem` stores why an item was not synced: `item` is a
    // contact's id or a path, and `revision` the contact's at that time. `contacts_sending` stores cards before they
    // are sent, to recognise them if the response is lost.
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
