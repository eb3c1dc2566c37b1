import Glibc
import Synchronization
package import System

/// The log of `hub serve` in a file, for where no journal keeps it. The file and the one before it take a megabyte each.
package final class LogFile: Sendable {
    /// The size at which the file becomes the one before, in bytes.
    static let limit = 1 << 20

    private let path: String
    private let limit: Int
    private let clock: any Clock
    private let turn = Mutex(())

    /// A log in the file at `path`.
    package init(path: String, limit: Int = LogFile.limit, clock: any Clock) {
        self.path = path
        self.limit = limit
        self.clock = clock
    }

    /// The file that holds what was written before the last rotation.
    package static func previous(_ path: String) -> String { path + ".1" }

    /// Appends a line for each line of `message`. Write errors are ignored.
    package func append(_ level: Log.Level, _ label: String, _ message: String) {
        let lines = message.split(separator: "\n").map { line in
            LogLine(at: clock.now, level: level, message: "\(label): \(TerminalSanitizer.line(String(line)))").text
                + "\n"
        }
        turn.withLock { _ in
            guard let folder = path.lastIndex(of: "/"), (try? Directory.make(String(path[..<folder]))) != nil else {
                return
            }
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            try? DescriptorSink(descriptor).write(Array(lines.joined().utf8))
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_size >= limit { rename(path, LogFile.previous(path)) }
        }
    }

    /// A log that also writes to this file what a journal would keep.
    package func joining(_ log: Log) -> Log {
        Log(label: log.label) { [self] level, label, message in
            log.labelled(label).write(level, message)
            if level <= .info { append(level, label, message) }
        }
    }
}
