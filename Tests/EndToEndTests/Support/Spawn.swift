import Glibc
import System

/// Starting `hub` with descriptors of the caller's choice, which `Subprocess` does not offer.
enum Spawn {
    /// Starts `hub` in the folder of `sandbox`; returns its process id.
    static func hub(
        _ arguments: [String], _ sandbox: Sandbox, _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) throws(SystemError) -> pid_t {
        // env(1) changes the folder and then becomes hub.
        let words = (["env", "-C", sandbox.folder, Sandbox.hub] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, words, variables)
        guard failure == 0 else { throw SystemError("posix_spawn", code: failure) }
        return pid
    }
}
