import CivilDate
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import hub

/// `hub` in the process of the test, over the folders of the sandbox: for what a command does to the store and answers. A process of
/// its own costs many times as much. Programs that it starts, such as hooks, and a keyring would be those of the test, so it is not for
/// commands that need one.
extension Sandbox {
    /// Calls `body` with a session of command lines that share one hub.
    func inProcess<R>(_ body: (HubSession) async throws -> R) async throws -> R {
        let session = HubSession(
            builtInPlugins, environment: ProcessEnvironment(variables: environment), clock: clock)
        do {
            let result = try await body(session)
            await session.finish()
            return result
        } catch {
            await session.finish()
            throw error
        }
    }

    /// Runs `hub` with these words.
    @discardableResult
    func runInProcess(_ arguments: String..., input: String = "") async throws -> Finished {
        try await runInProcess(arguments, input: Array(input.utf8))
    }

    /// Runs `hub` with these words.
    @discardableResult
    func runInProcess(_ arguments: [String], input: [UInt8] = []) async throws -> Finished {
        try await inProcess { await $0.finished(arguments, input: input) }
    }
}

extension HubSession {
    /// Runs `hub` with these words, as in a pipe.
    func finished(_ arguments: [String], input: [UInt8] = []) async -> Sandbox.Finished {
        let run = await run(arguments, console: ScriptedConsole(input: input, isShown: false))
        return Sandbox.Finished(output: run.output, errors: run.messages, code: run.exit)
    }
}

extension TerminalProfile {
    /// A terminal as `Terminal` opens it, without colours.
    static let ofTests = TerminalProfile(
        inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, width: 80, height: 200,
        environmentColor: false)
}

/// The machine's time, with the days of the time zone that sandboxes have.
struct UTCClock: Clock {
    private let clock = SystemClock()

    var now: Instant { clock.now }
    var monotonicNow: Duration { clock.monotonicNow }
    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }
    func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }
}
