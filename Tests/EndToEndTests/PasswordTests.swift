import DAVTestSupport
import DBus
import DBusTestSupport
import FoundationEssentials
import HubKit
import NetworkTestSupport
import Testing

/// Passwords of accounts: where they are kept, and which server gets them. Over a real bus, real sockets and a terminal.
@Suite(.timeLimit(.minutes(5)))
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
                words.split(separator: " ").map(String.init), answers: [Terminal.Answer(prompt: prompt, text: password)])
            #expect(session.code == 0, "\(session.screen.text)")
            #expect(!session.screen.text.contains("CANARY"))
            try await check(words)
        }
        try await add(
            "contacts accounts add work \(first.origin) --user ada", "Password of ada at \(first.origin):", "CANARY-ONE")
        try await add(
            "mintee accounts add work \(second.origin) --user bob", "Password of bob at \(second.origin):", "CANARY-TWO")
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
        _ = try await terminal.run("contacts", "accounts", "add", "work", second.origin, "--user", "ada", answers: [
            Terminal.Answer(prompt: "Password of ada at \(second.origin):", text: "CANARY-ONE")
        ])
        #expect(try await sandbox.run("mintee", "accounts", "rm", "work", "--yes").code == 0)
        #expect(try await sandbox.run("secrets", "set", "work", "-", input: "CANARY-TWO\n").code == 0)
        let last = try await sandbox.run("contacts", "sync", "work")
        #expect(last.code == 0, "\(last.all)")
        #expect(Self.passwords(third) == ["ada:CANARY-THREE"] && Self.passwords(second) == ["bob:CANARY-TWO"])
        #expect(try await sandbox.run("contacts", "accounts", "rm", "work", "--yes").code == 0)
        #expect(try await sandbox.run("secrets", "list", "--plain").output == "posteo\nwork\n")
        try await check("all of it")
        withExtendedLifetime(keyring) {}
    }
}
