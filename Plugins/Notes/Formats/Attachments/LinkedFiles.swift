package import Text

/// Files as the texts of notes name them: by a path from the note or from the top, or as in Obsidian by the end of a path.
package struct LinkedFiles: Sendable {
    private let paths: [ByteString]
    private var byPath: [ByteString: Int] = [:]
    /// The files by the key of their path, and of their name; the shortest path first.
    private var byKey: [String: Int] = [:]
    private var byName: [String: [Int]] = [:]

    /// Prepares the search for these paths from the top.
    package init(_ paths: [ByteString]) {
        self.paths = paths
        let order = paths.indices.sorted { (paths[$0].bytes.count, $0) < (paths[$1].bytes.count, $1) }
        for index in order {
            let path = paths[index]
            byPath[path] = index
            if byKey[NoteFileName.key(path)] == nil { byKey[NoteFileName.key(path)] = index }
            byName[NoteFileName.key(path.lastName), default: []].append(index)
        }
    }

    /// Returns the index of the file that a target in a note in `folder` leads to. With `fromAnywhere`, also a path that was
    /// relative to another folder is found by its end: that of a note that was moved.
    package func index(of target: String, in folder: ByteString, fromAnywhere: Bool = false) -> Int? {
        let names = MarkdownTargets.names(of: target)
        for name in names {
            if let found = index(name, in: folder) { return found }
        }
        guard fromAnywhere else { return nil }
        for name in names {
            let parts = name.bytes.split(separator: UInt8(ascii: "/")).filter {
                !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8)
            }
            let end = ByteString(Array(parts.joined(separator: [UInt8(ascii: "/")])))
            if !end.isEmpty, let found = index(end, in: "") { return found }
        }
        return nil
    }

    private func index(_ name: ByteString, in folder: ByteString) -> Int? {
        let isAbsolute = name.bytes.first == UInt8(ascii: "/")
        let relative = isAbsolute ? nil : MarkdownTargets.path(name, in: folder)
        guard let path = MarkdownTargets.path(name, in: "") else {
            return relative.flatMap { byPath[$0] ?? byKey[NoteFileName.key($0)] }
        }
        for path in [relative, path].compactMap(\.self) {
            if let found = byPath[path] ?? byKey[NoteFileName.key(path)] { return found }
        }
        if isAbsolute { return nil }
        let end = NoteFileName.key("/" + path)
        return byName[NoteFileName.key(path.lastName)]?.first { NoteFileName.key("/" + paths[$0]).hasSuffix(end) }
    }
}
