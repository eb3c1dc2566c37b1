import Commands
import HubKit
import Storage

extension MinteePlugin {
    /// What `hub export` writes: all rows, and for other programs the tasks as a calendar and their days as a table.
    static let export = ExportDeclaration(
        "`tasks.ics`: the tasks as a calendar; `days.csv`: what was entered for each day",
        [
            ExportKind("settings", [ExportTable("mintee_setting", item: "key")]),
            ExportKind("tags", [ExportTable("mintee_tag", item: "folded")]),
            ExportKind(
                "holidays",
                [
                    ExportTable("mintee_holiday_calendar", item: "folded"),
                    ExportTable("mintee_holiday", item: "calendar"),
                ]),
            ExportKind(
                "tasks",
                [ExportTable("mintee_task", item: "id")]
                    + [
                        "mintee_target_set", "mintee_period_target", "mintee_place", "mintee_interval",
                        "mintee_exception",
                        "mintee_instance", "mintee_task_tag", "mintee_summary",
                    ].map { ExportTable($0, item: "task") }),
            ExportKind(
                "analyses",
                [
                    ExportTable("mintee_analysis", item: "id"), ExportTable("mintee_analysis_tag", item: "analysis"),
                ]),
            ExportKind("to-dos of devices", [ExportTable("mintee_device_todo", item: "id")]),
        ]
    ) { host in
        let mintee = try host.plugin(MinteePlugin.self)
        return [
            ExportFile(nil, "tasks.ics", .bytes(try await mintee.bytes(as: .ics))),
            ExportFile(nil, "days.csv", .bytes(try await mintee.bytes(as: .csv))),
        ]
    }

    private func bytes(as format: TaskExportFormat) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in export(as: format) { bytes += piece }
        return bytes
    }
}
