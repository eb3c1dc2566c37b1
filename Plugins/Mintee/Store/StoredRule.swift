package import MinteeDomain

/// A query of `check` that returns the names or ids of the items that violate a rule.
///
/// A condition on a single row is also a constraint of its table; a test compares both.
package struct StoredRule: Sendable {
    /// The rule.
    package let code: RuleCode
    /// The query; it returns one row for each violation, with the item as text.
    package let sql: String

    private init(_ code: RuleCode, _ sql: String) {
        self.code = code
        self.sql = sql
    }

    /// Creates a rule that rows of `table` violate if `condition` is false.
    private static func each(
        _ code: RuleCode, _ table: String, _ subject: String, _ condition: String
    ) -> StoredRule {
        StoredRule(code, "SELECT \(subject) FROM \(table) WHERE NOT coalesce((\(condition)), 1)")
    }

    /// All rules that SQL can check; patterns and legends are checked by `Transaction.ruleViolations`.
    package static let all: [StoredRule] =
        tasks + instances + sets + tags + analyses + summaries + settings + values + periods + places + intervals
        + holidays

    /// Invalid dates, infinite bounds, and other violations that the constraints of old stores allow.
    private static let values =
        [
            ("TASK-2", "mintee_task", "name"), ("TSA-2", "mintee_summary", "task"),
            ("ANL-2", "mintee_analysis", "name"),
        ].map { (code: RuleCode, table: String, subject: String) in
            StoredRule(
                code,
                """
                SELECT \(subject) FROM \(table) WHERE start_day IS NOT NULL AND date(start_day, '+0 days') IS NOT start_day
                    OR end_day IS NOT NULL AND date(end_day, '+0 days') IS NOT end_day
                """)
        } + [
            StoredRule(
                "TI-5", "SELECT task || ' ' || day FROM mintee_instance WHERE date(day, '+0 days') IS NOT day"),
            StoredRule(
                "I-7", "SELECT task FROM mintee_target_set WHERE NOT (abs(min) < 1e308 AND abs(max) < 1e308)"),
            StoredRule(
                "I-2", "SELECT analysis FROM mintee_analysis_tag WHERE tag NOT IN (SELECT folded FROM mintee_tag)"),
        ]

    private static let tasks = [
        each("I-1", "mintee_task", "id", "trim(name) <> ''"), each("TASK-1", "mintee_task", "name", "kind IN (0, 1)"),
        each("TASK-2", "mintee_task", "name", "kind <> 0 OR start_day IS NOT NULL AND end_day IS NOT NULL"),
        StoredRule(
            "TASK-3", "SELECT name FROM mintee_task WHERE kind = 0 AND id NOT IN (SELECT task FROM mintee_target_set)"),
        StoredRule(
            "TASK-4", "SELECT name FROM mintee_task WHERE kind = 1 AND id NOT IN (SELECT task FROM mintee_instance)"),
        StoredRule(
            "TASK-5", "SELECT name FROM mintee_task WHERE deleted_at IS NULL GROUP BY name HAVING count(*) > 1"),
        each("TASK-6", "mintee_task", "name", "start_day IS NULL OR end_day IS NULL OR start_day <= end_day"),
        StoredRule(
            "TASK-7",
            """
            SELECT name FROM mintee_task WHERE id NOT IN (SELECT task FROM mintee_summary) UNION ALL
            SELECT task FROM mintee_summary GROUP BY task HAVING count(*) > 1
            """),
        each("TASK-8", "mintee_task", "name", "kind <> 1 OR start_day IS NULL AND end_day IS NULL"),
        StoredRule(
            "TASK-9", "SELECT name FROM mintee_task WHERE kind = 1 AND id IN (SELECT task FROM mintee_target_set)"),
        each("I-5", "mintee_task", "name", "start_day IS NULL OR end_day IS NULL OR start_day <= end_day"),
    ]

    private static let instances = [
        StoredRule("TI-1", "SELECT day FROM mintee_instance WHERE task NOT IN (SELECT id FROM mintee_task)"),
        StoredRule("TI-4", "SELECT task || ' ' || day FROM mintee_instance GROUP BY task, day HAVING count(*) > 1"),
        StoredRule("TI-5", "SELECT task FROM mintee_instance WHERE day IS NULL"),
        each("I-9", "mintee_instance", "task || ' ' || day", "abs(completion) < 1e308"),
    ]

    private static let sets = [
        each("TTS-1", "mintee_target_set", "task", "min_operator IN (0, 1, 2, 3)"),
        each("TTS-2", "mintee_target_set", "task", "max_operator IN (0, 1, 2)"),
        each("TTS-3", "mintee_target_set", "task", "max_operator <> 0 OR max = 0"),
        each("TTS-4", "mintee_target_set", "task", "min_operator <> 0 OR min = 0"),
        each("TTS-5", "mintee_target_set", "task", "min_operator <> 0 OR max_operator <> 0"),
        each("TTS-6", "mintee_target_set", "task", "min_operator <> 3 OR max_operator = 0"),
        each("TTS-7", "mintee_target_set", "task", "min_operator = 0 OR max_operator = 0 OR min < max"),
        StoredRule("TTS-8", "SELECT task FROM mintee_target_set WHERE task NOT IN (SELECT id FROM mintee_task)"),
        StoredRule(
            "TTS-9", "SELECT task FROM mintee_target_set GROUP BY task, priority HAVING count(*) > 1"),
        StoredRule("TTS-10", "SELECT task FROM mintee_target_set WHERE days_of_week IS NULL"),
        each("DP-1", "mintee_target_set", "task", "pattern_type IN (1, 2, 3)"),
        each(
            "DP-2", "mintee_target_set", "task",
            "pattern_type <> 1 OR days_of_week <> 0 AND weeks_of_month = 0 AND days_of_month = 0"),
        each(
            "DP-3", "mintee_target_set", "task",
            "pattern_type <> 2 OR days_of_week <> 0 AND weeks_of_month <> 0 AND days_of_month = 0"),
        each(
            "DP-4", "mintee_target_set", "task",
            "pattern_type <> 3 OR days_of_week = 0 AND weeks_of_month = 0 AND days_of_month <> 0"),
        StoredRule(
            "I-6",
            """
            SELECT task FROM mintee_target_set WHERE days_of_week = 0 AND days_of_month = 0
                OR min_operator = 0 AND max_operator = 0
            """),
        StoredRule("I-7", "SELECT task FROM mintee_target_set WHERE min IS NULL OR max IS NULL"),
        StoredRule(
            "I-8", "SELECT task FROM mintee_target_set GROUP BY task HAVING max(priority) <> count(*) - 1"),
    ]

    private static let tags = [
        StoredRule("TAG-1", "SELECT name FROM mintee_tag GROUP BY name HAVING count(*) > 1"),
        StoredRule("TAG-2", "SELECT name FROM mintee_tag WHERE folded NOT IN (SELECT tag FROM mintee_task_tag)"),
        each("I-3", "mintee_tag", "folded", "trim(name) <> ''"),
    ]

    private static let analyses =
        charts("ANL", "mintee_analysis", "name") + [
            each("I-2", "mintee_analysis", "id", "trim(name) <> ''"),
            StoredRule(
                "ANL-5",
                """
                SELECT name FROM mintee_analysis WHERE home < -1 UNION ALL
                SELECT min(name) FROM mintee_analysis WHERE home >= 0 GROUP BY home HAVING count(*) > 1
                """),
            StoredRule(
                "ANL-6", "SELECT name FROM mintee_analysis WHERE deleted_at IS NULL GROUP BY name HAVING count(*) > 1"),
            each("ANL-9", "mintee_analysis", "name", "range_type IN (0, 1)"),
            each("ANL-11", "mintee_analysis", "name", "range_type <> 1 OR date_range > 0"),
            each(
                "ANL-12", "mintee_analysis", "name",
                "range_type <> 0 OR start_day IS NOT NULL AND end_day IS NOT NULL AND start_day <= end_day"),
        ]

    private static let summaries =
        charts("TSA", "mintee_summary", "task") + [
            StoredRule("TSA-5", "SELECT task FROM mintee_summary WHERE task NOT IN (SELECT id FROM mintee_task)")
        ]

    /// The rules that analyses share with the charts of tasks.
    private static func charts(_ family: String, _ table: String, _ subject: String) -> [StoredRule] {
        [
            (1, "type IN (0, 1)"), (2, "(start_day IS NULL) = (end_day IS NULL)"),
            (3, "start_day IS NULL OR end_day IS NULL OR date_range = 0"),
            (4, "start_day IS NOT NULL OR end_day IS NOT NULL OR date_range > 0"),
            (8, "start_day IS NULL OR end_day IS NULL OR start_day <= end_day"),
        ].map { each(RuleCode("\(family)-\($0)"), table, subject, $1) } + [
            StoredRule(RuleCode("\(family)-7"), "SELECT \(subject) FROM \(table) WHERE legend IS NULL")
        ]
    }

    private static let periods = [
        each("PT-1", "mintee_period_target", "task", "min_operator IN (0, 1, 2, 3)"),
        each("PT-2", "mintee_period_target", "task", "max_operator IN (0, 1, 2)"),
        each("PT-3", "mintee_period_target", "task", "max_operator <> 0 OR max = 0"),
        each("PT-4", "mintee_period_target", "task", "min_operator <> 0 OR min = 0"),
        each("PT-5", "mintee_period_target", "task", "min_operator <> 0 OR max_operator <> 0"),
        each("PT-6", "mintee_period_target", "task", "min_operator <> 3 OR max_operator = 0"),
        each("PT-7", "mintee_period_target", "task", "min_operator = 0 OR max_operator = 0 OR min < max"),
        StoredRule(
            "PT-8", "SELECT name FROM mintee_task WHERE kind = 1 AND id IN (SELECT task FROM mintee_period_target)"),
        each(
            "PT-9", "mintee_period_target", "task",
            """
            measure <> 0
                OR (min_operator = 0
                    OR min = round(min) AND min BETWEEN 1 AND CASE period WHEN 0 THEN 7 WHEN 1 THEN 31 ELSE days END)
                AND (max_operator = 0
                    OR max = round(max) AND max BETWEEN 1 AND CASE period WHEN 0 THEN 7 WHEN 1 THEN 31 ELSE days END)
            """),
        each(
            "PT-10", "mintee_period_target", "task",
            "period <> 2 AND days IS NULL OR period = 2 AND days IS NOT NULL AND days BETWEEN 2 AND 366"),
        StoredRule("PT-11", "SELECT task FROM mintee_period_target GROUP BY task HAVING count(*) > 1"),
    ]

    private static let intervals = [
        each(
            "DP-5", "mintee_interval", "task",
            """
            unit = 1 AND count BETWEEN 2 AND 366 OR unit = 2 AND count BETWEEN 2 AND 104
                OR unit = 3 AND count BETWEEN 2 AND 120
            """), each("DP-6", "mintee_interval", "task", "date(start_day, '+0 days') IS start_day"),
    ]

    private static let holidays = [
        StoredRule(
            "DP-7",
            "SELECT task FROM mintee_exception WHERE calendar NOT IN (SELECT folded FROM mintee_holiday_calendar)"),
        each("DP-8", "mintee_holiday_calendar", "folded", "trim(name) <> ''"),
        each("DP-9", "mintee_holiday", "calendar", "date(day, '+0 days') IS day"),
    ]

    private static let places = [
        each("I-11", "mintee_place", "task", "trim(section) <> ''"),
        each("I-12", "mintee_place", "task", "position >= 0"),
    ]

    private static let settings = [
        each("I-10", "mintee_setting", "value", "key <> 'theme' OR value IN ('System Default', 'Jungle', 'Ocean')")
    ]
}
