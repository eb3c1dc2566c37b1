import Text

/// A key of the top level with its value, as far as hub reads YAML (1.2): text on one line, and lists of such text. All else
/// is ``Value/unreadable``, so that nothing is written over it.
struct FrontMatterEntry {
    /// What the key says.
    enum Value {
        /// Nothing, `~` or `null`.
        case null
        case text(String)
        /// Lines of `- element`.
        case lines([Element])
        /// `[element, element]`, maybe on several lines.
        case flow([Element])
        case unreadable
    }

    /// An element of a list.
    struct Element {
        let text: String
        /// The bytes in the entry: the line of an element of lines; without blanks around it in a list with brackets.
        let range: Range<Int>
    }

    /// The lines of the key: its own, and those that continue it.
    let lines: Range<Int>
    /// The name in lower case, without quotes.
    let name: String
    /// Whether the name is written so.
    let isExact: Bool
    /// The bytes of the lines.
    let bytes: [UInt8]
    /// The end of the key in the first line, after the colon.
    let keyEnd: Int
    let value: Value

    /// The elements of a list.
    var elements: [Element]? {
        switch value {
        case .lines(let elements), .flow(let elements): elements
        default: nil
        }
    }

    /// The comment in the line of a key with text, or with nothing.
    var comment: String {
        switch value {
        case .text, .null: break
        default: return ""
        }
        let line = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
        var scanner = YAMLScanner(line, at: keyEnd)
        scanner.skipBlanks()
        if scanner.next != UInt8(ascii: "#") { _ = scanner.scalar(endingAt: []) }
        let rest = String(decoding: line[scanner.position...], as: UTF8.self)
        return rest.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "" : rest
    }

    /// Reads the entries of the top level. What is not an entry is passed over; nil if a bracket is not closed, so that a line
    /// that is added could belong to it.
    static func entries(of lines: [String]) -> [FrontMatterEntry]? {
        var entries: [FrontMatterEntry] = []
        var reader = Reader(lines: lines)
        while let entry = reader.next() { entries.append(entry) }
        return reader.isUnclosed ? nil : entries
    }

    private struct Reader {
        let lines: [String]
        private var index = 0
        /// Whether brackets were found that do not end; they are looked for only once.
        private(set) var isUnclosed = false

        init(lines: [String]) { self.lines = lines }

        mutating func next() -> FrontMatterEntry? {
            while index < lines.count {
                let line = Array(lines[index].utf8)
                if let key = YAMLScanner.key(of: line) { return entry(line, key) }
                index += 1
            }
            return nil
        }

        private mutating func entry(_ line: [UInt8], _ key: (name: String, end: Int)) -> FrontMatterEntry {
            let start = index
            var bytes = line
            index += 1
            var scanner = YAMLScanner(line, at: key.end)
            scanner.skipBlanks()
            let value: Value
            if scanner.next == UInt8(ascii: "[") || scanner.next == UInt8(ascii: "{"), let flow = flow(&bytes, key.end)
            {
                value = flow
            } else {
                let isEmpty = scanner.isAtEnd
                let end = continuation(isEmpty)
                for line in lines[index..<end] { bytes += Array(line.utf8) }
                let rest = lines[index..<end].map { Array($0.utf8) }
                index = end
                value = isEmpty ? Self.block(rest, line.count) : Self.inline(&scanner, rest)
            }
            let name = key.name.lowercased()
            return FrontMatterEntry(
                lines: start..<index, name: name, isExact: key.name == name, bytes: bytes, keyEnd: key.end, value: value
            )
        }

        /// Reads a value in brackets, whose lines need not be indented; nil if it does not end.
        private mutating func flow(_ bytes: inout [UInt8], _ start: Int) -> Value? {
            guard !isUnclosed else { return nil }
            var all = bytes
            var scanner = YAMLScanner(all, at: start)
            scanner.skipBlanks()
            let opening = scanner.position
            var end = index
            var state = YAMLScanner.Nesting()
            var looked = opening
            while true {
                let isClosed = state.scan(all, from: &looked)
                if isClosed { break }
                guard end < lines.count else {
                    isUnclosed = true
                    return nil
                }
                all += Array(lines[end].utf8)
                end += 1
            }
            (bytes, index) = (all, end)
            scanner = YAMLScanner(all, at: opening)
            guard let elements = scanner.elements(), scanner.isAtEnd else { return .unreadable }
            return .flow(elements)
        }

