import Commands

/// Splits the bytes that a terminal sends into keys.
struct ScreenKeyParser {
    private var pending: [UInt8] = []
    /// The longest sequence that is waited for.
    private static let maximumLength = 16

    private static let sequences: [String: ScreenKey] = [
        "[A": .up, "[B": .down, "[C": .right, "[D": .left, "OA": .up, "OB": .down, "OC": .right, "OD": .left,
        "[5~": .pageUp, "[6~": .pageDown, "[H": .home, "[F": .end, "[1~": .home, "[4~": .end, "OH": .home, "OF": .end,
    ]

    /// Takes bytes as they come, and returns the keys that are complete. A lone escape is a key of its own when nothing follows
    /// it in the same piece.
    mutating func feed(_ bytes: some Collection<UInt8>) -> [ScreenKey] {
        pending += bytes
        var keys: [ScreenKey] = []
        while let first = pending.first {
            if first == 0x1B {
                guard let (key, length) = escape() else { break }
                if let key { keys.append(key) }
                pending.removeFirst(length)
            } else if first < 0x20 || first == 0x7F {
                pending.removeFirst()
                if let key = Self.control(first) { keys.append(key) }
            } else {
                let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                guard pending.count >= length else { break }
                let text = String(decoding: pending[..<length], as: UTF8.self)
                pending.removeFirst(length)
                if let character = text.first, text.count == 1, character != "\u{FFFD}" {
                    keys.append(.character(character))
                }
            }
        }
        return keys
    }

    private static func control(_ byte: UInt8) -> ScreenKey? {
        switch byte {
        case 0x03: .interrupt
        case 0x0D, 0x0A: .enter
        case 0x08, 0x7F: .backspace
        default: nil
        }
    }

    /// The key of a sequence, nil for one that is not known, and its length; nil while it is not complete.
    private func escape() -> (ScreenKey?, Int)? {
        guard pending.count > 1 else { return (.escape, 1) }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
        let rest = pending[2...].prefix(Self.maximumLength)
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return rest.count == Self.maximumLength ? (nil, 2 + rest.count) : nil
        }
        return (Self.sequences[String(decoding: pending[1...end], as: UTF8.self)], end + 1)
    }
}
