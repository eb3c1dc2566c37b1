import Commands
import Glibc
import HubKit
import Storage

/// `hub backup` and `hub restore`, which save the store and the settings to one file and restore them.
enum BackupCommands {
    private static let target = Arguments<String>(
        "FILE", .optional,
        help: "file or folder to write to, or - for stdout (default: hub-DATETIME.db in the current folder)",
        completion: .files(["db"]))
    private static let keep = Option<Int>(
        "keep", "N", in: 1...10_000, help: "with a folder or no FILE: keep only the newest N backups")
    private static let source = Argument<String>(
        "FILE", help: "backup file written by hub backup", completion: .files(["db"]))

    static let backup = Command(
        "backup", summary: "back up the store to a file (safe while hub is running)",
        discussion: [
            "The backup contains all data, its history and the config file, but no passwords from the keyring. "
                + "It is verified before it gets its final name, never replaces a file other than an older backup, "
                + "and works even when the store's disk is full."
        ],
        examples: [
            Example("hub backup", "name the file after the current date and time"),
            Example("hub backup ~/before-import.db", "write to the named file"),
            Example("hub backup ~/backups --keep 7", "write to a folder and keep the newest seven there"),
            Example("hub backup - | gzip >hub.db.gz", "write to a program such as restic or borg"),
        ], prominence: .more, parameters: [target, keep], changes: true
    ) { (hub: Hub, input: Input) in
        if input[target].first == "-" { return try await stream(hub, input) }
        let given = input[target].first.map { Directories.absolute($0, home: hub.environment.home) }
        let isFolder = given.map(BackupFolder.isFolder) ?? true
        if input[keep] != nil, !isFolder {
            throw HubError(
                .usage, code: "keep-needs-folder", "--keep needs a folder, but \(input[target][0]) is not one",
                hint: "hub backup DIR --keep N")
        }
        let parent = given ?? Directories.absolute(".", home: hub.environment.home)
        let folder = BackupFolder(parent)
        let path =
            isFolder
            ? folder.newFile(at: TimeZoneRules.system.localTime(at: hub.clock.now)) : AtomicFile.target(of: parent)
        let rule = OutputTarget(
            directories: hub.directories, config: hub.configManager.file.path, isForced: input[GlobalOptions.force])
        try rule.requireForeign(path)
        try rule.requireReplaceable(path, by: .hubDatabase)
        let old =
            input[keep].map { count in
                folder.backups().map { "\(parent)/\($0.name)" }.filter { $0 != path }.dropFirst(count - 1)
            } ?? []
        if input.dryRun {
            return .text(["Would write \(path)"] + old.map { "Would delete \($0)" })
        }
        let unreadable = try await hub.database().backup(to: path, with: try BackupContents.files(hub))
        for file in old { unlink(file) }
        let deleted = old.isEmpty ? "" : " Deleted \(NumberFormat.counted(old.count, "older backup"))."
        let written = isFolder ? path : parent
        let shown =
            given == nil ? path.split(separator: "/").last.map(String.init) ?? path : hub.environment.shown(written)
        // The shell reads a ~ that is not quoted, and hub one that is.
        let word = shown.hasPrefix("~/") ? "~/" + ShellWords.quote(String(shown.dropFirst(2))) : ShellWords.quote(shown)
        var output = Output.done(
            "Backup of the store and the config file written to \(shown) and verified. It contains no passwords "
                + "from the keyring."
                + "\(deleted) To restore: hub restore \(word)")
        if !unreadable.isEmpty {
            output.notes.append(incomplete(unreadable.count))
            output.exit = .partly
        }
        return output
    }

    /// A backup whose bytes go to stdout. It is made and verified as a file first, which has no name any more when it is read.
    private static func stream(_ hub: Hub, _ input: Input) async throws -> Output {
        if input[keep] != nil {
            throw HubError(
                .usage, code: "keep-needs-folder", "--keep needs a folder, but - is stdout",
                hint: "hub backup DIR --keep N")
        }
        if input.dryRun { return .text(["Would write a backup to stdout"]) }
        let path = hub.directories.cache + "/backup-\(Identifier.make()).db"
        defer { unlink(path) }
        let unreadable = try await hub.database().backup(to: path, with: try BackupContents.files(hub))
        let reader = try await ChunkedFileReader(path: path, isRegular: true)
        var output = Output(.bytes(AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }))
        if !unreadable.isEmpty {
            output.notes.append(incomplete(unreadable.count))
            output.exit = .partly
        }
        return output
    }

    private static func incomplete(_ count: Int) -> Diagnostic {
        .warning(
            "\(NumberFormat.counted(count, "file")) of the store cannot be read; not in the backup",
            code: "backup-incomplete", hint: "hub doctor lists missing and damaged files")
    }

    static let restore = Command(
        "restore", summary: "replace the store with a backup",
        discussion: [
            "The current store is kept under a new name, so nothing is lost; the output names it. The restored store "
                + "does not contain changes made after the backup. The config file is restored too; a differing one "
                + "is kept next to it."
        ],
        examples: [
            Example("hub restore hub-2026-11-20T181500.db", "restore that backup"),
            Example("hub restore hub-2026-11-20T181500.db --dry-run", "show what would be replaced"),
        ], prominence: .full,
        parameters: [source], changes: true
    ) { (hub: Hub, input: Input) in
        let path = Directories.absolute(input[source], home: hub.environment.home)
        try await hub.database().checkBackup(at: path)
        if input.dryRun { return .done("Would replace the store in \(hub.directories.data) with \(path)") }
        let question = "Replace the store in \(hub.directories.data) with \(input[source])?"
        guard try await input.confirm(question, consequence: "this would replace the store") else {
            return .cancelled
        }
        let report = try await hub.database().restore(from: path)
        var lines = ["Restored \(input[source]). The previous store is kept as \(report.replaced)"]
        lines += try BackupSettings(hub).restore(report.files)
        var output = Output.text(lines)
        output.isReport = true
        return output
    }
}

/// The files besides the database that a backup contains.
private struct BackupSettings {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Restores `files`; a config file that differs is kept next to the restored one.
    /// - Returns: The lines to print about it.
    func restore(_ files: [BackupFile]) throws -> [String] {
        var lines: [String] = []
        for file in files {
            switch file.name {
            case BackupContents.config: lines += try restoreConfig(file.content)
            case BackupContents.locale:
                let target = try AtomicFile(
                    path: hub.directories.data + "/" + BackupContents.locale, newFileMode: 0o600)
                guard (try? target.write(file.content)) != nil else {
                    target.discard()
                    continue
                }
                try target.commit()
            default: break
            }
        }
        return lines
    }

    private func restoreConfig(_ content: [UInt8]) throws -> [String] {
        let file = hub.configManager.file
        let present = try file.readIfPresent()
        if present?.bytes == content { return [] }
        let kept = try present.map { try file.keep($0.bytes, suffix: ".replaced-\(hub.clock.now.milliseconds)") }
        try file.write(content, expecting: present)
        return [
            "Restored \(file.shownPath)" + (kept.map { ". The previous file is kept as \($0)" } ?? "")
        ]
    }
}
