import TOML

/// The sections of a config file: the entries of each header, with their lines.
struct ConfigSections {
    /// The lines under one header, or those before the first.
    struct Section {
        /// The table that the header names; empty for the lines before the first header.
        let path: [String]
        /// The line of the header; 0 for the lines before the first.
        let headerLine: Int
        /// The last line of the header and the entries; a new entry goes after it.
        fileprivate(set) var lastLine: Int
        /// The last line before the next header.
        fileprivate(set) var end: Int

        /// Returns the line on which `key` is commented out, as `config init` writes it.
        func commentedLine(_ key: String, in text: ConfigText) -> Int? {
            guard headerLine < end else { return nil }
            return (headerLine + 1...end).first { number in
                let line = text.line(number)
                guard line.first == UInt8(ascii: "#") else { return false }
                let written = String(decoding: line.dropFirst(), as: UTF8.self).drop { $0 == " " }
                return written.hasPrefix(key) && written.dropFirst(key.count).drop { $0 == " " }.hasPrefix("=")
            }
        }
    }

    private var sections: [Section] = [Section(path: [], headerLine: 0, lastLine: 0, end: 0)]
    /// The section and the last line of each table that dotted keys create.
    private var dottedTables: [[String]: (section: Section, line: Int)] = [:]

    /// The sections of a text and of the tree that it is read to.
    init(_ text: ConfigText, root: TOMLTable) {
        var entries: [Int: Entry] = [:]
        Self.collect(root, path: [], into: &entries)
        var number = 1
        while number <= text.lineCount {
            if let entry = entries[number] {
                add(entry)
                number = max(number, entry.lastLine)
            } else if let path = Self.header(text.line(number)) {
                sections.append(Section(path: path, headerLine: number, lastLine: number, end: number))
            }
            sections[sections.count - 1].end = number
            number += 1
        }
    }

    /// The section of the table, when it has a header.
    func section(_ path: [String]) -> Section? { sections.dropFirst().first { $0.path == path } }

    /// The sections of the table and of those inside it, in the order of the text.
    func sections(below path: [String]) -> [Section] { sections.dropFirst().filter { $0.path.starts(with: path) } }

    /// Returns the last entry of a table that is written with dotted keys, and its section.
    func dotted(_ path: [String]) -> (section: Section, line: Int)? { dottedTables[path] }

    private struct Entry {
        let path: [String]
        let lastLine: Int
    }

    private mutating func add(_ entry: Entry) {
        sections[sections.count - 1].lastLine = entry.lastLine
        let section = sections[sections.count - 1]
        for depth in section.path.count + 1..<max(section.path.count + 1, entry.path.count) {
            dottedTables[Array(entry.path[..<depth])] = (section, entry.lastLine)
        }
    }

    /// Collects everything that has its own line, by its first line: values, lists, and tables in braces.
    private static func collect(_ table: TOMLTable, path: [String], into entries: inout [Int: Entry]) {
        for entry in table.entries {
            let here = path + [entry.key]
            if case .table(let inner) = entry.node.value, !inner.isInline {
                collect(inner, path: here, into: &entries)
            } else {
                entries[entry.node.range.start.line] = Entry(path: here, lastLine: entry.node.range.end.line)
            }
        }
    }

    /// The table that the line names when it is a header.
    private static func header(_ line: ArraySlice<UInt8>) -> [String]? {
        let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        guard line.first(where: { !blanks.contains($0) }) == UInt8(ascii: "["), var table = try? TOML.parse(Array(line))
        else { return nil }
        var path: [String] = []
        while let entry = table.entries.first {
            path.append(entry.key)
            guard case .table(let inner) = entry.node.value else { break }
            table = inner
        }
        return path
    }
}
