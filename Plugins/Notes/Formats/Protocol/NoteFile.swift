import JSON
package import Text

/// What the Markdown file of a note has besides the note, as the two ends of the protocol name it.
package struct NoteFile: Hashable, Sendable {
    /// What is before the text. The id of a note in it is the one that the server has.
    package var head: FileHead
    /// The name without the end, if the title stands in the file; nil where the title is the name.
    package var stem: ByteString?

    package init(head: FileHead, stem: ByteString? = nil) {
        self.head = head
        self.stem = stem
    }

    /// Reads the members of a frame; nil when there are none.
    init?(in json: JSONValue) throws(ProtocolError) {
        guard json["front_matter"] != nil else { return nil }
        head = FileHead(try json.text("front_matter", limit: FileHead.maximumSize))
        guard head.isWhole else { throw .malformed("front_matter") }
        stem = try NoteFile.stem(in: json)
    }

    /// Writes the members of a frame.
    func write(to json: inout JSONWriter) {
        json.text("front_matter", head.text)
        NoteFile.write(stem, to: &json)
    }

    fileprivate static func stem(in json: JSONValue) throws(ProtocolError) -> ByteString? {
        guard json["file_name"] != nil else { return nil }
        let stem = MarkdownTargets.decoded(try json.text("file_name", limit: NoteLimits.title))
        return NoteFileName.isUsable(stem: stem) ? stem : nil
    }

    fileprivate static func write(_ stem: ByteString?, to json: inout JSONWriter) {
        if let stem { json.text("file_name", MarkdownTargets.target(stem)) }
    }
}

/// A change of what the file of a note has before its text, so that it can be repeated and merged.
package struct HeadChange: Hashable, Sendable {
    /// What the change was made of; nil where that is not known.
    package var base: FileHead?
    /// What the file has now.
    package var head: FileHead
    /// As in ``NoteFile``; it counts for a note whose file is not known.
    package var stem: ByteString?

    package init(base: FileHead?, head: FileHead, stem: ByteString? = nil) {
        self.base = base
        self.head = head
        self.stem = stem
    }

    /// Returns what a file has after the change.
    package func applied(to current: FileHead?) -> FileHead {
        current.map { FileHead.merged(base: base, current: $0, change: head) } ?? head
    }

    /// Reads the members of a frame; nil when there are none.
    init?(in json: JSONValue) throws(ProtocolError) {
        guard let change = json["front_matter"] else { return nil }
        let hasBase = change["from"] != nil
        base = hasBase ? FileHead(try change.text("from", limit: NotesProtocol.maximumFrame)) : nil
        head = FileHead(try change.text("to", limit: NotesProtocol.maximumFrame))
        stem = try NoteFile.stem(in: json)
    }

    /// Writes the members of a frame.
    func write(to json: inout JSONWriter) {
        json.name("front_matter")
        json.object { json in
            if let base { json.text("from", base.text) }
            json.text("to", head.text)
        }
        NoteFile.write(stem, to: &json)
    }
}
