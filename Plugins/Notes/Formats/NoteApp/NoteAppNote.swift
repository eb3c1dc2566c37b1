package import JSON

/// A note as NoteApp's REST interface writes it. No value is ever null: a client that meets one shows an empty list.
package struct NoteAppNote: Hashable, Sendable {
    /// The id.
    package var id: NoteAppID
    /// The title; may be empty.
    package var title: String
    /// The text; may be empty.
    package var content: String
    /// The devices or accounts that may open the note.
    package var access: [String]
    /// The device or account that made it.
    package var owner: String

    package init(id: NoteAppID, title: String, content: String, access: [String], owner: String) {
        self.id = id
        self.title = title
        self.content = content
        self.access = access
        self.owner = owner
    }

    /// The note as a JSON object with the keys in the original's order.
    package func write(to json: inout JSONWriter) { draft.write(id: id.text, to: &json) }

    /// Reads a note that a NoteApp server sent; nil unless all five values have their types. Other members are ignored.
    package init?(_ json: JSONValue) {
        guard let id = json["_id"]?.string.flatMap({ NoteAppID($0) }), let title = json["title"]?.string,
            let content = json["content"]?.string, let owner = json["owner"]?.string, let access = json["access"]?.array
        else { return nil }
        let members = access.compactMap(\.string)
        guard members.count == access.count else { return nil }
        self.init(id: id, title: title, content: content, access: members, owner: owner)
    }

    /// Reads the answer to GET `/api/notes`; notes that are damaged, as the original stores them, are left out.
    package static func list(_ bytes: [UInt8]) throws(NoteAppError) -> [NoteAppNote] {
        guard let elements = (try? JSONReader.read(bytes, limits: .init(bytes: 256 << 20, isLenient: true)))?.array
        else { throw NoteAppError(502, "The server did not answer with a list of notes.") }
        return elements.compactMap { NoteAppNote($0) }
    }
}
