package import Text

extension NoteFormat {
    /// Returns the front matter that the file of a note at `path` has before its text.
    package static func head(of note: PortableNote, at path: ByteString) -> [UInt8] {
        var file = MarkdownFile(text: note.frontMatter ?? "")
        file.content = ""
        file.update { matter in
            matter.set(.id, nil)
            matter.update(title: note.title, tags: note.tags, isPinned: note.isPinned, at: path)
        }
        return Array(file.text.utf8)
    }
}
