import DBus
import WebSocket
import XML

/// Messages of programs and servers: frames, documents, and the types and addresses of the bus.
enum MessageFuzzing {
    /// The first byte chooses the end that reads; small limits, so that short inputs reach them.
    static func webSocket(_ input: [UInt8]) -> String? {
        let role: WebSocketConnection.Role = (input.first ?? 0) & 1 == 0 ? .server : .client
        let limits = WebSocketConnection.Limits(messageSize: 64, fragmentCount: 8)
        let stream = Array(input.dropFirst())
        var whole = WebSocketConnection(role: role, limits: limits, masks: NoMasks())
        let actions = whole.receive(stream)
        var piecewise = WebSocketConnection(role: role, limits: limits, masks: NoMasks())
        guard Pieces(stream).flatMap({ piecewise.receive($0) }) == actions else {
            return "a stream means the same however it comes"
        }
        var isClosed = false
        for action in actions {
            guard !isClosed else { return "nothing follows the end" }
            switch action {
            case .deliver(.text(let text)) where text.utf8.count > 64: return "a message is within the limit"
            case .deliver(.binary(let bytes)) where bytes.count > 64: return "a message is within the limit"
            case .closed: isClosed = true
            default: break
            }
        }
        guard !isClosed || whole.send(.text("")) == nil else { return "nothing is sent after the end" }
        let lines = String(decoding: stream, as: UTF8.self).split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
        }
        let headers = WebSocketHandshake.Headers(lines)
        _ = try? WebSocketHandshake.accept(headers, subprotocols: ["a"])
        _ = try? WebSocketHandshake.check(status: 101, headers, key: [1], subprotocols: ["a"])
        return nil
    }

    private struct NoMasks: RandomNumberGenerator, Sendable {
        mutating func next() -> UInt64 { 0 }
    }

    static func xml(_ input: [UInt8]) -> String? {
        guard let element = try? XMLReader.read(input) else { return nil }
        guard (try? XMLReader.read(XMLWriter().write(element))) == element else {
            return "a document is read as it was written"
        }
        return nil
    }

    /// The type that the input spells, and its address.
    static func dbus(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        if let type = DBusType(code: text), type.code != text { return "a type is read as it is written" }
        _ = try? DBusAddress(text)
        return nil
    }
}
