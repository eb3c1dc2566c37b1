import Synchronization
import Testing

@testable import WebServer

/// Bytes of known length, whole and in ranges, over real sockets.
@Suite(.timeLimit(.minutes(20)))
struct ContentTests {
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func content(_ request: HTTPRequest) -> HTTPResponse {
        .content(length: bytes.count, type: "audio/wav", tag: EntityTag("v1"), chunk: 65_536, for: request) { range in
            Array(bytes[range])
        }
    }

    @Test func `the whole has its length, and HEAD has it too`() async throws {
        try await withServer(handler: { Self.content($0) }) { server in
            let whole = try await server.ask("GET", "/")
            #expect(whole.status == 200)
            #expect(whole.headers["Content-Length"] == "200000")
            #expect(whole.headers["Accept-Ranges"] == "bytes")
            #expect(whole.body == Self.bytes)
            let head = try await server.ask("HEAD", "/")
            #expect(head.headers["Content-Length"] == "200000")
            #expect(head.body.isEmpty)
        }
    }

    @Test(arguments: [("bytes=0-9", 0..<10), ("bytes=70000-140000", 70_000..<140_001), ("bytes=-5", 199_995..<200_000)])
    func `a range is a part`(field: String, range: Range<Int>) async throws {
        try await withServer(handler: { Self.content($0) }) { server in
            let part = try await server.ask("GET", "/", headers: ["Range: \(field)", "If-Range: \"v1\""])
            #expect(part.status == 206)
            #expect(part.headers["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000")
            #expect(part.body == Array(Self.bytes[range]))
            let other = try await server.ask("GET", "/", headers: ["Range: \(field)", "If-Range: \"v0\""])
            #expect(other.status == 200)
        }
    }

    @Test func `a range behind the end, and a version that the client has, need no bytes`() async throws {
        try await withServer(handler: { Self.content($0) }) { server in
            let behind = try await server.ask("GET", "/", headers: ["Range: bytes=200000-"])
            #expect(behind.status == 416)
            #expect(behind.headers["Content-Range"] == "bytes */200000")
            #expect(try await server.ask("GET", "/", headers: ["If-None-Match: \"v1\""]).status == 304)
        }
    }

    @Test func `what a client does not take in is not read`() async throws {
        let read = Mutex(0)
        let handler: HTTPServer.Handler = { request in
            .content(length: 1 << 30, type: "video/mp4", tag: EntityTag("v1"), chunk: 65_536, for: request) { range in
                read.withLock { $0 += range.count }
                return [UInt8](repeating: 7, count: range.count)
            }
        }
        try await withServer(handler: handler) { server in
            let client = try RawClient(server.address, receiveBuffer: 4096)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.answerHead().headers["Content-Length"] == "\(1 << 30)")
            #expect(try await client.bytes(1000).count == 1000)
            #expect(read.withLock(\.self) < 64 << 20)
        }
    }
}
