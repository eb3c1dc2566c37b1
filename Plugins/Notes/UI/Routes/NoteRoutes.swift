import Commands
import HubKit
import Markdown
import NotesDomain

/// The HTTP routes of notes: the JSON that the page and other programs read. Each route calls the use case of the command
/// with the same name.
enum NoteRoutes {
    static let all = list + one + selection + AttachmentRoutes.all + TextRoutes.all + SharingRoutes.all

    private static let list = [
        Route(.get, "/api/notes", summary: "list notes, or search for q, best match first") {
            (notes: NotesPlugin, request) in
            let limit = try request.number("limit", in: 1...500) ?? 50
            let text = request.query["q"] ?? ""
            let found =
                text.allSatisfy(\.isWhitespace)
                ? try await notes.list(NoteFilter(), limit: limit).rows
                : try await notes.search(text, limit: limit).hits.map(\.note)
            return .output(.list(try await notes.notes.listed(found), NoteListItem.fields))
        },
        Route(.get, "/api/notes/rows", summary: "list a part of the notes that match q, show, tag and folder") {
            (notes: NotesPlugin, request) in
            let page = try await notes.rows(
                filter(request, notes), offset: try request.number("offset", in: 0...10_000_000) ?? 0,
                limit: try request.number("limit", in: 1...500) ?? 100)
            return .output(.record(page, ListFields.page))
        },
        Route(.get, "/api/notes/filters", summary: "list tags, folders and other filters with their number of notes") {
            (notes: NotesPlugin, _) in .output(.record(try await notes.filters(), ListFields.filters))
        },
        Route(.post, "/api/notes", summary: "create a note, once for each key") { (notes: NotesPlugin, request) in
            let json = try request.json(limit: 2 * NoteLimits.content, example: #"{"title": "Shopping"}"#)
            let draft = NoteDraft(
                title: json["title"]?.string ?? "", content: json["content"]?.string ?? "",
                folder: json["folder"]?.string ?? "", tags: json["tags"]?.array?.compactMap(\.string) ?? [])
            let note = try await notes.create(draft, key: json["key"]?.string, operation: request.operation)
            return .created(
                .record(try await view(of: note, notes), NoteView.fields), location: "/api/notes/\(note.id)")
        },
    ]

    private static let one = [
        Route(.get, "/api/notes/{id}", summary: "show a note, with text=none without its text") {
            (notes: NotesPlugin, request) in
            let note = try await notes.notes.get(try request.id)
            let page = NoteOnPage(
                view: try await view(of: note, notes), links: try await notes.links(of: note.id),
                attachments: try await notes.attachments(of: note.id),
                lock: try await notes.lock(of: note), ownName: notes.ownName)
            let isBrief = request.query["text"] == "none"
            return .output(.record(page, isBrief ? NoteOnPage.briefFields : NoteOnPage.fields))
        },
        Route(.delete, "/api/notes/{id}", summary: "move a note to the trash") { (notes: NotesPlugin, request) in
            try await notes.notes.delete(
                [try request.id], expecting: request.ifMatch.flatMap(Int.init), operation: request.operation)
            return .output(.done(notes.notes.trashTerm))
        },
        Route(.get, "/api/notes/{id}/history", summary: "list the changes of a note, newest first") {
            (notes: NotesPlugin, request) in
            .output(
                .list(
                    try await notes.notes.history(of: try request.id),
                    EntityCommands<NotesPlugin, NoteRecord>.historyFields))
        },
        Route(.post, "/api/notes/preview", summary: "render Markdown as HTML") { (_: NotesPlugin, request) in
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
        Route(.get, "/api/notes/trash", summary: "list the notes in the trash, last removed first") {
            (notes: NotesPlugin, _) in
            .output(.list(try await notes.notes.trash(), ListFields.trash))
        },
        Route(.post, "/api/notes/trash", summary: "move several notes to the trash") { (notes: NotesPlugin, request) in
            let removed = try await notes.notes.delete(try ids(request), operation: request.operation)
            return .output(.record(removed.count, ListFields.count))
        },
        Route(.post, "/api/notes/restore", summary: "restore notes from the trash") { (notes: NotesPlugin, request) in
            let restored = try await notes.notes.restore(try ids(request), operation: request.operation)
            return .output(.record(restored.count, ListFields.count))
        },
        Route(.post, "/api/notes/tags", summary: "add and remove tags of several notes") {
            (notes: NotesPlugin, request) in
            let json = try request.json()
            let changed = try await notes.notes.setTags(
                of: try ids(request), adding: json["add"]?.array?.compactMap(\.string) ?? [],
                removing: json["remove"]?.array?.compactMap(\.string) ?? [], operation: request.operation)
            return .output(.record(changed.count, ListFields.count))
        },
        Route(.post, "/api/notes/pin", summary: "pin or unpin several notes") {
            (notes: NotesPlugin, request) in
            guard let isPinned = try request.json()["pinned"]?.bool else {
                throw HubError(field: "pinned", "must be true or false")
            }
            let changed = try await notes.setPinned(isPinned, of: try ids(request), operation: request.operation)
            return .output(.record(changed.count, ListFields.count))
        },
        Route(.post, "/api/notes/move", summary: "move several notes to a folder") { (notes: NotesPlugin, request) in
            guard let folder = try request.json()["folder"]?.string else {
                throw HubError(field: "folder", "must be a string; empty for no folder")
            }
            let changed = try await notes.move(try ids(request), to: folder, operation: request.operation)
            return .output(.record(changed.count, ListFields.count))
        },
    ]

    private static func filter(_ request: RouteRequest, _ notes: NotesPlugin) throws -> NoteFilter {
        var filter = NoteFilter(words: request.query["q"] ?? "")
        filter.prefersTitles = true
        if let tag = request.query["tag"], !tag.isEmpty { filter.tags = [tag] }
        if let folder = request.query["folder"], !folder.isEmpty { filter.folder = folder }
        if let name = request.query["show"], !name.isEmpty {
            guard let shown = NoteListFilter(rawValue: name) else {
                let names = NoteListFilter.allCases.map(\.rawValue).joined(separator: ", ")
                throw HubError(field: "show", "must be one of \(names)")
            }
            shown.apply(to: &filter, for: notes.ownName)
        }
        return filter
    }

    /// The notes of a request about several, at least one.
    private static func ids(_ request: RouteRequest) throws -> [String] {
        let values = try request.json(limit: 8 << 20, example: #"{"ids": ["…"]}"#)["ids"]?.array ?? []
        let ids = values.compactMap(\.string)
        guard (1...100_000).contains(ids.count), ids.count == values.count else {
            throw HubError(field: "ids", "must be an array of 1 to 100 000 ids")
        }
        return ids
    }

    private static func view(of note: NoteRecord, _ notes: NotesPlugin) async throws -> NoteView {
        NoteView(note: note, shortID: try await notes.notes.shortID(of: note.id), backlinks: [])
    }
}

/// A note as the page shows it.
private struct NoteOnPage: Sendable {
    let view: NoteView
    let links: [NoteLink]
    let attachments: [NoteAttachment]
    let lock: NoteLock?
    let ownName: String

    /// The fields without the text.
    static let briefFields = fields.filter { $0.descriptor.name != "content" }

    static let fields: [Field<NoteOnPage>] =
        NoteView.fields.filter { $0.descriptor.name != "backlinks" }.map { field in
            Field(field.descriptor.name, field.descriptor.name, help: "as in lists") { field.value($0.view) }
        } + [
            Field("name", "NAME", help: "title, or else the first line of the text") {
                .text($0.view.note.displayName)
            },
            Field("locked", "LOCKED", help: "whether you cannot open it") { .bool($0.lock != nil) },
            Field("asked_at", "ASKED", help: "time when you asked for access, while the request is pending") {
                FieldValue($0.lock?.request?.requestedAt)
            },
            Field("owned", "OWNED", help: "whether it is yours, so that you can share it") { page in
                .bool([page.ownName, ""].contains(page.view.note.access.owner))
            },
            Field("deleted_at", "DELETED", help: "time when it was moved to the trash") {
                FieldValue($0.view.note.deletedAt)
            },
            Field("attachments", "ATTACHMENTS", help: "files, with the targets in the text that lead to them") { page in
                .list(page.attachments.map { AttachmentRoutes.value(of: $0) })
            },
            Field("links", "LINKS", help: "links, each with title, direction, and the id of the other note") { page in
                .list(
                    page.links.map { link in
                        .object([
                            .init("title", .text(link.title)), .init("direction", .text(link.direction.rawValue)),
                            .init("id", FieldValue(link.note?.id)),
                        ])
                    })
            },
        ]
}
