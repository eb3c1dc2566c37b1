/// A note as one text for an editor: the title on the first line, a blank line, and the text.
package struct NoteForm: Hashable, Sendable {
    /// The title, on one line.
    package var title: String
    /// The text.
    package var content: String
    /// The front matter that was written above the title; nil without one. It is taken into the note, and not shown again.
    package var frontMatter: FrontMatter?

    /// Creates the form of a note; line ends in the title are shown as blanks.
    package init(title: String, content: String) {
        self.title = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.content = content
    }

    /// Whether both have the same title and text.
    package func isSameText(as other: NoteForm) -> Bool { title == other.title && content == other.content }

    /// The text for the editor.
    package var text: String { title.isEmpty && content.isEmpty ? "" : title + "\n\n" + content }

    /// Reads a saved text. Editors end a text with a line end; it belongs to the note only if the text that was opened,
    /// `opened`, had one as well.
    package init(saved: String, opened: NoteForm) {
        // Scalars are compared, not characters: CR LF is one character.
        let file = opened.title == "---" ? MarkdownFile(content: saved) : MarkdownFile(text: saved)
        frontMatter = file.frontMatter
        var rest = (frontMatter == nil ? saved : file.content).unicodeScalars[...]
        // The byte order mark of an editor does not belong to the title.
        if rest.first == "\u{FEFF}", opened.title.unicodeScalars.first != "\u{FEFF}" { rest.removeFirst() }
        func line() -> String {
            let end = rest.firstIndex(of: "\n") ?? rest.endIndex
            var line = rest[..<end]
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
            if line.last == "\r" { line.removeLast() }
            return String(line)
        }
        if frontMatter != nil {
            while let first = rest.first, first == "\n" || first == "\r" { rest.removeFirst() }
        }
        let all = rest
        title = line()
        while let last = title.last, last.isWhitespace { title.removeLast() }
        let behind = rest
        if !line().allSatisfy(\.isWhitespace) { rest = behind }
        if let named = frontMatter?[.title], !named.isEmpty {
            // The first line is the title that was opened, or text already.
            if title != opened.title || title.isEmpty { rest = all }
            title = named.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
        if rest.last == "\n", opened.content.unicodeScalars.last != "\n" { rest.removeLast() }
        content = String(rest)
    }
}
