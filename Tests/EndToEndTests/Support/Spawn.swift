import Glibc
import System

/// Starting `hub` with descriptors of the caller's choice, which `Subprocess` does not offer.
enum Spawn {
    /// POSIX_SPAWN_SETSIGDEF of <spawn.h>, which Swift does not see.
    private static let defaultSignals: Int16 = 0x04

    /// Starts `hub` in the folder of `sandbox`; returns its process id.
    static func hub(
        _ arguments: [String], _ sandbox: Sandbox, _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) throws(SystemError) -> pid_t {
        // env(1) changes the folder and then becomes hub.
        let words = (["env", "-C", sandbox.folder, Sandbox.hub] + arguments).map { strdup($0) } + [nil]
        // A shell that runs the tests in the background has them, and what they start, ignore these.
        var (signals, flags) = (sigset_t(), Int16())
        sigemptyset(&signals)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_getflags(&attributes, &flags)
        posix_spawnattr_setflags(&attributes, flags | defaultSignals)
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, words, variables)
        guard failure == 0 else { throw SystemError("posix_spawn", code: failure) }
        return pid
    }
}
