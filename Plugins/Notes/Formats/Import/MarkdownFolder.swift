/// A folder of Markdown files with front matter, and the files that they link to.
enum MarkdownFolder {
    /// The folder for attachments in an export.
    private static let attachments = "attachments"

    static func read(_ files: [PortableFile]) -> ImportedNotes {
        var imported = ImportedNotes()
        let others = Dictionary(files.filter { !NoteFileName.isNote($0.path) }.map { ($0.path, $0) }) { first, _ in
            first
        }
        for file in files where NoteFileName.isNote(file.path) || files.count == 1 {
            guard let markdown = MarkdownFile(file.bytes) else {
                imported.problems.append(ImportProblem(file.path, "is not text in UTF-8"))
                continue
            }
            let (name, folder) = NoteFileName.parts(file.path)
            let matter = markdown.frontMatter
            var note = PortableNote(
                source: "file:" + file.path, title: matter?[.title] ?? name, content: markdown.content, folder: folder,
                tags: NoteTag.changed([], adding: matter?.list(.tags) ?? []), isPinned: matter?[.isPinned] == "true",
                frontMatter: matter?.text)
            for target in MarkdownTargets.targets(in: markdown.content) {
                guard let path = MarkdownTargets.path(target, in: folder), let other = others[path] else { continue }
                let name = String(path.split(separator: "/").last ?? "")
                note.attachments.append(Attachment(name: name, bytes: other.bytes, target: target))
            }
            imported.notes.append(note)
        }
        return imported
    }

    static func write(_ notes: [PortableNote]) -> [PortableFile] {
        var files: [PortableFile] = []
        var taken: Set<String> = [NoteFileName.key(attachments)]
        var written: [String: [UInt8]] = [:]
        for note in notes {
            let path = NoteFileName.path(title: note.title, folder: note.folder, taken: taken)
            taken.insert(NoteFileName.key(path))
            // From the folder of the note up to the top one.
            let depth = path.split(separator: "/").count - 1
            var targets: [String: String] = [:]
            for attachment in note.attachments {
                var name = NoteFileName.stem(attachment.name)
                var number = 2
                while let other = written[NoteFileName.key(name)], other != attachment.bytes {
                    name = "\(number)-" + NoteFileName.stem(attachment.name)
                    number += 1
                }
                if written.updateValue(attachment.bytes, forKey: NoteFileName.key(name)) == nil {
                    files.append(PortableFile("\(attachments)/\(name)", attachment.bytes))
                }
                targets[attachment.target] =
                    MarkdownTargets.target(String(repeating: "../", count: depth) + "\(attachments)/\(name)")
            }
            var file = MarkdownFile(text: note.frontMatter ?? "")
            file.content = MarkdownTargets.replacing(in: note.content) { targets[$0] }
            file.update { matter in
                if matter[.title] != nil || NoteFileName.parts(path).title != note.title {
                    matter.set(.title, note.title)
                }
                if NoteTag.changed([], adding: matter.list(.tags) ?? []) != note.tags { matter.set(.tags, note.tags) }
                if (matter[.isPinned] == "true") != note.isPinned {
                    matter.set(.isPinned, note.isPinned ? "true" : nil)
                }
            }
            files.append(PortableFile(path, Array(file.text.utf8)))
        }
        return files
    }
}
