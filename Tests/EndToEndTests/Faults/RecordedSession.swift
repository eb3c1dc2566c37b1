import Testing

/// The fault session of a suite, recorded once for all its tests. They have to be serialized, because each takes its folder.
struct RecordedSession: SuiteTrait, TestScoping {
    @TaskLocal static var current: FaultSession?

    @concurrent
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try await FaultSession()) { try await function() }
    }
}

extension Trait where Self == RecordedSession {
    /// Records the session of all commands before the first test of the suite.
    static var recordedSession: RecordedSession { RecordedSession() }
}
