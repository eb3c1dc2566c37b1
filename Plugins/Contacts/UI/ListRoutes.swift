import Commands
import ContactsDomain
import HubKit

/// Contacts in the web app: the routes that every entity has, with what contacts show and are filtered by.
enum ListRoutes {
    static let entity = ContactCommands.entity.web(
        at: "/api/contacts", rowFields: rowFields, trashFields: trashFields, filters: filters, show: show,
        ids: { contacts, query in try await contacts.filter(filter(contacts, query)).map(\.id) }, list: list,
        summary: \.summary
    ) { contacts, query in
        let rows = try await contacts.rows(filter(contacts, query), offset: query.offset, limit: query.limit)
        return EntityPage(
            rows.items, total: rows.total, groups: rows.headings.map { .init($0.label, start: $0.start) })
    }

    static let all = [
        Route(
            .post, "/api/contacts/move",
            summary: "move several contacts to the book with an id, or out of their books with here",
            body: #"{"ids": ["…"], "book": "here"}"#, required: ["ids", "book"]
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try EntitySelection(request)
            let wanted = body.word("book")
            let book = try await contacts.books.all().first { $0.id == wanted }
            guard book != nil || wanted == "here" else {
                throw HubError(field: "book", "is not the id of a book")
            }
            let moved = try await contacts.books.move(body.ids, to: book, operation: request.operation)
            return EntityWeb.changed(moved.count)
        }
    ]

    /// The contacts for programs: the best matches of words first.
    @Sendable private static func list(
        _ contacts: ContactsPlugin, _ query: EntityQuery
    ) async throws -> EntityPage<ContactSummary> {
        if !query.words.allSatisfy(\.isWhitespace), query.tag == nil, query["book"] == nil, query["group"] == nil {
            let wanted = try await contacts.query(query.words)
            let found = try await contacts.search(wanted, like: query.words, limit: query.offset + query.limit + 1).rows
            return EntityPage(query, of: found)
        }
        let rows = try await contacts.rows(filter(contacts, query), offset: query.offset, limit: query.limit)
        return EntityPage(rows.items.map(\.summary), total: rows.total)
    }

    private static func filter(
        _ contacts: ContactsPlugin, _ query: EntityQuery
    ) async throws -> ContactFilter {
        var filter = ContactFilter()
        filter.query = try await contacts.query(query.words)
        filter.groups = [query["group"]].compactMap(\.self)
        filter.tags = [query.tag].compactMap(\.self)
        if let book = query["book"] { filter.books = book == "here" ? [] : [book] }
        return filter
    }

    private static let rowFields = [
        Field<ContactRows.Item>("group", "GROUP", help: "whether it is a group", column: .onRequest) {
            .bool($0.summary.isGroup)
        },
        Field<ContactRows.Item>("organization", "ORG", help: "organization and its units", column: .onRequest) {
            FieldValue($0.organization)
        },
        Field<ContactRows.Item>(
            "photo", "PHOTO", help: "a text that changes with the picture; null for no picture", column: .onRequest
        ) { FieldValue($0.photo) },
    ]

    private static let trashFields = [
        Field<Contact>("merged_into", "MERGED INTO", help: "contact that it was merged into") {
            FieldValue($0.mergedInto)
        }
    ]

    @Sendable private static func filters(_ contacts: ContactsPlugin) async throws -> [FieldValue.Member] {
        var books: [FieldValue] = []
        for book in try await contacts.books.all() {
            books.append(
                .object([
                    .init("id", .text(book.id)), .init("book", .text(book.fullName)),
                    .init("count", .integer(try await contacts.books.contactCount(book))),
                    .init("read_only", .bool(book.remote.isReadOnly)),
                ]))
        }
        let groups = try await contacts.groups().map { group in
            FieldValue.object([
                .init("id", .text(group.group.id)), .init("group", .text(group.group.name)),
                .init("count", .integer(group.members.count)),
            ])
        }
        return [
            .init("books", .list(books)), .init("groups", .list(groups)),
            try await SavedSearchCommands<ContactsPlugin>.filter(contacts),
        ]
    }

    @Sendable private static func show(
        _ contacts: ContactsPlugin, _ contact: Contact, _: RouteRequest
    ) async throws -> Output {
        let short = try await contacts.entities.shortID(of: contact.id)
        return .record(
            try await contacts.shown(contact, shortID: short), ContactView.fields + ContactView.pageFields)
    }
}
