import NetworkTestSupport
import TestSupport

/// PgBouncer of Debian before a PostgreSQL server, which `pgbouncer.sh` runs. It ends with the test.
package final class PgBouncer: Sendable {
    private let folder: TemporaryFolder
    private let process: TestProcess

    /// Starts it with a pool mode: `session` or `transaction`.
    package init(_ server: PostgresServer, mode: String) throws {
        folder = try TemporaryFolder()
        let script = #filePath.replacing("PgBouncer.swift", with: "pgbouncer.sh")
        process = try TestProcess(
            "bash", [script, server.directory, folder.path, mode],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"])
        guard try process.line() == "ready" else { throw TestProcessError.ended }
    }

    /// The URL of the database.
    package var url: String { "postgres:///postgres?host=\(folder.path)&port=6432&user=hub" }
}
