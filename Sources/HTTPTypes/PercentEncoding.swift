import Text

/// Percent-encoding of paths and queries (RFC 3986 §2.1), and of HTML forms.
package enum PercentEncoding {
    /// Returns `text` with everything but unreserved characters escaped: one segment of a path, or a value of a query.
    package static func encode(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.flatMap { isUnreserved($0) ? [$0] : escape($0) }, as: UTF8.self)
    }

    /// Returns `text` with its escapes decoded, or nil when an escape is invalid, or the bytes are not UTF-8 or have a
    /// NUL. `plusIsSpace` holds for the query of a form.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let isPlain = text.withBytes { bytes in
            bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+") }
        }
        if isPlain { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for (byte, wasEscaped) in pieces(text) {
            switch byte {
            case UInt8(ascii: "%") where !wasEscaped: return nil
            case UInt8(ascii: "+") where !wasEscaped && plusIsSpace: bytes.append(UInt8(ascii: " "))
            case 0: return nil
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns `text` with its valid escapes decoded; invalid UTF-8 becomes U+FFFD.
    package static func decodeLossy(_ text: some StringProtocol) -> String {
        String(decoding: pieces(text).map(\.byte), as: UTF8.self)
    }

    /// Returns a path or query with everything escaped that it may not have; escapes stay as they are.
    package static func repaired(_ text: some StringProtocol) -> String {
        String(
            decoding: pieces(text, areEscapesKept: true).flatMap { byte, wasEscaped in
                wasEscaped || isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte) ? [byte] : escape(byte)
            }, as: UTF8.self)
    }

    /// Returns a path in which exactly the characters that are not unreserved are escaped, slashes between segments
    /// aside: equal paths name the same resource.
    package static func canonical(_ path: some StringProtocol) -> String {
        String(
            decoding: pieces(path).flatMap { byte, wasEscaped in
                isUnreserved(byte) || byte == UInt8(ascii: "/") && !wasEscaped ? [byte] : escape(byte)
            }, as: UTF8.self)
    }

    /// The bytes that the text stands for, and whether an escape stood for them; with `areEscapesKept` the bytes of the
    /// text, and whether they are part of an escape.
    private static func pieces(
        _ text: some StringProtocol, areEscapesKept: Bool = false
    ) -> [(byte: UInt8, wasEscaped: Bool)] {
        let bytes = Array(text.utf8)
        var pieces: [(byte: UInt8, wasEscaped: Bool)] = []
        pieces.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            else {
                pieces.append((bytes[index], false))
                index += 1
                continue
            }
            if areEscapesKept {
                pieces += bytes[index..<(index + 3)].map { ($0, true) }
            } else {
                pieces.append((high << 4 | low, true))
            }
            index += 3
        }
        return pieces
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~".utf8.contains(byte)
        }
    }
}
