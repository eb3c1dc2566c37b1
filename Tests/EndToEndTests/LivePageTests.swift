import Glibc
import HubKit
import NetworkTestSupport
import TestSupport
import Testing

/// The pages of notes, voice records and the market in Chromium, which change while one looks at them.
@Suite(.serialized)
struct LivePageTests {
    @Test(.timeLimit(.minutes(20)), arguments: ["board", "portfolio", "access"])
    func `the page of the market does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(
            config: BrowserScript.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await BrowserScript.runWithDaemon("market_\(subject)", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page of the market keeps its last board without a network`() async throws {
        let port = try FreePort.next()
        let sandbox = try Sandbox(
            config: """
                [plugins]
                market.providers = ["coingecko"]
                market.coingecko.url = "http://127.0.0.1:\(port)/api/v3"

                """,
            extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())", "MARKET_PORT": "\(port)"])
        try await BrowserScript.runWithDaemon("market_offline", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["records", "access"])
    func `the page of Dictofun does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(
            config: "[plugins]\ndictofun.engine.model = \"~/base.bin\"\n",
            extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try sandbox.write("", to: "base.bin")
        let engine = try BoundedFile.read(BrowserScript.folder + "dictofun_whisper.py", limit: 1 << 20)
        chmod(try sandbox.write(engine, to: "bin/whisper-cli"), 0o700)
        try await BrowserScript.runWithDaemon("dictofun_\(subject)", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page of Dictofun pairs with a recorder, shows its transfer and unpairs`() async throws {
        let program = BrowserScript.folder.replacing("EndToEndTests/Browser/", with: "DictofunSimulator/recorder.py")
        // Slow enough to be seen.
        let simulator = try TestProcess(
            "/usr/bin/python3",
            ["-B", program, "--records", "2", "--size", "300000", "--packet-interval", "1", "--development"],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"])
        let bus = String(try simulator.line().drop { $0 != "=" }.dropFirst())
        while try simulator.line() != "ready" {}
        let sandbox = try Sandbox(extra: [
            "HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())", "DBUS_SYSTEM_BUS_ADDRESS": bus,
        ])
        try await BrowserScript.runWithDaemon("dictofun_recorders", in: sandbox)
        withExtendedLifetime(simulator) {}
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "access"])
    func `the page of notes does in a browser what the commands do`(subject: String) async throws {
        try await BrowserScript.runWithDaemon(
            "notes_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
    }
}
