import System

extension DictofunPlugin {
    /// Runs the simulated recorder on this terminal until it is interrupted. Throws `unavailable` when it is not installed.
    package func simulate(_ arguments: [String]) async throws {
        guard let recorder = SimulatedRecorder() else {
            throw HubError(
                .unavailable, code: "no-simulator", "the simulated recorder is not installed",
                hint: "make install puts it beside hub")
        }
        try await recorder.run(arguments)
    }
}
