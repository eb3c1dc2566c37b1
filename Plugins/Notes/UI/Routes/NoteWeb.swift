import Commands
import HubKit
import NotesDomain

/// Notes in the web app: the routes that every entity has, with what notes show and are filtered by.
enum NoteWeb {
    static let entity = NoteCommands.entity.web(
        at: "/api/notes", rowFields: rowFields, filters: filters, show: show, list: list, summary: \.note
    ) { notes, query in
        let page = try await notes.rows(try await filter(query, notes), offset: query.offset, limit: query.limit)
        let isParted = page.pinned > 0 && page.pinned < page.total
        return EntityPage(
            page.rows, total: page.total,
            groups: isParted ? [.init("Pinned", start: 0), .init("Notes", start: page.pinned)] : [])
    }

    /// The notes for programs: the best matches of words first.
    @Sendable private static func list(
        _ notes: NotesPlugin, _ query: EntityQuery
    ) async throws -> EntityPage<NoteSummary> {
        if !query.words.allSatisfy(\.isWhitespace), query.tag == nil, query["folder"] == nil, query["show"] == nil {
            let filter = try await notes.filter(query.words)
            let found = try await notes.search(filter, limit: query.offset + query.limit)
            return EntityPage(found.hits.dropFirst(query.offset).map(\.note), total: found.total)
        }
        let page = try await notes.rows(try await filter(query, notes), offset: query.offset, limit: query.limit)
        return EntityPage(page.rows.map(\.note), total: page.total)
    }

    private static let rowFields = [
        Field<NoteRow>("excerpt", "EXCERPT", help: "part of the text", column: .onRequest) { .text($0.excerpt) },
        Field<NoteRow>("shared", "SHARED", help: "whether others can open it too", column: .onRequest) {
            .bool($0.note.access.isShared)
        },
        Field<NoteRow>(
            "owner", "OWNER", help: "owner on a server; empty for a note of this machine", column: .onRequest
        ) {
            .text($0.note.access.owner)
        },
    ]

    @Sendable private static func filters(_ notes: NotesPlugin) async throws -> [FieldValue.Member] {
        let filters = try await notes.filters()
        return [
            .init("folders", .list(filters.folders.map { counted("folder", $0.folder, $0.count) })),
            .init("shows", .list(filters.counts.map { counted("show", $0.filter.rawValue, $0.count) })),
            .init("requests", .integer(filters.requests)),
            try await SavedSearchCommands<NotesPlugin>.filter(notes),
        ]
    }

    private static func counted(_ name: String, _ value: String, _ count: Int) -> FieldValue {
        .object([.init(name, .text(value)), .init("count", .integer(count))])
    }

    private static func filter(_ query: EntityQuery, _ notes: NotesPlugin) async throws -> NoteFilter {
        var filter = try await notes.filter(query.words)
        filter.prefersTitles = true
        filter.tags += [query.tag].compactMap(\.self)
        filter.folder = query["folder"] ?? filter.folder
        guard let name = query["show"] else { return filter }
        guard let shown = NoteListFilter(rawValue: name) else {
            let names = NoteListFilter.allCases.map(\.rawValue).joined(separator: ", ")
            throw HubError(field: "show", "must be one of \(names)")
        }
        shown.apply(to: &filter, for: notes.ownName)
        return filter
    }

    @Sendable private static func show(
        _ notes: NotesPlugin, _ note: NoteRecord, _ request: RouteRequest
    ) async throws -> Output {
        let page = NoteOnPage(
            view: NoteView(note: note, shortID: note.id, backlinks: []), links: try await notes.links(of: note.id),
            staleLinks: try await notes.staleLinkCount(to: note.id),
            attachments: try await notes.attachments(of: note.id), lock: try await notes.lock(of: note),
            isReader: try await notes.isReader(of: note), publicURL: try await notes.publicURL(of: note.id),
            ownName: notes.ownName)
        return .record(page, request.query["text"] == "none" ? NoteOnPage.briefFields : NoteOnPage.fields)
    }
}

/// A note as the page shows it.
struct NoteOnPage: Sendable {
    let view: NoteView
    let links: [NoteLink]
    let staleLinks: Int
    let attachments: [NoteAttachment]
    let lock: NoteLock?
    let isReader: Bool
    let publicURL: String?
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
            Field("read_only", "READ ONLY", help: "whether its owner lets you only read it") { .bool($0.isReader) },
            Field("asked_at", "ASKED", help: "time when you asked for access, while the request is pending") {
                FieldValue($0.lock?.request?.requestedAt)
            },
            Field("owned", "OWNED", help: "whether it is yours, so that you can share it") { page in
                .bool([page.ownName, ""].contains(page.view.note.access.owner))
            },
            Field("public_url", "PUBLIC LINK", help: "address at which everyone can read it; null for none") {
                FieldValue($0.publicURL)
            },
            Field("deleted_at", "DELETED", help: "time when it was moved to the trash") {
                FieldValue($0.view.note.deletedAt)
            },
            Field("attachments", "ATTACHMENTS", help: "files, with the targets in the text that lead to them") { page in
                .list(page.attachments.map { AttachmentRoutes.value(of: $0) })
            },
            Field("stale_links", "STALE LINKS", help: "number of links in other notes that use a former name") {
                .integer($0.staleLinks)
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
