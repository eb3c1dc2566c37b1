import Commands
import HubKit
import Storage

/// `hub import`: reads what `hub export` has written.
enum ImportCommand {
    private static let folder = Argument<String>(
        "DIR", help: "folder that hub export has written", completion: .directories)

    private static let fields = [
        Field<ImportCount>("plugin", "PLUGIN", help: "id of the plugin") { .text($0.plugin) },
        Field<ImportCount>("kind", "KIND", help: "kind of the items") { .text($0.kind) },
        Field<ImportCount>("new", "NEW", help: "number of items that were added", align: .trailing) {
            .integer($0.new)
        },
        Field<ImportCount>(
            "unchanged", "UNCHANGED", help: "number of items that are here with the same content", align: .trailing
        ) { .integer($0.unchanged) },
        Field<ImportCount>(
            "different", "DIFFERENT", help: "number of items that are here with other content, and were left",
            align: .trailing
        ) { .integer($0.different) },
        Field<ImportCount>("skipped", "SKIPPED", help: "number of items that cannot be used", align: .trailing) {
            .integer($0.skipped)
        },
    ]

    static let command = Command(
        "import", summary: "read a folder that hub export has written",
        discussion: [
            "Items keep their ids, times, tags and places in the trash. Nothing is replaced or removed: an item that is here with other "
                + "content is left as it is. So an import that was interrupted is continued by running it again. hub undo reverts the "
                + "whole import. The settings in the folder are not used.",
            "Files of other programs are imported by the plugins, such as hub contacts import.",
        ],
        examples: [
            Example("hub import ~/hub-export", "add what is not here"),
            Example("hub import -n ~/hub-export", "show what would be added"),
        ], prominence: .full, parameters: [folder], fields: fields, changes: true
    ) { (hub: Hub, input: Input) in
        let path = Directories.absolute(input[folder], home: hub.environment.home)
        let importer = try Importer(hub, path, operation: Operation(plannable: input), isPlan: input.dryRun)
        let report = try await importer.run { input.console.report($0) }
        input.console.report(nil)
        let new = report.counts.map(\.new).reduce(0, +)
        let words = "\(NumberFormat.counted(new, "item")) \(input.dryRun ? "would be added" : "added")"
        var output = Output.report(
            report.counts.filter { $0.new + $0.unchanged + $0.different + $0.skipped > 0 }, fields,
            summary: new == 0 || input.dryRun ? [words] : [words + ". Undo: hub undo"])
        output.hasHeader = true
        output.notes = report.warnings
        if !report.problems.isEmpty || !report.conflicts.isEmpty { output.exit = .partly }
        return output
    }
}
