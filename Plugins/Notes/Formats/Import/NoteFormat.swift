import Text

/// The formats of imports, some of which are written by exports.
package enum NoteFormat: String, CaseIterable, Sendable {
    /// A folder of Markdown files with front matter, such as a vault of Obsidian, an archive of one, or single files.
    case markdown
    /// Joplin's export: a tar archive with the end `.jex`.
    case jex
    /// hub's own JSON, with attachments.
    case json
    /// Evernote's export: XML with the end `.enex`.
    case enex
    /// Simplenote's export: a zip archive with `source/notes.json`, or that file.
    case simplenote
    /// A decrypted backup of Standard Notes: a zip archive, or the JSON in it.
    case standardNotes = "standard-notes"
    /// Notion's export as Markdown and CSV: a zip archive, or its folder.
    case notion

    /// The largest file, in bytes.
    package static let maximumFile = 256 << 20

    /// Returns the format of files; nil if it is not recognized.
    package init?(sniffing files: [PortableFile]) {
        if files.contains(where: { StandardNotesReader.isBackup($0.path) }) {
            self = .standardNotes
        } else if files.contains(where: { SimplenoteReader.isExport($0.path) }), files.count > 1 {
            self = .simplenote
        } else if files.contains(where: { NotionReader.isPage($0.path) }) {
            self = .notion
        } else if files.count == 1, let file = files.first {
            self.init(sniffing: file)
        } else {
            guard files.contains(where: { NoteFileName.isNote($0.path) }) else { return nil }
            self = .markdown
        }
    }

    private init?(sniffing file: PortableFile) {
        let bytes = file.bytes
        let start = bytes.prefix(4096).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        if TarReader.recognizes(bytes) {
            self = .jex
        } else if NotesJSON.recognizes(bytes) {
            self = .json
        } else if EvernoteReader.recognizes(start) {
            self = .enex
        } else if start.first == UInt8(ascii: "{"), SimplenoteReader.recognizes(bytes) {
            self = .simplenote
        } else if start.first == UInt8(ascii: "{"), StandardNotesReader.recognizes(bytes) {
            self = .standardNotes
        } else if NoteFormat.mayBeText(file.path), !bytes.prefix(4096).contains(0) {
            self = .markdown
        } else {
            return nil
        }
    }

    /// Whether a single file may be a text: it has the end of one, or no end.
    private static func mayBeText(_ path: ByteString) -> Bool {
        let name = path.lastName.repairedText.lowercased()
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return true }
        let end = name[name.index(after: dot)...]
        return ["md", "markdown", "mdown", "mkd", "txt", "text", "log"].contains(end)
            || !end.allSatisfy { $0.isLetter || $0.isNumber } || end.count > 5
    }

    /// Returns the notes in files of this format.
    package func read(_ files: [PortableFile]) -> ImportedNotes {
        switch self {
        case .markdown: return MarkdownFolder.read(files)
        case .notion: return NotionReader.read(files)
        case .simplenote:
            return Self.each(files.filter { SimplenoteReader.isExport($0.path) }, or: files, SimplenoteReader.read)
        case .standardNotes:
            return Self.each(
                files.filter { StandardNotesReader.isBackup($0.path) }, or: files, StandardNotesReader.read)
        case .jex: return Self.each(files, or: [], JoplinReader.read)
        case .json: return Self.each(files, or: [], NotesJSON.read)
        case .enex: return Self.each(files, or: [], EvernoteReader.read)
        }
    }

    private static func each(
        _ files: [PortableFile], or others: [PortableFile], _ read: (PortableFile) -> ImportedNotes
    ) -> ImportedNotes {
        var imported = ImportedNotes()
        for file in files.isEmpty ? others : files {
            let read = read(file)
            imported.notes += read.notes
            imported.problems += read.problems
            imported.remarks += read.remarks
        }
        return imported
    }

    /// Returns the files for notes: one for an archive or JSON, many for a folder. Other formats are not written.
    package func write(_ notes: [PortableNote], name: String = "notes") throws(TarError) -> [PortableFile] {
        switch self {
        case .jex: [PortableFile("\(name).jex", try JoplinWriter.write(notes))]
        case .json: [PortableFile("\(name).json", NotesJSON.write(notes))]
        default: MarkdownFolder.write(notes)
        }
    }
}

/// The formats of exports.
package enum NoteExportFormat: String, CaseIterable, Sendable {
    /// A folder of Markdown files with front matter.
    case markdown
    /// For Joplin.
    case jex
    /// hub's own JSON, with attachments.
    case json
    /// One file to read: plain text, HTML with the pictures inside, or a PDF of it.
    case text, html, pdf

    /// The same format for imports; nil for one that is only read by people.
    package var format: NoteFormat? {
        switch self {
        case .markdown: .markdown
        case .jex: .jex
        case .json: .json
        case .text, .html, .pdf: nil
        }
    }
}
