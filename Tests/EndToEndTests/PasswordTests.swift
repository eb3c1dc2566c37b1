import DAVTestSupport
import DBus
import DBusTestSupport
import FoundationEssentials
import Glibc
import NetworkTestSupport
import Testing

/// Passwords of accounts: where they are kept, and which server gets them. Over a real bus, real sockets and a terminal.
@Suite(.timeLimit(.minutes(20)))
struct PasswordTests {
    /// A server of cards and to-dos that takes any password and remembers which.
    private static func server() throws -> FaultServer {
        try FaultServer { request in
            guard request.headers["authorization"] != nil else {
                return .status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""])
            }
            let type = "<D:resourcetype><D:collection/><C:addressbook/><A:calendar/></D:resourcetype>"
            switch request.method {
            case "PROPFIND" where request.target == "/":
                return .multistatus(FaultServer.item("/", type + "<D:displayname>Mintee</D:displayname>"))
            case "PROPFIND": return .status(404)
            default: return .multistatus("")
            }
        }
    }

    private static func passwords(_ server: FaultServer) -> Set<String> {
        Set(
            server.requests.compactMap { request in
                let word = request.headers["authorization"]?.split(separator: " ").last ?? ""
                return Data(base64Encoded: String(word)).map { String(decoding: $0, as: UTF8.self) }
            })
    }

    /// The files below the sandbox that hold `text`.
    private static func files(with text: String, in sandbox: Sandbox) async throws -> String {
        try await sandbox.shell("grep -rlaF '\(text)' data config state cache run 2>/dev/null || true").output
    }

    @Test func `accounts of one name in two plugins keep their passwords apart`() async throws {
        let bus = try TestBus()
        let keyring = try await bus.mock("secret_service.py", offering: "org.freedesktop.secrets")
        let (first, second, third) = (try Self.server(), try Self.server(), try Self.server())
        let sandbox = try Sandbox(extra: ["DBUS_SESSION_BUS_ADDRESS": bus.address.text])
        let terminal = Terminal(sandbox)
        func check(_ what: String) async throws {
            for canary in ["CANARY-ONE", "CANARY-TWO", "CANARY-THREE"] {
                #expect(try await Self.files(with: canary, in: sandbox) == "", "after \(what)")
            }
        }
        func add(_ words: String, _ prompt: String, _ password: String) async throws {
            let session = try await terminal.run(
                words.split(separator: " ").map(String.init), answers: [Terminal.Answer(prompt: prompt, text: password)]
            )
            #expect(session.code == 0, "\(session.screen.text)")
            #expect(!session.screen.text.contains("CANARY"))
            try await check(words)
        }
        try await add(
            "contacts accounts add work \(first.origin) --user ada", "Password of ada at \(first.origin):", "CANARY-ONE"
        )
        try await add(
            "mintee accounts add work \(second.origin) --user bob", "Password of bob at \(second.origin):", "CANARY-TWO"
        )
        for plugin in ["contacts", "mintee"] {
            let synced = try await sandbox.run(plugin, "sync", "work")
            #expect(synced.code == 0, "\(synced.all)")
            try await check("\(plugin) sync")
        }
        #expect(Self.passwords(first) == ["ada:CANARY-ONE"] && Self.passwords(second) == ["bob:CANARY-TWO"])
        try await add(
            "contacts accounts edit work --url \(third.origin)", "Password of ada at \(third.origin):", "CANARY-THREE")
        #expect(Self.passwords(third) == ["ada:CANARY-THREE"])
        // A failed one of the same name destroys nothing, nor does the end of the other account.
        _ = try await terminal.run(
            "contacts", "accounts", "add", "work", second.origin, "--user", "ada",
            answers: [
                Terminal.Answer(prompt: "Password of ada at \(second.origin):", text: "CANARY-ONE")
            ])
        #expect(try await sandbox.run("mintee", "accounts", "rm", "work", "--yes").code == 0)
        #expect(try await sandbox.run("secrets", "set", "work", "-", input: "CANARY-TWO\n").code == 0)
        let last = try await sandbox.run("contacts", "sync", "work")
        #expect(last.code == 0, "\(last.all)")
        #expect(Self.passwords(third) == ["ada:CANARY-THREE"] && Self.passwords(second) == ["bob:CANARY-TWO"])
        // Without the keyring the account goes, and what remains of it is told and can be removed later.
        let bare = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(sandbox.folder)/no-bus"]
        let partly = try await sandbox.run(["contacts", "accounts", "rm", "work", "--yes"], extra: bare)
        #expect(partly.code == 2 && partly.errors.contains("may still be in the keyring"), "\(partly.all)")
        let command = try #require(partly.errors.split(separator: "\n").last { $0.contains("hint: hub secrets rm") })
        let later = String(try #require(command.split(separator: ":", maxSplits: 1).last)) + " --yes"
        #expect(try await sandbox.shell(later).code == 0)
        #expect(try await sandbox.shell(later).code == 1, "it is gone")
        #expect(try await sandbox.run("secrets", "list", "--plain").output == "posteo\nwork\n")
        try await check("all of it")
        withExtendedLifetime(keyring) {}
    }

    @Test func `a certificate of one's own is trusted by fingerprint, in every command`() async throws {
        let server = try Self.server()
        let proxy = try TLSProxy(.selfSigned, to: UInt16(server.port))
        let sandbox = try Sandbox()
        let password = try sandbox.write("CANARY\n", to: "password")
        chmod(password, 0o600)
        let place = "https://localhost:\(proxy.port)"
        for plugin in ["contacts", "mintee"] {
            let before = server.requests.count
            let add = [plugin, "accounts", "add", "home", place, "--user", "ada", "--password-file", password]
            let refused = try await sandbox.run(add)
            #expect(refused.code == 69 && refused.errors.contains("--trust \(proxy.fingerprint)"), "\(refused.all)")
            #expect(refused.errors.contains("self-signed"))
            let other = try await sandbox.run(add + ["--trust", String(repeating: "AB", count: 32)])
            #expect(other.code == 69 && other.errors.contains("different certificate"), "\(other.all)")
            #expect(server.requests.count == before, "no password was sent")
            if plugin == "contacts" {
                let added = try await sandbox.run(add + ["--trust", proxy.fingerprint.lowercased()])
                #expect(added.code == 0, "\(added.all)")
            } else {
                let answers = [Terminal.Answer(prompt: "Trust this certificate from now on? [y/N]", text: "y")]
                let session = try await Terminal(sandbox).run(add, answers: answers)
                #expect(session.code == 0 && session.screen.text.contains("SHA-256"), "\(session.screen.text)")
            }
            let synced = try await sandbox.run(plugin, "sync")
            #expect(synced.code == 0, "\(synced.all)")
            let removed = try await sandbox.run(plugin, "accounts", "rm", "home", "--yes")
            #expect(removed.all.contains("--user ada --password-file \(password) --trust \(proxy.fingerprint)"))
        }
        #expect(Self.passwords(server) == ["ada:CANARY"])
    }

    @Test func `an authority of one's own is trusted by a file`() async throws {
        let server = try Self.server()
        let proxy = try TLSProxy(.sound, to: UInt16(server.port))
        let place = "https://localhost:\(proxy.port)"
        let given = try Sandbox()
        let added = try await given.run(
            "contacts", "accounts", "add", "home", place, "--no-input", "--ca-file", proxy.authority)
        #expect(added.code == 69 && added.errors.contains("asks for a user") || added.code == 77, "\(added.all)")
        let named = try Sandbox(extra: ["SSL_CERT_FILE": proxy.authority])
        let password = try named.write("CANARY\n", to: "password")
        chmod(password, 0o600)
        let words = ["accounts", "add", "home", place, "--user", "ada", "--password-file", password]
        for plugin in ["contacts", "mintee"] {
            let added = try await named.run([plugin] + words)
            #expect(added.code == 0, "\(added.all)")
        }
    }

    @Test func `a password in a URL is neither kept nor shown, and none goes over plain HTTP unasked`() async throws {
        let sandbox = try Sandbox()
        for plugin in ["contacts", "mintee"] {
            for address in [
                "https://ada:CANARY@dav.invalid/", "https://ada:CAN/ARY@dav.invalid", "ftp://ada:CANARY@dav.invalid",
                "ada:CANARY@dav.invalid", "http://ada:CANARY@dav.invalid/",
            ] {
                let refused = try await sandbox.run(plugin, "accounts", "add", "home", address, "--no-input")
                #expect(refused.code == 64 && !refused.all.contains("ARY"), "\(refused.all)")
                let found = try await sandbox.shell("grep -rlaE 'CAN/?ARY' data/hub/hub.db* config 2>/dev/null || true")
                #expect(found.output == "")
            }
            let plain = try await sandbox.run(
                plugin, "accounts", "add", "home", "http://dav.invalid", "--user", "ada", "--password-command", "echo x"
            )
            #expect(plain.code == 64 && plain.errors.contains("clear text") && plain.errors.contains("--force"))
        }
    }
}
