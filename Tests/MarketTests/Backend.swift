import Glibc
import HTTPClient
import JSON
import NetworkTestSupport
import Testing

/// The fake backend of `Tests/MarketBackend`, as a process on a port of loopback.
final class Backend: Sendable {
    private let process: TestProcess
    private let http = HTTPClient(HTTPConfiguration(proxy: .none))
    let port: Int

    init(_ arguments: String...) throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        process = try TestProcess(
            "\(root)/.build/peers/bin/python",
            ["-B", "\(root)/Tests/MarketBackend/backend.py", "--manual-clock", "--tick", "0"] + arguments)
        port = try #require(try JSONReader.read(Array(process.line().utf8))["port"]?.integer)
    }

    /// The lines of a config file that lead to this backend.
    func config(_ providers: String...) -> [String] {
        let names = providers.map { "\"\($0)\"" }.joined(separator: ", ")
        return [
            "market.providers = [\(names)]", "market.coingecko.url = \"http://127.0.0.1:\(port)/api/v3\"",
            "market.coinpaprika.url = \"http://127.0.0.1:\(port)/v1\"",
            "market.status_go.url = \"http://127.0.0.1:\(port)\"", "market.status_go.data = \"/nonexistent\"",
            "market.status_go.password = \"secret\"",
        ]
    }

    /// A command to the backend; the answer is its state.
    @discardableResult
    func control(_ name: String, _ body: String = "", method: HTTPMethod = .post) async throws -> JSONValue {
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)/_control/\(name)"))
        let response = try await http.sendPatiently(
            HTTPRequest(method, url, body: method == .post ? Array(body.utf8) : nil))
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONReader.read(response.body)
    }

    /// Adds faults, as JSON.
    func fail(_ faults: String) async throws { try await control("faults", faults) }

    /// The requests so far.
    func log() async throws -> [JSONValue] { try await control("log", method: .get).array ?? [] }

    /// Returns when a request has arrived.
    func waitForRequest() async throws { try await control("log?wait=1", method: .get) }

    /// Returns when the page with this number and size is kept live.
    func waitForLivePage(_ number: Int, size: Int) async throws {
        try await control("state?page=\(number)&size=\(size)", method: .get)
    }

    /// The paths of the requests so far.
    func paths() async throws -> [String] { try await log().compactMap { $0["path"]?.string } }
}
