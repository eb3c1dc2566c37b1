import Certificates
import Commands
import Glibc
import HubKit
import HubRuntimeTesting
import Storage
import TestSupport
import Testing
import WebServer
import WebSocket

@testable import HubRuntime

/// A plugin with a listener: it echoes, and knows one client by its token.
private struct ToyPlugin: Plugin {
    init(context: Context) {}

    static let descriptor = PluginDescriptor(
        id: "toy", title: "Toy", summary: "an echo", content: "echoes", firstStep: "hub toy",
        schema: PluginSchema(owner: "toy", migrations: []),
        command: Command(group: "toy", summary: "an echo", subcommands: []), listeners: [listener])

    static let listener = ListenerDeclaration(
        "echo", summary: "send back what arrives",
        routes: [
            ListenerRoute("GET", "/hello", access: .everybody) { (_: ToyPlugin, _) in .json("{}") },
            ListenerRoute("POST", "/items/{id}") { (_: ToyPlugin, request) in
                ListenerResponse(
                    headers: [("Content-Type", "text/plain")],
                    body: Array("\(request.client ?? "") \(request.captures["id"] ?? "") ".utf8) + request.body)
            },
        ],
        sockets: [
            WebSocketEndpoint("/ws") { (_: ToyPlugin, request, peer) in
                peer.send(.text("welcome \(request.client ?? "")"))
                while let message = await peer.receive() { peer.send(message) }
            }
        ],
        authenticate: { (_: ToyPlugin, request) in request.bearerToken == "secret" ? "ada" : nil },
        settings: { (_: ToyPlugin) in nil })
}

struct ListenerTests {
    private let folder: TemporaryFolder
    private let hub: Hub

    init() throws {
        folder = try TemporaryFolder()
        let variables = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        ]
        hub = Hub(
            plugins: [ToyPlugin.self],
            environment: ProcessEnvironment(arguments: [], variables: variables, home: folder.path),
            log: Log(label: "test") { _, _, _ in })
    }

    private static let local = ListenerSettings(address: "127.0.0.1:0")

    private func app(_ settings: ListenerSettings = local, port: UInt16 = 3000) throws -> ListenerApp {
        try ListenerApp(
            ToyPlugin.listener, settings, listeningOn: .loopback(port: port), host: hub,
            log: Log(label: "test") { _, _, _ in })
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, _ headers: [String: String] = [:], body: String = "",
        settings: ListenerSettings = local
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, target: try #require(RequestTarget(path)), headers: ["Host": "127.0.0.1:3000"])
        request.body = Array(body.utf8)
        for (name, value) in headers { request.headers[name] = value }
        return try await app(settings).respond(to: request)
    }

    @Test func `a known client is served, an unknown one is not`() async throws {
        let served = try await ask(.post, "/items/a%20b", ["Authorization": "Bearer secret"], body: "text")
        #expect(served.status == 200)
        #expect(served.text == "ada a b text")
        for token in ["Bearer wrong", "Basic secret", "secret", "Bearer "] {
            let refused = try await ask(.post, "/items/1", ["Authorization": token])
            #expect(refused.status == 401)
            #expect(refused.headers["WWW-Authenticate"] == "Bearer")
            #expect(try await ask(.get, "/ws", ["Authorization": token]).status == 401)
        }
        #expect(try await ask(.get, "/hello").status == 200)
        #expect(try await ask(.get, "/nowhere").status == 404)
        #expect(try await ask(.delete, "/hello").status == 405)
    }

    @Test func `other names and pages of browsers are refused`() async throws {
        #expect(try await ask(.get, "/hello", ["Host": "evil.example:3000"]).status == 421)
        #expect(try await ask(.get, "/hello", ["Origin": "http://evil.example"]).status == 403)
        #expect(try await ask(.get, "/hello", ["Origin": "http://127.0.0.1:3000"]).status == 200)
        var named = Self.local
        named.names = ["notes.example.org"]
        // A proxy before it is on the port of the scheme.
        for (host, status) in [
            ("Notes.example.org:3000", 200), ("notes.example.org", 200), ("notes.example.org:80", 421),
            ("127.0.0.1", 421),
        ] {
            #expect(try await ask(.get, "/hello", ["Host": host], settings: named).status == status, "\(host)")
        }
    }

    @Test func `a listener that is off is a service that waits`() throws {
        let services = try Daemon(hub).serviceNames()
        #expect(services.contains("toy/echo"))
        #expect(try ToyPlugin.listener.settings(hub) == nil)
    }

    @Test func `other machines are served only with accounts and a certificate`() throws {
        let log = Log(label: "test") { _, _, _ in }
        let error = #expect(throws: HubError.self) {
            _ = try ListenerService(
                ToyPlugin.listener, of: "toy", ListenerSettings(address: "0.0.0.0:0"), host: hub, log: log)
        }
        #expect(error?.code == "listen-beyond-loopback")
        #expect(error?.details.first?.contains("certificate") == true)
        let open = ListenerDeclaration("open", summary: "an echo") { (_: ToyPlugin) in nil }
        let other = #expect(throws: HubError.self) {
            _ = try ListenerService(open, of: "toy", ListenerSettings(address: "[::]:0"), host: hub, log: log)
        }
        #expect(other?.details.first?.contains("accounts") == true)
    }

    @Test(.timeLimit(.minutes(20)), arguments: [false, true])
    func `a client in Python talks to the endpoint, also over TLS`(isEncrypted: Bool) async throws {
        var settings = Self.local
        if isEncrypted {
            let (chain, key) = (folder.path + "/chain.pem", folder.path + "/key.pem")
            let authority = try CertificateAuthority(title: "test", hosts: ["127.0.0.1"], days: 2)
            let made = try authority.issue(title: "test", for: ["127.0.0.1"], days: 2)
            for (path, text) in [(chain, made.chain), (key, made.key)] {
                let file = try AtomicFile(path: path, newFileMode: 0o600)
                try file.write(Array(text.utf8))
                try file.commit(isLasting: false)
            }
            settings.certificate = (chain, key)
        }
        let service = try ListenerService(
            ToyPlugin.listener, of: "toy", settings, host: hub, log: Log(label: "test") { _, _, _ in })
        let running = Task { try await service.run() }
        let folder = #filePath.replacing("ListenerTests.swift", with: "")
        let python = try await Subprocess(
            folder + "../../../.build/peers/bin/python",
            [
                folder + "listener_client.py", "\(isEncrypted ? "wss" : "ws")://\(service.address)/ws",
                settings.certificate?.chain ?? "",
            ],
            environment: [:]
        ).run(outputLimit: 1 << 16, timeout: .seconds(240))
        #expect(
            String(decoding: python.output, as: UTF8.self)
                == "refused 401\nwelcome ada\nhello\n300000\nforeign 403\nclosed 1000\n",
            "\(String(decoding: python.errorOutput, as: UTF8.self))")
        running.cancel()
        try await running.value
    }

    @MainActor
    @Test func `a port that is in use is named with the process that holds it`() throws {
        let held = try ListeningSocket(.loopback(port: 0))
        let error = #expect(throws: HubError.self) {
            _ = try ListenerService(
                ToyPlugin.listener, of: "toy", ListenerSettings(address: "\(held.address)"), host: hub,
                log: Log(label: "test") { _, _, _ in })
        }
        #expect(error?.code == "address-in-use" && error?.hint?.contains("the settings of toy") == true)
        #expect(error?.details.contains { $0.contains("process \(getpid())") } == true)
    }
}
