import TestSupport
import Testing

/// A disk that fails at the places where it once did harm, each of which `FaultTests` draws seldom.
@Suite(.timeLimit(.minutes(20)))
struct KnownFaultTests {
    @Test func `a mirrored file that was written before the disk failed is not taken for an edit`() async throws {
        try await expectWhole(in: "/home/notes") { folder in
            [
                ["notes", "new", "Tea", "-m", "Assam"], ["notes", "mirror", folder + "/home/notes"],
                ["notes", "append", "Tea", "Darjeeling"],
            ]
        }
    }

    @Test func `a journal that cannot be removed does not damage what is restored`() async throws {
        try await expectWhole(in: "/data/hub/hub.db-journal") { folder in
            [
                ["contacts", "new", "Ada Lovelace"], ["backup", folder + "/home/backup.db"],
                ["restore", "--yes", folder + "/home/backup.db"],
            ]
        }
    }

    @Test func `a folder that finds no room is not said to be forbidden`() async throws {
        try await expectWhole(in: "/home/notes", .full) { folder in
            [["notes", "new", "Tea", "-m", "Assam"], ["notes", "mirror", folder + "/home/notes"]]
        }
    }

    @Test func `a token that cannot be stored is not said to be unknown`() async throws {
        let session = try await FaultSession { _ in
            [["contacts", "new", "Ada Lovelace"], ["market", "portfolio", "buy", "0.5", "btc", "--price", "42000"]]
        }
        let step = try #require(session.steps.last)
        try session.rewind(to: step)
        let ended = try await session.run(step.arguments, .full, at: 1)
        #expect(ended.code == 75 && !ended.all.contains("no token"), "\(ended.all)")
    }

    /// Fails each call by which the last command changes files whose path begins so.
    private func expectWhole(
        in place: String, _ fault: FaultSession.Fault = .io, _ commands: (String) -> [[String]]
    ) async throws {
        let session = try await FaultSession(commands)
        let step = try #require(session.steps.last)
        let calls = step.log.entries.indices.filter { step.log.entries[$0].path.hasPrefix(place) }
        try #require(!calls.isEmpty)
        for call in calls {
            try session.rewind(to: step)
            let ended = try await session.run(step.arguments, fault, at: call + 1)
            let place = "\(fault) at call \(call + 1) of \(step.arguments)"
            if fault == .full { #expect([0, 2, 75].contains(ended.code), "\(place): \(ended.all)") }
            try await FaultTests.expectWhole(session, step, ended.code == 0, place)
        }
    }
}
