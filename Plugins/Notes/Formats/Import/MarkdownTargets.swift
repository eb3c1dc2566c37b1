/// The targets of links and pictures in a Markdown text: `](target)`, and `![[target]]`.
enum MarkdownTargets {
    /// Where targets are, in UTF-8 bytes of the text; a title after a target, and angle brackets, are left out.
    static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "]"), bytes[index + 1] == UInt8(ascii: "(") {
                var start = index + 2
                let isAngled = start < bytes.count && bytes[start] == UInt8(ascii: "<")
                if isAngled { start += 1 }
                var end = start
                while end < bytes.count, end - start < 4096, bytes[end] != 0x0A,
                    isAngled ? bytes[end] != UInt8(ascii: ">") : bytes[end] != UInt8(ascii: ")") && bytes[end] != 0x20
                { end += 1 }
                if end < bytes.count, end > start, bytes[end] != 0x0A { ranges.append(start..<end) }
                // What does not end is looked at only once.
                index = max(index + 2, end)
            } else if index + 2 < bytes.count, bytes[index..<index + 3].elementsEqual("![[".utf8) {
                let start = index + 3
                var end = start
                while end < bytes.count, bytes[end] != 0x0A, bytes[end] != UInt8(ascii: "]"),
                    bytes[end] != UInt8(ascii: "|")
                { end += 1 }
                if end < bytes.count, end > start, bytes[end] != 0x0A { ranges.append(start..<end) }
                index = max(start, end)
            } else {
                index += 1
            }
        }
        return ranges
    }

    /// The targets of a text, each once, in their order.
    static func targets(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var seen: Set<String> = []
        return ranges(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }.filter { seen.insert($0).inserted }
    }

    /// Returns a text with other targets; nil keeps one.
    static func replacing(in text: String, _ target: (String) -> String?) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var next = 0
        for range in ranges(in: bytes) {
            guard let new = target(String(decoding: bytes[range], as: UTF8.self)) else { continue }
            result += bytes[next..<range.lowerBound]
            result += Array(new.utf8)
            next = range.upperBound
        }
        return next == 0 ? text : String(decoding: result + bytes[next...], as: UTF8.self)
    }

    /// A target as a path: percent escapes decoded, without `./` and a fragment; nil for a URL, and for what leads out of the
    /// folder.
    static func path(_ target: String, in folder: String) -> String? {
        guard !target.contains("://"), !target.hasPrefix("/"), !target.hasPrefix("#"), !target.hasPrefix("mailto:")
        else {
            return nil
        }
        var bytes: [UInt8] = []
        var rest = Array(target.utf8.prefix { $0 != UInt8(ascii: "#") })[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        var parts = folder.unicodeScalars.split(separator: "/").map { String($0) }
        for part in bytes.split(separator: UInt8(ascii: "/")).map({ String(decoding: $0, as: UTF8.self) }) {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else if part != "." {
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// A path as a target: what ends a target is escaped.
    static func target(_ path: String) -> String {
        path.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0...0x20, 0x22, 0x23, 0x25, 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x7F...0xFF:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            default: result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }
}
