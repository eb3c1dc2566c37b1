/// The tables of the event bus.
enum EventsSchema {
    /// The outbox, how far each subscriber has come, and what was set aside.
    static let migration = Migration(
        "events",
        """
        CREATE TABLE core_event (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            topic TEXT NOT NULL,
            version INTEGER NOT NULL,
            subject TEXT NOT NULL,
            operation TEXT,
            unique_key TEXT,
            body TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX core_event_unique ON core_event (topic, unique_key) WHERE unique_key IS NOT NULL;

        CREATE TABLE core_cursor (
            subscriber TEXT PRIMARY KEY NOT NULL,
            seq INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            retry_at INTEGER,
            error TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE core_dead_event (
            id TEXT PRIMARY KEY NOT NULL,
            subscriber TEXT NOT NULL,
            dead_at INTEGER NOT NULL,
            error TEXT NOT NULL,
            retrying INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            at INTEGER NOT NULL,
            topic TEXT NOT NULL,
            version INTEGER NOT NULL,
            subject TEXT NOT NULL,
            operation TEXT,
            unique_key TEXT,
            body TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX core_dead_event_once ON core_dead_event (subscriber, seq);
        """)

    /// Since when a subscriber has not been in the config any more.
    static let absence = Migration("events-absence", "ALTER TABLE core_cursor ADD COLUMN absent_since INTEGER;")
}
