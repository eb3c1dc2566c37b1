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
}
