import HubKit
package import NotesDomain
package import Storage

/// A note that everyone with its address can read.
package struct PublishedNote: Sendable {
    /// The note.
    package let note: NoteSummary
    /// The address at which the notes server of this machine shows it.
    package let url: String
}

extension NotesPlugin {
    /// The path of published notes on the notes server.
    package static let publicationPath = "/read/"
    /// The most bytes of pictures in the page of a published note; the others are named.
    private static let publishedPictures = 16 << 20

    /// Gives a note an address at which everyone can read it; one that has it keeps it. Throws `note-elsewhere` for a note that another
    /// server serves.
    package func publish(_ id: String, operation: Operation) async throws -> PublishedNote {
        let (note, token) = try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            if let place = try transaction.serverPlace(of: id) {
                throw HubError(
                    .conflict, code: "note-elsewhere", "the note is on the server \(place.server)",
                    hint: "publish it on the machine that runs this server")
            }
            if let token = try transaction.publicationToken(of: id) { return (note.summary, token) }
            let token = Identifier.make()
            try transaction.setPublicationToken(token, of: id)
            return (note.summary, token)
        }
        return PublishedNote(note: note, url: url(ofPublication: token))
    }

    /// Takes the address of a note away; false if it had none.
    package func unpublish(_ id: String, operation: Operation) async throws -> Bool {
        try await store.write(operation) { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            guard try transaction.publicationToken(of: id) != nil else { return false }
            try transaction.setPublicationToken(nil, of: id)
            return true
        }
    }

    /// Returns the live notes that have an address.
    package func publishedNotes() async throws -> [PublishedNote] {
        let notes = try await store.read { transaction in
            try transaction.publications().compactMap { note, token in
                try transaction.note(note).flatMap { $0.deletedAt == nil ? ($0.summary, token) : nil }
            }
        }
        return notes.map { PublishedNote(note: $0, url: url(ofPublication: $1)) }
    }

    /// Returns the address at which everyone can read a note; nil if it has none.
    package func publicURL(of id: String) async throws -> String? {
        try await store.read { try $0.publicationToken(of: id) }.map { url(ofPublication: $0) }
    }

    private func url(ofPublication token: String) -> String { serverSettings.url + Self.publicationPath + token }

    /// Returns the page of the published note with this token; nil if there is none.
    package func publishedPage(_ token: String) async throws -> [UInt8]? {
        guard token.utf8.count == Identifier.length, Identifier.isPrefix(token),
            let id = try await store.read({ try $0.note(withPublicationToken: token) })
        else { return nil }
        return try await html(of: [id], pictureLimit: Self.publishedPictures)
    }
}
