import JSON
import Text
import Time

/// Reads Simplenote's export: `notes.json` with the notes and those in the trash.
enum SimplenoteReader {
    /// Whether a path is that of the file with all notes in the archive.
    static func isExport(_ path: ByteString) -> Bool {
        let path = path.repairedText
        return path == "source/notes.json" || path == "notes.json"
    }

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard let json = try? JSONReader.read(bytes, limits: .init(bytes: NoteFormat.maximumFile, depth: 16)) else {
            return false
        }
        return json["activeNotes"]?.array != nil
    }

    static func read(_ file: PortableFile) -> ImportedNotes {
        var imported = ImportedNotes()
        guard let json = imported.json(in: file) else { return imported }
        guard let active = json["activeNotes"]?.array else {
            imported.problems.append(ImportProblem(file.path, "is not an export of Simplenote: it has no activeNotes"))
            return imported
        }
        let trashed = json["trashedNotes"]?.array ?? []
        let notes = active.map { ($0, false) } + trashed.map { ($0, true) }
        for (index, (json, isTrashed)) in notes.enumerated() {
            if let note = note(json, isTrashed) {
                imported.notes.append(note)
            } else {
                imported.problems.append(ImportProblem(file.path, "note \(index + 1) has no content"))
            }
        }
        let titles = Dictionary(imported.notes.map { ($0.source, $0.title) }) { first, _ in first }
        for index in imported.notes.indices {
            imported.notes[index].content = withLinks(imported.notes[index].content, titles)
        }
        return imported
    }

    /// The first line is the title.
    private static func note(_ json: JSONValue, _ isTrashed: Bool) -> PortableNote? {
        guard let content = json["content"]?.string else { return nil }
        let lines = content.replacing("\r\n", with: "\n").split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        var title = lines.first.map(String.init) ?? ""
        var rest = lines.count > 1 ? String(lines[1]) : ""
        if title.utf8.count > NoteLimits.title || title.allSatisfy(\.isWhitespace) {
            (title, rest) = ("", content.replacing("\r\n", with: "\n"))
        } else {
            if title.hasPrefix("# ") { title.removeFirst(2) }
            if rest.hasPrefix("\n") { rest.removeFirst() }
        }
        let changed = json["lastModified"]?.string.flatMap(Timestamp.read)
        return PortableNote(
            source: json["id"]?.string.map { "simplenote:" + $0 } ?? "", title: title, content: rest,
            tags: NoteTag.changed([], adding: json["tags"]?.array?.compactMap(\.string) ?? []),
            isPinned: json["pinned"]?.bool ?? false, createdAt: json["creationDate"]?.string.flatMap(Timestamp.read),
            changedAt: changed, deletedAt: isTrashed ? changed ?? .init(milliseconds: 0) : nil)
    }

    /// Links such as `simplenote://note/ID` as links to the note.
    private static func withLinks(_ text: String, _ titles: [String: String]) -> String {
        let mark = "simplenote://note/"
        guard text.contains(mark) else { return text }
        return MarkdownTargets.replacing(in: text) { target in
            guard target.hasPrefix(mark), let title = titles["simplenote:" + target.dropFirst(mark.count)],
                !title.isEmpty
            else { return nil }
            return MarkdownTargets.NewTarget(ByteString(NoteFileName.stem(title) + ".md"), from: "")
        }
    }
}
