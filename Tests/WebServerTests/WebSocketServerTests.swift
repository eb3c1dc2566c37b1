import Certificates
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import WebSocket

@testable import WebServer

/// WebSockets over real sockets, with the library `websockets` of Python and raw clients as peers.
@Suite(.timeLimit(.minutes(20)))
struct WebSocketServerTests {
    private static let handshake =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

    /// Sends every message back, until the client leaves.
    private static func echo(_ request: HTTPRequest, _ limits: WebSocketLimits = .patient) -> HTTPResponse {
        .webSocket(for: request, subprotocols: ["echo"], limits: limits) { channel in
            while let message = await channel.receive() { channel.send(message) }
        }
    }

    @Test func `a client in Python gets back what it sends, on fifty connections at once`() async throws {
        try await withServer(handler: { Self.echo($0) }) { server in
            let lines = await python("websocket_echo.py", "ws://\(server.address)/ws")
            #expect(
                lines == [
                    "subprotocol echo", "text grüße 🐢", "binary 60000", "fragments abc", "pong", "fifty 50",
                    "closed 1000",
                ])
        }
    }

    @Test func `a frame that comes with the handshake is not lost`() async throws {
        try await withServer(handler: { Self.echo($0) }) { server in
            let client = try RawClient(server.address)
            // "Hi", masked with zeros.
            try await client.send(Array(Self.handshake.utf8) + [0x81, 0x82, 0, 0, 0, 0, 0x48, 0x69])
            let head = try await client.answerHead()
            #expect(head.status == 101)
            #expect(head.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(try await client.bytes(4) == [0x81, 2, 0x48, 0x69])
        }
    }

    @Test(arguments: [
        ("GET /ws HTTP/1.1\r\nHost: x\r\n\r\n", 426),
        (handshake.replacing("Version: 13", with: "Version: 8"), 426),
        (handshake.replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "short"), 400),
        (handshake.replacing("GET", with: "POST"), 426),
    ])
    func `a request that opens no WebSocket is refused`(request: String, status: Int) async throws {
        try await withServer(handler: { Self.echo($0) }) { server in
            let client = try RawClient(server.address)
            try await client.send(request)
            #expect(try await client.answer().status == status)
        }
    }

    @Test func `a client that does not read is dropped`() async throws {
        var limits = WebSocketLimits.patient
        limits.waitingBytes = 1 << 20
        let small = limits
        let (dropped, end) = AsyncStream.makeStream(of: Int.self)
        let handler: HTTPServer.Handler = { request in
            .webSocket(for: request, limits: small) { channel in
                let piece = WebSocketConnection.Message.binary([UInt8](repeating: 7, count: 1 << 16))
                var count = 0
                while channel.send(piece) { count += 1 }
                #expect(await channel.receive() == nil)
                end.yield(count)
            }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(server.address, receiveBuffer: 4096)
            try await client.send(Self.handshake)
            let count = await dropped.first { _ in true }
            #expect((1..<1000).contains(count ?? 0))
        }
    }

    @Test func `a client is read no faster than its messages are handled`() async throws {
        var limits = WebSocketLimits.patient
        limits.waitingMessages = 4
        let small = limits
        let gate = Gate()
        let handler: HTTPServer.Handler = { request in
            .webSocket(for: request, limits: small) { channel in
                await gate.pass()
                var count = 0
                while let message = await channel.receive() {
                    count += 1
                    if case .text("end") = message { break }
                }
                channel.send(.text("\(count)"))
            }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(server.address)
            try await client.send(Self.handshake)
            #expect(try await client.answerHead().status == 101)
            for _ in 0..<100 { try await client.send([0x82, 0x84, 0, 0, 0, 0, 1, 2, 3, 4]) }
            try await client.send([0x81, 0x83, 0, 0, 0, 0] + Array("end".utf8))
            gate.open()
            #expect(try await client.bytes(5) == [0x81, 3] + Array("101".utf8))
        }
    }

    @Test func `a client that loses its access is heard no more, and its WebSocket is closed with 1008`() async throws {
        let (revocation, revoke) = AsyncStream.makeStream(of: Void.self)
        let (heard, hear) = AsyncStream.makeStream(of: WebSocketConnection.Message?.self)
        let handler: HTTPServer.Handler = { request in
            var response = HTTPResponse.webSocket(for: request, limits: .patient) { channel in
                while let message = await channel.receive() { hear.yield(message) }
                hear.yield(nil)
                hear.finish()
            }
            response.untilRevoked = { for await _ in revocation {} }
            return response
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(server.address)
            // "Hi", masked with zeros.
            try await client.send(Array(Self.handshake.utf8) + [0x81, 0x82, 0, 0, 0, 0, 0x48, 0x69])
            #expect(try await client.answerHead().status == 101)
            var iterator = heard.makeAsyncIterator()
            #expect(await iterator.next() == .text("Hi"))
            revoke.finish()
            #expect(try await client.bytes(4) == [0x88, 12, 0x03, 0xF0])
            try? await client.send([0x81, 0x82, 0, 0, 0, 0, 0x48, 0x69])
            #expect(await iterator.next() == .some(nil))
            #expect(await iterator.next() == nil)
        }
    }

    @Test func `a silent client is pinged, and dropped without an answer`() async throws {
        var limits = WebSocketLimits()
        limits.heartbeat = .milliseconds(1)
        let short = limits
        try await withServer(handler: { Self.echo($0, short) }) { server in
            let client = try RawClient(server.address)
            try await client.send(Self.handshake)
            #expect(try await client.answerHead().status == 101)
            #expect(try await client.isClosed())
        }
    }

    @Test func `a stopping server says goodbye and closes`() async throws {
        let (served, isServed) = AsyncStream.makeStream(of: Void.self)
        let handler: HTTPServer.Handler = { request in
            .webSocket(for: request, limits: .patient) { channel in
                isServed.yield()
                while await channel.receive() != nil {}
            }
        }
        let server = try HTTPServer(on: .loopback(port: 0), limits: .patient, handler: handler)
        let client = try RawClient(server.address)
        try await client.send(Self.handshake)
        #expect(try await client.answerHead().status == 101)
        _ = await served.first { true }
        await server.stop(grace: .zero)
        #expect(try await client.bytes(4) == [0x88, 2, 0x03, 0xE9], "1001, going away")
        #expect(try await client.isClosed())
    }

    @Test func `a client that vanishes ends its handler`() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let handler: HTTPServer.Handler = { request in
            .webSocket(for: request, limits: .patient) { channel in
                while await channel.receive() != nil {}
                end.yield()
            }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(server.address)
            try await client.send(Self.handshake)
            #expect(try await client.answerHead().status == 101)
            client.leave()
            _ = await ended.first { true }
        }
    }

    @Test func `each of four hundred encrypted connections is closed when its WebSocket is over`() async throws {
        let handler: HTTPServer.Handler = { request in .webSocket(for: request, limits: .patient) { _ in } }
        try await withEncryptedServer(handler: handler) { address, certificate in
            #expect(await python("websocket_ends.py", "wss://\(address)/ws", certificate) == ["closed 400"])
        }
    }

    @Test func `an encrypted client that does not read makes room for another one`() async throws {
        var (limits, small) = (ServerLimits.patient, WebSocketLimits.patient)
        limits.connections = 1
        (small.waitingBytes, small.heartbeat) = (1 << 30, .milliseconds(1))
        let handler: HTTPServer.Handler = { [small] request in
            guard request.target.path == "/ws" else { return .plain(200, "there is room") }
            return .webSocket(for: request, limits: small) { channel in
                // More than all buffers on the way hold.
                channel.send(.binary([UInt8](repeating: 7, count: 32 << 20)))
                while await channel.receive() != nil {}
            }
        }
        try await withEncryptedServer(limits: limits, handler: handler) { address, certificate in
            let lines = await python("websocket_not_read.py", address.host, "\(address.port)", certificate)
            #expect(lines == ["opened 101", "next 200"])
        }
    }

    /// Serves with a certificate for `127.0.0.1`, whose path the body gets.
    private func withEncryptedServer(
        limits: ServerLimits = .patient, handler: @escaping HTTPServer.Handler,
        _ body: (SocketAddress, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority(title: "test", hosts: ["127.0.0.1"], days: 2)
        let made = try authority.issue(title: "test", for: ["127.0.0.1"], days: 2)
        let (chain, key) = (try folder.write(made.chain, to: "chain.pem"), try folder.write(made.key, to: "key.pem"))
        let identity = try ServerIdentity(chain: chain, key: key)
        try await withServer(limits: limits, identity: identity, handler: handler) { server in
            try await body(server.address, chain)
        }
    }

    /// The lines that a script of this folder prints.
    private func python(_ script: String, _ arguments: String...) async -> [String] {
        let folder = #filePath.replacing("WebSocketServerTests.swift", with: "")
        let program = folder + "../../.build/peers/bin/python"
        let words = ([program, "-u", folder + script] + arguments).map { "'\($0)'" }.joined(separator: " ")
        // Not on a thread of the pool, which the server needs.
        return await withCheckedContinuation { ended in
            DispatchQueue(label: "test.python").async {
                guard let pipe = popen("exec \(words) 2>&1", "r") else { return ended.resume(returning: []) }
                var bytes: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4096)
                while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
                pclose(pipe)
                ended.resume(returning: String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
            }
        }
    }
}

extension WebSocketLimits {
    /// Without pings, however busy the machine is: a raw client does not answer them.
    fileprivate static var patient: WebSocketLimits {
        var limits = WebSocketLimits()
        limits.heartbeat = .seconds(3600)
        return limits
    }
}
