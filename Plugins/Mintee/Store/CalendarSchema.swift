/// Tables with the sync state of calendars. They can be rebuilt from the servers, so they have no history; accounts are
/// in the config file.
enum CalendarSchema {
    static let tables = """
        ALTER TABLE mintee_instance ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE mintee_calendar (
            account TEXT PRIMARY KEY,
            href TEXT NOT NULL,
            name TEXT NOT NULL,
            token TEXT,
            state TEXT
        ) STRICT;
        CREATE TABLE mintee_todo (
            account TEXT NOT NULL,
            href TEXT NOT NULL,
            tag TEXT NOT NULL,
            task TEXT,
            day TEXT,
            our_value REAL,
            our_skip TEXT,
            our_note TEXT,
            their_value REAL,
            their_skip TEXT,
            their_note TEXT,
            their_state TEXT,
            their_number REAL,
            their_time INTEGER,
            sent INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            PRIMARY KEY (account, href)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX mintee_todo_day ON mintee_todo(account, task, day) WHERE task IS NOT NULL;
        CREATE TABLE mintee_run (
            account TEXT PRIMARY KEY,
            finished_at INTEGER NOT NULL,
            duration_ms INTEGER NOT NULL,
            received_changed INTEGER NOT NULL,
            sent_new INTEGER NOT NULL,
            sent_changed INTEGER NOT NULL,
            sent_removed INTEGER NOT NULL,
            problems INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            failure TEXT,
            next_at INTEGER NOT NULL
        ) STRICT;
        """

    // `unread` is the etag of an unreadable item at the path of a linked to-do, empty if it could not be fetched; `tag`
    // stays the one of the last to-do that was read. `sending_…` is the entry that was sent last, until the response is
    // received.
    static let sending = """
        ALTER TABLE mintee_todo ADD COLUMN unread TEXT;
        ALTER TABLE mintee_todo ADD COLUMN sending_value REAL;
        ALTER TABLE mintee_todo ADD COLUMN sending_skip TEXT;
        ALTER TABLE mintee_todo ADD COLUMN sending_note TEXT;
        ALTER TABLE mintee_todo ADD COLUMN sending_time INTEGER;
        """

    // The to-do of a period is stored under the first day of the period, beside that of the day itself.
    static let periods = """
        ALTER TABLE mintee_todo ADD COLUMN period INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mintee_todo ADD COLUMN completed_at INTEGER;
        DROP INDEX mintee_todo_day;
        CREATE UNIQUE INDEX mintee_todo_day ON mintee_todo(account, task, day, period) WHERE task IS NOT NULL;
        """

    // The counts that the log of syncs of other plugins has too.
    static let counts = """
        ALTER TABLE mintee_run ADD COLUMN received_new INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mintee_run ADD COLUMN received_removed INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mintee_run ADD COLUMN merged INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE mintee_run ADD COLUMN conflicts INTEGER NOT NULL DEFAULT 0;
        """
}
