import Commands
import HubKit
import Storage

/// `hub export`: everything in a folder, in open formats.
enum ExportCommand {
    private static let folder = Argument<String>(
        "DIR", help: "folder to write: a new one, or that of an earlier export", completion: .directories)

    private static let fields = [
        Field<ExportCount>("plugin", "PLUGIN", help: "id of the plugin") { .text($0.plugin) },
        Field<ExportCount>("kind", "KIND", help: "kind of the items") { .text($0.kind) },
        Field<ExportCount>("count", "COUNT", help: "number of items, also those in the trash", align: .trailing) {
            .integer($0.count)
        },
    ]

    static let command = Command(
        "export", summary: "write everything to a folder in open formats",
        discussion: [
            "Contacts become vCards, notes Markdown, records their sounds with subtitles, tasks a calendar, and tables CSV; what these "
                + "cannot hold is in JSON beside them. README.md in the folder says what each file is. hub import reads the folder.",
            "Files whose content is the same are not touched, so that the folder can be exported again after a change or an "
                + "interruption. Passwords and the history are not part of it; hub backup keeps the history.",
        ],
        examples: [
            Example("hub export ~/hub-export", "write everything, or what has changed since the last export"),
            Example("hub export --dry-run ~/hub-export", "count what would be written"),
        ], prominence: .full, parameters: [folder], fields: fields, changes: true
    ) { (hub: Hub, input: Input) in
        let path = Directories.absolute(input[folder], home: hub.environment.home)
        try OutputTarget(
            directories: hub.directories, config: hub.configManager.file.path, isForced: input[GlobalOptions.force]
        ).requireForeign(path)
        if input.dryRun {
            let counts = try await Exporter(hub).counts()
            return .list(counts, fields).noting(Diagnostic("Would write these to \(input[folder])"))
        }
        let folder = try ExportFolder(path, isForced: input[GlobalOptions.force])
        let report = try await Exporter(hub).write(to: folder) { input.console.report($0) }
        input.console.report(nil)
        let kept = report.unchanged > 0 ? ", \(NumberFormat.counted(report.unchanged, "file")) unchanged" : ""
        let removed = report.removed > 0 ? ", \(report.removed) removed" : ""
        var output = Output.report(
            report.counts, fields,
            summary: [
                "\(NumberFormat.counted(report.written, "file")) written to \(input[Self.folder])\(kept)\(removed). "
                    + "To read it back: hub import \(ShellWords.join([input[Self.folder]]))"
            ])
        output.notes = report.warnings
        if !report.problems.isEmpty { output.exit = .partly }
        return output
    }
}
