import WebServer
import WebSocket

/// hub's own server as a peer; in its own file because both modules have types called `HTTPRequest`.
struct HubServer: Sendable {
    private let server: HTTPServer

    /// Answers each request with its method, its path and its body.
    init() throws {
        var limits = ServerLimits()
        limits.headTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.strangerTime = .seconds(3600)
        server = try HTTPServer(on: .loopback(port: 0), limits: limits) { request in
            .text("\(request.method.rawValue) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
        }
    }

    var port: Int { Int(server.address.port) }

    func stop() async { await server.stop(grace: .zero) }
}

/// A server whose WebSockets send every message back, and end at the message `end`.
struct EchoServer: Sendable {
    private let server: HTTPServer

    init() throws {
        var limits = ServerLimits()
        limits.headTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.strangerTime = .seconds(3600)
        server = try HTTPServer(on: .loopback(port: 0), limits: limits) { request in
            guard request.path == "/ws" else { return .text("no WebSocket here") }
            var limits = WebSocketLimits()
            limits.message.messageSize = 16 << 20
            limits.waitingBytes = 64 << 20
            limits.heartbeat = .seconds(3600)
            return .webSocket(for: request, subprotocols: ["echo"], limits: limits) { channel in
                while let message = await channel.receive() {
                    if message == .text("end") { return }
                    channel.send(message)
                }
            }
        }
    }

    var port: UInt16 { server.address.port }

    func stop() async { await server.stop(grace: .zero) }
}
