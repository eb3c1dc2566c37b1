import HTTPClient
import JSON
import NetworkTestSupport
import Testing

/// The stand-in of NoteApp's server in `Tests/NoteAppServer`, as a process on ports of loopback. It runs on Debian's packages of
/// the libraries of the original.
final class NoteAppServer: Sendable {
    private let process: TestProcess
    private let http = HTTPClient(HTTPConfiguration(proxy: .none))
    /// The port of REST; the WebSocket is on the next one.
    let port: Int

    init() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        process = try TestProcess(
            "node", ["\(root)/Tests/NoteAppServer/noteapp.js"],
            environment: ["NODE_PATH": "/usr/share/nodejs", "NODE_ENV": "test"])
        port = try #require(try JSONReader.read(Array(process.line().utf8))["port"]?.integer)
    }

    /// The URL for `servers add`.
    var url: String { "http://127.0.0.1:\(port)" }

    /// Stops or continues the server.
    func signal(_ number: Int32) { process.signal(number) }

    /// Sends a request as another client would; the answer is its JSON.
    @discardableResult
    func send(_ method: HTTPMethod, _ path: String, _ body: String? = nil) async throws -> JSONValue {
        let url = try #require(HTTPURL("\(url)/\(path)"))
        var request = HTTPRequest(method, url, body: body.map { Array($0.utf8) })
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let response = try await http.sendPatiently(request)
        #expect(response.status < 300, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONReader.read(response.body)
    }

    /// Makes a note as another client would, and returns its id.
    func make(_ title: String, _ content: String, owner: String, access: [String]) async throws -> String {
        let answer = try await send(.post, "api/notes", Self.body(title, content, owner: owner, access: access))
        return try #require(answer["insertedId"]?.string)
    }

    /// Replaces a note as another client would.
    func replace(_ id: String, _ title: String, _ content: String, owner: String, access: [String]) async throws {
        try await send(.put, "api/notes/\(id)", Self.body(title, content, owner: owner, access: access))
    }

    /// The titles and texts of all notes, in the order in which they were made.
    func texts() async throws -> [[String]] {
        try await send(.get, "api/notes").array?.map { [$0["title"]?.string ?? "", $0["content"]?.string ?? ""] } ?? []
    }

    /// Adds faults, as JSON.
    func fail(_ faults: String) async throws { try await send(.post, "_control/faults", faults) }

    /// The number of requests of a method so far.
    func count(_ method: String) async throws -> Int {
        try await send(.get, "_control/log").array?.count { $0.array?.first?.string == method } ?? 0
    }

    /// The body of a POST or PUT.
    static func body(_ title: String, _ content: String, owner: String, access: [String], id: String? = nil) -> String {
        var json = JSONWriter()
        json.object { json in
            if let id {
                json.name("_id")
                json.value(id)
            }
            for (name, text) in [("title", title), ("content", content), ("owner", owner)] {
                json.name(name)
                json.value(text)
            }
            json.name("access")
            json.array { json in for name in access { json.value(name) } }
        }
        return json.string
    }
}
