import Commands
import ContactsDomain
import HubKit
import Storage

/// The HTTP routes of the list on the page: parts of it, filters, and actions on several contacts.
enum ListRoutes {
    static let all = [
        Route(.get, "/api/contacts/rows", summary: "list a part of the contacts that match q, tag and book") {
            (contacts: ContactsPlugin, request) in
            let offset = max(0, request.query["offset"].flatMap(Int.init) ?? 0)
            let limit =
                request.query["limit"].flatMap(Int.init).map { min(max($0, 1), ContactPage.maximumCount) } ?? 100
            let rows = try await contacts.rows(try await filter(request, contacts), offset: offset, limit: limit)
            return .output(.record(rows, fields))
        },
        Route(.get, "/api/contacts/ids", summary: "list the ids of the contacts that match q, tag and book") {
            (contacts: ContactsPlugin, request) in
            let found = try await contacts.filter(try await filter(request, contacts))
            return .output(
                .record(
                    found.map(\.id), [Field("ids", "IDS", help: "ids of the contacts, by name") { FieldValue($0) }]))
        },
        Route(.get, "/api/contacts/filters", summary: "list tags and books with their number of contacts") {
            (contacts: ContactsPlugin, _) in
            var books: [(id: String, name: String, count: Int, isReadOnly: Bool)] = []
            for book in try await contacts.books.all() {
                books.append(
                    (book.id, book.fullName, try await contacts.books.contactCount(book), book.remote.isReadOnly))
            }
            let filters = Filters(
                tags: try await contacts.entities.tags(), books: books,
                trashed: try await contacts.entities.trash().count)
            return .output(.record(filters, Filters.fields))
        },
        Route(.post, "/api/contacts/tags", summary: "add and remove tags of several contacts") {
            (contacts: ContactsPlugin, request) in
            let body = try SelectionRequest(request.body)
            let changed = try await contacts.entities.setTags(
                of: try body.ids, adding: body.words("add"), removing: body.words("remove"),
                operation: request.operation)
            return .output(.record(changed.count, countFields))
        },
        Route(
            .post, "/api/contacts/move",
            summary: "move several contacts to the book with an id, or out of their books with here"
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try SelectionRequest(request.body)
            let wanted = body.word("book")
            let book = try await contacts.books.all().first { $0.id == wanted }
            guard book != nil || wanted == "here" else {
                throw HubError(field: "book", "is not the id of a book")
            }
            let moved = try await contacts.books.move(try body.ids, to: book, operation: request.operation)
            return .output(.record(moved.count, countFields))
        },
        Route(.post, "/api/contacts/trash", summary: "move several contacts to the trash") {
            (contacts: ContactsPlugin, request) in
            let removed = try await contacts.entities.delete(
                try SelectionRequest(request.body).ids, operation: request.operation)
            return .output(.record(removed.count, countFields))
        },
        Route(.get, "/api/contacts/trash", summary: "list the contacts in the trash, last removed first") {
            (contacts: ContactsPlugin, _) in
            .output(.list(try await contacts.entities.trash(), trashFields))
        },
        Route(.post, "/api/contacts/restore", summary: "restore contacts from the trash") {
            (contacts: ContactsPlugin, request) in
            let restored = try await contacts.entities.restore(
                try SelectionRequest(request.body).ids, operation: request.operation)
            return .output(.record(restored.count, countFields))
        },
    ]

    private static func filter(_ request: RouteRequest, _ contacts: ContactsPlugin) async throws -> ContactFilter {
        var filter = ContactFilter()
        filter.words = SearchQuery(request.query["q"] ?? "")
        if let tag = request.query["tag"], !tag.isEmpty { filter.tags = [tag] }
        if let book = request.query["book"], !book.isEmpty {
            filter.books = book == "here" ? [] : [book]
        }
        return filter
    }

    private static let countFields = [
        Field<Int>("contacts", "CONTACTS", help: "number of changed contacts") { .integer($0) }
    ]

    private static let trashFields = [
        Field<Contact>("id", "ID", help: "id of the contact") { .text($0.id) },
        Field<Contact>("name", "NAME", help: "name of the contact") { .text($0.summary.shownName) },
        Field<Contact>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
            FieldValue($0.deletedAt)
        },
        Field<Contact>("merged_into", "MERGED INTO", help: "contact that it was merged into") {
            FieldValue($0.mergedInto)
        },
    ]

    private static let fields = [
        Field<ContactRows>("total", "TOTAL", help: "number of all matching contacts") { .integer($0.total) },
        Field<ContactRows>("letters", "LETTERS", help: "headings, each with label and start") { rows in
            .list(
                rows.headings.map {
                    .object([.init("label", .text($0.label)), .init("start", .integer($0.start))])
                })
        },
        Field<ContactRows>("contacts", "CONTACTS", help: "contacts in the order of the list") { rows in
            .list(
                rows.items.map { item in
                    .object([
                        .init("id", .text(item.summary.id)), .init("name", .text(item.summary.shownName)),
                        .init("phone", .text(item.summary.phone)), .init("email", .text(item.summary.email)),
                        .init("tags", FieldValue(item.summary.tags)), .init("organization", .text(item.organization)),
                        .init("photo", FieldValue(item.photo)),
                    ])
                })
        },
    ]
}

/// What the list can be filtered by.
private struct Filters: Sendable {
    let tags: [TagUsage]
    let books: [(id: String, name: String, count: Int, isReadOnly: Bool)]
    let trashed: Int

    static let fields = [
        Field<Filters>("tags", "TAGS", help: "tags, each with name and count") { filters in
            .list(filters.tags.map { .object([.init("name", .text($0.tag)), .init("count", .integer($0.count))]) })
        },
        Field<Filters>("books", "BOOKS", help: "books, each with id, name, count and read_only") { filters in
            .list(
                filters.books.map { book in
                    .object([
                        .init("id", .text(book.id)), .init("name", .text(book.name)),
                        .init("count", .integer(book.count)), .init("read_only", .bool(book.isReadOnly)),
                    ])
                })
        },
        Field<Filters>("trashed", "TRASHED", help: "number of contacts in the trash") { .integer($0.trashed) },
    ]
}

/// The JSON body of a request about several contacts: `{"ids": [...], …}`.
struct SelectionRequest {
    private let value: JSONValue

    /// The maximum number of contacts in one request.
    private static let maximumIDs = 100_000

    init(_ body: [UInt8]) throws {
        do {
            value = try JSONReader.read(body, limits: JSONReader.Limits(bytes: 8 << 20, depth: 4))
        } catch {
            throw SelectionRequest.invalid("at byte \(error.offset)")
        }
    }

    /// The ids of the contacts, at least one.
    var ids: [String] {
        get throws {
            let ids = words("ids")
            guard (1...SelectionRequest.maximumIDs).contains(ids.count), ids.count == value["ids"]?.array?.count else {
                throw SelectionRequest.invalid("\"ids\" must be an array of 1 to \(SelectionRequest.maximumIDs) ids")
            }
            return ids
        }
    }

    /// The texts in the array `name`; empty if it is missing.
    func words(_ name: String) -> [String] { value[name]?.array?.compactMap(\.string) ?? [] }

    /// The text `name`; nil if it is missing.
    func word(_ name: String) -> String? { value[name]?.string }

    private static func invalid(_ why: String) -> HubError {
        HubError(
            .invalid, code: "selection-invalid", "the body does not name contacts", details: [why],
            hint: #"send an object such as {"ids": ["…"]}"#)
    }
}
