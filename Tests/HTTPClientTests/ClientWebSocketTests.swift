import HTTPClient
import NetworkTestSupport
import Testing
import WebSocket

/// The client's end of a WebSocket, over real sockets.
@Suite(.timeLimit(.minutes(20)))
struct ClientWebSocketTests {
    private func open(
        _ port: UInt16, _ path: String = "/ws", client: HTTPClient = HTTPClient(HTTPConfiguration(proxy: .none)),
        scheme: HTTPURL.Scheme = .http, host: String = "127.0.0.1"
    ) async throws -> ClientWebSocket {
        let url = HTTPURL(scheme: scheme, host: host, port: Int(port), path: path)
        let patient = HTTPDeadlines(connect: .seconds(3600), idle: .seconds(3600), total: .seconds(3600))
        return try await client.openWebSocket(
            HTTPRequest(.get, url, deadlines: patient), subprotocols: ["other", "echo"],
            limits: WebSocketConnection.Limits(messageSize: 16 << 20))
    }

    @Test func `messages of any size come back in their order`() async throws {
        let server = try EchoServer()
        let socket = try await open(server.port)
        #expect(socket.subprotocol == "echo")
        let large = WebSocketConnection.Message.binary((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0) })
        socket.send(.text("grüße 🐢"))
        socket.send(large)
        for number in 0..<200 { socket.send(.text("\(number)")) }
        #expect(await socket.receive() == .message(.text("grüße 🐢")))
        #expect(await socket.receive() == .message(large))
        for number in 0..<200 { #expect(await socket.receive() == .message(.text("\(number)"))) }
        socket.ping()
        #expect(await socket.receive() == .pong)
        socket.close()
        #expect(await socket.receive() == .closed(.normal, reason: ""))
        #expect(await socket.receive() == .closed(.normal, reason: ""))
        await server.stop()
    }

    @Test func `the end by the server is the last event`() async throws {
        let server = try EchoServer()
        let socket = try await open(server.port)
        socket.send(.text("end"))
        guard case .closed = await socket.receive() else {
            Issue.record("still open")
            return
        }
        await server.stop()
    }

    @Test func `TLS is used as for requests`() async throws {
        let server = try EchoServer()
        let proxy = try TLSProxy(.sound, to: server.port)
        let trusting = HTTPClient(HTTPConfiguration(proxy: .none, trust: .authorities(file: proxy.authority)))
        let socket = try await open(proxy.port, client: trusting, scheme: .https, host: "localhost")
        let text = WebSocketConnection.Message.text(String(repeating: "ü", count: 300_000))
        socket.send(text)
        #expect(await socket.receive() == .message(text))
        let error = await #expect(throws: WebSocketOpeningError.self) {
            try await open(proxy.port, scheme: .https, host: "localhost")
        }
        guard case .http(.tlsRefused)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await server.stop()
    }

    @Test func `a server without a WebSocket, or without an answer, is told apart`() async throws {
        let server = try EchoServer()
        await #expect(throws: WebSocketOpeningError.refused(.status(200))) { try await open(server.port, "/") }
        await server.stop()
        let silent = try ScriptedServer { connection in _ = connection }
        let error = await #expect(throws: WebSocketOpeningError.self) { try await open(silent.port) }
        guard case .http(.connectionLost)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
