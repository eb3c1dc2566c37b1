import JSON
package import TextCRDT

/// Where someone's cursor is; never stored.
package struct Presence: Hashable, Sendable {
    /// The id of the note.
    package var note: String
    /// The text.
    package var field: NoteField
    /// The ends of the selection, in scalars; nil when the note was left.
    package var selection: Range<Int>?
    /// The version of the text that the positions are of; nil for the one that the other end has.
    package var version: Version?

    package init(note: String, field: NoteField = .content, selection: Range<Int>?, version: Version? = nil) {
        self.note = note
        self.field = field
        self.selection = selection
        self.version = version
    }

    func write(to json: inout JSONWriter) {
        json.text("note", note)
        json.text("field", field.rawValue)
        guard let selection else { return }
        json.name("at")
        json.array { json in
            json.value(selection.lowerBound)
            json.value(selection.upperBound)
        }
        if let version {
            json.name("version")
            version.write(to: &json)
        }
    }

    init(_ json: JSONValue) throws(ProtocolError) {
        note = try json.text("note")
        field = json["field"]?.string.flatMap(NoteField.init) ?? .content
        guard let value = json["at"] else { return }
        let places = value.array?.compactMap(\.integer) ?? []
        guard places.count == 2, places.allSatisfy({ (0..<1 << 31).contains($0) }) else { throw .malformed("at") }
        selection = min(places[0], places[1])..<max(places[0], places[1])
        if let value = json["version"] { version = try Version(value) }
    }
}

extension Presence {
    /// Returns the cursor in a version to which edits lead from its own.
    package func moved(by edits: [TextEdit], to version: Version) -> Presence {
        var moved = self
        moved.version = version
        guard let selection else { return moved }
        let change = TextChange(edits)
        moved.selection = change.position(of: selection.lowerBound)..<change.position(of: selection.upperBound)
        return moved
    }
}

extension NoteDocument {
    /// Returns a cursor with its positions in the newest text; nil while edits of their version are missing here, so that the
    /// place cannot be told.
    package func placed(_ presence: Presence) -> Presence? {
        let text = self[presence.field]
        var placed = presence
        placed.version = text.version
        guard presence.selection != nil, let version = presence.version, version != text.version else {
            return placed
        }
        guard let edits = try? text.edits(since: version) else { return nil }
        return presence.moved(by: edits, to: text.version)
    }
}
