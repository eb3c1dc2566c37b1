import Glibc
import HubKit

/// Follows the config file while the daemon runs: says in the log what is wrong with it, and has changed settings taken over. Until
/// then, and while the file cannot be used, the previous settings stay in force.
struct ConfigWatch: Service {
    private static let interval = Duration.seconds(1)

    private let manager: ConfigManager
    private let clock: any Clock
    private let log: Log
    /// The fingerprint of the settings that the daemon uses.
    private let fingerprint: String
    private let reload: @Sendable () -> Void

    /// `reload` is called when the file has other settings than those with `fingerprint`.
    init(
        manager: ConfigManager, fingerprint: String, clock: any Clock, log: Log,
        reload: @escaping @Sendable () -> Void
    ) {
        self.manager = manager
        self.fingerprint = fingerprint
        self.clock = clock
        self.log = log
        self.reload = reload
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
        // It may have changed since the daemon read it.
        var known = fingerprint
        takeOver(&known)
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
            takeOver(&known)
        }
    }

    private func takeOver(_ known: inout String) {
        guard let latest = try? manager.load().checked().fingerprint, latest != known else { return }
        known = latest
        reload()
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
