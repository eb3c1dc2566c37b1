import Glibc
import HubKit
import NetworkTestSupport
import TestSupport
import Testing

/// The web page in Chromium, with the daemon and the commands beside it.
@Suite(.serialized)
struct PageTests {
    private static let folder = #filePath.replacing("PageTests.swift", with: "Browser/")

    @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "duplicates", "conflicts", "birthdays", "access"])
    func `the page of contacts does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        let people = try sandbox.write(Self.cards, to: "people.vcf")
        let imported = try await sandbox.run("contacts", "import", people)
        #expect(imported.code == 0, "\(imported.all)")
        try await run("contacts_\(subject)", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the session of the page is worth nothing on another port`() async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await sandbox.run("contacts", "import", try sandbox.write(Self.cards, to: "people.vcf"))
        try await run("session", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["today", "tasks", "analyses", "access"])
    func `the page of Mintee does in a browser what the commands do`(subject: String) async throws {
        try await run(
            "mintee_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["board", "portfolio", "access"])
    func `the page of the market does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(
            config: Self.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await run("market_\(subject)", in: sandbox)
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
        try await run("market_offline", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["records", "access"])
    func `the page of Dictofun does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(
            config: "[plugins]\ndictofun.engine.model = \"~/base.bin\"\n",
            extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try sandbox.write("", to: "base.bin")
        let engine = try BoundedFile.read(Self.folder + "dictofun_whisper.py", limit: 1 << 20)
        chmod(try sandbox.write(engine, to: "bin/whisper-cli"), 0o700)
        try await run("dictofun_\(subject)", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page of Dictofun pairs with a recorder, shows its transfer and unpairs`() async throws {
        let program = Self.folder.replacing("EndToEndTests/Browser/", with: "DictofunSimulator/recorder.py")
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
        try await run("dictofun_recorders", in: sandbox)
        withExtendedLifetime(simulator) {}
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "access"])
    func `the page of notes does in a browser what the commands do`(subject: String) async throws {
        try await run(
            "notes_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
    }

    @Test(.timeLimit(.minutes(20)))
    func `the components keep what is typed, selected and played while other things change`() async throws {
        try await runScript("components", in: try Sandbox())
    }

    @Test(.timeLimit(.minutes(20)))
    func `the frame of all pages leads through hub, searches, undoes and is readable for everybody`() async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await sandbox.run("contacts", "import", try sandbox.write(Self.cards, to: "people.vcf"))
        try await run("shell", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `an empty hub leads to the first contact, voice record, note and habit, and to the market`() async throws {
        let sandbox = try Sandbox(
            config: Self.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await run("first_use", in: sandbox)
    }

    /// The config file with invented prices, which need no network.
    private static let demo = "[plugins]\nmarket.providers = [\"demo\"]\n"

    /// Runs a script of the folder beside a daemon.
    private func run(_ script: String, in sandbox: Sandbox) async throws {
        let daemon = try await Daemon(in: sandbox)
        try await runScript(script, in: sandbox)
        #expect(await daemon.end() == 0)
    }

    private func runScript(_ script: String, in sandbox: Sandbox) async throws {
        let report = try await Subprocess(
            "/usr/bin/python3", ["-B", Self.folder + script + ".py"],
            environment: sandbox.environment.merging(Self.variables) { $1 }
        ).run(outputLimit: 1 << 20, timeout: .seconds(900))
        #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
    }

    /// The variables of the script besides the store's environment.
    private static var variables: [String: String] {
        var variables = ["HUB": Sandbox.hub]
        if let folder = getenv("HUB_SCREENSHOTS") { variables["HUB_SCREENSHOTS"] = String(cString: folder) }
        return variables
    }

    /// A contact with every field that the page shows, one in another script, a malicious one, and many more.
    private static let cards =
        """
        BEGIN:VCARD
        VERSION:4.0
        FN:Łukasz Nowak
        N:Nowak;Łukasz;;;
        TEL;TYPE=cell:+48 601 234 567
        EMAIL;TYPE=home:lukasz@nowak.pl
        ADR;TYPE=home:;;ul. Długa 5;Gdańsk;;80-827;Poland
        BDAY:19850331
        ORG:Zakład Testów;Research
        CATEGORIES:friends
        NOTE:Likes long walks\\nand short meetings.
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:Anna Lukasz
        TEL:+49 171 2345678
        EMAIL:anna@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:<img src=x onerror="window.hostile=1">
        END:VCARD

        """
        + (10..<70).map { number in
            """
            BEGIN:VCARD
            VERSION:4.0
            FN:Person \(number)
            EMAIL:person\(number)@example.org
            END:VCARD

            """
        }.joined()
}
