import Glibc
import NetworkTestSupport
import System
import TestSupport
import Testing

/// The pages in Chromium, with the daemon and the commands beside them.
///
/// The tests of one page follow each other, those of several pages run at the same time.
@Suite
struct PageTests {
    @Suite(.serialized)
    struct Frame {
        @Test(.timeLimit(.minutes(20)))
        func `the session of the page is worth nothing on another port`() async throws {
            let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
            try await sandbox.run("contacts", "import", try sandbox.write(BrowserScript.cards, to: "people.vcf"))
            try await BrowserScript.runWithDaemon("session", in: sandbox)
        }

        @Test(.timeLimit(.minutes(20)))
        func `the components keep what is typed, selected and played while other things change`() async throws {
            try await BrowserScript.run("components", in: try Sandbox())
        }

        @Test(.timeLimit(.minutes(20)))
        func `the frame of all pages leads through hub, searches, undoes and is readable for everybody`() async throws {
            let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
            try await sandbox.run("contacts", "import", try sandbox.write(BrowserScript.cards, to: "people.vcf"))
            try await BrowserScript.runWithDaemon("shell", in: sandbox)
        }

        @Test(.timeLimit(.minutes(20)))
        func `pages are read and ticks wait while hub is away, and each is sent once`() async throws {
            try await BrowserScript.run(
                "away", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
        }

        @Test(.timeLimit(.minutes(20)))
        func `the main paths are walked in four languages, by keys, by a finger and while hub is away`() async throws {
            let sandbox = try Sandbox(
                config: BrowserScript.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
            try await BrowserScript.run("walks", in: sandbox)
        }

        @Test(.timeLimit(.minutes(20)))
        func `a phone shares things with hub, gets its messages and drags with a finger`() async throws {
            try await BrowserScript.runWithDaemon(
                "phone", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
        }

        @Test(.timeLimit(.minutes(20)))
        func `phones and machines are added, seen and removed on their page`() async throws {
            let devices = "127.0.0.1:\(try FreePort.next())"
            try await BrowserScript.runWithDaemon(
                "devices",
                in: try Sandbox(
                    config: "[hub]\ndav.listen = \"\(devices)\"\n",
                    extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())", "HUB_DEVICES": devices]))
        }

        @Test(.timeLimit(.minutes(20)))
        func `people, notes and tasks lead to each other, and search offers more than results`() async throws {
            try await BrowserScript.runWithDaemon(
                "links", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
        }

        @Test(.timeLimit(.minutes(20)))
        func `an empty hub leads to the first contact, voice record, note and habit, and to the market`() async throws {
            let sandbox = try Sandbox(
                config: BrowserScript.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
            try await BrowserScript.runWithDaemon("first_use", in: sandbox)
        }
    }

    @Suite(.serialized)
    struct Contacts {
        @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "duplicates", "conflicts", "birthdays", "access"])
        func `the page of contacts does in a browser what the commands do`(subject: String) async throws {
            let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
            let people = try sandbox.write(BrowserScript.cards, to: "people.vcf")
            let imported = try await sandbox.run("contacts", "import", people)
            #expect(imported.code == 0, "\(imported.all)")
            try await BrowserScript.runWithDaemon("contacts_\(subject)", in: sandbox)
        }
    }

    @Suite(.serialized)
    struct Mintee {
        @Test(.timeLimit(.minutes(20)), arguments: ["today", "tasks", "analyses", "access"])
        func `the page of Mintee does in a browser what the commands do`(subject: String) async throws {
            try await BrowserScript.runWithDaemon(
                "mintee_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
        }
    }

    @Suite(.serialized)
    struct Notes {
        @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "access"])
        func `the page of notes does in a browser what the commands do`(subject: String) async throws {
            try await BrowserScript.runWithDaemon(
                "notes_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
        }
    }

    @Suite(.serialized)
    struct Dictofun {
        @Test(.timeLimit(.minutes(20)), arguments: ["records", "recording", "access"])
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
            let program = BrowserScript.folder.replacing(
                "EndToEndTests/Browser/", with: "DictofunSimulator/recorder.py")
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
    }

    @Suite(.serialized)
    struct Market {
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
    }
}
