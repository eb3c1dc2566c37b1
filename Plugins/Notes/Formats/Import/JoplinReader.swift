import Text
import Time

/// Reads Joplin's export (JEX): a tar archive of items, and of resources as files.
enum JoplinReader {
    /// Notebooks inside each other beyond this are taken as one.
    private static let maximumDepth = 16

    static func read(_ file: PortableFile) -> ImportedNotes {
        var imported = ImportedNotes()
        let (files, error) = TarReader.read(file.bytes)
        if let error { imported.problems.append(ImportProblem(file.path, message(error))) }
        var items: [JoplinItem] = []
        var resources: [String: [UInt8]] = [:]
        for entry in files {
            let name = entry.path.repairedText
            let path = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
            if path.hasPrefix("resources/") {
                resources[String(path.dropFirst(10).prefix { $0 != "." })] = entry.bytes
            } else if path.hasSuffix(".md") {
                if let text = String(validating: entry.bytes, as: UTF8.self), let item = JoplinItem(text) {
                    items.append(item)
                } else {
                    imported.problems.append(ImportProblem("\(file.path):\(path)", "is not an item of Joplin"))
                }
            }
        }
        func byID(_ kind: JoplinItem.Kind) -> [String: JoplinItem] {
            Dictionary(items.filter { $0.kind == kind }.map { ($0.id, $0) }) { first, _ in first }
        }
        let (folders, tags, files_) = (byID(.folder), byID(.tag), byID(.resource))
        var tagsOfNotes: [String: [String]] = [:]
        for item in items where item.kind == .noteTag {
            if let note = item["note_id"], let tag = item["tag_id"].flatMap({ tags[$0] }) {
                tagsOfNotes[note, default: []].append(tag.title)
            }
        }
        let live = items.filter { $0.kind == .note && $0["encryption_applied"] != "1" }
        let places = Dictionary(
            live.map { ($0.id, (folder: folder($0["parent_id"], folders), stem: NoteFileName.stem($0.title))) }
        ) { first, _ in first }
        var lost = 0
        for item in items where item.kind == .note {
            if item["encryption_applied"] == "1" {
                imported.problems.append(
                    ImportProblem(
                        "\(file.path):\(item.id).md", "is encrypted; disable encryption in Joplin and export again"))
                continue
            }
            var note = PortableNote(source: "joplin:" + item.id, title: item.title, content: item.body)
            note.folder = places[item.id]?.folder ?? ""
            note.tags = NoteTag.changed([], adding: (tagsOfNotes[item.id] ?? []).sorted())
            note.createdAt = (item["user_created_time"] ?? item["created_time"]).flatMap(Timestamp.read)
            note.changedAt = (item["user_updated_time"] ?? item["updated_time"]).flatMap(Timestamp.read)
            note.deletedAt = JoplinProperties.instant(item["deleted_time"])
            note.frontMatter = JoplinProperties.frontMatter(of: item)
            // Markup 2 is HTML.
            if item["markup_language"] == "2" { note.content = HTMLMarkdown.text(of: Array(item.body.utf8)) }
            note.content = JoplinLinks.imported(note.content, in: note.folder) { id in
                if let place = places[id] { return ByteString(place.folder).appending(ByteString(place.stem + ".md")) }
                if resources[id] == nil { lost += 1 }
                return nil
            }
            for target in MarkdownTargets.targets(in: note.content).map(\.text) where target.hasPrefix(":/") {
                let id = JoplinLinks.id(of: target)
                guard let bytes = resources[id] else { continue }
                let resource = files_[id]
                let ending = resource?["file_extension"].flatMap { $0.isEmpty ? nil : "." + $0 } ?? ""
                let name = resource?.title ?? ""
                let path = Attachment.folder.appending(
                    Attachment.safePath(
                        ByteString((name.isEmpty ? id + ending : name).replacing("/", with: "-"))))
                let taken = Set(note.attachments.map { NoteFileName.key($0.path) })
                note.attachments.append(
                    Attachment(
                        path: Attachment.freePath(path) { taken.contains($0) }, content: .bytes(bytes), link: target))
            }
            imported.notes.append(note)
        }
        if lost > 0 {
            imported.remarks.append(
                "\(NumberFormat.counted(lost, "link")) to notes or files that are not in \(file.path)")
        }
        return imported
    }

    /// The titles of the notebooks that a note is in, the outermost first.
    private static func folder(_ id: String?, _ folders: [String: JoplinItem]) -> String {
        var parts: [String] = []
        var next = id
        while let id = next, let folder = folders[id], parts.count < maximumDepth {
            parts.append(NoteFileName.stem(folder.title))
            next = folder["parent_id"]
        }
        return parts.reversed().joined(separator: "/")
    }

    private static func message(_ error: TarError) -> String {
        switch error {
        case .broken(let offset): "is damaged at byte \(offset); what follows is lost"
        case .tooManyEntries(let limit): "has more than \(limit) entries; the rest is left out"
        case .pathTooLong(let path): "has a path that is too long: \(path)"
        }
    }
}