        /// The end of the lines that continue a key. Blank lines and comments do so only if more follows.
        private func continuation(_ allowsDashes: Bool) -> Int {
            var end = index
            for next in index..<lines.count {
                let line = lines[next].utf8
                guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }) else { break }
                if first == 0x0A || first == 0x0D || first == UInt8(ascii: "#") { continue }
                let isIndented = line.first == 0x20 || line.first == 0x09
                guard isIndented || allowsDashes && YAMLScanner.isDash(Array(line.prefix(2)), at: 0) else { break }
                end = next + 1
            }
            return end
        }

        /// Reads what follows a key in its line.
        private static func inline(_ scanner: inout YAMLScanner, _ rest: [[UInt8]]) -> Value {
            guard rest.allSatisfy({ YAMLScanner($0, at: 0).isBlankOrComment }),
                let text = scanner.scalar(endingAt: []), scanner.isAtEnd
            else { return .unreadable }
            return text.isPlain && ["~", "null", "Null", "NULL"].contains(text.text) ? .null : .text(text.text)
        }

        /// Reads lines of `- element`; `start` is their place in the entry.
        private static func block(_ lines: [[UInt8]], _ start: Int) -> Value {
            var elements: [Element] = []
            var indent: Int?
            var place = start
            for line in lines {
                defer { place += line.count }
                if YAMLScanner(line, at: 0).isBlankOrComment { continue }
                let blanks = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
                guard YAMLScanner.isDash(line, at: blanks), indent ?? blanks == blanks else { return .unreadable }
                indent = blanks
                var scanner = YAMLScanner(line, at: blanks + 1)
                if scanner.isBlankOrComment { continue }
                scanner.skipBlanks()
                guard let text = scanner.scalar(endingAt: []), scanner.isAtEnd,
                    !text.isPlain || !YAMLScanner.isMapping(text.text)
                else { return .unreadable }
                elements.append(Element(text: text.text, range: place..<(place + line.count)))
            }
            return elements.isEmpty ? .null : .lines(elements)
        }
    }
}

/// Reads the scalars of YAML that fit on one line, and lists of them in brackets.
struct YAMLScanner {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// The next byte.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether nothing but blanks, line ends and comments follows.
    var isAtEnd: Bool {
        var rest = self
        rest.skipSpace()
        return rest.next == nil
    }

