import DBus
import WebSocket
import XML

/// Messages of programs and servers: frames, documents, and the objects of services on the bus.
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

    /// The type that the input spells, and the objects of a service whose messages hold its bytes.
    static func dbus(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        if let type = DBusType(code: text), type.code != text { return "a type is read as it is written" }
        _ = try? DBusAddress(text)
        var rest = input[...]
        var cache = DBusObjectCache()
        _ = try? cache.load([value(&rest, depth: 0)])
        while !rest.isEmpty {
            let isChange = (rest.first ?? 0) & 1 == 0
            let signal = DBusSignal(
                path: path(&rest),
                interface: isChange ? "org.freedesktop.DBus.Properties" : "org.freedesktop.DBus.ObjectManager",
                member: isChange
                    ? "PropertiesChanged" : (rest.first ?? 0) & 2 == 0 ? "InterfacesAdded" : "InterfacesRemoved",
                arguments: (0..<(isChange ? 3 : 2)).map { _ in value(&rest, depth: 0) })
            let before = cache.objects
            let changes = cache.apply(signal)
            guard cache.objects == before || !changes.isEmpty else { return "each difference is told" }
        }
        return nil
    }

    private static func path(_ rest: inout ArraySlice<UInt8>) -> String { "/\((rest.popFirst() ?? 0) & 3)" }

    /// A value that the next bytes choose, nested at most six deep.
    private static func value(_ rest: inout ArraySlice<UInt8>, depth: Int) -> DBusValue {
        guard let byte = rest.popFirst() else { return .boolean(false) }
        let count = Int(byte >> 4) & 3
        func values() -> [DBusValue] { (0..<count).map { _ in value(&rest, depth: depth + 1) } }
        switch byte & 15 {
        case 0: return .string("name\(byte >> 4)")
        case 1: return .objectPath(path(&rest))
        case 2: return .uint32(UInt32(byte))
        case 3: return .bytes([byte])
        case 4: return .variant(depth < 6 ? value(&rest, depth: depth + 1) : .byte(byte))
        case 5 where depth < 6: return .array(of: .string, values())
        case 6 where depth < 6: return .structure(values())
        case 7...15 where depth < 6:
            let keys: DBusType = depth == 0 ? .objectPath : .string
            var entries: [DBusValue: DBusValue] = [:]
            for _ in 0..<count {
                let key: DBusValue = depth == 0 ? .objectPath(path(&rest)) : .string("\((rest.popFirst() ?? 0) & 3)")
                entries[key] = value(&rest, depth: depth + 1)
            }
            return .dictionary(key: keys, value: .variant, entries)
        default: return .double(Double(byte))
        }
    }
}
