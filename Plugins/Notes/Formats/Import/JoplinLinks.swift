import Text

/// Links between notes as Joplin has them: `[words](:/id)`. A link in double brackets is kept as the title of one.
enum JoplinLinks {
    /// The id in a target such as `:/id#heading`.
    static func id(of target: String) -> String { String(target.dropFirst(2).prefix { $0 != "#" && $0 != "?" }) }

    /// Returns a text with links to the paths of notes, for a note in `folder`; nil leaves a target as it is.
    static func imported(_ text: String, in folder: String, _ path: (_ id: String) -> ByteString?) -> String {
        guard text.contains(":/") else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var next = 0
        for range in MarkdownTargets.ranges(in: bytes) where range.lowerBound >= next {
            let target = String(decoding: bytes[range], as: UTF8.self)
            guard target.hasPrefix(":/"), let path = path(id(of: target)) else { continue }
            if let (whole, link) = wikiLink(bytes, around: range, from: next) {
                result += bytes[next..<whole.lowerBound] + link
                next = whole.upperBound
                continue
            }
            result += bytes[next..<range.lowerBound]
            result += Array(MarkdownTargets.target(MarkdownTargets.relative(path, from: ByteString(folder))).utf8)
            result += Array(target.utf8.drop { $0 != UInt8(ascii: "#") })
            next = range.upperBound
        }
        return next == 0 ? text : String(decoding: result + bytes[next...], as: UTF8.self)
    }

    /// The link in double brackets that is the title of a link, with the place of the whole.
    private static func wikiLink(
        _ bytes: [UInt8], around target: Range<Int>, from start: Int
    ) -> (whole: Range<Int>, link: ArraySlice<UInt8>)? {
        let mark = Array(" \"[[".utf8)
        guard bytes[target.upperBound...].starts(with: mark) else { return nil }
        let first = target.upperBound + 2
        guard let quote = bytes[first...].prefix(WikiLink.maximumLength * 4).firstIndex(of: UInt8(ascii: "\"")),
            quote + 1 < bytes.count, bytes[quote + 1] == UInt8(ascii: ")"),
            bytes[first..<quote].suffix(2).elementsEqual("]]".utf8), target.lowerBound >= start + 2,
            let open = bytes[start..<target.lowerBound - 2].lastIndex(of: UInt8(ascii: "["))
        else { return nil }
        return (open..<quote + 2, bytes[first..<quote])
    }

    /// Returns a text whose links to notes have their ids; nil for one that leads to no note of the export.
    static func exported(_ text: String, _ id: (WikiLink) -> String?) -> String {
        let scalars = Array(text.unicodeScalars)
        var result: [Unicode.Scalar] = []
        var next = 0
        for place in WikiLink.places(in: text) where place.title.lowerBound >= next {
            let link = place.link
            guard !link.title.isEmpty, !link.isEmbedded || link.isMarkdown, let id = id(link) else { continue }
            if link.isMarkdown {
                result += scalars[next..<place.title.lowerBound] + ":/\(id)".unicodeScalars
                next = place.title.upperBound
                continue
            }
            guard let whole = brackets(scalars, around: place.title),
                case let written = String(String.UnicodeScalarView(scalars[whole])), !written.contains("\""),
                !written.contains("\\")
            else { continue }
            let words = link.label ?? (link.heading.map { "\(link.title) > \($0)" } ?? link.title)
            result += scalars[next..<whole.lowerBound]
            result += "[\(words)](:/\(id) \"\(written)\")".unicodeScalars
            next = whole.upperBound
        }
        return next == 0 ? text : String(String.UnicodeScalarView(result + scalars[next...]))
    }

    /// The place of a link with its brackets.
    private static func brackets(_ scalars: [Unicode.Scalar], around title: Range<Int>) -> Range<Int>? {
        var (low, high) = (title.lowerBound, title.upperBound)
        while low > 0, scalars[low - 1] != "[" { low -= 1 }
        while high < scalars.count, scalars[high] != "]" { high += 1 }
        return low >= 2 && high + 2 <= scalars.count ? low - 2..<high + 2 : nil
    }
}
