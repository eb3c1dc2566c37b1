import JSON

/// A refusal of NoteApp's REST interface: a status, and a sentence for the JSON body.
package struct NoteAppError: Error, Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The reason.
    package let message: String

    package init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Creates the refusal of an operation that the access rules do not allow.
    package init(_ refusal: AccessRefusal) {
        switch refusal {
        case .authenticationRequired: self.init(401, refusal.message + ".")
        case .locked, .ownerOnly, .readOnly, .readerOnly: self.init(403, refusal.message + ".")
        case .alreadyUnlocked, .notMember: self.init(409, refusal.message + ".")
        }
    }

    /// A path that names no note as the original understands ids.
    package static let invalidID = NoteAppError(400, "The id must be 24 hexadecimal digits.")
}

/// The answers of NoteApp's REST interface, with the bodies of the original.
package enum NoteAppReply: Hashable, Sendable {
    case notes([NoteAppNote])
    case note(NoteAppNote)
    /// A POST has made a note.
    case inserted(NoteAppID)
    /// A PUT was taken in; also when it changed nothing.
    case updated
    case deleted
    case notFound
    case refused(NoteAppError)

    /// The media type of every answer.
    package static let contentType = "application/json; charset=utf-8"

    /// The HTTP status.
    package var status: Int {
        switch self {
        case .notes, .note, .updated, .deleted: 200
        case .inserted: 201
        case .notFound: 404
        case .refused(let error): error.status
        }
    }

    /// The body in JSON.
    package var body: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .notes(let notes): json.array { json in for note in notes { note.write(to: &json) } }
        case .note(let note): note.write(to: &json)
        case .inserted(let id):
            json.object { json in
                json.name("acknowledged")
                json.value(true)
                json.name("insertedId")
                json.value(id.text)
            }
        case .updated: NoteAppReply.message("Note updated successfully.", &json)
        case .deleted: NoteAppReply.message("Note deleted successfully.", &json)
        case .notFound: NoteAppReply.message("Note not found.", &json)
        case .refused(let error): NoteAppReply.message(error.message, &json)
        }
        return json.bytes
    }

    private static func message(_ text: String, _ json: inout JSONWriter) {
        json.object { json in
            json.name("message")
            json.value(text)
        }
    }

    /// Reads the answer to a POST; nil when the note was not made.
    package static func insertedID(_ body: [UInt8]) -> NoteAppID? {
        guard let json = try? JSONReader.read(body, limits: .init(isLenient: true)), json["acknowledged"]?.bool == true
        else { return nil }
        return json["insertedId"]?.string.flatMap { NoteAppID($0) }
    }
}
