import CSystem
import Glibc
import NetworkTestSupport
import Synchronization
import TestSupport

/// A PostgreSQL server of Debian on a socket in a temporary folder, without fsync. It refuses to run as root, so a script that root runs
/// changes to another user.
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
        process = try TestProcess("bash", ["-c", Self.script, "bash", folder.path], environment: ["PATH": Self.path])
        guard try process.line() == "ready" else { throw TestProcessError.ended }
    }

    private static let path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

    /// Ends with its standard input.
    private static let script = """
        set -eu
        bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
        folder=$1
        as=()
        if [ "$(id -u)" = 0 ]; then
            chown nobody "$folder"
            as=(setpriv --reuid nobody --regid nogroup --clear-groups)
        fi
        trap '"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop >&2 || true; rm -rf "$folder"' EXIT
        "${as[@]}" "$bin/initdb" -D "$folder/data" -U hub -A trust --no-locale -E UTF8 --no-sync >/dev/null
        start() {
            "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" -o "-k $folder -c listen_addresses='' \\
                -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=16MB -c autovacuum=off" start >&2
        }
        start
        echo ready
        while read -r word; do
            case $word in
            restart) "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop >&2; start ;;
            stop) "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop >&2 ;;
            start) start ;;
            esac
            echo done
        done
        """

    /// Stops it at once, as after a loss of power, and starts it again.
    package func restart() throws { try say("restart") }
    /// Stops it at once.
    package func stop() throws { try say("stop") }
    /// Starts it after ``stop()``.
    package func start() throws { try say("start") }

    private func say(_ word: String) throws {
        try process.write(word + "\n")
        guard try process.line() == "done" else { throw TestProcessError.ended }
    }

    /// The URL of a database.
    package func url(_ database: String = "postgres") -> String {
        "postgres:///\(database)?host=\(folder.path)&user=hub"
    }
}
