/// The YAML between two `---` lines at the beginning of a Markdown file, line by line.
///
/// Only simple values of the top level are read: text on one line, and lists. Every line that is not of a key that is set
/// stays byte for byte.
package struct FrontMatter: Hashable, Sendable {
    /// The largest front matter, in bytes; what is longer is text.
    package static let maximumSize = 64 << 10

    /// The keys that hub reads and writes; all others are left alone.
    package enum Key: String, CaseIterable, Sendable {
        /// The id of the note, in files that hub made.
        case id = "hub-id"
        /// The title, where the name of the file cannot be it.
        case title
        case tags
        /// Whether lists show the note first.
        case isPinned = "pinned"
    }

    /// The lines between the fences, each with its end.
    private(set) var lines: [String]
    private var opening: String
    private var closing: String

    /// Creates an empty one.
    package init() { (lines, opening, closing) = ([], "---\n", "---\n") }

    init(opening: String, lines: [String], closing: String) {
        (self.opening, self.lines, self.closing) = (opening, lines, closing)
    }

    /// Whether there are no lines.
    package var isEmpty: Bool { lines.isEmpty }

    /// The text, with the fences.
    package var text: String { opening + lines.joined() + closing }

    /// The end of lines.
    private var lineEnd: String { opening.utf8.contains(13) ? "\r\n" : "\n" }

    // MARK: Reading

    // Scalars are compared, not characters: a quote before a combining mark is a quote.
    private typealias Scalars = Substring.UnicodeScalarView

    /// Returns the text of a key; nil without one, and where it is not text on one line.
    package subscript(key: Key) -> String? {
        guard let entry = entry(key), entry.count == 1 else { return nil }
        let value = FrontMatter.value(lines[entry.lowerBound])
        if let first = value.first, "[{|>".unicodeScalars.contains(first) { return nil }
        return FrontMatter.scalar(value)
    }

    /// Returns the elements of a list: `[a, b]`, lines with `- a`, or `a, b`; nil without the key.
    package func list(_ key: Key) -> [String]? {
        guard let entry = entry(key) else { return nil }
        let value = FrontMatter.value(lines[entry.lowerBound])
        if value.isEmpty {
            return entry.dropFirst().compactMap { index -> String? in
                let item = FrontMatter.trimmed(lines[index][...].unicodeScalars)
                return item.first == "-" ? FrontMatter.scalar(FrontMatter.trimmed(item.dropFirst())) : nil
            }
            .filter { !$0.isEmpty }
        }
        guard value.first == "[" else {
            return FrontMatter.scalar(value).unicodeScalars.split(separator: ",").map { FrontMatter.trimmed($0[...]) }
                .filter { !$0.isEmpty }.map { String($0) }
        }
        return FrontMatter.elements(value)
    }

    /// The lines of a key: its own, and those that continue it.
    private func entry(_ key: Key) -> Range<Int>? {
        let name = (key.rawValue + ":").unicodeScalars
        guard let start = lines.firstIndex(where: { $0.unicodeScalars.starts(with: name) }) else { return nil }
        var end = start + 1
        while end < lines.count, let first = lines[end].unicodeScalars.first,
            first == " " || first == "\t" || lines[end].unicodeScalars.starts(with: "- ".unicodeScalars)
        { end += 1 }
        return start..<end
    }

    /// What follows the colon, without the blanks around it and without a comment.
    private static func value(_ line: String) -> Scalars {
        let scalars = line[...].unicodeScalars
        guard let colon = scalars.firstIndex(of: ":") else { return Scalars() }
        let value = trimmed(scalars[scalars.index(after: colon)...])
        guard let first = value.first, first != "#" else { return Scalars() }
        // Quotes and brackets have an end of their own.
        if "\"'[".unicodeScalars.contains(first) { return value }
        var isAfterBlank = false
        for index in value.indices {
            if value[index] == "#", isAfterBlank { return trimmed(value[..<index]) }
            isAfterBlank = value[index] == " " || value[index] == "\t"
        }
        return value
    }

    private static func trimmed(_ text: Scalars) -> Scalars {
        var text = text
        while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
        return text
    }

    /// The text of a plain, single-quoted or double-quoted scalar (YAML 1.2 §7.3); what follows the closing quote is left out.
    private static func scalar(_ value: Scalars) -> String {
        guard let quote = value.first, quote == "\"" || quote == "'" else { return String(value) }
        var result = String.UnicodeScalarView()
        var rest = value.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == quote {
                guard quote == "'", rest.first == "'" else { break }
                result.append(rest.removeFirst())
            } else if scalar == "\\", quote == "\"", let escaped = rest.popFirst() {
                switch escaped {
                case "n": result.append("\n")
                case "t": result.append("\t")
                case "r": result.append("\r")
                case "u":
                    let digits = String(rest.prefix(4))
                    rest = rest.dropFirst(4)
                    result.append(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
                default: result.append(escaped)
                }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The elements of `[a, "b, c"]`.
    private static func elements(_ value: Scalars) -> [String] {
        var elements: [String] = []
        var rest = value.dropFirst()
        var start = rest.startIndex
        var quote: Unicode.Scalar?
        // Whether the element has begun; a quote inside of one is a sign like others.
        var isBegun = false
        func add(_ end: Scalars.Index) {
            let element = trimmed(value[start..<end])
            if !element.isEmpty { elements.append(scalar(element)) }
        }
        while let next = rest.first {
            let place = rest.startIndex
            rest.removeFirst()
            if let open = quote {
                if next == "\\", open == "\"" { _ = rest.popFirst() } else if next == open { quote = nil }
            } else if next == "," || next == "]" {
                add(place)
                if next == "]" { return elements }
                (start, isBegun) = (rest.startIndex, false)
            } else if !next.properties.isWhitespace {
                if !isBegun, next == "\"" || next == "'" { quote = next }
                isBegun = true
            }
        }
        add(value.endIndex)
        return elements
    }

    // MARK: Writing

    /// Sets a key to a text, or removes it; the same text leaves the line as it is.
    package mutating func set(_ key: Key, _ text: String?) {
        guard self[key] != text || (text == nil && entry(key) != nil) else { return }
        replace(key, text.map { ["\(key.rawValue): \(FrontMatter.written($0))\(lineEnd)"] })
    }

    /// Sets a key to a list, or removes it when empty; the same list leaves its lines as they are, and a list of lines stays one.
    package mutating func set(_ key: Key, _ list: [String]) {
        guard self.list(key) ?? [] != list else { return }
        guard !list.isEmpty else { return replace(key, nil) }
        let items = list.map(FrontMatter.written)
        if let entry = entry(key), entry.count > 1, FrontMatter.value(lines[entry.lowerBound]).isEmpty {
            let indent = String(lines[entry.lowerBound + 1].unicodeScalars.prefix { $0 == " " || $0 == "\t" })
            return replace(key, [lines[entry.lowerBound]] + items.map { "\(indent)- \($0)\(lineEnd)" })
        }
        replace(key, ["\(key.rawValue): [\(items.joined(separator: ", "))]\(lineEnd)"])
    }

    private mutating func replace(_ key: Key, _ new: [String]?) {
        if let entry = entry(key) {
            lines.replaceSubrange(entry, with: new ?? [])
        } else {
            lines += new ?? []
        }
    }

    /// A text as a plain scalar where no reader of YAML can take it for anything else, and quoted otherwise.
    private static func written(_ text: String) -> String {
        let reserved: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let isPlain = text.unicodeScalars.allSatisfy {
            ($0.properties.isAlphabetic && $0.properties.generalCategory != .nonspacingMark) || ("0"..."9").contains($0)
                || "_-./ ".unicodeScalars.contains($0)
        }
        if isPlain, let first = text.unicodeScalars.first, first.properties.isAlphabetic,
            text.unicodeScalars.last != " ",
            !reserved.contains(text.lowercased())
        {
            return text
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 32 || (0x7F..<0xA0).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
