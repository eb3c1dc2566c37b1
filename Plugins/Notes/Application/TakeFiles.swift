import HubKit
import NotesDomain
import Storage
import TextCRDT

/// What files of the mirrored folder change in their notes.
extension Transaction {
    /// Whether a file was more likely made of one that was about to be written than of the one before: whether it has more of its
    /// text.
    func isBased(
        _ file: MarkdownFile?, on written: MirroredFile, ratherThan known: MirroredFile?
    ) throws -> Bool {
        guard let file, try note(written.note) != nil else { return false }
        // A file that hub makes has the id of its note.
        guard let known else { return written.statedID != nil && file.frontMatter?[.id] == written.statedID }
        guard known.note == written.note else { return false }
        let document = try document(of: written.note)
        func added(since version: NoteVersion) throws -> Int {
            TextDiff.edits(from: try document.content.text(at: version.content), to: file.content)
                .reduce(0) { $0 + $1.inserted.unicodeScalars.count }
        }
        return try added(since: written.version) < added(since: known.version)
    }

    /// Brings a changed file into its note, or makes one of a new file.
    /// - Returns: what to record of the file.
    func take(_ change: FileChange) throws -> MirroredFile {
        let person = Operation.Author.person.text
        guard let id = change.note, let note = try note(id) else {
            let id = try insertNote(folder: change.folder ?? "", isPinned: change.isPinned ?? false)
            try setTags(NoteTag.changed([], adding: change.addedTags), of: id)
            try changeTexts(of: id, by: person) { document, agent in
                try document.set(title: change.title ?? "", content: change.content, by: agent)
            }
            try setNoteFile(of: id, stem: NoteFileName.stem(of: change.path), head: change.head)
            try reindexNotes([id])
            try emit(NotesEvents.created, NoteRecord.kind.item(id, in: self).summary)
            return change.recorded(note: id, written: try version(of: id))
        }
        // A change beats a deletion.
        try forgetTrashedFile(of: id)
        try takeHead(FileHead(change.head), path: change.path, of: id, isKnown: change.base != nil)
        if note.deletedAt != nil { try NoteRecord.kind.setDeleted(id, at: nil, in: self) }
        let base = try change.base ?? version(of: id)
        var written = base
        try changed(id) {
            try changeTexts(of: id, by: person) { document, agent in
                let merge = try document.merge(
                    title: change.title, content: change.content, base: base, by: agent)
                written = merge.written
                return merge.edits
            }
            let tags = NoteTag.changed(note.tags, adding: change.addedTags, removing: change.removedTags)
            try setTags(tags, of: id)
            if let folder = change.folder { try setFolder(NoteFileName.folder(folder), of: id) }
            if let isPinned = change.isPinned { try setPinned(isPinned, of: id) }
        }
        return change.recorded(note: id, written: written)
    }
}
