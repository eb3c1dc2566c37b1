import Text

/// The YAML between two `---` lines at the beginning of a Markdown file, line by line.
///
/// Only simple values of the top level are read: text on one line, and lists. Every line that is not of a key that is set
/// stays byte for byte, and what cannot be read exactly is never written over.
package struct FrontMatter: Sendable {
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
    private(set) var lines: [String] { didSet { read() } }
    private var opening: String
    private var closing: String
    /// What is read of the lines.
    private var entries: [Key: FrontMatterEntry] = [:]
    private var unreadable: Set<Key> = []

    /// Creates an empty one.
    package init() { (lines, opening, closing) = ([], "---\n", "---\n") }

    init(opening: String, lines: [String], closing: String) {
        (self.opening, self.lines, self.closing) = (opening, lines, closing)
        read()
    }

    /// Creates one with these texts, in their order.
    package init(_ texts: [(key: String, text: String)]) {
        self.init()
        lines = texts.map { "\($0.key): \(FrontMatter.written($0.text))\n" }
        read()
    }

    /// Whether there are no lines.
    package var isEmpty: Bool { lines.isEmpty }

    /// The lines around it.
    var fences: (opening: String, closing: String) { (opening, closing) }

    /// The text, with the fences.
    package var text: String { opening + lines.joined() + closing }

    /// The end of lines.
    private var lineEnd: String { opening.utf8.contains(13) ? "\r\n" : "\n" }

    // MARK: Reading

    private mutating func read() {
        (entries, unreadable) = ([:], [])
        guard let all = FrontMatterEntry.entries(of: lines) else {
            unreadable = Set(Key.allCases)
            return
        }
        let first = lines.first { !YAMLScanner(Array($0.utf8), at: 0).isBlankOrComment }
        for key in Key.allCases {
            let named = all.filter { $0.name == key.rawValue }
            let exact = named.filter(\.isExact)
            let found = exact.isEmpty ? named : exact
            entries[key] = found.first
            // A map in braces, and a list, take no further line.
            if first?.utf8.first == UInt8(ascii: "{")
                || first.map({ YAMLScanner.isDash(Array($0.utf8), at: 0) }) == true
                || found.count > 1
            {
                unreadable.insert(key)
            } else if case .unreadable? = found.first?.value {
                unreadable.insert(key)
            }
        }
    }

    /// Returns whether the value of a key can be read exactly, or is missing; else it is not written either.
    package func isReadable(_ key: Key) -> Bool { !unreadable.contains(key) }

    /// The keys that cannot be read exactly.
    package var unreadableKeys: [Key] { Key.allCases.filter { unreadable.contains($0) } }

    /// Returns the text of a key; nil without one, and where it is not text on one line.
    package subscript(key: Key) -> String? {
        if isReadable(key), case .text(let text) = entries[key]?.value { text } else { nil }
    }

    /// Returns the elements of a list: `[a, b]`, lines with `- a`, or `a, b`; nil without the key, and where they cannot be
    /// read exactly.
    package func list(_ key: Key) -> [String]? {
        guard isReadable(key), let entry = entries[key] else { return nil }
        switch entry.value {
        case .null: return []
        case .text(let text):
            return text.unicodeScalars.split(separator: ",").map { FrontMatter.trimmed($0) }.filter { !$0.isEmpty }
        default: return entry.elements?.map(\.text).filter { !$0.isEmpty }
        }
    }

    /// Returns the text of a key of other programs; nil without one, and where it is not text on one line.
    package func text(of name: String) -> String? {
        guard let entry = FrontMatterEntry.entries(of: lines)?.first(where: { $0.name == name }),
            case .text(let text) = entry.value
        else { return nil }
        return text
    }

    /// Returns the texts of a key of other programs, which hub does not write: one text, parts of it between commas, or the elements of
    /// a list. None without the key, and where they cannot be read exactly.
    package func texts(of name: String) -> [String] {
        guard lines.contains(where: { $0.lowercased().contains(name) }),
            let entry = FrontMatterEntry.entries(of: lines)?.first(where: { $0.name == name })
        else { return [] }
        if case .text(let text) = entry.value {
            return text.unicodeScalars.split(separator: ",").map { FrontMatter.trimmed($0) }.filter { !$0.isEmpty }
        }
        return entry.elements?.map(\.text).filter { !$0.isEmpty } ?? []
    }

    /// Whether it says that the note is pinned.
    package var isPinned: Bool { self[.isPinned]?.lowercased() == "true" }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        var text = text
        while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
        return String(text)
    }

    // MARK: Writing

    /// Sets a key to a text, or removes it; the same text leaves the line as it is, and so does what cannot be read.
    package mutating func set(_ key: Key, _ text: String?) {
        guard isReadable(key) else { return }
        let isSame = text.map { new in self[key]?.hasSameBytes(as: new) ?? false } ?? (entries[key] == nil)
        if !isSame { replace(key, text.map { FrontMatter.written($0) }) }
    }

    /// Sets a key to a list, or removes it when empty. The same list leaves its lines as they are, elements that stay are left
    /// where they are, and so is what cannot be read.
    package mutating func set(_ key: Key, _ list: [String]) {
        guard isReadable(key), !isSame(self.list(key) ?? [], list) else { return }
        guard !list.isEmpty else { return replace(key, nil) }
        guard let entry = entries[key], let elements = entry.elements else { return replace(key, flow(list)) }
        let new = Set(list.map { ByteString($0) })
        let isKept = elements.map { new.contains(ByteString($0.text)) }
        let kept = zip(elements, isKept).filter(\.1).map(\.0.text)
        guard let last = isKept.lastIndex(of: true), isSame(kept, Array(list.prefix(kept.count))) else {
            return rebuild(key, entry, list)
        }
        let added = insertion(list.dropFirst(kept.count).map(FrontMatter.written), entry, elements[last])
        let place = elements[last].range.upperBound
        var edits: [(range: Range<Int>, bytes: [UInt8])] = []
        for index in elements.indices where index < last && !isKept[index] {
            edits.append((removal(of: index, from: elements, entry), []))
        }
        if case .flow = entry.value {
            // With the commas between those that are removed.
            edits.append((place..<(elements.last?.range.upperBound ?? place), added))
        } else {
            edits.append((place..<place, added))
            edits += elements[(last + 1)...].map { ($0.range, []) }
        }
        var bytes = entry.bytes
        for edit in edits.reversed() { bytes.replaceSubrange(edit.range, with: edit.bytes) }
        write(bytes, over: entry.lines)
    }

    private func isSame(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b) { $0.hasSameBytes(as: $1) } }

    private func flow(_ list: [String]) -> String { "[\(list.map(FrontMatter.written).joined(separator: ", "))]" }

    /// What is written after an element to add others.
    private func insertion(
        _ added: [String], _ entry: FrontMatterEntry, _ element: FrontMatterEntry.Element
    ) -> [UInt8] {
        guard case .lines = entry.value else { return Array(added.map { ", " + $0 }.joined().utf8) }
        let indent = String(decoding: entry.bytes[element.range].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
        return Array(added.map { "\(indent)- \($0)\(lineEnd)" }.joined().utf8)
    }

    /// The bytes that go with an element that is followed by others: its line, or with the comma.
    private func removal(
        of index: Int, from elements: [FrontMatterEntry.Element], _ entry: FrontMatterEntry
    ) -> Range<Int> {
        let range = elements[index].range
        guard case .flow = entry.value, let comma = entry.bytes[range.upperBound...].firstIndex(of: UInt8(ascii: ","))
        else { return range }
        return range.lowerBound..<(entry.bytes[(comma + 1)...].firstIndex { $0 != 0x20 } ?? comma + 1)
    }

    /// Writes a list whose elements are others, or in another order.
    private mutating func rebuild(_ key: Key, _ entry: FrontMatterEntry, _ list: [String]) {
        guard case .lines(let elements) = entry.value, let first = elements.first else {
            return replace(key, flow(list))
        }
        let indent = String(decoding: entry.bytes[first.range].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
        lines.replaceSubrange(
            entry.lines,
            with: [lines[entry.lines.lowerBound]] + list.map { "\(indent)- \(FrontMatter.written($0))\(lineEnd)" })
    }

    /// Writes a value on one line, after the key as it is spelled there; nil removes the key.
    private mutating func replace(_ key: Key, _ value: String?) {
        guard let entry = entries[key] else {
            if let value { lines.append("\(key.rawValue): \(value)\(lineEnd)") }
            return
        }
        guard let value else { return lines.removeSubrange(entry.lines) }
        let start = String(decoding: entry.bytes[..<entry.keyEnd], as: UTF8.self)
        let comment = entry.comment
        let blank = comment.utf8.first.map { $0 == 0x20 || $0 == 0x09 } ?? true ? "" : " "
        lines.replaceSubrange(entry.lines, with: ["\(start) \(value)\(blank)\(comment)\(lineEnd)"])
    }

    private mutating func write(_ bytes: [UInt8], over range: Range<Int>) {
        var new: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            new.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        lines.replaceSubrange(range, with: new)
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

extension FrontMatter: Hashable {
    /// Compares by bytes.
    package static func == (a: FrontMatter, b: FrontMatter) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// Hashes what equal ones share.
    package func hash(into hasher: inout Hasher) { hasher.combine(ByteString(text)) }
}
