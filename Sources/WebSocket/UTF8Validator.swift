/// Checks UTF-8 that comes in pieces, and refuses it at the first byte after which it cannot become valid (RFC 3629).
struct UTF8Validator: Sendable {
    /// The number of continuation bytes to come.
    private var awaited = 0
    /// Which bytes may come next.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the bytes so far end with a whole scalar.
    var isComplete: Bool { awaited == 0 }

    /// Takes in bytes; false when the text is invalid.
    mutating func accept(_ bytes: [UInt8]) -> Bool {
        for byte in bytes {
            if awaited > 0 {
                guard allowed.contains(byte) else { return false }
                awaited -= 1
                allowed = 0x80...0xBF
                continue
            }
            switch byte {
            case 0x00...0x7F: continue
            case 0xC2...0xDF: awaited = 1
            case 0xE0: (awaited, allowed) = (2, 0xA0...0xBF)
            case 0xED: (awaited, allowed) = (2, 0x80...0x9F)
            case 0xE1...0xEF: awaited = 2
            case 0xF0: (awaited, allowed) = (3, 0x90...0xBF)
            case 0xF4: (awaited, allowed) = (3, 0x80...0x8F)
            case 0xF1...0xF3: awaited = 3
            default: return false
            }
        }
        return true
    }
}
