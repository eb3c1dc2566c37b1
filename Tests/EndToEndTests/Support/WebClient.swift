import Glibc
import System

/// A client of the page that sends the given requests, header by header.
struct WebClient: Sendable {
    /// The loopback port of the page.
    let port: UInt16

    /// The page of `sandbox`.
    init(_ sandbox: Sandbox) throws {
        guard let port = sandbox.address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw SystemError("port of \(sandbox.address)", code: EINVAL)
        }
        self.port = port
    }

    /// An answer of the page.
    struct Answer: Sendable {
        let status: Int
        /// The header fields, by their names in small letters; the last of each name.
        let headers: [String: String]
        let body: String
    }

    /// Sends one request and reads its answer; `headers` take the place of the usual ones.
    func request(_ method: String = "GET", _ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
        let fields = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
        let lines = ["\(method) \(target) HTTP/1.1"] + fields.map { "\($0.key): \($0.value)" } + ["", ""]
        let port = port
        let bytes = try await BackgroundThread.run { () throws(SystemError) in
            try Self.exchange(Array(lines.joined(separator: "\r\n").utf8), port)
        } whenRefused: {
            $0
        }
        return Self.answer(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
    }

    private static func exchange(_ request: [UInt8], _ port: UInt16) throws(SystemError) -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else {
            throw SystemError("connect 127.0.0.1:\(port)")
        }
        var (bytes, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { return bytes }
            guard count > 0 else { throw SystemError("recv") }
            bytes += chunk[..<count]
        }
    }

    private static func answer(_ text: String) -> Answer {
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = (parts.first ?? "").split(separator: "\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { headers[pair[0].lowercased()] = String(pair[1].drop { $0 == " " }) }
        }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, headers: headers, body: parts.count == 2 ? String(parts[1]) : "")
    }
}
