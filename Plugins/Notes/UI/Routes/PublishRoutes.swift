import Commands
import HubKit
import NotesDomain

/// The HTTP routes of public links and of notes as files.
enum PublishRoutes {
    static let all = [
        Route(
            .post, "/api/notes/{id}/publish", summary: "make a link with which everyone can read a note",
            fields: fields, isForPages: true
        ) { (notes: NotesPlugin, request) in
            let published = try await notes.publish(try request.id, operation: request.operation)
            return .output(.record((published, notes.serverSettings.isEnabled), fields))
        },
        Route(.delete, "/api/notes/{id}/publish", summary: "remove the public link to a note", isForPages: true) {
            (notes: NotesPlugin, request) in
            let isRemoved = try await notes.unpublish(try request.id, operation: request.operation)
            return EntityWeb.changed(isRemoved ? 1 : 0)
        },
        Route(
            .get, "/api/notes/{id}/export", summary: "read a note as a file",
            query: [.init("as", "html, text or pdf")]
        ) { (notes: NotesPlugin, request) in
            let note = try await notes.notes.get(try request.id)
            guard let format = request.query["as"].flatMap(NoteExportFormat.init), format.format == nil else {
                throw HubError(field: "as", "must be html, text or pdf")
            }
            if try await notes.lock(of: note) != nil {
                throw HubError(
                    .conflict, code: "note-locked", "the note is locked", hint: "ask its owner for access")
            }
            // Never shown as a page of hub: it is only saved.
            return .asset(try await notes.export([note.id], as: format), contentType: MediaType.unknown)
        },
    ]

    private static let fields: [Field<(PublishedNote, Bool)>] = [
        Field("url", "URL", help: "address at which everyone can read it") { .text($0.0.url) },
        Field("served", "SERVED", help: "whether the notes server, which shows it, is on") { .bool($0.1) },
    ]
}
