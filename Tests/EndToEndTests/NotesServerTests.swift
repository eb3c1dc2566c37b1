import HubKit
import Testing

/// The notes server over real sockets, with clients in Python. Each script starts `hub notes serve` itself, some more than once.
struct NotesServerTests {
    private static let folder = #filePath.replacing("NotesServerTests.swift", with: "")

    @Test(.timeLimit(.minutes(20)), arguments: ["original", "access", "merge", "live", "page"])
    func `the notes server does what its clients expect`(subject: String) async throws {
        let sandbox = try Sandbox()
        let report = try await Subprocess(
            Self.folder + "../../.build/peers/bin/python", ["-B", Self.folder + "NotesServer/\(subject).py"],
            environment: sandbox.environment.merging(["HUB": Sandbox.hub]) { $1 }
        ).run(outputLimit: 1 << 20, timeout: .seconds(1100))
        #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
    }
}
