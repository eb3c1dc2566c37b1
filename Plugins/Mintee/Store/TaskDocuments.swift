import Storage

/// What hubs exchange of tasks: all that is entered or set; days and scores are computed of it.
enum TaskDocuments {
    static let all = [
        DocumentKind(
            "task-tags",
            tables: [DocumentTable("mintee_tag", subject: "folded")]),
        DocumentKind(
            "holiday-calendars",
            tables: [
                // When it was fetched last is known to the machine that fetches it.
                DocumentTable("mintee_holiday_calendar", subject: "folded", rules: ["etag": .local]),
                DocumentTable("mintee_holiday", subject: "calendar"),
            ]),
        DocumentKind(
            "tasks", noun: ("task", "tasks"),
            tables: [
                DocumentTable(
                    "mintee_task", subject: "id",
                    rules: [
                        "revision": .revision, "created_at": .least, "changed_at": .greatest, "deleted_at": .trash,
                    ], groups: [["kind", "start_day", "end_day", "open_end"]]),
                // The order of the sets is their meaning.
                DocumentTable("mintee_target_set", subject: "task", whole: "targets"),
                DocumentTable("mintee_interval", subject: "task", whole: "targets"),
                DocumentTable("mintee_exception", subject: "task", whole: "targets"),
                DocumentTable("mintee_period_target", subject: "task", whole: "target of a period"),
                DocumentTable("mintee_summary", subject: "task", whole: "summary"),
                DocumentTable("mintee_place", subject: "task"), DocumentTable("mintee_task_tag", subject: "task"),
            ], match: ["name"], uniqueName: "name"),
        // A document has the entries of a year: many would be slow to list, one long to send for each entry.
        DocumentKind(
            "task-days",
            tables: [DocumentTable("mintee_instance", subject: "task", groups: [["completion", "entered"]])],
            part: "substr(day, 1, 4)", parent: "tasks"),
        DocumentKind(
            "analyses", noun: ("analysis", "analyses"),
            tables: [
                DocumentTable(
                    "mintee_analysis", subject: "id",
                    rules: [
                        "revision": .revision, "created_at": .least, "changed_at": .greatest, "deleted_at": .trash,
                    ], groups: [["range_type", "start_day", "end_day", "date_range"]]),
                DocumentTable("mintee_analysis_tag", subject: "analysis"),
            ], match: ["name"], uniqueName: "name"),
        DocumentKind("task-settings", tables: [DocumentTable("mintee_setting", subject: "key")]),
    ]
}
