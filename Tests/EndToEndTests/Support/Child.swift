import Glibc
import System

/// A process that a test starts and ends itself, such as the daemon or a command that is to die halfway.
final class Child: Sendable {
    /// Its process id.
    let pid: pid_t

    /// Starts `hub` with these words; its output goes to the file `log` of the sandbox.
    init(
        _ arguments: [String], in sandbox: Sandbox, log: String = "child.log", extra: [String: String] = [:]
    ) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, sandbox.folder + "/" + log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let environment = sandbox.environment.merging(extra) { $1 }
        pid = try Spawn.hub(arguments, sandbox, environment, &actions, &attributes)
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for the end; answers the exit code, or 128 and the signal when one ended it.
    @discardableResult
    func wait() async -> Int32 {
        let pid = pid
        // Without a thread the process would stay: the test ends it by its own end.
        let ended = try? await BackgroundThread.run { () throws(SystemError) in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 {
                guard errno == EINTR else { throw SystemError("waitpid") }
            }
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        } whenRefused: {
            $0
        }
        return ended ?? -1
    }
}
