import Dispatch
import Glibc

@testable import WebServer

/// A client that sends the given bytes and reads responses, on a thread of its own.
final class RawClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
        /// The error of the system, if that is the reason.
        var number: Int32 = 0
    }

    /// An answer with its body taken out of its framing.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let socket: Int32
    private let queue = DispatchQueue(label: "test.client")
    // Touched on `queue` only.
    nonisolated(unsafe) private var buffer: [UInt8] = []

    /// Connects, from another address of this machine where one is given; every later call fails after 20 minutes instead of
    /// hanging.
    init(_ address: SocketAddress, from source: SocketAddress? = nil, receiveBuffer: Int32? = nil) throws {
        socket = Glibc.socket(address.isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 1200, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        guard source.map({ $0.withSockaddr { bind(socket, $0, $1) } == 0 }) != false else {
            throw Failure(description: "bind: errno \(errno)")
        }
        guard address.withSockaddr({ connect(socket, $0, $1) }) == 0 else {
            throw Failure(description: "connect: errno \(errno)")
        }
    }

    deinit { Glibc.close(socket) }

    /// Sends `text` as it is.
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends `bytes` as they are.
    func send(_ bytes: [UInt8]) async throws {
        try await onQueue { [self] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
                sent += count
            }
        }
    }

    /// Sends a request with a `Host` field.
    func request(
        _ method: String = "GET", _ target: String, headers: [String] = [], body: String? = nil
    ) async throws -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for header in headers { text += header + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        try await send(text + "\r\n" + (body ?? ""))
        return try await answer(hasBody: method != "HEAD")
    }

    /// Reads the next answer.
    func answer(hasBody: Bool = true) async throws -> Answer {
        try await onQueue { [self] in
            var answer = try head()
            guard hasBody, answer.status >= 200, answer.status != 204, answer.status != 304 else { return answer }
            if let length = answer.headers["Content-Length"].flatMap({ Int($0) }) {
                answer.body = try take(length)
            } else if answer.headers["Transfer-Encoding"] == "chunked" {
                while let piece = try chunk() { answer.body += piece }
            } else {
                while try fill() {}
                answer.body = try take(buffer.count)
            }
            return answer
        }
    }

    /// Reads the status line and the header fields of the next answer.
    func answerHead() async throws -> Answer { try await onQueue { [self] in try head() } }

    /// Reads the next `count` bytes.
    func bytes(_ count: Int) async throws -> [UInt8] { try await onQueue { [self] in try take(count) } }

    /// Reads the next chunk of a chunked body; `nil` at its end.
    func nextChunk() async throws -> [UInt8]? { try await onQueue { [self] in try chunk() } }

    /// Whether the server has closed the connection, after anything it still sent. A server that closes while bytes are on
    /// their way to it resets the connection.
    func isClosed() async throws -> Bool {
        try await onQueue { [self] in
            do {
                while try fill() {}
            } catch let failure as Failure {
                guard failure.number == ECONNRESET else { throw failure }
            }
            return true
        }
    }

    /// How many bytes have arrived that no answer took.
    var unread: Int { queue.sync { buffer.count } }

    /// Ends the connection in both directions at once.
    func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func head() throws -> Answer {
        let lines = try line(endingIn: "\r\n\r\n").split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(description: "no status line in \(lines)")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "bad header \(line)") }
            headers.append(String(line[..<colon]), String(line[colon...].drop { $0 == ":" || $0 == " " }))
        }
        return Answer(status: status, headers: headers, body: [])
    }

    private func chunk() throws -> [UInt8]? {
        let size = try line(endingIn: "\r\n")
        guard let count = Int(size, radix: 16) else { throw Failure(description: "bad chunk size \(size)") }
        let bytes = try take(count)
        _ = try take(2)
        return count == 0 ? nil : bytes
    }

    private func line(endingIn end: String) throws -> String {
        let end = Array(end.utf8)
        while true {
            if let start = buffer.indices.first(where: { buffer[$0...].starts(with: end) }) {
                return String(decoding: try take(start + end.count).dropLast(end.count), as: UTF8.self)
            }
            guard try fill() else { throw Failure(description: "closed while reading a line") }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() else { throw Failure(description: "closed after \(buffer.count) of \(count) bytes") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(socket, &piece, piece.count, 0)
        guard count >= 0 else { throw Failure(description: "recv: errno \(errno)", number: errno) }
        buffer += piece.prefix(count)
        return count > 0
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}

/// Runs `body` with a server on a free port of the loopback interface, by default one that begins to answer on its own thread.
func withServer(
    limits: ServerLimits = ServerLimits.patient, identity: ServerIdentity? = nil, beginsAtOnce: Bool = true,
    handler: @escaping HTTPServer.Handler, _ body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(
        on: .loopback(port: 0), limits: limits, identity: identity, beginsAtOnce: beginsAtOnce,
        handler: handler)
    do {
        try await body(server)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

extension HTTPServer {
    /// One request on a connection of its own.
    func ask(
        _ method: String, _ target: String, headers: [String] = [], body: String? = nil
    ) async throws -> RawClient.Answer {
        try await RawClient(address).request(method, target, headers: headers, body: body)
    }
}

extension ServerLimits {
    /// Limits on time that no busy machine reaches; a test of one of them sets it itself.
    static var patient: ServerLimits {
        var limits = ServerLimits()
        limits.headTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.strangerTime = .seconds(3600)
        return limits
    }
}
