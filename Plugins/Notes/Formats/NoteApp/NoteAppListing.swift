import JSON

/// The answer of a server to GET `/api/notes`.
package struct NoteAppListing: Hashable, Sendable {
    /// The notes with all five values.
    package var notes: [NoteAppNote] = []
    /// The ids of notes that the server has but that cannot be read, such as those with nulls. They are not gone.
    package var damaged: [NoteAppID] = []

    package init(notes: [NoteAppNote] = [], damaged: [NoteAppID] = []) {
        self.notes = notes
        self.damaged = damaged
    }

    /// Reads the answer; nil when it is not a list, or holds something that may be any note.
    package init?(_ bytes: [UInt8]) {
        guard let elements = (try? JSONReader.read(bytes, limits: .init(bytes: 256 << 20, isLenient: true)))?.array
        else { return nil }
        for element in elements {
            if let note = NoteAppNote(element) {
                notes.append(note)
            } else if let id = element["_id"]?.string.flatMap({ NoteAppID($0) }) {
                damaged.append(id)
            } else {
                return nil
            }
        }
    }
}

extension NoteAppNote {
    /// Whether the note is open to someone.
    package func isUnlocked(for name: String) -> Bool {
        NoteAccess(owner: owner, members: access).isUnlocked(for: name)
    }

    /// The note as the body of a PUT.
    package var draft: NoteAppDraft { NoteAppDraft(title: title, content: content, access: access, owner: owner) }
}
