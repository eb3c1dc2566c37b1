import Commands
import HubKit
import Markdown
import NotesDomain

/// The HTTP routes of notes besides those that every entity has. Each route calls the use case of the command with the same
/// name.
enum NoteRoutes {
    static let all =
        making + selection + renaming + PublishRoutes.all + SavedSearchCommands<NotesPlugin>.routes
        + AttachmentRoutes.all + TextRoutes.all + SharingRoutes.all

    private static let making = [
        Route(
            .post, "/api/notes", summary: "create a note, once for each key",
            body: #"{"title": "Shopping", "content": "- bread", "folder": "Home", "tags": ["week"], "key": "…"}"#,
            fields: NoteView.fields
        ) { (notes: NotesPlugin, request) in
            let json = try request.json(limit: 2 * NoteLimits.content, example: #"{"title": "Shopping"}"#)
            for name in ["title", "content", "folder"] where json[name].map({ $0.string == nil }) ?? false {
                throw HubError(field: name, "must be a string")
            }
            let draft = NoteDraft(
                title: json["title"]?.string ?? "", content: json["content"]?.string ?? "",
                folder: json["folder"]?.string ?? "", tags: json["tags"]?.array?.compactMap(\.string) ?? [])
            let note = try await notes.create(draft, key: json["key"]?.string, operation: request.operation)
            return .created(
                .record(try await view(of: note, notes), NoteView.fields), location: "/api/notes/\(note.id)")
        },
        Route(
            .post, "/api/notes/preview", summary: "render Markdown as HTML",
            body: ##"{"text": "# Sunday"}"##, required: ["text"]
        ) { (_: NotesPlugin, request) in
            let json = try request.json(limit: 2 * NoteLimits.content, example: ##"{"text": "# Sunday"}"##)
            guard let html = MarkdownHTML.text(of: json["text"]?.string ?? "") else {
                throw HubError(
                    .unavailable, code: "library-missing", "the preview needs cmark-gfm",
                    hint: "hub doctor names the missing package")
            }
            return .output(
                .record(html, [Field("html", "HTML", help: "HTML without scripts, styles and raw HTML") { .text($0) }]))
        },
    ]

    private static let selection = [
        Route(
            .post, "/api/notes/pin", summary: "pin or unpin several notes",
            body: #"{"ids": ["…"], "pinned": true}"#, required: ["ids", "pinned"]
        ) { (notes: NotesPlugin, request) in
            let body = try EntitySelection(request)
            guard let isPinned = body.flag("pinned") else {
                throw HubError(field: "pinned", "must be true or false")
            }
            let changed = try await notes.setPinned(isPinned, of: body.ids, operation: request.operation)
            return EntityWeb.changed(changed.count)
        },
        Route(
            .post, "/api/notes/move", summary: "move several notes to a folder, and update links",
            body: #"{"ids": ["…"], "folder": "Home"}"#, required: ["ids", "folder"]
        ) { (notes: NotesPlugin, request) in
            let moved = try await notes.move(
                try EntitySelection(request).ids, to: try folder(request), operation: request.operation)
            return EntityWeb.changed(moved.count)
        },
        Route(
            .post, "/api/notes/move/links", summary: "list the links that would change if notes were moved",
            body: #"{"ids": ["…"], "folder": "Home"}"#, required: ["ids", "folder"],
            fields: RenameCommands.fields
        ) { (notes: NotesPlugin, request) in
            let plan = try await notes.planMove(
                try EntitySelection(request).ids, to: try folder(request), operation: request.operation)
            return .output(.list(plan, RenameCommands.fields))
        },
    ]

    private static func folder(_ request: RouteRequest) throws -> String {
        guard let folder = try request.json()["folder"]?.string else {
            throw HubError(field: "folder", "must be a string; empty for no folder")
        }
        return folder
    }

    private static let renaming = [
        Route(
            .get, "/api/notes/{id}/relink", summary: "list links that use a former name of a note",
            fields: RenameCommands.fields
        ) {
            (notes: NotesPlugin, request) in
            .output(
                .list(
                    try await notes.planLinkUpdates(to: [try request.id], operation: request.operation),
                    RenameCommands.fields))
        },
        Route(.post, "/api/notes/{id}/relink", summary: "update links that use a former name of a note") {
            (notes: NotesPlugin, request) in
            let done = try await notes.updateLinks(to: [try request.id], operation: request.operation)
            return EntityWeb.changed(done.reduce(0) { $0 + $1.count })
        },
    ]

    private static func view(of note: NoteRecord, _ notes: NotesPlugin) async throws -> NoteView {
        NoteView(note: note, shortID: try await notes.notes.shortID(of: note.id), backlinks: [])
    }
}
