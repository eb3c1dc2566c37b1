package import Storage

/// The schema of Mintee.
///
/// Primary data are tasks, their target sets, their intervals, exceptions, period targets, places, tags and summaries, entries of days, analyses and settings. An instance
/// only has a row if its day has an entry, or if its task has specific dates; all other days are computed from the
/// patterns. `mintee_year` and `mintee_worked_holiday` are derived; the first has one row for each year of a task with entries, with a
/// byte per day.
package enum MinteeSchema {
    /// The tables of the plugin, their migrations, and which of them support undo; `announce` publishes events for
    /// changes made by undo and redo.
    package static func schema(announce: @escaping PluginSchema.EntityHandler) -> PluginSchema {
        schema(tables, announce: announce)
    }

    /// The schema with other statements for the tables, so that a test can leave out a rule.
    package static func schema(
        _ tables: String, checks: String = ValueChecks.tables, periods: String = PeriodSchema.tables,
        places: String = PlaceSchema.tables, intervals: String = IntervalSchema.tables,
        holidays: String = HolidaySchema.tables,
        announce: @escaping PluginSchema.EntityHandler
    ) -> PluginSchema {
        PluginSchema(
            owner: "mintee",
            migrations: [
                Migration("0001-tasks", tables), Migration("0002-calendar", CalendarSchema.tables),
                Migration("0003-values", checks), Migration("0004-sending", CalendarSchema.sending),
                Migration("0005-sync-log", CalendarSchema.counts), Migration("0006-period-targets", periods),
                Migration("0007-places", places), Migration("0008-intervals", intervals),
                Migration("0009-holidays", holidays),
                Migration("0010-period-todos", CalendarSchema.periods), Migration("0011-served", ServedSchema.tables),
            ],
            recorded: [
                RecordedTable("mintee_task", subject: "id"), RecordedTable("mintee_target_set", subject: "task"),
                RecordedTable("mintee_period_target", subject: "task"), RecordedTable("mintee_place", subject: "task"),
                RecordedTable("mintee_interval", subject: "task"),
                RecordedTable("mintee_holiday_calendar", subject: "folded"),
                RecordedTable("mintee_holiday", subject: "calendar"),
                RecordedTable("mintee_exception", subject: "task"),
                RecordedTable("mintee_instance", subject: "task"), RecordedTable("mintee_tag", subject: "folded"),
                RecordedTable("mintee_task_tag", subject: "task"), RecordedTable("mintee_summary", subject: "task"),
                RecordedTable("mintee_analysis", subject: "id"),
                RecordedTable("mintee_analysis_tag", subject: "analysis"),
                RecordedTable("mintee_setting", subject: "key"),
                RecordedTable("mintee_device_todo", subject: "id"),
            ], documents: TaskDocuments.all, reindex: { try $1.reindexTasks($0) }, announce: announce)
    }

    // A constraint is named after the code of its rule. Weekdays are bits 1 (Sunday) to 7, weeks bits 1 to 5 (last),
    // days of the month bits 1 to 31 and 0 (last). `source` identifies the item of an import, or the event, that
    // created the row.
    /// The SQL of the first migration.
    package static let tables = """
        CREATE TABLE mintee_task (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CONSTRAINT I_1 CHECK (trim(name) <> ''),
            kind INTEGER NOT NULL CONSTRAINT TASK_1 CHECK (kind IN (0, 1)),
            start_day TEXT CONSTRAINT start_form CHECK (date(start_day) IS start_day),
            end_day TEXT CONSTRAINT end_form CHECK (date(end_day) IS end_day),
            open_end INTEGER NOT NULL CONSTRAINT open_form CHECK (open_end IN (0, 1)),
            remind_at INTEGER CONSTRAINT remind_form CHECK (remind_at BETWEEN 0 AND 1439),
            notes TEXT NOT NULL,
            source TEXT,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER,
            CONSTRAINT TASK_2 CHECK (kind <> 0 OR start_day IS NOT NULL AND end_day IS NOT NULL),
            CONSTRAINT TASK_6 CHECK (start_day IS NULL OR end_day IS NULL OR start_day <= end_day),
            CONSTRAINT TASK_8 CHECK (kind <> 1 OR start_day IS NULL AND end_day IS NULL)
        ) STRICT;
        CREATE UNIQUE INDEX mintee_TASK_5 ON mintee_task(name) WHERE deleted_at IS NULL;
        CREATE INDEX mintee_task_source ON mintee_task(source) WHERE source IS NOT NULL;
        CREATE TABLE mintee_target_set (
            task TEXT NOT NULL CONSTRAINT TTS_8 REFERENCES mintee_task(id),
            priority INTEGER NOT NULL CONSTRAINT priority_form CHECK (priority BETWEEN 0 AND 32767),
            pattern_type INTEGER NOT NULL CONSTRAINT DP_1 CHECK (pattern_type IN (1, 2, 3)),
            days_of_week INTEGER CONSTRAINT TTS_10 NOT NULL,
            weeks_of_month INTEGER NOT NULL,
            days_of_month INTEGER NOT NULL,
            min_operator INTEGER NOT NULL CONSTRAINT TTS_1 CHECK (min_operator IN (0, 1, 2, 3)),
            max_operator INTEGER NOT NULL CONSTRAINT TTS_2 CHECK (max_operator IN (0, 1, 2)),
            min REAL CONSTRAINT I_7 NOT NULL,
            max REAL NOT NULL,
            CONSTRAINT TTS_9 PRIMARY KEY (task, priority),
            CONSTRAINT days_form CHECK (days_of_week & ~254 = 0 AND weeks_of_month & ~62 = 0
                AND days_of_month BETWEEN 0 AND 4294967295),
            CONSTRAINT DP_2 CHECK (pattern_type <> 1
                OR days_of_week <> 0 AND weeks_of_month = 0 AND days_of_month = 0),
            CONSTRAINT DP_3 CHECK (pattern_type <> 2
                OR days_of_week <> 0 AND weeks_of_month <> 0 AND days_of_month = 0),
            CONSTRAINT DP_4 CHECK (pattern_type <> 3
                OR days_of_week = 0 AND weeks_of_month = 0 AND days_of_month <> 0),
            CONSTRAINT TTS_3 CHECK (max_operator <> 0 OR max = 0),
            CONSTRAINT TTS_4 CHECK (min_operator <> 0 OR min = 0),
            CONSTRAINT TTS_5 CHECK (min_operator <> 0 OR max_operator <> 0),
            CONSTRAINT TTS_6 CHECK (min_operator <> 3 OR max_operator = 0),
            CONSTRAINT TTS_7 CHECK (min_operator = 0 OR max_operator = 0 OR min < max)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_instance (
            task TEXT NOT NULL CONSTRAINT TI_1 REFERENCES mintee_task(id),
            day TEXT CONSTRAINT TI_5 NOT NULL CONSTRAINT day_form CHECK (date(day) IS day),
            completion REAL NOT NULL CONSTRAINT I_9 CHECK (abs(completion) < 1e308),
            entered INTEGER NOT NULL CONSTRAINT entered_form CHECK (entered IN (0, 1)),
            skip TEXT,
            note TEXT,
            CONSTRAINT TI_4 PRIMARY KEY (task, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mintee_instance_note ON mintee_instance(task, day) WHERE note IS NOT NULL;
        CREATE TABLE mintee_tag (
            folded TEXT CONSTRAINT I_4 PRIMARY KEY,
            name TEXT NOT NULL CONSTRAINT TAG_1 UNIQUE CONSTRAINT I_3 CHECK (trim(name) <> '')
        ) STRICT;
        CREATE TABLE mintee_task_tag (
            task TEXT NOT NULL REFERENCES mintee_task(id),
            tag TEXT NOT NULL REFERENCES mintee_tag(folded),
            PRIMARY KEY (task, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mintee_task_tag_tag ON mintee_task_tag(tag);
        CREATE TABLE mintee_summary (
            task TEXT NOT NULL CONSTRAINT TSA_5 REFERENCES mintee_task(id),
            type INTEGER NOT NULL CONSTRAINT TSA_1 CHECK (type IN (0, 1)),
            start_day TEXT,
            end_day TEXT,
            date_range INTEGER NOT NULL CONSTRAINT range_form CHECK (date_range <= 32767),
            legend TEXT CONSTRAINT TSA_7 NOT NULL,
            CONSTRAINT TASK_7 PRIMARY KEY (task),
            CONSTRAINT TSA_2 CHECK ((start_day IS NULL) = (end_day IS NULL)),
            CONSTRAINT TSA_3 CHECK (start_day IS NULL OR end_day IS NULL OR date_range = 0),
            CONSTRAINT TSA_4 CHECK (start_day IS NOT NULL OR end_day IS NOT NULL OR date_range > 0),
            CONSTRAINT TSA_8 CHECK (start_day IS NULL OR end_day IS NULL OR start_day <= end_day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mintee_analysis (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL CONSTRAINT I_2 CHECK (trim(name) <> ''),
            type INTEGER NOT NULL CONSTRAINT ANL_1 CHECK (type IN (0, 1)),
            range_type INTEGER NOT NULL CONSTRAINT ANL_9 CHECK (range_type IN (0, 1)),
            start_day TEXT,
            end_day TEXT,
            date_range INTEGER NOT NULL CONSTRAINT range_form CHECK (date_range <= 32767),
            home INTEGER NOT NULL CONSTRAINT ANL_5 CHECK (home >= -1),
            legend TEXT CONSTRAINT ANL_7 NOT NULL,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            deleted_at INTEGER,
            CONSTRAINT ANL_2 CHECK ((start_day IS NULL) = (end_day IS NULL)),
            CONSTRAINT ANL_3 CHECK (start_day IS NULL OR end_day IS NULL OR date_range = 0),
            CONSTRAINT ANL_4 CHECK (start_day IS NOT NULL OR end_day IS NOT NULL OR date_range > 0),
            CONSTRAINT ANL_8 CHECK (start_day IS NULL OR end_day IS NULL OR start_day <= end_day),
            CONSTRAINT ANL_11 CHECK (range_type <> 1 OR date_range > 0),
            CONSTRAINT ANL_12 CHECK (range_type <> 0
                OR start_day IS NOT NULL AND end_day IS NOT NULL AND start_day <= end_day)
        ) STRICT;
        CREATE UNIQUE INDEX mintee_ANL_6 ON mintee_analysis(name) WHERE deleted_at IS NULL;
        CREATE TABLE mintee_analysis_tag (
            analysis TEXT NOT NULL REFERENCES mintee_analysis(id),
            tag TEXT NOT NULL REFERENCES mintee_tag(folded),
            PRIMARY KEY (analysis, tag)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mintee_analysis_tag_tag ON mintee_analysis_tag(tag);
        CREATE TABLE mintee_setting (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL,
            CONSTRAINT I_10 CHECK (key <> 'theme' OR value IN ('System Default', 'Jungle', 'Ocean'))
        ) STRICT;
        CREATE TABLE mintee_year (
            year INTEGER NOT NULL,
            task TEXT NOT NULL,
            streak INTEGER NOT NULL,
            states BLOB NOT NULL,
            PRIMARY KEY (year, task)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mintee_year_task ON mintee_year(task);
        """
}
