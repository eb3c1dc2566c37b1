import Commands
import Glibc
import HubKit
import Storage

/// `hub backup` and `hub restore`, which save the store and the settings to one file and restore them.
enum BackupCommands {
    private static let target = Arguments<String>(
        "FILE", .optional, help: "file or folder to write to (default: hub-DATETIME.db in the current folder)",
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
        ], prominence: .more, parameters: [target, keep], changes: true
    ) { (hub: Hub, input: Input) in
        let folder = BackupFolder(hub.clock)
        let given = input[target].first.map { Directories.absolute($0, home: hub.environment.home) }
        let isFolder = given.map(BackupFolder.isFolder) ?? true
        if input[keep] != nil, !isFolder {
            throw HubError(
                .usage, code: "keep-needs-folder", "--keep needs a folder, but \(input[target][0]) is not one",
                hint: "hub backup DIR --keep N")
        }
        let parent = given ?? Directories.absolute(".", home: hub.environment.home)
        let path = isFolder ? folder.newFile(in: parent) : parent
        let rule = OutputTarget(
            directories: hub.directories, config: hub.configManager.file.path, isForced: input[GlobalOptions.force])
        try rule.requireForeign(path)
        try rule.requireReplaceable(path, by: .hubDatabase)
        let old = input[keep].map { folder.old(in: parent, keeping: $0, besides: path) } ?? []
        if input.dryRun {
            return .text(["Would write \(path)"] + old.map { "Would delete \($0)" })
        }
        let unreadable = try await hub.database().backup(to: path, with: try BackupSettings(hub).files())
        for file in old { unlink(file) }
        let deleted = old.isEmpty ? "" : " Deleted \(NumberFormat.counted(old.count, "older backup"))."
        let shown = given == nil ? path.split(separator: "/").last.map(String.init) ?? path : path
        var output = Output.done(
            "Backup of the store and the config file written to \(shown) and verified. It contains no passwords "
                + "from the keyring."
                + "\(deleted) To restore: hub restore \(ShellWords.join([shown]))")
        if !unreadable.isEmpty {
            output.notes.append(
                .warning(
                    "\(NumberFormat.counted(unreadable.count, "file")) of the store cannot be read; not in the backup",
                    code: "backup-incomplete", hint: "hub doctor lists missing and damaged files"))
            output.exit = .partly
        }
        return output
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
    private static let config = "config.toml"
    private static let locale = "locale"
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Returns the files that exist.
    func files() throws -> [BackupFile] {
        var files: [BackupFile] = []
        if let text = try hub.configManager.file.readIfPresent() {
            files.append(BackupFile(name: Self.config, content: text.bytes))
        }
        if let bytes = try? BoundedFile.read(hub.directories.data + "/" + Self.locale, limit: 100) {
            files.append(BackupFile(name: Self.locale, content: bytes))
        }
        return files
    }

    /// Restores `files`; a config file that differs is kept next to the restored one.
    /// - Returns: The lines to print about it.
    func restore(_ files: [BackupFile]) throws -> [String] {
        var lines: [String] = []
        for file in files {
            switch file.name {
            case Self.config: lines += try restoreConfig(file.content)
            case Self.locale:
                let target = try AtomicFile(path: hub.directories.data + "/" + Self.locale, newFileMode: 0o600)
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

/// A folder of backups whose names hold the time at which they were made.
private struct BackupFolder {
    private let clock: any Clock

    init(_ clock: any Clock) { self.clock = clock }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns an unused name in `folder`: `hub-2026-11-20T181500.db`, with a number appended if that is taken.
    func newFile(in folder: String) -> String {
        let time = TimeZoneRules.system.localTime(at: clock.now)
        let digits = [time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        let name = "\(folder)/hub-\(time.day)T\(digits)"
        guard access(name + ".db", F_OK) == 0 else { return name + ".db" }
        var number = 2
        while access("\(name)-\(number).db", F_OK) == 0 { number += 1 }
        return "\(name)-\(number).db"
    }

    /// Returns the backups in `folder` beyond the newest `count`, counting `path`, which is about to be written. Files
    /// with another kind of name and files that are not backups are ignored.
    func old(in folder: String, keeping count: Int, besides path: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.wholeMatch(of: /hub-\d{4}-\d{2}-\d{2}T\d{6}(-\d+)?\.db/) != nil else { continue }
            let file = "\(folder)/\(name)"
            if file != path, FileKind(path: file) == .hubDatabase { names.append(file) }
        }
        return Array(names.sorted(by: >).dropFirst(count - 1))
    }
}
