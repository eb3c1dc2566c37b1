import Testing

@testable import Dictofun
@testable import DictofunDomain

struct RecorderActivityTests {
    @Test func `the service searches for recorders until BlueZ has connected with some by itself`() {
        var experience = RecorderService.Experience()
        func scans() -> [Int] {
            (0..<3).map { _ in
                defer { experience.noteNone(isEarly: false) }
                return Int(experience.scanTime / .seconds(1)) * (experience.search(of: 1).isSilent ? 1 : -1)
            }
        }
        #expect(scans() == [12, -8, 12])
        var run = RecorderRun()
        run.device = Device(address: "C0:DE:00:00:00:01", advertisedName: "dict")
        experience.note(run)
        #expect(scans() == [12, -8, 12], "hub itself has connected")
        run.wasConnectedByService = true
        for _ in 1...2 { experience.note(run) }
        #expect(scans() == [600, 600, 600])
        experience.noteNone(isEarly: true)
        #expect(scans() == [-8, 12, -8], "the service refuses now")
        #expect(experience.search(of: 1).served == [], "one alone waits for no other")
        run.device = Device(address: "C0:DE:00:00:00:03", advertisedName: "dict")
        experience.note(run)
        #expect(experience.search(of: 2).served == ["C0:DE:00:00:00:01", "C0:DE:00:00:00:03"])
    }

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
