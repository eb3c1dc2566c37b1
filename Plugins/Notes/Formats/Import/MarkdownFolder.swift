import Text

/// A folder of Markdown files with front matter, and the files that they link to.
enum MarkdownFolder {
    /// The most files that are named in a remark.
    private static let maximumNames = 5

    static func read(_ files: [PortableFile]) -> ImportedNotes {
        var imported = ImportedNotes()
        let others = files.filter { !NoteFileName.isNote($0.path) && files.count > 1 }
        let linked = LinkedFiles(others.map(\.path))
        var used: Set<Int> = []
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
            var own: Set<Int> = []
            for target in MarkdownTargets.targets(in: markdown.content) {
                if let index = linked.index(of: target.text, in: file.path.parent) {
                    guard own.insert(index).inserted else { continue }
                    note.attachments.append(Attachment(path: others[index].path, content: others[index].content))
                } else if MarkdownTargets.isFile(target.text) {
                    missing.append("\(file.path): \(target.text)")
                }
            }
            used.formUnion(own)
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
        let unused = others.count - used.count
        if unused > 0 {
            imported.remarks.append(
                "\(NumberFormat.counted(unused, "file")) left out, since no note links to \(unused == 1 ? "it" : "them")"
            )
        }
        return imported
    }

    /// Returns the files of notes, and then their attachments: each where it was, as far as its place is free. A link is written
    /// differently only if it would lead to another file.
    static func write(_ notes: [PortableNote]) -> [PortableFile] {
        var taken: Set<String> = []
        let paths = notes.map { note in
            let path = NoteFileName.path(
                stem: note.stem ?? ByteString(NoteFileName.stem(note.title)),
                in: ByteString(NoteFileName.folder(note.folder))
            ) { taken.contains($0) }
            taken.insert(NoteFileName.key(path))
            return path
        }
        var files: [PortableFile] = []
        /// The attachments that want a path, with the paths that they got.
        var placed: [ByteString: [(content: FileContent, path: ByteString)]] = [:]
        let places = notes.map { note in
            note.attachments.map { attachment in
                let wanted = Attachment.safePath(attachment.path)
                if let same = placed[wanted]?.first(where: { $0.content == attachment.content }) { return same.path }
                let path = Attachment.freePath(wanted) { taken.contains($0) }
                taken.insert(NoteFileName.key(path))
                placed[wanted, default: []].append((attachment.content, path))
                files.append(PortableFile(path, attachment.content))
                return path
            }
        }
        let linked = LinkedFiles(files.map(\.path))
        let written = notes.indices.map { number in
            let (note, path, places) = (notes[number], paths[number], places[number])
            let own = AttachmentLinks(note.attachments)
            var file = MarkdownFile(text: note.frontMatter ?? "")
            file.content = MarkdownTargets.replacing(in: note.content) { target in
                guard let place = own.index(of: target, in: ByteString(note.folder)).map({ places[$0] }) else {
                    return nil
                }
                let found = linked.index(of: target, in: path.parent).map { files[$0].path }
                return found == place ? nil : MarkdownTargets.NewTarget(place, from: path.parent)
            }
            file.update { matter in
                // The id says nothing outside of the mirrored folder.
                matter.set(.id, nil)
                matter.update(title: note.title, tags: note.tags, isPinned: note.isPinned, at: path)
            }
            return PortableFile(path, Array(file.text.utf8))
        }
        return written + files
    }
}
