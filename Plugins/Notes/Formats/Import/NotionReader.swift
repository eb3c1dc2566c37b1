import Text

/// Reads Notion's export as Markdown and CSV: files whose names end in an id, with the pages below a page in a folder of its name.
enum NotionReader {
    /// Whether a path is that of a page: its name ends in an id.
    static func isPage(_ path: ByteString) -> Bool {
        NoteFileName.isNote(path) && id(of: NoteFileName.stem(of: path).repairedText) != nil
    }

    /// The 32 hexadecimal digits at the end of a name.
    private static func id(of name: String) -> String? {
        let end = name.utf8.suffix(33)
        guard name.utf8.count > 33, end.first == UInt8(ascii: " ") || end.first == UInt8(ascii: "-"),
            end.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return String(name.suffix(32))
    }

    /// A name without the id, which may be before an end such as `.csv` or `_all.csv`.
    private static func plain(_ name: String) -> String {
        var (stem, end) = (name, "")
        if let dot = name.lastIndex(of: "."), dot > name.startIndex {
            (stem, end) = (String(name[..<dot]), String(name[dot...]))
        }
        if stem.hasSuffix("_all"), id(of: String(stem.dropLast(4))) != nil {
            (stem, end) = (String(stem.dropLast(4)), "_all" + end)
        }
        guard id(of: stem) != nil else { return name }
        let bare = String(stem.dropLast(33)).trimmed
        return (bare.isEmpty ? "Untitled" : bare) + end
    }

    static func read(_ files: [PortableFile]) -> ImportedNotes {
        var taken: Set<String> = []
        var paths: [ByteString: ByteString] = [:]
        for file in files {
            let parts = file.path.repairedText.split(separator: "/").map { plain(String($0)) }
            var wanted = ByteString(parts.joined(separator: "/"))
            // The name of a file may be cut; the first heading is the whole title.
            if isPage(file.path),
                let title = title(String(decoding: file.bytes.prefix(NoteLimits.title), as: UTF8.self))
            {
                wanted = wanted.parent.appending(ByteString(NoteFileName.stem(title) + ".md"))
            }
            let path = Attachment.freePath(wanted) { taken.contains($0) }
            taken.insert(NoteFileName.key(path))
            paths[file.path] = path
        }
        let renamed = files.map { file in
            let path = paths[file.path] ?? file.path
            guard NoteFileName.isNote(file.path), let text = String(validating: file.bytes, as: UTF8.self) else {
                return PortableFile(path, file.content)
            }
            let content = MarkdownTargets.replacing(in: text) { target in
                guard !target.contains("://"),
                    let old = MarkdownTargets.path(MarkdownTargets.decoded(target), in: file.path.parent),
                    let new = paths[old]
                else { return nil }
                return MarkdownTargets.NewTarget(new, from: path.parent)
            }
            return PortableFile(path, Array(content.utf8))
        }
        var imported = MarkdownFolder.read(renamed)
        let ids = Dictionary(
            files.compactMap { file in
                id(of: NoteFileName.stem(of: file.path).repairedText).flatMap { id in
                    paths[file.path].map { ("file:" + $0.description, id) }
                }
            }
        ) { first, _ in first }
        for index in imported.notes.indices {
            guard let id = ids[imported.notes[index].source] else { continue }
            imported.notes[index].source = "notion:" + id
            takeTitle(&imported.notes[index])
        }
        return imported
    }

    private static func takeTitle(_ note: inout PortableNote) {
        guard let title = title(note.content) else { return }
        let rest = note.content.unicodeScalars.drop { $0 != "\n" }.dropFirst()
        (note.title, note.content) = (title, String(rest.first == "\n" ? rest.dropFirst() : rest))
    }

    /// The heading that a page begins with.
    private static func title(_ content: String) -> String? {
        guard content.hasPrefix("# ") else { return nil }
        let title = String(String.UnicodeScalarView(content.unicodeScalars.prefix { $0 != "\n" }.dropFirst(2))).trimmed
        return title.isEmpty || title.utf8.count > NoteLimits.title / 2 ? nil : title
    }
}

extension String {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
