package import Text

/// The targets of links and pictures in a Markdown text: `](target)`, `![[target]]`, `[[file.pdf]]`, `<img src="target">` and
/// `[label]: target`.
package enum MarkdownTargets {
    /// The longest target that is looked at, in bytes.
    private static let maximumLength = 4096

    /// Where targets are, in UTF-8 bytes of the text; a title after a target, and angle brackets, are left out.
    package static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        var lineStart = 0
        while index < bytes.count {
            let found: (range: Range<Int>?, end: Int)
            switch bytes[index] {
            case 0x0A:
                lineStart = index + 1
                found = (nil, lineStart)
            case UInt8(ascii: "]") where bytes[index...].starts(with: "](".utf8): found = destination(bytes, index + 2)
            case UInt8(ascii: "!") where bytes[index...].starts(with: "![[".utf8): found = embed(bytes, index + 3)
            case UInt8(ascii: "[") where bytes[index...].starts(with: "[[".utf8): found = fileLink(bytes, index + 2)
            case UInt8(ascii: "<") where isImage(bytes, index): found = source(bytes, index + 4)
            case UInt8(ascii: "[") where index - lineStart < 4 && bytes[lineStart..<index].allSatisfy { $0 == 0x20 }:
                found = definition(bytes, index + 1)
            default: found = (nil, index + 1)
            }
            if let range = found.range, !range.isEmpty { ranges.append(range) }
            index = max(index + 1, found.end)
        }
        return ranges
    }

    /// The destination of a link (CommonMark 0.31 §6.3): in angle brackets, or without blanks and with brackets in pairs.
    private static func destination(_ bytes: [UInt8], _ start: Int, isInline: Bool = true) -> (Range<Int>?, Int) {
        let isAngled = start < bytes.count && bytes[start] == UInt8(ascii: "<")
        let start = isAngled ? start + 1 : start
        var (end, depth) = (start, 0)
        scan: while end < bytes.count, end - start < maximumLength {
            switch bytes[end] {
            case 0x0A: break scan
            case UInt8(ascii: ">") where isAngled: return (start..<end, end)
            case _ where isAngled: break
            case 0x20, 0x09, 0x0D: return (start..<end, end)
            case UInt8(ascii: "(") where isInline: depth += 1
            case UInt8(ascii: ")") where isInline:
                if depth == 0 { return (start..<end, end) }
                depth -= 1
            default: break
            }
            end += 1
        }
        // What does not end is looked at only once.
        return (isInline || isAngled ? nil : start..<end, end)
    }

    private static func embed(_ bytes: [UInt8], _ start: Int) -> (Range<Int>?, Int) {
        let limit = min(bytes.count, start + maximumLength)
        let end =
            bytes[start..<limit].firstIndex { [0x0A, UInt8(ascii: "]"), UInt8(ascii: "|")].contains($0) } ?? limit
        return (end < limit && bytes[end] != 0x0A ? start..<end : nil, end)
    }

    /// A link in double brackets, if it is to a file and not to a note.
    private static func fileLink(_ bytes: [UInt8], _ start: Int) -> (Range<Int>?, Int) {
        let (range, end) = embed(bytes, start)
        guard let range, isFile(String(decoding: bytes[range], as: UTF8.self)) else { return (nil, start) }
        return (range, end)
    }

    private static func isImage(_ bytes: [UInt8], _ start: Int) -> Bool {
        start + 4 < bytes.count && bytes[(start + 1)..<(start + 4)].elementsEqual("img".utf8) { $0 | 0x20 == $1 }
            && [0x20, 0x09, 0x0A].contains(bytes[start + 4])
    }

    /// The attribute `src` of a picture in HTML.
    private static func source(_ bytes: [UInt8], _ start: Int) -> (Range<Int>?, Int) {
        let end =
            bytes[start...].prefix(maximumLength).firstIndex(of: UInt8(ascii: ">"))
            ?? min(start + maximumLength, bytes.count)
        var index = start
        while index + 5 < end {
            let quote = bytes[index + 5]
            if [0x20, 0x09, 0x0A].contains(bytes[index]), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                bytes[(index + 1)..<(index + 5)].elementsEqual("src=".utf8, by: { $0 == $1 || $0 | 0x20 == $1 })
            {
                let first = index + 6
                return (bytes[first..<end].firstIndex(of: quote).map { first..<$0 }, end)
            }
            index += 1
        }
        return (nil, end)
    }

    /// The destination in a definition of a reference (§4.7), after its opening bracket; footnotes are none.
    private static func definition(_ bytes: [UInt8], _ start: Int) -> (Range<Int>?, Int) {
        var index = start
        while index < bytes.count, index - start < 1000, bytes[index] != UInt8(ascii: "]"), bytes[index] != 0x0A {
            index += 1
        }
        guard index + 1 < bytes.count, bytes[index...].starts(with: "]:".utf8), bytes[start] != UInt8(ascii: "^") else {
            return (nil, start)
        }
        index += 2
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        return destination(bytes, index, isInline: false)
    }

    /// The targets of a text, each once, in their order.
    package static func targets(in text: String) -> [(text: String, bytes: ByteString)] {
        let bytes = Array(text.utf8)
        var seen: Set<ByteString> = []
        return ranges(in: bytes).map { ByteString(bytes[$0]) }.filter { seen.insert($0).inserted }
            .map { ($0.repairedText, $0) }
    }

    /// Returns a text with other targets: paths from the note's folder, or else targets as they are; nil keeps one.
    package static func replacing(in text: String, _ target: (String) -> NewTarget?) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var next = 0
        for range in ranges(in: bytes) {
            guard let new = target(String(decoding: bytes[range], as: UTF8.self)) else { continue }
            result += bytes[next..<range.lowerBound]
            let isWiki = range.lowerBound >= 2 && bytes[..<range.lowerBound].suffix(2).elementsEqual("[[".utf8)
            result += Array((isWiki ? new.wiki : new.text).utf8)
            next = range.upperBound
        }
        return next == 0 ? text : String(decoding: result + bytes[next...], as: UTF8.self)
    }

    /// What a target is replaced by.
    package struct NewTarget: Sendable {
        /// In a link of Markdown.
        fileprivate let text: String
        /// In double brackets, where nothing is escaped.
        fileprivate let wiki: String

        /// A target as it is.
        package init(_ text: String) { (self.text, wiki) = (text, text) }

        /// The file at `path` from the top, for a note in `folder`.
        package init(_ path: ByteString, from folder: ByteString) {
            let relative = MarkdownTargets.relative(path, from: folder)
            text = MarkdownTargets.target(relative)
            let isPlain = !path.bytes.contains { [0x0A, 0x23, 0x5B, 0x5D, 0x7C].contains($0) }
            wiki = isPlain ? path.text ?? MarkdownTargets.target(path) : MarkdownTargets.target(path)
        }
    }

    /// Returns the path from a folder to a file.
    package static func relative(_ path: ByteString, from folder: ByteString) -> ByteString {
        let slash = UInt8(ascii: "/")
        let (from, to) = (folder.bytes.split(separator: slash), path.bytes.split(separator: slash))
        let common = zip(from, to.dropLast()).prefix { $0.elementsEqual($1) }.count
        let parts = Array(repeating: ArraySlice("..".utf8), count: from.count - common) + to[common...]
        return ByteString(Array(parts.joined(separator: [slash])))
    }

    /// The names of files that a target may mean, the likeliest first: without a fragment and a query, with percent escapes
    /// decoded, and as it is.
    static func names(of target: String) -> [ByteString] {
        guard !target.contains("://"), !target.hasPrefix("#"), !target.hasPrefix("mailto:"), !target.hasPrefix("data:")
        else {
            return []
        }
        let whole = Array(target.utf8)
        let path = Array(whole.prefix { $0 != UInt8(ascii: "#") })
        let bare = Array(path.prefix { $0 != UInt8(ascii: "?") })
        var names: [ByteString] = []
        for name in [PercentEscapes.decoded(path), path, PercentEscapes.decoded(bare), whole].map({ ByteString($0) })
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Returns a text with its percent escapes decoded.
    package static func decoded(_ text: String) -> ByteString { ByteString(PercentEscapes.decoded(Array(text.utf8))) }

    /// Whether a target names a file that is not a note: it has an end such as `.png`, and is not a URL.
    package static func isFile(_ target: String) -> Bool {
        guard let name = names(of: target).first, !NoteFileName.isNote("x/" + name.lastName) else { return false }
        let scheme = name.bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
        guard !scheme.contains(UInt8(ascii: ":")), let dot = name.lastName.bytes.lastIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        let end = name.lastName.bytes[(dot + 1)...]
        return (1...5).contains(end.count) && end.contains { $0 | 0x20 >= UInt8(ascii: "a") }
            && end.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }

    /// A name as a path from the top, without `./`; nil for what leads out of it.
    static func path(_ name: ByteString, in folder: ByteString) -> ByteString? {
        var parts = folder.bytes.split(separator: UInt8(ascii: "/"))
        for part in name.bytes.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual("..".utf8) {
                guard parts.popLast() != nil else { return nil }
            } else if !part.elementsEqual(".".utf8) {
                parts.append(part)
            }
        }
        return parts.isEmpty ? nil : ByteString(Array(parts.joined(separator: [UInt8(ascii: "/")])))
    }

    /// A path as a target: what ends a target is escaped.
    package static func target(_ path: ByteString) -> String {
        path.bytes.reduce(into: "") { result, byte in
            switch byte {
            case 0...0x20, 0x22, 0x23, 0x25, 0x28, 0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x7F...0xFF:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            default: result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }
}
