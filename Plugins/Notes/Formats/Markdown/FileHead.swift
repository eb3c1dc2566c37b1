import Text

/// What a Markdown file has before its text: a byte order mark and front matter, both optional, byte for byte.
///
/// It is merged key by key. What hub reads and writes by itself is left out of comparisons, since it goes with the note.
package struct FileHead: Sendable {
    /// The largest that is sent to other machines, in UTF-8 bytes.
    package static let maximumSize = FrontMatter.maximumSize

    /// The bytes, as text.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Whether it is small enough to be sent.
    package var isAcceptable: Bool { text.utf8.count <= FileHead.maximumSize }

    /// Whether there is nothing after it that would be text of the note.
    package var isWhole: Bool { MarkdownFile(text: text).content.isEmpty }

    // MARK: Parts

    /// A key of the top level with its lines; or lines between keys, such as comments, which go with the key after them.
    private struct Part {
        let key: ByteString
        let lines: String
        /// The key of hub's own that it is.
        let own: FrontMatter.Key?

        /// What tells it from others; the ways to write a key of hub's own are one.
        var place: ByteString { own.map { ByteString($0.rawValue) } ?? key }
    }

    /// The place before the first part.
    private static let start = ByteString("")

    private struct Parts {
        var mark = ""
        var opening = "---\n"
        var closing = "---\n"
        var parts: [Part] = []
        /// Whether these are not lines of keys that can be told apart: they are one part.
        var isOpaque = false

        /// What belongs to other programs.
        var foreign: String {
            let lines = parts.filter { $0.own == nil }.map(\.lines).joined()
            return lines.isEmpty ? mark : mark + opening + lines + closing
        }

        /// The same by keys.
        var foreignLines: [ByteString: String] {
            Dictionary(parts.compactMap { $0.own == nil ? ($0.key, $0.lines) : nil }) { first, _ in first }
        }
    }

    private var parts: Parts {
        let file = MarkdownFile(text: text)
        var parts = Parts(mark: file.hasMark ? MarkdownFile.mark : "")
        guard let matter = file.frontMatter else { return parts }
        (parts.opening, parts.closing) = matter.fences
        let first =
            matter.lines.first { !YAMLScanner(Array($0.utf8), at: 0).isBlankOrComment }.map { Array($0.utf8) } ?? []
        let isMapping =
            ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first.first) && !YAMLScanner.isDash(first, at: 0)
        let entries = isMapping ? FrontMatterEntry.entries(of: matter.lines) ?? [] : []
        let names = entries.map { ByteString($0.bytes.prefix($0.keyEnd)) }
        guard !entries.isEmpty || first.isEmpty, Set(names).count == names.count else {
            parts.isOpaque = true
            parts.parts = [Part(key: ByteString(""), lines: matter.lines.joined(), own: nil)]
            return parts
        }
        var end = 0
        func add(_ key: ByteString, _ range: Range<Int>, _ own: FrontMatter.Key? = nil) {
            guard !range.isEmpty else { return }
            parts.parts.append(Part(key: key, lines: matter.lines[range].joined(), own: own))
        }
        for (entry, name) in zip(entries, names) {
            let own = FrontMatter.Key(rawValue: entry.name).flatMap { matter.isReadable($0) ? $0 : nil }
            if let own {
                add(ByteString("#" + own.rawValue), end..<entry.lines.lowerBound)
                add(name, entry.lines, own)
            } else {
                add(name, end..<entry.lines.upperBound)
            }
            end = entry.lines.upperBound
        }
        add(ByteString("#"), end..<matter.lines.count)
        return parts
    }

    /// Whether both have the same, but for hub's own keys.
    package func isSame(as other: FileHead) -> Bool {
        text.hasSameBytes(as: other.text) || parts.foreign.hasSameBytes(as: other.parts.foreign)
    }

    // MARK: Merging

    /// Returns `current` with what `change` has changed since `base`, which both were made of. A key that both have changed is as in
    /// `change`; one that was changed on one side and removed on the other stays. Without `base`, nothing counts as removed.
    package static func merged(base: FileHead?, current: FileHead, change: FileHead) -> FileHead {
        let (old, kept, new) = (base?.parts ?? Parts(), current.parts, change.parts)
        if old.foreign.hasSameBytes(as: new.foreign) { return current }
        if old.foreign.hasSameBytes(as: kept.foreign) || kept.foreign.hasSameBytes(as: new.foreign) { return change }
        guard !kept.isOpaque, !new.isOpaque else { return change }
        func choose(_ old: String?, _ kept: String?, _ new: String?) -> String? {
            func isSame(_ a: String?, _ b: String?) -> Bool { a.map { ByteString($0) } == b.map { ByteString($0) } }
            if isSame(new, old) { return kept }
            return isSame(kept, old) ? new : new ?? kept
        }
        let (oldLines, keptLines, newLines) = (old.foreignLines, kept.foreignLines, new.foreignLines)
        // What is only in the change goes after what it follows there.
        let known = Set(kept.parts.map(\.place))
        var added: [ByteString: [String]] = [:]
        var place = start
        for part in new.parts {
            if known.contains(part.place) {
                place = part.place
                continue
            }
            let isAdded =
                part.own == nil
                ? choose(oldLines[part.key], nil, part.lines) != nil : keptLines[part.key] == nil
            if isAdded { added[place, default: []].append(part.lines) }
        }
        var lines = added[start] ?? []
        for part in kept.parts {
            if part.own == nil {
                if let chosen = choose(oldLines[part.key], part.lines, newLines[part.key]) { lines.append(chosen) }
            } else if newLines[part.key] == nil {
                lines.append(part.lines)
            }
            lines += added[part.place] ?? []
        }
        let mark = choose(old.mark, kept.mark, new.mark) ?? ""
        guard !lines.isEmpty else { return FileHead(mark) }
        let isFenced = (old: !old.parts.isEmpty, kept: !kept.parts.isEmpty, new: !new.parts.isEmpty)
        func fence(_ part: KeyPath<Parts, String>) -> String {
            choose(
                isFenced.old ? old[keyPath: part] : nil, isFenced.kept ? kept[keyPath: part] : nil,
                isFenced.new ? new[keyPath: part] : nil) ?? kept[keyPath: part]
        }
        return FileHead(mark + fence(\.opening) + lines.joined() + fence(\.closing))
    }

    // MARK: The id in it

    /// Whether it has the id of a note.
    package var hasID: Bool { MarkdownFile(text: text).frontMatter?[.id] != nil }

    /// Returns the same with the id of a note, or without one; the lines of the same id stay as they are.
    package func with(id: String?) -> FileHead {
        var file = MarkdownFile(text: text)
        file.update { $0.set(.id, id) }
        return FileHead(file.head)
    }

    /// Returns the same with `id` where it has the id of a note.
    package func naming(_ id: String) -> FileHead { hasID ? with(id: id) : self }
}

extension FileHead: Hashable {
    /// Compares by bytes.
    package static func == (a: FileHead, b: FileHead) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// Hashes what equal ones share.
    package func hash(into hasher: inout Hasher) { hasher.combine(ByteString(text)) }
}
