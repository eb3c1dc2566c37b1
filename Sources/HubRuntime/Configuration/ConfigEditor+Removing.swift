package import Commands
import TOML

extension ConfigEditor {
    /// Returns the text without the setting or group at `path`: without its lines, its sections, or its part of a
    /// table in braces. A text without it is returned unchanged.
    package func removing(_ path: ConfigPath) throws(HubError) -> [UInt8] {
        guard root.node(at: path.parts) != nil else { return text.bytes }
        let wanted = ConfigTree(root).removing(path.parts[...]).withoutEmptyTables
        var removal = Removal(text, path: path.parts, sections: ConfigSections(text, root: root))
        removal.visit(root, at: [])
        let bytes = removal.bytes
        if let result = try? TOML.parse(bytes), ConfigTree(result).withoutEmptyTables == wanted { return bytes }
        throw notEditable(path, "remove")
    }
}

/// The ranges of a text that a setting or group takes up.
private struct Removal {
    private let text: ConfigText
    private let path: [String]
    private let sections: [ClosedRange<Int>]
    private var ranges: [Range<Int>] = []

    init(_ text: ConfigText, path: [String], sections: ConfigSections) {
        self.text = text
        self.path = path
        self.sections = sections.sections(below: path).map { $0.headerLine...$0.lastLine }
        ranges = self.sections.map { section in
            // The empty line above is removed too; other lines above may belong to anything.
            let first = section.lowerBound
            let isApart = first > 1 && text.line(first - 1).allSatisfy { $0 == UInt8(ascii: " ") }
            return lines(isApart ? first - 1 : first, section.upperBound)
        }
    }

    /// Finds what lies below `path` in `table`, which lies at `here`.
    mutating func visit(_ table: TOMLTable, at here: [String]) {
        for (index, entry) in table.entries.enumerated() {
            let place = here + [entry.key]
            let common = min(place.count, path.count)
            guard place[..<common] == path[..<common] else { continue }
            let isTarget = place.count >= path.count
            if case .table(let inner) = entry.node.value, !(isTarget && (inner.isInline || table.isInline)) {
                visit(inner, at: place)
            } else if isTarget {
                add(entry, isInline: table.isInline, isLast: index == table.entries.count - 1)
            }
        }
    }

    private mutating func add(_ entry: TOMLTable.Entry, isInline: Bool, isLast: Bool) {
        if isInline { return ranges.append(member(entry)) }
        let line = entry.keyRange.start.line
        guard !sections.contains(where: { $0.contains(line) }) else { return }
        ranges.append(lines(line, entry.node.range.end.line))
    }

    /// A member of a table in braces with the comma that parts it from another.
    private func member(_ entry: TOMLTable.Entry) -> Range<Int> {
        var start = text.offset(of: entry.keyRange.start)
        var end = text.offset(of: entry.node.range.end)
        func isBlank(_ index: Int) -> Bool {
            text.bytes[index] == UInt8(ascii: " ") || text.bytes[index] == UInt8(ascii: "\t")
        }
        var behind = end
        while behind < text.bytes.count, isBlank(behind) { behind += 1 }
        if behind < text.bytes.count, text.bytes[behind] == UInt8(ascii: ",") {
            end = behind + 1
            while end < text.bytes.count, isBlank(end) { end += 1 }
            return start..<end
        }
        var before = start
        while before > 0, isBlank(before - 1) { before -= 1 }
        if before > 0, text.bytes[before - 1] == UInt8(ascii: ",") { start = before - 1 }
        return start..<end
    }

    private func lines(_ first: Int, _ last: Int) -> Range<Int> {
        text.start(ofLine: first)..<text.start(ofLine: last + 1)
    }

    /// The text without the ranges.
    var bytes: [UInt8] {
        var result: [UInt8] = []
        var kept = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > kept {
            if range.lowerBound > kept { result += text.bytes[kept..<range.lowerBound] }
            kept = range.upperBound
        }
        return result + text.bytes[kept...]
    }
}
