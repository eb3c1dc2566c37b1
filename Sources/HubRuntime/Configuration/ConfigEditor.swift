package import Commands
import TOML

/// Changes or removes one setting in the text of a config file and leaves every other byte as it is.
///
/// It tries the places in which a person would write the setting, best first, and takes the first one after which the
/// parsed text differs only in that setting. So a change cannot break or alter anything else.
package struct ConfigEditor: Sendable {
    let text: ConfigText
    let root: TOMLTable

    /// Creates an editor of a file; throws a configuration error when the text is not valid TOML.
    package init(_ text: ConfigText) throws(HubError) {
        self.text = text
        do {
            root = try TOML.parse(text.bytes)
        } catch {
            throw HubError([text.problem(error)], hint: "fix the file with hub config edit")
        }
    }

    /// The text in which the setting at `path` has `value`.
    package func setting(_ path: ConfigPath, to value: ConfigValue) throws(HubError) -> [UInt8] {
        if let wanted = ConfigTree(root).setting(path.parts[...], to: value) {
            for edit in edits(path, ConfigLiteral.toml(value)) {
                let bytes = apply(edit)
                if let result = try? TOML.parse(bytes), ConfigTree(result) == wanted { return bytes }
            }
        }
        throw notEditable(path, "set")
    }

    /// The error for a change that the file's layout does not allow; `verb` says which.
    func notEditable(_ path: ConfigPath, _ verb: String) -> HubError {
        HubError(
            .config, code: "config-not-editable", "cannot \(verb) \(path) in \(text.path)",
            details: ["the layout of the file does not allow it"], hint: "fix the file with hub config edit")
    }

    /// Bytes that go in the place of a range of the text.
    private struct Edit {
        let range: Range<Int>
        let replacement: String
    }

    /// Returns the possible edits for the setting, best first.
    private func edits(_ path: ConfigPath, _ value: String) -> [Edit] {
        if let node = root.node(at: path.parts) {
            let range = text.offset(of: node.range.start)..<text.offset(of: node.range.end)
            return [Edit(range: range, replacement: value)]
        }
        let sections = ConfigSections(text, root: root)
        var inside: [Edit] = []
        var further: [Edit] = []
        // Into a table that is there already, from the innermost outwards: in braces, by dotted keys, under a header.
        for depth in stride(from: path.parts.count - 1, through: 1, by: -1) {
            let parent = Array(path.parts[..<depth])
            let rest = TOML.key(path.parts[depth...])
            if let node = root.node(at: parent), case .table(let table) = node.value, table.isInline {
                inside.append(intoBraces(node, isEmpty: table.entries.isEmpty, "\(rest) = \(value)"))
            }
            if let (section, last) = sections.dotted(parent) {
                inside.append(line("\(TOML.key(path.parts[section.path.count...])) = \(value)", behind: last))
            }
            if let section = sections.section(parent) {
                let lines = [section.commentedLine(rest, in: text), section.lastLine].compactMap(\.self)
                let edits = lines.map { line("\(rest) = \(value)", behind: $0) }
                // A key of three parts and more is easier to read under a header of its own.
                if path.parts.count - depth <= 2 { inside += edits } else { further += edits }
            }
        }
        return inside + [newSection(path, value)] + further
    }

    /// A section of its own at the end of the file, an empty line before it.
    private func newSection(_ path: ConfigPath, _ value: String) -> Edit {
        let body = "[\(TOML.key(path.parts.dropLast()))]\(newline)\(TOML.key(path.parts.suffix(1))) = \(value)"
        let isFirst = text.bytes.allSatisfy { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return line((isFirst ? "" : newline) + body, behind: text.lineCount)
    }

    /// The line end that the file uses.
    private var newline: String {
        guard let first = text.bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0 else { return "\n" }
        return text.bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    private func line(_ line: String, behind number: Int) -> Edit {
        let offset = text.start(ofLine: number + 1)
        let isAtEnd = offset == text.bytes.count
        let needsEnd = isAtEnd && text.bytes.last.map { $0 != UInt8(ascii: "\n") } == true
        return Edit(range: offset..<offset, replacement: (needsEnd ? newline : "") + line + newline)
    }

    private func intoBraces(_ node: TOMLNode, isEmpty: Bool, _ entry: String) -> Edit {
        let end = text.offset(of: node.range.end) - 1
        var last = end
        while last > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(text.bytes[last - 1]) { last -= 1 }
        return Edit(range: last..<end, replacement: isEmpty ? " \(entry) " : ", \(entry) ")
    }

    private func apply(_ edit: Edit) -> [UInt8] {
        Array(text.bytes[..<edit.range.lowerBound]) + Array(edit.replacement.utf8)
            + Array(text.bytes[edit.range.upperBound...])
    }
}
