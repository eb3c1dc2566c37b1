import Hashing
import Text
import Time

/// Writes Joplin's export (JEX). Ids are made of what they name, so the same notes give the same bytes, and a second import
/// finds the notes of the first.
enum JoplinWriter {
    static func write(_ notes: [PortableNote]) throws(TarError) -> [UInt8] {
        var writer = Writer(notes)
        for note in notes { writer.add(note) }
        return try TarWriter.write(writer.files)
    }

    private struct Writer {
        private(set) var files: [PortableFile] = []
        private var known: Set<String> = []
        /// The notes by the names that links use, each with its id.
        private var names: [String: [LinkCandidate]] = [:]

        init(_ notes: [PortableNote]) {
            for (order, note) in notes.enumerated() {
                let stem = note.stem?.repairedText ?? (note.title.isEmpty ? nil : NoteFileName.stem(note.title))
                for name in LinkName.names(folder: note.folder, stem: stem, title: note.title, aliases: []) {
                    names[name.key, default: []].append(
                        LinkCandidate(note: noteID(note), name: name, folder: note.folder, order: order))
                }
            }
        }

        private func noteID(_ note: PortableNote) -> String {
            note.source.hasPrefix("joplin:") && isID(note.source.dropFirst(7))
                ? String(note.source.dropFirst(7))
                : id("note", note.source + "\u{0}" + note.folder + "\u{0}" + note.title)
        }

        /// The id of the note that a link in a note in `folder` leads to.
        private func target(of link: WikiLink, from folder: String) -> String? {
            link.best(of: names[LinkName.key(link.name(from: folder))] ?? [], from: folder)?.note
        }

        mutating func add(_ note: PortableNote) {
            let noteID = noteID(note)
            guard known.insert(noteID).inserted else { return }
            let links = AttachmentLinks(note.attachments)
            let targets = note.attachments.map { ":/" + resource($0) }
            let times = times(note)
            let content = JoplinLinks.exported(note.content) { target(of: $0, from: note.folder) }
            item(
                JoplinItem(
                    kind: .note, id: noteID, title: oneLine(note.title),
                    body: MarkdownTargets.replacing(in: content) { target in
                        links.index(of: target, in: ByteString(note.folder)).map {
                            MarkdownTargets.NewTarget(targets[$0])
                        }
                    },
                    [("parent_id", folder(note.folder))] + times
                        + JoplinProperties.metadata(of: note.frontMatter) + [("markup_language", "1")]))
            for tag in note.tags {
                let tagID = id("tag", NoteTag.folded(tag))
                if known.insert(tagID).inserted { item(JoplinItem(kind: .tag, id: tagID, title: tag, [])) }
                item(
                    JoplinItem(
                        kind: .noteTag, id: id("note-tag", noteID + tagID), [("note_id", noteID), ("tag_id", tagID)]))
            }
        }

        /// Writes the notebooks of a path; Joplin has no notes outside of one.
        private mutating func folder(_ path: String) -> String {
            var parent = ""
            var parts = path.split(separator: "/").map(String.init)
            if parts.isEmpty { parts = ["Notes"] }
            for end in 1...parts.count {
                let folderID = id("folder", parts[..<end].joined(separator: "/"))
                if known.insert(folderID).inserted {
                    item(JoplinItem(kind: .folder, id: folderID, title: parts[end - 1], [("parent_id", parent)]))
                }
                parent = folderID
            }
            return parent
        }

        private mutating func resource(_ attachment: Attachment) -> String {
            let resourceID = id("resource", attachment.name, attachment.bytes)
            guard known.insert(resourceID).inserted else { return resourceID }
            let dot = attachment.name.lastIndex(of: ".")
            let ending = dot.map { String(attachment.name[attachment.name.index(after: $0)...]) } ?? ""
            let isSafe = ending.utf8.count <= 10 && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            item(
                JoplinItem(
                    kind: .resource, id: resourceID, title: oneLine(attachment.name),
                    [
                        ("filename", ""), ("file_extension", isSafe ? ending : ""),
                        ("size", String(attachment.bytes.count)),
                    ]))
            let name = isSafe && !ending.isEmpty ? "\(resourceID).\(ending)" : resourceID
            files.append(PortableFile("resources/\(name)", attachment.bytes))
            return resourceID
        }

        private mutating func item(_ item: JoplinItem) {
            files.append(PortableFile("\(item.id).md", Array(item.text.utf8)))
        }

        private func times(_ note: PortableNote) -> [(String, String)] {
            let created = note.createdAt ?? note.changedAt ?? Instant(milliseconds: 0)
            let changed = note.changedAt ?? created
            return [
                ("created_time", full(created)), ("updated_time", full(changed)),
                ("user_created_time", full(created)), ("user_updated_time", full(changed)),
            ]
        }

        /// Joplin always writes milliseconds.
        private func full(_ instant: Instant) -> String {
            let text = instant.rfc3339
            return text.contains(".") ? text : text.dropLast() + ".000Z"
        }

        private func oneLine(_ title: String) -> String {
            title.split(whereSeparator: \.isNewline).joined(separator: " ")
        }

        private func isID(_ text: Substring) -> Bool {
            text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }

        /// 32 hexadecimal digits of what is named.
        private func id(_ kind: String, _ name: String, _ bytes: [UInt8] = []) -> String {
            let hash = FNV1a128.hash(Array(kind.utf8) + [0] + Array(name.utf8) + [0] + bytes)
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 32 - digits.count) + digits
        }
    }
}
