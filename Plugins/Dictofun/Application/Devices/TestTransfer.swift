package import DictofunDomain
package import System

/// What a test of the transfer received: the built-in test files, in memory.
package struct TransferTest: Sendable {
    /// The bytes of the files that came whole.
    package private(set) var files: [FileID: [UInt8]] = [:]
    /// Whether the recorder has other files than those of the test.
    package private(set) var hasOtherFiles = false
    private var current: FileID?

    /// The most bytes that are kept of a file: one more than the test file has shows that there are too many.
    private static let limit = FTSSelfTest.contents.count + 1

    /// Begins with a file; returns false if it is not one of the test.
    mutating func begin(_ id: FileID) -> Bool {
        hasOtherFiles = hasOtherFiles || !FTSSelfTest.ids.contains(id)
        current = hasOtherFiles ? nil : id
        if let current { files[current] = [] }
        return current != nil
    }

    /// Adds bytes to the file that began last.
    mutating func append(_ bytes: [UInt8]) {
        guard let current, let count = files[current]?.count else { return }
        files[current]?.append(contentsOf: bytes.prefix(TransferTest.limit - count))
    }

    /// Drops the file that began last.
    mutating func discard() {
        if let current { files[current] = nil }
        current = nil
    }
}

extension DictofunPlugin {
    /// Runs a test of the transfer with a paired recorder whose firmware serves its built-in test files; returns the recorder,
    /// and what differs from these files.
    ///
    /// Nothing is stored, and the receipt of the files is not confirmed: the firmware of the test has no answer to
    /// that. Throws `unavailable` when no recorder is heard, its battery is low, or the link ends early.
    package func testTransfer(
        _ test: FTSSelfTest, with device: Device?, scanTime: Duration = .seconds(20), operation: Operation,
        waiting: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> (device: Device, problems: [String]) {
        let run = try await run(
            .connect(address: device?.address), scanTime: scanTime, task: .test, operation: operation,
            waiting: waiting)
        guard let report = run.report, var tested = run.device else { throw failure(run, device: device) }
        let known = try await devices().map(\.device)
        tested.alias = known.first { $0.address == tested.address.uppercased() }?.alias
        if run.test.hasOtherFiles { return (tested, ["it has files other than the two test files"]) }
        switch report.outcome {
        case .cancelled: throw CancellationError()
        case .lowBattery:
            throw HubError(
                .unavailable, code: "battery-low", "the battery of \(tested.name) is low", hint: "charge it")
        case .interrupted: throw failure(RecorderRun(), device: tested)
        default: return (tested, test.problems(in: report, received: run.test.files))
        }
    }
}
