import HubKitTesting
import HubRuntimeTesting
import Storage
import Synchronization
import WebServer

@testable import HubRuntime

/// A site at 127.0.0.1:4820 with a few routes, asked in memory.
struct SiteFixture {
    let clock = FixedClock()
    let access: WebAccess
    let bus = EventBus()
    let site: WebApp
    /// The keys of those that have logged in, by their cookies, as the storage of a page holds them.
    private let keys = KeyStorage()

    init() throws {
        access = WebAccess(store: MemoryCredentialStore(), bus: bus, clock: clock)
        let shell = try WebShell()
        site = try WebApp(
            listeningOn: .loopback(port: 4820), access: access, shell: shell,
            routes: SiteFixture.routes(in: shell) + [.live(bus)],
            log: Log(label: "test") { _, _, _ in })
    }

    static func routes(in shell: WebShell) -> [WebRoute] {
        [
            WebRoute(.get, "/") { _, _ in await shell.page(HTMLLayout(title: "Start", body: "")) },
            WebRoute(.get, "/things") { _, _ in
                await shell.page(HTMLLayout(title: "Things & <more>", body: "<p>some</p>"))
            },
        ] + api
    }

    private static let api = [
        WebRoute(.get, "/api/things/{id}") { _, captures in .text(captures["id"] ?? "") },
        WebRoute(.post, "/api/things") { request, _ in .text(String(decoding: request.body, as: UTF8.self)) },
        WebRoute(.delete, "/api/things/{id}") { _, _ in HTTPResponse(status: 204) },
        WebRoute(.get, "/api/broken") { _, _ in
            throw HubError(.conflict, code: "moved", "it moved \"on\"", details: ["<here>"], hint: "look again")
        },
        WebRoute(.get, "/api/refused") { _, _ in
            var error = HubError(.invalid, code: "refused", "two values need a look")
            error.problems = [
                FieldProblem(field: "birthday", index: 3, "no such day"),
                FieldProblem(field: "name", "a name is needed"),
            ]
            throw error
        },
        WebRoute(.get, "/api/stream") { _, _ in HTTPResponse(body: .stream { _ in }) },
        WebRoute(.get, "/api/crash") { _, _ in throw CrashError() },
    ]

    struct CrashError: Error {}

    /// Asks as a browser that has `cookie`, from the page itself unless `headers` say otherwise.
    func ask(
        _ method: HTTPMethod, _ path: String, cookie: String? = nil, headers: [String: String] = [:],
        body: String = ""
    ) async throws -> HTTPResponse {
        guard let target = RequestTarget(path) else { throw HubError(.usage, code: "bad-path", path) }
        var request = HTTPRequest(method: method, target: target, headers: ["Host": "127.0.0.1:4820"])
        request.body = Array(body.utf8)
        request.headers["Cookie"] = cookie
        request.headers["Hub-Key"] = cookie.flatMap { keys[$0] }
        if !method.isSafe { request.headers["Origin"] = "http://127.0.0.1:4820" }
        if !body.isEmpty { request.headers["Content-Type"] = "application/json" }
        for (name, value) in headers { request.headers[name] = value.isEmpty ? nil : value }
        return await site.respond(to: request)
    }

    /// The cookie of a browser that has followed a login link and kept the key.
    func logIn() async throws -> String {
        let response = try await ask(.get, "/login?code=\(access.makeCode())")
        let cookie = String(response.headers["Set-Cookie"]?.prefix { $0 != ";" } ?? "")
        keys[cookie] = response.text.firstMatch(of: /name="hub-key" content="([^"]*)"/).map { String($0.1) }
        return cookie
    }

    /// The key that belongs to a cookie.
    func key(of cookie: String) -> String { keys[cookie] ?? "" }

    private final class KeyStorage: Sendable {
        private let kept = Mutex<[String: String]>([:])

        subscript(cookie: String) -> String? {
            get { kept.withLock { $0[cookie] } }
            set { kept.withLock { $0[cookie] = newValue } }
        }
    }
}

extension HTTPResponse {
    /// The code of problem details in the body.
    var errorCode: String? { (try? JSONReader.read(Array(text.utf8)))?["code"]?.string }
}
