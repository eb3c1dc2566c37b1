import Glibc

/// One connection of a scripted server; its calls wait.
package final class ScriptedConnection {
    private let socket: Int32
    private var buffer: [UInt8] = []

    init(_ socket: Int32) { self.socket = socket }

    /// The next request with its whole body; nil when the client has gone.
    package func request() -> ScriptedRequest? {
        let end = Array("\r\n\r\n".utf8)
        var size: Int?
        while size == nil {
            size = buffer.indices.first { buffer[$0...].starts(with: end) }
            if size == nil, !fill() { return nil }
        }
        let lines = String(decoding: buffer.prefix(size ?? 0), as: UTF8.self).split(separator: "\r\n")
        buffer.removeFirst((size ?? 0) + end.count)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        var request = ScriptedRequest(method: String(words[0]), target: String(words[1]))
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            request.headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < length { if !fill() { return nil } }
        request.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        return request
    }

    /// Sends text as it is; false when the client has gone.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends bytes as they are; false when the client has gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends a whole answer.
    @discardableResult
    package func answer(_ status: Int, _ headers: [String] = [], _ body: String = "") -> Bool {
        let head = ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.utf8.count)"] + headers
        return send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// The next line without its end; nil when the client has gone.
    package func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<end].filter { $0 != 0x0D }, as: UTF8.self)
            }
            if !fill() { return nil }
        }
    }

    /// Waits until the client has sent something after the last line; false when it has gone.
    package func waitForMore() -> Bool { !buffer.isEmpty || fill() }

    /// Waits until the client goes.
    package func waitForEnd() { while fill() {} }

    private func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var count = 0
        repeat { count = recv(socket, &piece, piece.count, 0) } while count < 0 && errno == EINTR
        if count > 0 { buffer += piece.prefix(count) }
        return count > 0
    }
}

/// A request as a scripted server sees it.
package struct ScriptedRequest: Sendable, Equatable {
    package var method: String
    /// The request target, as it was sent.
    package var target: String
    /// The fields, by their names in small letters.
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []

    package var text: String { String(decoding: body, as: UTF8.self) }
}
