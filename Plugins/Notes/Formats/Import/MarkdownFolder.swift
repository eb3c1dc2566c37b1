import Text

/// A folder of Markdown files with front matter, and the files that they link to.
enum MarkdownFolder {
    /// The folder for attachments in an export.
    private static let attachments: ByteString = "attachments"
    /// The most files that are named in a remark.
    private static let maximumNames = 5

    static func read(_ files: [PortableFile]) -> ImportedNotes {
        var imported = ImportedNotes()
        var others = LinkedFiles(files.filter { !NoteFileName.isNote($0.path) && files.count > 1 })
        var missing: [String] = []
        for file in files where NoteFileName.isNote(file.path) || files.count == 1 {
            guard let markdown = MarkdownFile(file.bytes) else {
                imported.problems.append(ImportProblem(file.path, "is not text in UTF-8"))
                continue
            }
            let (name, folder) = NoteFileName.parts(file.path)
            let matter = markdown.frontMatter
            var note = PortableNote(
                source: "file:" + file.path.description, title: matter?[.title] ?? name, content: markdown.content,
                folder: folder, tags: NoteTag.changed([], adding: matter?.list(.tags) ?? []),
                isPinned: matter?.isPinned ?? false, frontMatter: markdown.head.isEmpty ? nil : markdown.head)
            for target in MarkdownTargets.targets(in: markdown.content) {
                if let other = others.file(target.text, in: file.path.parent) {
                    let name = other.path.lastName.repairedText
                    note.attachments.append(Attachment(name: name, bytes: other.bytes, target: target.text))
                } else if MarkdownTargets.isFile(target.text) {
                    missing.append("\(file.path): \(target.text)")
                }
            }
            if let keys = matter?.unreadableKeys, !keys.isEmpty {
                let names = keys.map(\.rawValue).joined(separator: ", ")
                imported.remarks.append("\(file.path): \(names) in the front matter was not understood")
            }
            imported.notes.append(note)
        }
        if !missing.isEmpty {
            let names = missing.prefix(maximumNames).joined(separator: "; ")
            let rest =
                missing.count > maximumNames ? "; and \(NumberFormat.grouped(missing.count - maximumNames)) more" : ""
            imported.remarks.append(
                "\(NumberFormat.counted(missing.count, "linked file")) not found: \(names)\(rest)")
        }
        if others.unused > 0 {
            imported.remarks.append(
                "\(NumberFormat.counted(others.unused, "file")) left out, since no note links to them")
        }
        return imported
    }

    static func write(_ notes: [PortableNote]) -> [PortableFile] {
        var files: [PortableFile] = []
        var taken: Set<String> = [NoteFileName.key(attachments)]
        var written: [String: [UInt8]] = [:]
        for note in notes {
            let path = NoteFileName.path(
                stem: note.stem ?? ByteString(NoteFileName.stem(note.title)),
                in: ByteString(NoteFileName.folder(note.folder))
            ) { taken.contains($0) }
            taken.insert(NoteFileName.key(path))
            // From the folder of the note up to the top one.
            let depth = path.bytes.count { $0 == UInt8(ascii: "/") }
            var targets: [ByteString: String] = [:]
            for attachment in note.attachments {
                var name = ByteString(NoteFileName.stem(attachment.name))
                var number = 2
                while let other = written[NoteFileName.key(name)], other != attachment.bytes {
                    name = "\(number)-\(NoteFileName.stem(attachment.name))"
                    number += 1
                }
                let file = attachments.appending(name)
                if written.updateValue(attachment.bytes, forKey: NoteFileName.key(name)) == nil {
                    files.append(PortableFile(file, attachment.bytes))
                }
                targets[ByteString(attachment.target)] =
                    MarkdownTargets.target(ByteString(String(repeating: "../", count: depth)) + file)
            }
            var file = MarkdownFile(text: note.frontMatter ?? "")
            file.content = MarkdownTargets.replacing(in: note.content) { targets[ByteString($0)] }
            file.update { matter in
                // The id says nothing outside of the mirrored folder.
                matter.set(.id, nil)
                matter.update(title: note.title, tags: note.tags, isPinned: note.isPinned, at: path)
            }
            files.append(PortableFile(path, Array(file.text.utf8)))
        }
        return files
    }
}

/// The files besides notes, as the texts of notes name them: by a path from the note or from the top, or as in Obsidian by the
/// end of a path.
private struct LinkedFiles {
    private let files: [PortableFile]
    private var paths: [ByteString: Int] = [:]
    /// The files by the key of their path, and of their name; the shortest path first.
    private var keys: [String: Int] = [:]
    private var names: [String: [Int]] = [:]
    private var used: Set<Int> = []

    init(_ files: [PortableFile]) {
        self.files = files
        let order = files.indices.sorted { (files[$0].path.bytes.count, $0) < (files[$1].path.bytes.count, $1) }
        for index in order {
            let path = files[index].path
            paths[path] = index
            if keys[NoteFileName.key(path)] == nil { keys[NoteFileName.key(path)] = index }
            names[NoteFileName.key(path.lastName), default: []].append(index)
        }
    }

    /// The number of files that no note was found to link to.
    var unused: Int { files.count - used.count }

    /// Returns the file that a target in a note in `folder` leads to.
    mutating func file(_ target: String, in folder: ByteString) -> PortableFile? {
        for name in MarkdownTargets.names(of: target) {
            guard let found = index(name, in: folder) else { continue }
            used.insert(found)
            return files[found]
        }
        return nil
    }

    private func index(_ name: ByteString, in folder: ByteString) -> Int? {
        let isAbsolute = name.bytes.first == UInt8(ascii: "/")
        let relative = isAbsolute ? nil : MarkdownTargets.path(name, in: folder)
        guard let path = MarkdownTargets.path(name, in: "") else {
            return relative.flatMap { paths[$0] ?? keys[NoteFileName.key($0)] }
        }
        for path in [relative, path].compactMap(\.self) {
            if let found = paths[path] ?? keys[NoteFileName.key(path)] { return found }
        }
        if isAbsolute { return nil }
        let end = NoteFileName.key("/" + path)
        return names[NoteFileName.key(path.lastName)]?.first { NoteFileName.key("/" + files[$0].path).hasSuffix(end) }
    }
}
