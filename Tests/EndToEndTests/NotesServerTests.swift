import HubKit
import Testing

/// The notes server over real sockets, with clients in Python. Each script starts `hub notes serve` itself, some more than once.
struct NotesServerTests {
    private static let folder = #filePath.replacing("NotesServerTests.swift", with: "")

    @Test(.timeLimit(.minutes(20)), arguments: ["original", "access", "merge", "live"])
    func `the notes server does what its clients expect`(subject: String) async throws {
        try await run(subject, in: try Sandbox())
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page's WebSocket needs the session and the origin of the page`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        try await run("page", in: sandbox)
        #expect(await daemon.end() == 0)
    }

    private func run(_ script: String, in sandbox: Sandbox) async throws {
        let report = try await Subprocess(
            Self.folder + "../../.build/peers/bin/python", ["-B", Self.folder + "NotesServer/\(script).py"],
            environment: sandbox.environment.merging(["HUB": Sandbox.hub]) { $1 }
        ).run(outputLimit: 1 << 20, timeout: .seconds(1100))
        #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
    }
}
