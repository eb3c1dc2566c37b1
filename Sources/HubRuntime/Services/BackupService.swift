import CivilDate
import Commands
import Glibc
import HubKit
import Storage

/// Backs the store up at times, into the folder that the settings name.
struct BackupService: Service {
    private static let interval = Duration.seconds(300)

    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    func run() async throws {
        while true {
            if let backups = try ScheduledBackups(hub), let path = try await backups.makeIfDue() {
                hub.log.labelled("backup").notice("backed up to \(path)")
            }
            try await hub.clock.sleep(for: Self.interval)
        }
    }
}

/// The backups that the settings ask for.
struct ScheduledBackups: Sendable {
    /// The name of the setting in the store that remembers a folder once it has a backup.
    private static let setting = "backup/folder"

    private let hub: Hub
    private let folder: BackupFolder
    private let every: Duration
    private let retention: BackupRetention

    /// Returns the backups; nil when the settings name no folder.
    init?(_ hub: Hub) throws {
        let config = try hub.configuration().core
        guard let path = config[HubKeys.backupFolder] else { return nil }
        self.hub = hub
        folder = BackupFolder(Directories.absolute(path, home: hub.environment.home))
        every = config[HubKeys.backupEvery]
        guard let retention = BackupRetention(config[HubKeys.backupKeep]) else { return nil }
        self.retention = retention
    }

    /// The path of the folder.
    var path: String { folder.path }
    /// The age at which the last backup is too old.
    var oldAge: Duration { max(.seconds(3 * 86_400), every * 3) }

    /// Returns the age of the last backup; nil without one.
    func age() async -> Duration? {
        let now = TimeZoneRules.system.localTime(at: hub.clock.now)
        let last = try? await BackgroundThread.run { [folder] in folder.backups().first }
        guard let time = last?.time else { return nil }
        let days = now.day.daysSinceEpoch - time.day.daysSinceEpoch
        return .seconds(days * 86_400) + .milliseconds(now.millisecond - time.millisecond)
    }

    /// Makes a backup when the last one is old enough, and then removes those that need not stay.
    /// - Returns: The path of the new backup; nil when none was due.
    func makeIfDue() async throws -> String? {
        try await requireFolder()
        // A backup from the future is that of a clock that was wrong, and none is due for ever then.
        if let age = await age(), age >= .zero, age < every { return nil }
        let path = folder.newFile(at: TimeZoneRules.system.localTime(at: hub.clock.now))
        let unreadable = try await hub.database().backup(to: path, with: try BackupContents.files(hub))
        if !unreadable.isEmpty {
            hub.log.labelled("backup").warning(
                "\(NumberFormat.counted(unreadable.count, "file")) of the store cannot be read; not in the backup")
        }
        let operation = Operation("backup", who: .service("backup"), kind: .cache)
        try await hub.database().store(for: "core").write(operation) { [folder] in
            try $0.saveSetting(Self.setting, folder.path)
        }
        try await BackgroundThread.run { [folder, retention] in
            let backups = folder.backups()
            for place in retention.superfluous(backups.map(\.time.day)) {
                unlink("\(folder.path)/\(backups[place].name)")
            }
        }
        return path
    }

    /// Throws when the folder is not there, or has lost its backups: another disk may be mounted there, or none.
    private func requireFolder() async throws {
        let shown = TerminalSanitizer.line(folder.path)
        guard BackupFolder.isFolder(folder.path) else {
            throw HubError(
                .unavailable, code: "backup-folder-missing", "the folder of backups \(shown) is not there",
                hint: "mount its disk, make the folder, or name another one: hub config set hub.backup.folder DIR")
        }
        let known = try await hub.database().store(for: "core").read { try $0.setting(Self.setting) }
        guard known == folder.path else { return }
        guard try await !BackgroundThread.run({ [folder] in folder.backups().isEmpty }) else {
            throw HubError(
                .unavailable, code: "backup-folder-empty", "the folder of backups \(shown) has none of its backups",
                details: ["its disk may not be mounted"],
                hint: "mount it, or start there: hub backup \(ShellWords.quote(folder.path))")
        }
    }
}

/// The files besides the database that a backup contains.
enum BackupContents {
    static let config = "config.toml"
    static let locale = "locale"

    /// Returns the files that exist.
    static func files(_ hub: Hub) throws -> [BackupFile] {
        var files: [BackupFile] = []
        if let text = try hub.configManager.file.readIfPresent() {
            files.append(BackupFile(name: config, content: text.bytes))
        }
        if let bytes = try? BoundedFile.read(hub.directories.data + "/" + locale, limit: 100) {
            files.append(BackupFile(name: locale, content: bytes))
        }
        return files
    }
}
