import Glibc
import HubKit

/// `hub backup` and `hub restore`: the store and the settings in one file, and back.
enum BackupCommands {
    private static let target = Arguments<String>(
        "FILE", .optional, help: "a file or folder to write to; hub-DATETIME.db in this folder unless given",
        completion: .files(["db"]))
    private static let keep = Option<Int>(
        "keep", "N", in: 1...10_000, help: "with a folder or no FILE: delete all but the newest N backups there")
    private static let source = Argument<String>(
        "FILE", help: "a file that hub backup wrote", completion: .files(["db"]))

    static let backup = Command(
        "backup", summary: "copy the whole store to a file, while everything goes on",
        discussion: [
            "The file holds all data with its history, and the config file. Passwords in the keyring are not in it. "
                + "It is checked before it appears under its name, replaces no other file but an older backup, "
                + "and works while the disk of the store is full."
        ],
        examples: [
            Example("hub backup", "a file with today's date and time"),
            Example("hub backup /media/stick/hub.db", "a file of your choice"),
            Example("hub backup ~/backups --keep 7", "one more in a folder, which keeps the newest seven"),
        ], prominence: .more, parameters: [target, keep], changes: true
    ) { (hub: Hub, input: Input) in
        let folder = BackupFolder(hub.clock)
        let given = input[target].first.map { Directories.absolute($0, home: hub.environment.home) }
        let isFolder = given.map(BackupFolder.isFolder) ?? true
        if input[keep] != nil, !isFolder {
            throw HubError(
                .usage, code: "keep-needs-folder", "--keep needs a folder, and \(input[target][0]) is none",
                hint: "hub backup DIR --keep N")
        }
        let parent = given ?? Directories.absolute(".", home: hub.environment.home)
        let path = isFolder ? folder.newFile(in: parent) : parent
        let rule = OutputTarget(
            directories: hub.directories, config: hub.configDesk.file.path, isForced: input[GlobalOptions.force])
        try rule.requireForeign(path)
        try rule.requireReplaceable(path, by: .hubDatabase)
        let old = input[keep].map { folder.old(in: parent, keeping: $0, besides: path) } ?? []
        if input.dryRun {
            return .text(["Would write \(path)"] + old.map { "Would delete \($0)" })
        }
        try await hub.database().backup(to: path, with: try BackupSettings(hub).files())
        for file in old { unlink(file) }
        let deleted = old.isEmpty ? "" : " Deleted \(old.count == 1 ? "1 older backup" : "\(old.count) older backups")."
        let shown = given == nil ? path.split(separator: "/").last.map(String.init) ?? path : path
        return .done(
            "\(shown) holds the store and the config file, and is checked. Passwords in the keyring are not in it."
                + "\(deleted) To restore: hub restore \(ShellWords.join([shown]))")
    }

    static let restore = Command(
        "restore", summary: "replace the whole store by a backup",
        discussion: [
            "The store as it is now is moved aside and named in the answer, so nothing is lost. What was done since the "
                + "backup is not in the restored store. The config file comes back too; one that differs is kept "
                + "beside it."
        ],
        examples: [
            Example("hub restore hub-2026-11-20T181500.db", "go back to that backup"),
            Example("hub restore hub-2026-11-20T181500.db --dry-run", "show what would be replaced"),
        ], prominence: .full,
        parameters: [source], changes: true
    ) { (hub: Hub, input: Input) in
        let path = Directories.absolute(input[source], home: hub.environment.home)
        if input.dryRun { return .done("Would replace the store in \(hub.directories.data) by \(path)") }
        let question = "Replace the store in \(hub.directories.data) by \(input[source])?"
        guard try await input.confirm(question, consequence: "the whole store would be replaced") else {
            return .cancelled
        }
        let report = try await hub.database().restore(from: path)
        var lines = ["\(input[source]) is in place. The store it replaced is kept as \(report.replaced)"]
        lines += try BackupSettings(hub).restore(report.files)
        var output = Output.text(lines)
        output.isReport = true
        return output
    }
}

/// The files besides the database that make up a person's hub.
private struct BackupSettings {
    private static let config = "config.toml"
    private static let locale = "locale"
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Those that are there.
    func files() throws -> [BackupFile] {
        var files: [BackupFile] = []
        if let text = try hub.configDesk.file.readIfPresent() {
            files.append(BackupFile(name: Self.config, content: text.bytes))
        }
        if let bytes = try? SmallFile.read(hub.directories.data + "/" + Self.locale, limit: 100) {
            files.append(BackupFile(name: Self.locale, content: bytes))
        }
        return files
    }

    /// Puts them back, keeping a config file that differs beside the restored one.
    /// - Returns: what to say about it.
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
        let file = hub.configDesk.file
        let present = try file.readIfPresent()
        if present?.bytes == content { return [] }
        let kept = try present.map { try file.keep($0.bytes, suffix: ".replaced-\(hub.clock.now.milliseconds)") }
        try file.write(content, expecting: present)
        return [
            "\(file.shownPath) is that of the backup" + (kept.map { ". The one it replaced is kept as \($0)" } ?? "")
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

    /// A name that no file in `folder` has: `hub-2026-11-20T181500.db`, with a number behind it should that be taken.
    func newFile(in folder: String) -> String {
        let time = LocalZone.system.localTime(at: clock.now)
        let digits = [time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        let name = "\(folder)/hub-\(time.day)T\(digits)"
        guard access(name + ".db", F_OK) == 0 else { return name + ".db" }
        var number = 2
        while access("\(name)-\(number).db", F_OK) == 0 { number += 1 }
        return "\(name)-\(number).db"
    }

    /// The backups in `folder` beyond the newest `count`, to which `path`, about to be written, belongs. What has another
    /// name, or is no backup, is none of them.
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
