/// Constraints on dates and bounds that the first version of the tables lacked.
///
/// SQLite before 3.46 accepts 2026-02-30 as a date until a modifier makes it calculate, and `REAL` can hold infinity.
/// Each constraint is added with a new column, because a table that others reference cannot be recreated without
/// breaking the references for a moment. Rows that violate a constraint are repaired first: a day that its month lacks
/// is moved past the end of the month, invalid chart dates are replaced by the default range, and an infinite bound,
/// which no value can reach or pass, is removed.
package enum ValueChecks {
    /// The SQL statements of the migration.
    package static let tables = """
        UPDATE mintee_task SET start_day = date(start_day, '+0 days'),
            end_day = max(date(start_day, '+0 days'), date(end_day, '+0 days'))
        WHERE date(start_day, '+0 days') IS NOT start_day OR date(end_day, '+0 days') IS NOT end_day;
        DELETE FROM mintee_instance WHERE date(day, '+0 days') IS NOT day AND EXISTS (
            SELECT 1 FROM mintee_instance AS mintee_other
            WHERE mintee_other.task = mintee_instance.task
                AND mintee_other.day = date(mintee_instance.day, '+0 days'));
        UPDATE mintee_instance SET day = date(day, '+0 days') WHERE date(day, '+0 days') IS NOT day;
        UPDATE mintee_target_set SET max_operator = 0, max = 0
        WHERE min_operator IN (1, 2) AND abs(min) < 1e308 AND max_operator <> 0 AND NOT abs(max) < 1e308;
        UPDATE mintee_target_set SET min_operator = 0, min = 0
        WHERE max_operator <> 0 AND abs(max) < 1e308 AND min_operator <> 0 AND NOT abs(min) < 1e308;
        UPDATE mintee_target_set SET min_operator = 2, max_operator = 0, min = 1, max = 0
        WHERE NOT (abs(min) < 1e308 AND abs(max) < 1e308);
        UPDATE mintee_summary SET start_day = date(start_day, '+0 days'),
            end_day = max(date(start_day, '+0 days'), date(end_day, '+0 days'))
        WHERE date(start_day, '+0 days') IS NOT NULL AND date(end_day, '+0 days') IS NOT NULL
            AND (date(start_day, '+0 days') IS NOT start_day OR date(end_day, '+0 days') IS NOT end_day);
        UPDATE mintee_summary SET start_day = NULL, end_day = NULL, date_range = 365
        WHERE date(start_day, '+0 days') IS NOT start_day OR date(end_day, '+0 days') IS NOT end_day;
        UPDATE mintee_analysis SET start_day = date(start_day, '+0 days'),
            end_day = max(date(start_day, '+0 days'), date(end_day, '+0 days'))
        WHERE date(start_day, '+0 days') IS NOT NULL AND date(end_day, '+0 days') IS NOT NULL
            AND (date(start_day, '+0 days') IS NOT start_day OR date(end_day, '+0 days') IS NOT end_day);
        UPDATE mintee_analysis SET start_day = NULL, end_day = NULL, date_range = 28, range_type = 1
        WHERE date(start_day, '+0 days') IS NOT start_day OR date(end_day, '+0 days') IS NOT end_day;
        ALTER TABLE mintee_task ADD COLUMN checked INTEGER NOT NULL DEFAULT 1
            CONSTRAINT start_date CHECK (date(start_day, '+0 days') IS start_day)
            CONSTRAINT end_date CHECK (date(end_day, '+0 days') IS end_day);
        ALTER TABLE mintee_instance ADD COLUMN checked INTEGER NOT NULL DEFAULT 1
            CONSTRAINT day_date CHECK (date(day, '+0 days') IS day);
        ALTER TABLE mintee_target_set ADD COLUMN checked INTEGER NOT NULL DEFAULT 1
            CONSTRAINT bounds_finite CHECK (abs(min) < 1e308 AND abs(max) < 1e308);
        ALTER TABLE mintee_summary ADD COLUMN checked INTEGER NOT NULL DEFAULT 1
            CONSTRAINT start_date CHECK (date(start_day, '+0 days') IS start_day)
            CONSTRAINT end_date CHECK (date(end_day, '+0 days') IS end_day);
        ALTER TABLE mintee_analysis ADD COLUMN checked INTEGER NOT NULL DEFAULT 1
            CONSTRAINT start_date CHECK (date(start_day, '+0 days') IS start_day)
            CONSTRAINT end_date CHECK (date(end_day, '+0 days') IS end_day);
        """
}
