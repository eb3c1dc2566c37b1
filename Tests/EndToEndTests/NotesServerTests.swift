import Glibc
import System
import Testing

/// The notes server over real sockets, with clients in Python. Each script starts `hub notes serve` itself, some more than once.
/// `HUB_LEDGER_ROUNDS` is the number of rounds of the ledger, `HUB_TEST_SEED` draws others.
struct NotesServerTests {
    private static let folder = #filePath.replacing("NotesServerTests.swift", with: "")

    /// Where the served notes are.
    enum Notes: String, CaseIterable {
        case sqlite, postgres
    }

    @Test(
        .timeLimit(.minutes(20)), arguments: ["original", "access", "merge", "live", "protocol", "ports", "monitor"],
        Notes.allCases)
    func `the notes server does what its clients expect`(subject: String, notes: Notes) async throws {
        try await run(subject, in: try Sandbox(), notes)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page's WebSocket needs the session and the origin of the page`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        try await run("page", in: sandbox)
        #expect(await daemon.end() == 0)
    }

    @Test(.timeLimit(.minutes(20)))
    func `people on the pages of two machines see each other's cursors`() async throws {
        let port = try FreePort.next()
        let bob = try Sandbox(config: "[plugins]\nnotes.name = \"bob's machine\"\n")
        let ada = try Sandbox(
            config: """
                [plugins.notes]
                name = "ada"
                server.enabled = true
                server.port = \(port)
                server.socket_port = \(port)

                """, extra: ["HUB_OTHER": bob.folder, "HUB_OTHER_LISTEN": bob.address])
        let daemons = [try await Daemon(in: ada), try await Daemon(in: bob)]
        try await run("presence", in: ada)
        for daemon in daemons { #expect(await daemon.end() == 0) }
    }

    @Test(.timeLimit(.minutes(20)))
    func `hub serve reads its settings at SIGHUP, and sends the clients of the notes server away at SIGTERM`()
        async throws
    {
        try await run("daemon", in: try Sandbox())
    }

    @Test(.timeLimit(.minutes(60)), arguments: Notes.allCases)
    func `what many type into one note while everything is killed stands there once`(notes: Notes) async throws {
        try await run("ledger", in: try Sandbox(), notes)
    }

    @Test(.timeLimit(.minutes(60)))
    func `what two machines and a phone write into one note on a server of NoteApp stands there once`() async throws {
        try await run("noteapp", in: try Sandbox())
    }

    @Test(.timeLimit(.minutes(20)))
    func `two servers behind HAProxy, nginx and Caddy are set up from the manual, and one is stopped`() async throws {
        try await run("proxies", in: try Sandbox(), .postgres)
    }

    @Test(.timeLimit(.minutes(20)))
    func `people log in at an OpenID Connect provider as the manual says, and no one in another's name`()
        async throws
    {
        try await run("oidc", in: try Sandbox())
    }

    private func run(_ script: String, in sandbox: Sandbox, _ notes: Notes = .sqlite) async throws {
        var variables = ["HUB": Sandbox.hub, "HUB_TEST_STORE": notes.rawValue]
        for name in ["HUB_LEDGER_ROUNDS", "HUB_TEST_SEED"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        let report = try await Subprocess(
            Self.folder + "../../.build/peers/bin/python", ["-B", Self.folder + "NotesServer/\(script).py"],
            environment: sandbox.environment.merging(variables) { $1 }
        ).run(outputLimit: 1 << 20, timeout: .seconds(3500))
        let counts = String(decoding: report.output, as: UTF8.self)
        if !counts.isEmpty { print(counts, terminator: "") }
        #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
    }
}
