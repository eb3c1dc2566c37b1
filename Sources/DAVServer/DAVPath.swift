import HTTPTypes

/// The path of a resource, in decoded segments.
package struct DAVPath: Hashable, Sendable {
    /// The segments; an encoded slash is a character of its segment.
    package var segments: [String]

    package init(_ segments: [String]) { self.segments = segments }

    /// Parses a path, or the path of a URL, as clients send it; nil when it cannot be decoded, has `..`, or names an empty segment.
    package init?(_ text: String) {
        var path = Substring(text)
        if let scheme = path.range(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
            if path.isEmpty { path = "/" }
        }
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        path = path.prefix { $0 != "?" && $0 != "#" }
        var parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        segments = []
        for part in parts {
            guard let segment = PercentEncoding.decode(Substring(part)), Self.isName(segment) else { return nil }
            segments.append(segment)
        }
    }

    /// Whether a segment can be one: no control characters, and nothing that means another folder.
    private static func isName(_ segment: String) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.count <= 1024
            && segment.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// The path as it is written in an answer; collections end with a slash.
    package func href(isCollection: Bool) -> String {
        segments.map { "/" + Self.encoded($0) }.joined() + (isCollection || segments.isEmpty ? "/" : "")
    }

    /// Returns a segment with the characters escaped that RFC 3986 does not let stand in one; the others are left as they are, as
    /// clients compare texts.
    package static func encoded(_ segment: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in segment.utf8 {
            let isLetter = 0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
            if isLetter || "-._~@:!$&'()*+,;=".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Substring {
    /// The first range of `text`; the standard library has no search without Foundation that takes bytes.
    fileprivate func range(of text: String) -> Range<Index>? {
        let wanted = Array(text.utf8)
        var start = startIndex
        while start < endIndex {
            if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
            // A scheme has only letters; anything else is a path.
            guard utf8[start] != UInt8(ascii: "/") else { return nil }
            start = utf8.index(after: start)
        }
        return nil
    }
}
