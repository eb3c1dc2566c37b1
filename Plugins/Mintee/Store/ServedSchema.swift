/// Tables of the to-dos that devices see. All but `mintee_device_todo` follow from the tasks; but names, numbers and what other programs
/// wrote into a to-do are nowhere else.
enum ServedSchema {
    // - `mintee_served`: a to-do by the last part of its address, with the number of its last change. `gone` is 1 for one that is not
    //   shown, 2 for one that a device removed. `day` is the due day or the first day of a period; NULL for one that a device made.
    // - `mintee_served_stale`: the tasks that were changed since their to-dos were written.
    // - `mintee_served_window`: the days that are shown; empty before a device asks for tasks.
    // - `mintee_device_todo`: to-dos of devices that no task can stand for: those without a day, and those that recur.
    static let tables = """
        CREATE TABLE mintee_served (
            name TEXT NOT NULL PRIMARY KEY,
            number INTEGER NOT NULL UNIQUE,
            task TEXT NOT NULL,
            day TEXT,
            period INTEGER NOT NULL,
            uid TEXT NOT NULL,
            etag TEXT NOT NULL,
            fingerprint INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            gone INTEGER NOT NULL,
            content BLOB
        ) STRICT;
        CREATE INDEX mintee_served_task ON mintee_served(task);
        CREATE INDEX mintee_served_uid ON mintee_served(uid);
        CREATE TABLE mintee_served_stale (task TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_served_window (
            today TEXT NOT NULL PRIMARY KEY,
            back INTEGER NOT NULL,
            ahead INTEGER NOT NULL,
            filled_back INTEGER NOT NULL,
            week_start INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_device_todo (
            id TEXT NOT NULL PRIMARY KEY,
            content BLOB NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        """
}
