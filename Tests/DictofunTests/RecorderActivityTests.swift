import Testing

@testable import Dictofun
@testable import DictofunDomain

struct RecorderActivityTests {
    /// Runs until it is cancelled.
    private static func wait() async throws -> RecorderRun {
        let (stream, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        throw CancellationError()
    }

    private static func progress(received: Int) -> FTSProgress {
        FTSProgress(
            operation: .finishing, newCount: 2, receivedCount: received, receivedBytes: 64 * received, totalBytes: 128)
    }

    @Test func `the listening service makes room for another process, unless it fetches records`() async throws {
        let (activity, device) = (RecorderActivity(), Device(address: "C0:DE:00:00:00:01", advertisedName: "dict"))
        var states = activity.states.makeAsyncIterator()
        let service = Task { try await activity.listen { try await Self.wait() } }
        while await states.next()?.kind != .listening {}
        activity.note(device, Self.progress(received: 1))
        #expect(!activity.makeRoom())
        activity.note(device, Self.progress(received: 2))
        #expect(activity.makeRoom())
        await #expect(throws: CancellationError.self) { try await service.value }
        #expect(activity.state.kind == .idle)
    }
}
