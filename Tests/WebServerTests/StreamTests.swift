import Synchronization
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(20)))
struct StreamTests {
    @Test func `a streamed body arrives piece by piece and ends`() async throws {
        let gate = Gate()
        let body = HTTPResponse.Body.stream { writer in
            try await writer.write(Array("one ".utf8))
            await gate.pass()
            try await writer.write(Array("two".utf8))
        }
        try await withServer(handler: { _ in HTTPResponse(body: body) }) { server in
            let client = try RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.answerHead()
            #expect(try await client.nextChunk() == Array("one ".utf8))
            gate.open()
            #expect(try await client.nextChunk() == Array("two".utf8))
            #expect(try await client.nextChunk() == nil)
            try await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.answer(hasBody: false).status == 200)
        }
    }

    @Test(arguments: [false, true])
    func `a stream ends when its client loses the access`(isEndless: Bool) async throws {
        let (revocation, revoke) = AsyncStream.makeStream(of: Void.self)
        let produce: @Sendable (borrowing BodyWriter) async throws -> Void = { writer in
            try await writer.write(Array("secret".utf8))
            let (nothing, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            source.finish()
            try await writer.write(Array("more".utf8))
        }
        var response = HTTPResponse(body: isEndless ? .endless(produce) : .stream(produce))
        response.untilRevoked = { for await _ in revocation {} }
        let answer = response
        try await withServer(handler: { _ in answer }) { server in
            let client = try RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.answerHead()
            #expect(try await client.nextChunk() == Array("secret".utf8))
            revoke.finish()
            if isEndless {
                #expect(try await client.nextChunk() == nil)
            } else {
                #expect(try await client.isClosed())
            }
        }
    }

    @Test func `a large body arrives unchanged through a slow reader`() async throws {
        let piece = (0..<70_001).map { UInt8(truncatingIfNeeded: $0) }
        let body = HTTPResponse.Body.stream { writer in
            for _ in 0..<100 { try await writer.write(piece) }
        }
        try await withServer(handler: { _ in HTTPResponse(body: body) }) { server in
            let client = try RawClient(server.address, receiveBuffer: 4096)
            let answer = try await client.request("GET", "/")
            #expect(answer.body.count == 7_000_100)
            #expect(answer.body == Array(repeatElement(piece, count: 100).joined()))
        }
    }

    @Test func `a writer waits for a client that does not read`() async throws {
        let written = Mutex(0)
        let (stopped, end) = AsyncStream.makeStream(of: Void.self)
        let piece = [UInt8](repeating: 7, count: 64 * 1024)
        let body = HTTPResponse.Body.stream { writer in
            defer { end.finish() }
            for _ in 0..<100_000 {
                try await writer.write(piece)
                written.withLock { $0 += piece.count }
            }
        }
        try await withServer(handler: { _ in HTTPResponse(body: body) }) { server in
            let client = try RawClient(server.address, receiveBuffer: 4096)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.answerHead()
            client.leave()
            for await _ in stopped {}
            #expect(written.withLock { $0 } < 100_000_000)
        }
    }

    @Test func `a handler is cancelled when its client goes away`() async throws {
        let gate = Gate()
        let (cancelled, end) = AsyncStream.makeStream(of: Bool.self)
        try await withServer { _ in
            await gate.pass()
            end.yield(Task.isCancelled)
            return .text("late")
        } _: { server in
            let client = try RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await gate.arrival()
            client.leave()
            for await isCancelled in cancelled {
                #expect(isCancelled)
                break
            }
        }
    }

    @Test func `a stream that waits is cancelled when its client goes away`() async throws {
        let gate = Gate()
        let (cancelled, end) = AsyncStream.makeStream(of: Bool.self)
        let body = HTTPResponse.Body.endless { writer in
            try await writer.write([1])
            await gate.pass()
            end.yield(Task.isCancelled)
        }
        try await withServer(handler: { _ in HTTPResponse(body: body) }) { server in
            let client = try RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.answerHead()
            await gate.arrival()
            client.leave()
            for await isCancelled in cancelled {
                #expect(isCancelled)
                break
            }
        }
    }

    @Test func `a stream that fails cuts the connection`() async throws {
        struct Broken: Error {}
        let body = HTTPResponse.Body.stream { writer in
            try await writer.write([1])
            throw Broken()
        }
        try await withServer(handler: { _ in HTTPResponse(body: body) }) { server in
            let client = try RawClient(server.address)
            await #expect(throws: RawClient.Failure.self) { try await client.request("GET", "/") }
        }
    }

    @Test func `events arrive as they come`() async throws {
        let (events, source) = AsyncStream.makeStream(of: ServerSentEvent.self)
        try await withServer(handler: { _ in .events(events) }) { server in
            let client = try RawClient(server.address)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let head = try await client.answerHead()
            #expect(head.headers["Content-Type"] == "text/event-stream")
            #expect(try await client.nextChunk() == Array("retry: 2000\n\n".utf8))
            source.yield(ServerSentEvent(event: "topic", data: "contacts\nnotes", id: "1"))
            #expect(
                try await client.nextChunk() == Array("event: topic\nid: 1\ndata: contacts\ndata: notes\n\n".utf8))
            source.finish()
            #expect(try await client.nextChunk() == nil)
        }
    }
}
