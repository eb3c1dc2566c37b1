/// The tables of calendars of holidays, and of the target sets that leave them out.
package enum HolidaySchema {
    // `folded` is the form that all spellings of a name share. `mintee_worked_holiday` is derived: the holidays on which a
    // task is due all the same, because they have an entry.
    /// The SQL statements of the migration.
    package static let tables = """
        CREATE TABLE mintee_holiday_calendar (
            folded TEXT PRIMARY KEY,
            name TEXT NOT NULL CONSTRAINT DP_8 CHECK (trim(name) <> ''),
            source TEXT NOT NULL,
            etag TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_holiday (
            calendar TEXT NOT NULL REFERENCES mintee_holiday_calendar(folded),
            day TEXT NOT NULL CONSTRAINT DP_9 CHECK (date(day, '+0 days') IS day),
            name TEXT NOT NULL,
            PRIMARY KEY (calendar, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_exception (
            task TEXT NOT NULL REFERENCES mintee_task(id),
            priority INTEGER NOT NULL,
            calendar TEXT NOT NULL CONSTRAINT DP_7 REFERENCES mintee_holiday_calendar(folded),
            PRIMARY KEY (task, priority)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mintee_exception_calendar ON mintee_exception(calendar);
        CREATE TABLE mintee_worked_holiday (
            task TEXT NOT NULL,
            day TEXT NOT NULL,
            PRIMARY KEY (task, day)
        ) STRICT, WITHOUT ROWID;
        """
}
