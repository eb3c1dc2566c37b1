import JSON
import Text
import Time

/// hub's own JSON of notes: everything that an export holds, attachments in base64.
enum NotesJSON {
    private static let format = "hub-notes"

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(200).filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return start.starts(with: "{\"format\":\"\(format)\"".utf8)
    }

    static func read(_ file: PortableFile) -> ImportedNotes {
        var imported = ImportedNotes()
        guard let json = imported.json(in: file) else { return imported }
        guard json["format"]?.string == format, json["version"]?.integer == 1, let notes = json["notes"]?.array else {
            imported.problems.append(ImportProblem(file.path, "is not an export of notes in version 1"))
            return imported
        }
        for (index, json) in notes.enumerated() {
            if let note = note(json) {
                imported.notes.append(note)
            } else {
                imported.problems.append(ImportProblem(file.path, "note \(index + 1) has no title or content"))
            }
        }
        return imported
    }

    private static func note(_ json: JSONValue) -> PortableNote? {
        guard let title = json["title"]?.string, let content = json["content"]?.string else { return nil }
        var note = PortableNote(source: json["id"]?.string ?? "", title: title, content: content)
        note.folder = NoteFileName.folder(json["folder"]?.string ?? "")
        note.tags = NoteTag.changed([], adding: json["tags"]?.array?.compactMap(\.string) ?? [])
        note.isPinned = json["pinned"]?.bool ?? false
        note.createdAt = json["created"]?.string.flatMap(Timestamp.read)
        note.changedAt = json["changed"]?.string.flatMap(Timestamp.read)
        note.frontMatter = json["front_matter"]?.string
        note.attachments = (json["attachments"]?.array ?? []).compactMap { json in
            guard let name = json["name"]?.string, let bytes = json["data"]?.string.flatMap({ Base64.decode($0.utf8) })
            else { return nil }
            let path =
                json["path_bytes"]?.string.flatMap { Base64.decode($0.utf8) }.map { ByteString($0) }
                ?? json["path"]?.string.map { ByteString($0) }
                ?? Attachment.folder.appending(ByteString(name.replacing("/", with: "-")))
            return Attachment(
                path: Attachment.safePath(path), content: .bytes(bytes), link: json["target"]?.string)
        }
        return note
    }

    static func write(_ notes: [PortableNote]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.text("format", format)
            json.number("version", 1)
            json.name("notes")
            json.array { json in
                for note in notes {
                    json.breakLine()
                    write(note, to: &json)
                }
            }
        }
        json.endLine()
        return json.bytes
    }

    private static func write(_ note: PortableNote, to json: inout JSONWriter) {
        json.object { json in
            json.text("id", note.source)
            json.text("title", note.title)
            json.text("content", note.content)
            json.text("folder", note.folder)
            json.names("tags", note.tags)
            json.name("pinned")
            json.value(note.isPinned)
            if let at = note.createdAt { json.text("created", at.rfc3339) }
            if let at = note.changedAt { json.text("changed", at.rfc3339) }
            if let matter = note.frontMatter { json.text("front_matter", matter) }
            guard !note.attachments.isEmpty else { return }
            json.name("attachments")
            json.array { json in
                for attachment in note.attachments {
                    json.object { json in
                        json.text("name", attachment.name)
                        if let path = attachment.path.text {
                            json.text("path", path)
                        } else {
                            json.text("path_bytes", Base64.encode(attachment.path.bytes))
                        }
                        if let link = attachment.link { json.text("target", link) }
                        json.text("data", Base64.encode(attachment.bytes))
                    }
                }
            }
        }
    }
}
