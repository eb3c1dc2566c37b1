import CivilDate
import Glibc
import HubKit

/// A folder of backups whose names hold the local time at which they were made.
struct BackupFolder: Sendable {
    /// A backup in the folder.
    struct Backup: Hashable, Sendable {
        /// The name of the file.
        let name: String
        /// The local time in the name.
        let time: LocalTime
    }

    /// The path.
    let path: String

    init(_ path: String) { self.path = path }

    /// Whether there is a folder at `path`.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns an unused path for a backup that is made at `time`: `hub-2026-11-20T181500.db`, with a number appended if that is
    /// taken.
    func newFile(at time: LocalTime) -> String {
        let digits = [time.hour, time.minute, time.millisecond / 1000 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined()
        let name = "\(path)/hub-\(time.day)T\(digits)"
        guard access(name + ".db", F_OK) == 0 else { return name + ".db" }
        var number = 2
        while access("\(name)-\(number).db", F_OK) == 0 { number += 1 }
        return "\(name)-\(number).db"
    }

    /// Returns the backups, newest first. Files with another kind of name and files that are not backups are left out.
    func backups() -> [Backup] {
        let names = (try? DirectoryHandle(path).names().map { "\($0)" }) ?? []
        return names.compactMap(Self.backup).filter { FileKind(path: "\(path)/\($0.name)") == .hubDatabase }
            .sorted { ($0.time.day, $0.time.millisecond, $0.name) > ($1.time.day, $1.time.millisecond, $1.name) }
    }

    /// Returns the backup that a file has by its name; nil for any other name.
    static func backup(named name: String) -> Backup? {
        guard
            let match = name.wholeMatch(of: /hub-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})(-\d+)?\.db/),
            let day = CivilDate(String(match.1)), let hour = Int(match.2), let minute = Int(match.3),
            let second = Int(match.4), hour < 24, minute < 60, second < 60
        else { return nil }
        return Backup(
            name: name, time: LocalTime(day: day, millisecond: ((hour * 60 + minute) * 60 + second) * 1000))
    }
}
