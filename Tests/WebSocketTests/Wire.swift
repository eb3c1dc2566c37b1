import WebSocket

/// Frames as the other end sends them, right or wrong.
struct Wire {
    let role: WebSocketConnection.Role
    private static let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    /// A connection that gets them.
    func connection(_ limits: WebSocketConnection.Limits = .init()) -> WebSocketConnection {
        WebSocketConnection(role: role, limits: limits)
    }

    /// A frame; `mask` overrules what the role asks for.
    func frame(
        _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reserved: UInt8 = 0, mask: Bool? = nil,
        length: [UInt8]? = nil
    ) -> [UInt8] {
        let isMasked = mask ?? (role == .server)
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let bit: UInt8 = isMasked ? 0x80 : 0
        if let length {
            bytes += [bit | length[0]] + length[1...]
        } else if payload.count < 126 {
            bytes.append(bit | UInt8(payload.count))
        } else if payload.count < 65536 {
            bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            bytes += [bit | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xFF) }
        }
        guard isMasked else { return bytes + payload }
        return bytes + Self.key + payload.enumerated().map { $1 ^ Self.key[$0 & 3] }
    }

    func text(_ text: String, isFinal: Bool = true) -> [UInt8] { frame(1, Array(text.utf8), isFinal: isFinal) }

    func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    /// The frames that the connection sends, with their masks taken off: first byte and payload of each.
    func sent(_ actions: [WebSocketConnection.Action]) -> [[UInt8]] {
        actions.compactMap { if case .send(let bytes) = $0 { unmasked(bytes) } else { nil } }
    }

    /// A short frame of the connection without its mask: first byte, length, payload.
    func unmasked(_ bytes: [UInt8]) -> [UInt8] {
        guard role == .client else { return bytes }
        let key = Array(bytes[2..<6])
        return [bytes[0], bytes[1] & 0x7F] + bytes[6...].enumerated().map { $1 ^ key[$0 & 3] }
    }
}
