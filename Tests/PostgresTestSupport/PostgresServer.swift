import CSystem
import Glibc
import NetworkTestSupport
import Synchronization
import TestSupport

/// A PostgreSQL server of Debian on a socket in a temporary folder, without fsync, which `postgres.sh` runs. It ends with the test, also
/// when that is killed.
package final class PostgresServer: Sendable {
    private let folder: TemporaryFolder
    private let process: TestProcess

    /// One server for all tests of the process, which is stopped with it.
    private static let shared = Mutex<PostgresServer?>(nil)

    /// Starts the shared server, or returns it.
    package static func start() throws -> PostgresServer {
        try shared.withLock { shared in
            if let shared { return shared }
            let server = try PostgresServer()
            shared = server
            return server
        }
    }

    /// Starts a server of its own, such as one that is to be killed.
    package init() throws {
        folder = try TemporaryFolder()
        let script = #filePath.replacing("PostgresServer.swift", with: "postgres.sh")
        process = try TestProcess("bash", [script, folder.path], environment: ["PATH": Self.path])
        guard try process.line() == "ready" else { throw TestProcessError.ended }
    }

    private static let path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    /// Stops it at once, as after a loss of power, and starts it again.
    package func restart() throws { try say("restart") }
    /// Stops it at once.
    package func stop() throws { try say("stop") }
    /// Starts it after ``stop()``.
    package func start() throws { try say("start") }

    /// Keeps its data as they are, with a restart.
    package func save() throws { try say("save") }
    /// Goes back to the data that ``save()`` has kept, as from a backup.
    package func restore() throws { try say("restore") }

    private func say(_ word: String) throws {
        try process.write(word + "\n")
        guard try process.line() == "done" else { throw TestProcessError.ended }
    }

    /// The folder of its socket.
    package var directory: String { folder.path }

    /// The URL of a database.
    package func url(_ database: String = "postgres") -> String {
        "postgres:///\(database)?host=\(folder.path)&user=hub"
    }
}