    /// Whether the line has nothing but blanks or a comment from here.
    var isBlankOrComment: Bool {
        let first = bytes[position...].first { $0 != 0x20 && $0 != 0x09 }
        return first.map { $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "#") } ?? true
    }

    mutating func skipBlanks() { while next == 0x20 || next == 0x09 { position += 1 } }

    /// Skips blanks, line ends, and comments, which follow a blank.
    private mutating func skipSpace() {
        while let byte = next {
            let isAfterSpace = position == 0 || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position - 1])
            if byte == UInt8(ascii: "#"), isAfterSpace {
                while next != nil, next != 0x0A { position += 1 }
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                position += 1
            } else {
                return
            }
        }
    }

    /// Returns the key of a line of the top level, and where the value begins; nil for other lines.
    static func key(of line: [UInt8]) -> (name: String, end: Int)? {
        guard let first = line.first, !" \t\r\n#[]{}&*!|>%@`,".utf8.contains(first), !isDash(line, at: 0) else {
            return nil
        }
        var scanner = YAMLScanner(line, at: 0)
        let name: String
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            guard let quoted = scanner.quoted() else { return nil }
            name = quoted
            scanner.skipBlanks()
            guard scanner.next == UInt8(ascii: ":") else { return nil }
        } else {
            while let byte = scanner.next, byte != UInt8(ascii: ":") || !scanner.isSeparator(at: scanner.position + 1) {
                if byte == UInt8(ascii: "#"), scanner.position > 0, line[scanner.position - 1] == 0x20 { return nil }
                scanner.position += 1
            }
            guard scanner.next != nil else { return nil }
            let plain = line[..<scanner.position]
            name = String(decoding: plain[..<((plain.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? -1) + 1)], as: UTF8.self)
        }
        let end = scanner.position + 1
        return scanner.isSeparator(at: end) ? (name, end) : nil
    }

    private func isSeparator(at index: Int) -> Bool {
        index >= bytes.count || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index])
    }

    /// Whether an element of a list of lines begins at an index.
    static func isDash(_ line: [UInt8], at index: Int) -> Bool {
        index < line.count && line[index] == UInt8(ascii: "-") && YAMLScanner(line, at: 0).isSeparator(at: index + 1)
    }

    /// Whether a plain scalar is a key with a value.
    static func isMapping(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.last == UInt8(ascii: ":")
            || bytes.indices.contains {
                bytes[$0] == UInt8(ascii: ":") && YAMLScanner(bytes, at: 0).isSeparator(at: $0 + 1)
            }
    }

    /// Reads a scalar (§7.3), without a comment after it; nil for one that does not fit on the line, and for what is not a
    /// scalar. `ends` are the bytes besides a line end that end a plain one.
    mutating func scalar(endingAt ends: [UInt8]) -> (text: String, isPlain: Bool)? {
        guard let first = next else { return nil }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return quoted().map { ($0, false) } }
        guard !"[]{}|>&*!%@`,#".utf8.contains(first), !YAMLScanner.isDash(bytes, at: position),
            first != UInt8(ascii: "?") || !isSeparator(at: position + 1)
        else { return nil }
        let start = position
        while let byte = next, byte != 0x0A, byte != 0x0D || !isLineEnd(position), !ends.contains(byte) {
            if byte == UInt8(ascii: "#"), bytes[position - 1] == 0x20 || bytes[position - 1] == 0x09 { break }
            position += 1
        }
        var end = position
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        position = end
        return end == start ? nil : (String(decoding: bytes[start..<end], as: UTF8.self), true)
    }

    private func isLineEnd(_ index: Int) -> Bool { index + 1 >= bytes.count || bytes[index + 1] == 0x0A }

    /// Reads a quoted scalar on one line; nil if it does not end there, or has an escape that YAML does not know.
    private mutating func quoted() -> String? {
        guard let quote = next else { return nil }
        var result: [UInt8] = []
        position += 1
        while let byte = next, byte != 0x0A {
            position += 1
            if byte == quote {
                guard quote == UInt8(ascii: "'"), next == quote else { return String(decoding: result, as: UTF8.self) }
                result.append(quote)
                position += 1
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                guard let scalar = escape() else { return nil }
                result += Array(String(scalar).utf8)
            } else {
                result.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        position += 1
        let digits: Int
        switch byte {
        case UInt8(ascii: "x"): digits = 2
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "U"): digits = 8
        default: return YAMLScanner.escapes[byte]
        }
        guard position + digits <= bytes.count,
            let value = UInt32(String(decoding: bytes[position..<(position + digits)], as: UTF8.self), radix: 16)
        else { return nil }
        position += digits
        return Unicode.Scalar(value)
    }

    /// The escapes of one letter (§5.7).
    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "0"): "\u{0}", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
        0x09: "\t", UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "e"): "\u{1B}", 0x20: " ", UInt8(ascii: "\""): "\"",
        UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    /// Reads `[a, "b, c"]`; nil where an element is not a scalar on one line.
    mutating func elements() -> [FrontMatterEntry.Element]? {
        guard next == UInt8(ascii: "[") else { return nil }
        position += 1
        var elements: [FrontMatterEntry.Element] = []
        while true {
            skipSpace()
            if next == UInt8(ascii: "]") {
                position += 1
                return elements
            }
            let start = position
            guard let text = scalar(endingAt: Array(",[]{}".utf8)), !text.isPlain || !YAMLScanner.isMapping(text.text)
            else { return nil }
            elements.append(FrontMatterEntry.Element(text: text.text, range: start..<position))
            skipSpace()
            guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") else { return nil }
            if next == UInt8(ascii: ",") { position += 1 }
        }
    }

    /// How many brackets are open, and in which quotes.
    struct Nesting {
        private var depth = 0
        private var quote: UInt8?
        private var isBegun = false

        /// Continues to the end of the bytes, or to the bracket that closes the first one.
        mutating func scan(_ bytes: [UInt8], from index: inout Int) -> Bool {
            while index < bytes.count {
                let byte = bytes[index]
                defer { index += 1 }
                if let open = quote {
                    if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") {
                        index += 1
                    } else if byte == open {
                        quote = nil
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, isBegun) = (depth + 1, false)
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    depth -= 1
                    if depth == 0 {
                        // What follows in the line belongs to it.
                        index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count - 1
                        return true
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"): isBegun = false
                case UInt8(ascii: "#") where index > 0 && [0x20, 0x09, 0x0A].contains(bytes[index - 1]):
                    index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count - 1
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    if !isBegun { quote = byte }
                    isBegun = true
                case 0x20, 0x09, 0x0A, 0x0D: break
                default: isBegun = true
                }
            }
            return false
        }
    }
}
