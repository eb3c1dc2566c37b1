import Glibc
import HubKit

/// Says in the log what is wrong with the config file when it changes while the daemon runs. What the daemon has read
/// stays in force; accounts are read from the file each time.
struct ConfigWatch: Service {
    private static let interval = Duration.seconds(5)

    private let manager: ConfigManager
    private let clock: any Clock
    private let log: Log

    init(manager: ConfigManager, clock: any Clock, log: Log) {
        self.manager = manager
        self.clock = clock
        self.log = log
    }

    /// The properties that change whenever a file changes.
    private struct Version: Equatable {
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int
    }

    func run() async throws {
        var version = version()
        var wasRight = true
        while true {
            try await clock.sleep(for: Self.interval)
            let latest = self.version()
            guard latest != version else { continue }
            version = latest
            let problems = problems()
            for problem in problems { log.warning(problem) }
            if problems.isEmpty, !wasRight { log.notice("\(manager.file.shownPath) is valid again") }
            wasRight = problems.isEmpty
        }
    }

    private func problems() -> [String] {
        do throws(HubError) {
            return try manager.review().problems.map { $0.lines[0] }
        } catch {
            return [error.message]
        }
    }

    private func version() -> Version? {
        var status = stat()
        guard stat(manager.file.path, &status) == 0 else { return nil }
        return Version(
            inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
