import Commands
import HubKit
import NotesDomain
import Storage

/// The fields of the routes that list notes.
enum ListFields {
    static let page = [
        Field<NoteListPage>("total", "TOTAL", help: "number of all matching notes") { .integer($0.total) },
        Field<NoteListPage>("pinned", "PINNED", help: "number of pinned notes at the beginning") {
            .integer($0.pinned)
        },
        Field<NoteListPage>("notes", "NOTES", help: "notes in the order of the list") { page in
            .list(
                page.rows.map { row in
                    .object([
                        .init("id", .text(row.note.id)), .init("name", .text(row.note.name)),
                        .init("excerpt", .text(row.excerpt)), .init("tags", FieldValue(row.note.tags)),
                        .init("folder", .text(row.note.folder)), .init("pinned", .bool(row.note.isPinned)),
                        .init("shared", .bool(row.note.access.isShared)),
                        .init("owner", .text(row.note.access.owner)),
                        .init("changed_at", .instant(row.note.changedAt)),
                    ])
                })
        },
    ]

    static let filters = [
        Field<NoteFilters>("tags", "TAGS", help: "tags, each with name and count") { filters in
            .list(filters.tags.map { counted($0.tag, $0.count) })
        },
        Field<NoteFilters>("folders", "FOLDERS", help: "folders, each with name and count") { filters in
            .list(filters.folders.map { counted($0.folder, $0.count) })
        },
        Field<NoteFilters>("shows", "SHOWS", help: "values of show, each with name and count") { filters in
            .list(filters.counts.map { counted($0.filter.rawValue, $0.count) })
        },
        Field<NoteFilters>("trashed", "TRASHED", help: "number of notes in the trash") { .integer($0.trashed) },
        Field<NoteFilters>("requests", "REQUESTS", help: "number of requests for access") { .integer($0.requests) },
    ]

    private static func counted(_ name: String, _ count: Int) -> FieldValue {
        .object([.init("name", .text(name)), .init("count", .integer(count))])
    }

    static let trash = [
        Field<NoteRecord>("id", "ID", help: "id of the note") { .text($0.id) },
        Field<NoteRecord>("name", "NAME", help: "title, or else the first line of the text") { .text($0.displayName) },
        Field<NoteRecord>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
            FieldValue($0.deletedAt)
        },
    ]

    static let count = [Field<Int>("notes", "NOTES", help: "number of changed notes") { .integer($0) }]
}
