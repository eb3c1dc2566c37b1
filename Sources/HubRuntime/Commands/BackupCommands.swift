import HubKit

/// `hub backup` and `hub restore`: the whole store in one file, and back.
enum BackupCommands {
    private static let target = Arguments<String>(
        "FILE", .optional, help: "where to; hub-DATE.db in this folder unless given", completion: .files(["db"]))
    private static let source = Argument<String>(
        "FILE", help: "a file that hub backup wrote", completion: .files(["db"]))

    static let backup = Command(
        "backup", summary: "copy the whole store to a file, while everything goes on",
        examples: [
            Example("hub backup", "a file with today's date"),
            Example("hub backup /media/stick/hub.db", "a file of your choice"),
        ], prominence: .more, parameters: [target], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[target].first ?? "hub-\(hub.clock.today(in: .local)).db"
        let path = Directories.absolute(name, home: hub.environment.home)
        if input.dryRun { return .done("Would write \(path)") }
        try await hub.database().backup(to: path)
        return .done("\(path) holds everything. Back: hub restore \(ShellWords.join([name]))")
    }

    static let restore = Command(
        "restore", summary: "replace the whole store by a backup",
        discussion: [
            "The store as it is now is moved aside and named in the answer, so nothing is lost. What was done since the "
                + "backup is not in the restored store."
        ],
        examples: [
            Example("hub restore hub-2026-11-20.db", "go back to that backup"),
            Example("hub restore hub-2026-11-20.db --dry-run", "show what would be replaced"),
        ], prominence: .full,
        parameters: [source], changes: true
    ) { (hub: Hub, input: Input) in
        let path = Directories.absolute(input[source], home: hub.environment.home)
        if input.dryRun { return .done("Would replace the store in \(hub.directories.data) by \(path)") }
        let question = "Replace the store in \(hub.directories.data) by \(input[source])?"
        guard try await input.confirm(question, consequence: "the whole store would be replaced") else {
            return .cancelled
        }
        let kept = try await hub.database().restore(from: path)
        return .done("\(input[source]) is in place. The store it replaced is kept as \(kept)")
    }
}
