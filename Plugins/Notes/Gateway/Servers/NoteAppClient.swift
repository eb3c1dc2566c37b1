import HTTPClient
import NotesDomain
import Sync
import SyncHTTP

/// The REST interface of a server of whole notes. What concerns one note alone is refused with a ``NoteAppError``; what
/// concerns the server throws a ``RemoteError``.
struct NoteAppClient: Sendable {
    /// The largest list of notes that is read.
    private static let largestList = 256 << 20
    /// The time for a PUT. One that is under way for long would take away what others have written meanwhile.
    private static let replacementTime = Duration.seconds(10)

    let connection: NoteServerConnection

    /// Returns all notes.
    func list() async throws -> NoteAppListing {
        let response = try await connection.send(.get, "api/notes", maximumBody: Self.largestList)
        if let error = RemoteError(response) { throw error }
        guard let listing = NoteAppListing(response.body) else {
            throw RemoteError.malformed(reason: "\(response.url.host) did not respond with a list of notes")
        }
        return listing
    }

    /// Returns one note; nil if the server has none with this id.
    func note(_ id: NoteAppID) async throws -> NoteAppNote? {
        guard let response = try await found(.get, id) else { return nil }
        guard let note = NoteAppListing(Array("[".utf8) + response.body + Array("]".utf8))?.notes.first else {
            throw NoteAppError(502, "The note on the server is damaged.")
        }
        return note
    }

    /// Makes a note.
    func create(_ draft: NoteAppDraft) async throws -> NoteAppID {
        let response = try await connection.send(.post, "api/notes", body: draft.encoded(id: ""))
        try check(response)
        guard let id = NoteAppReply.insertedID(response.body) else {
            throw RemoteError.malformed(reason: "\(response.url.host) did not say which note it has created")
        }
        return id
    }

    /// Replaces a note; false if the server has none with this id.
    func replace(_ id: NoteAppID, with draft: NoteAppDraft) async throws -> Bool {
        try await found(.put, id, body: draft.encoded(id: id.text)) != nil
    }

    /// Deletes a note; false if the server has none with this id.
    func delete(_ id: NoteAppID) async throws -> Bool { try await found(.delete, id) != nil }

    /// Returns the response about a note; nil for 404.
    private func found(_ method: HTTPMethod, _ id: NoteAppID, body: [UInt8]? = nil) async throws -> HTTPResponse? {
        let response = try await connection.send(
            method, "api/notes/\(id.text)", body: body, within: method == .put ? Self.replacementTime : nil)
        if response.status == 404 { return nil }
        try check(response)
        return response
    }

    private func check(_ response: HTTPResponse) throws {
        switch response.status {
        case 400, 403, 409, 413, 415, 422:
            throw NoteAppError(response.status, "the server refuses the note (status \(response.status))")
        default: if let error = RemoteError(response) { throw error }
        }
    }
}
