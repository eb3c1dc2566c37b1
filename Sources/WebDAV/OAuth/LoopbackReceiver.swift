import Glibc
import HTTPClient

/// Receives the browser at the end of a sign-in, on a port of this machine alone. Its calls block.
final class LoopbackReceiver: Sendable {
    /// The port.
    let port: Int
    private let socket: Int32

    /// The longest request that is read, in bytes.
    private static let largestRequest = 16 << 10
    /// The time for one request.
    private static let requestTime = 3

    /// Listens on a free port of 127.0.0.1.
    init() throws(OAuthError) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                socket >= 0 && bind(socket, $0, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        guard isListening else {
            if socket >= 0 { close(socket) }
            throw .unavailable(reason: "no port of this machine is free for the browser")
        }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }

    /// Waits for the browser to come back with `state`, and returns the code. Requests without this state are answered and
    /// change nothing.
    func code(state: String, until end: ContinuousClock.Instant, isCancelled: () -> Bool) throws(OAuthError) -> String {
        while true {
            if isCancelled() { throw .cancelled }
            guard .now < end else { throw .timedOut }
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 250) == 1 else { continue }
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { continue }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            defer { close(connection) }
            guard let target = LoopbackReceiver.target(connection), let mark = target.firstIndex(of: "?") else {
                LoopbackReceiver.answer(connection, 404, "There is nothing here.")
                continue
            }
            let values = FormEncoding.decode(target[target.index(after: mark)...])
            guard target[..<mark] == "/", values["state"] == state else {
                LoopbackReceiver.answer(connection, 400, "This is not an answer to the sign-in that hub has begun.")
                continue
            }
            if let code = values["code"], !code.isEmpty {
                LoopbackReceiver.answer(connection, 200, "hub has access now. You can close this window.")
                return code
            }
            LoopbackReceiver.answer(connection, 200, "hub has no access. You can close this window.")
            throw .refused(reason: String((values["error"] ?? "no code").prefix(100)))
        }
    }

    /// Reads a request and returns its target; nil for anything but GET.
    private static func target(_ connection: Int32) -> Substring? {
        var limit = timeval(tv_sec: requestTime, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        let end = Array("\r\n\r\n".utf8)
        let deadline = ContinuousClock.now + .seconds(requestTime)
        while !bytes.indices.contains(where: { bytes[$0...].starts(with: end) }) {
            let count = recv(connection, &part, part.count, 0)
            guard count > 0, bytes.count < largestRequest, .now < deadline else { return nil }
            bytes += part.prefix(count)
        }
        let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self)
        let words = line.split(separator: " ")
        return words.count == 3 && words[0] == "GET" && words[2].hasPrefix("HTTP/1.") ? words[1] : nil
    }

    private static func answer(_ connection: Int32, _ status: Int, _ sentence: String) {
        let page =
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>hub</title><p>\(sentence)</p></html>"
        let head = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Refused")", "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(page.utf8.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Connection: close", "", "",
        ]
        let bytes = Array((head.joined(separator: "\r\n") + page).utf8)
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
