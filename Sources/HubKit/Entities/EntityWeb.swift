package import Commands
import Storage

/// The half of an entity that browsers and other programs use: its HTTP routes, and what its pages need to know.
///
/// Both follow from the ``EntityCommands``, so that a terminal, JSON and a page name the same fields alike.
package struct EntityWeb: Sendable {
    /// The routes, below one path such as `/api/tea`.
    package let routes: [Route]
    /// The items, for the conditions of requests about one of them.
    package let item: RouteItem
    /// The path of the list.
    package let path: String
    /// The singular noun, such as `tea`.
    package let one: String
    /// The plural noun, such as `teas`.
    package let many: String
    /// Whether the items have tags.
    package let hasTags: Bool
    /// Whether earlier versions of the items can be shown and restored.
    package let hasHistory: Bool
    /// The fields of the list, without those of an item itself: its id, name, tags and revision.
    package let fields: [FieldDescriptor]
}

extension EntityWeb {
    /// The field of responses to changes of several items.
    package static let countFields = [
        Field<Int>("count", "COUNT", help: "number of changed items") { .integer($0) }
    ]

    /// Returns the response to a change of `count` items.
    package static func changed(_ count: Int) -> RouteAnswer { .output(.record(count, countFields)) }

    /// Returns tags in use as pages filter by them, each with `tag` and `count`.
    static func value(of tags: [TagUsage]) -> FieldValue {
        .list(tags.map { .object([.init("tag", .text($0.tag)), .init("count", .integer($0.count))]) })
    }

    /// The description as JSON, for the pages of a plugin.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, value) in [("path", path), ("one", one), ("many", many)] {
                json.name(name)
                json.value(value)
            }
            json.name("has_tags")
            json.value(hasTags)
            json.name("has_history")
            json.value(hasHistory)
            json.name("fields")
            json.array { json in
                for field in fields {
                    json.object { json in
                        json.name("name")
                        json.value(field.name)
                        json.name("title")
                        json.value(field.title)
                        json.name("in_list")
                        json.value(field.column != .onRequest)
                    }
                }
            }
        }
    }
}

extension EntityCommands {
    /// Returns the routes and the description of the entity.
    ///
    /// `path` is that of the list. `page` returns a part of the list on a page, whose rows are shown by the fields of the entity
    /// and by `rowFields`, which cost more to read or suit pages alone. `list` returns a part of the list for programs, in
    /// another order or read at lower cost, without `rowFields`. `filters` returns what else than tags a list can be filtered by; `show` one item, by
    /// default with the fields of the list; `trashFields` are more fields of items in the trash; `ids` the ids of all items of a
    /// list where that is cheaper than reading them.
    package func web<Row: Sendable>(
        at path: String, rowFields: [Field<Row>] = [], trashFields: [Field<Record>] = [],
        filters: @escaping @Sendable (P) async throws -> [FieldValue.Member] = { _ in [] },
        show: (@Sendable (P, Record, RouteRequest) async throws -> Output)? = nil,
        ids: (@Sendable (P, EntityQuery) async throws -> [String])? = nil,
        list: (@Sendable (P, EntityQuery) async throws -> EntityPage<Summary>)? = nil,
        summary: @escaping @Sendable (Row) -> Summary,
        page: @escaping @Sendable (P, EntityQuery) async throws -> EntityPage<Row>
    ) -> EntityWeb {
        let rows = fields(of: summary) + rowFields
        let listed =
            list.map { listRoute(path, fields(of: { (summary: Summary) in summary }), id: \.id, $0) }
            ?? listRoute(path, rows, id: { summary($0).id }, page)
        let shown =
            show ?? { plugin, record, _ in
                .record(try await entities(plugin).listed(record.summary), fields + itemFields(record))
            }
        let all = ids ?? { plugin, query in try await page(plugin, query.whole).rows.map { summary($0).id } }
        let routes =
            [listed, rowRoute(path, rows, page), idRoute(path, all), filterRoute(path, filters)]
            + itemRoutes(path, shown)
            + trashRoutes(path, trashFields) + (kind.tags == nil ? [] : tagRoutes(path))
            + (kind.versions == nil ? [] : historyRoutes(path))
        let own: Set = ["id", "name", "tags", "revision"]
        return EntityWeb(
            routes: routes, item: item(at: path), path: path, one: kind.one, many: kind.many, hasTags: kind.tags != nil,
            hasHistory: kind.versions != nil,
            fields: (fields.map(\.descriptor) + rowFields.map(\.descriptor)).filter { !own.contains($0.name) })
    }

    /// Returns the routes and the description of an entity whose items `list` returns at once, in the order of the page.
    package func web(
        at path: String, trashFields: [Field<Record>] = [],
        filters: @escaping @Sendable (P) async throws -> [FieldValue.Member] = { _ in [] },
        show: (@Sendable (P, Record, RouteRequest) async throws -> Output)? = nil,
        list: @escaping @Sendable (P, EntityQuery) async throws -> [Summary]
    ) -> EntityWeb {
        web(at: path, trashFields: trashFields, filters: filters, show: show, summary: { $0 }) { plugin, query in
            EntityPage(query, of: try await list(plugin, query))
        }
    }

    /// The items below `path`, for the conditions of requests.
    private func item(at path: String) -> RouteItem {
        RouteItem(path: path, one: kind.one) { host, id, isPrefix in
            let items = try entities(host.plugin(P.self))
            let record = try await isPrefix ? items.item(id) : items.get(id)
            return RouteItem.State(
                name: record.summary.shownName, revision: record.revision, isTrashed: record.deletedAt != nil)
        }
    }

    /// The fields of one item that its list has not.
    private func itemFields(_ record: Record) -> [Field<ListedEntity<Summary>>] {
        let more = [
            Field<ListedEntity<Summary>>("revision", "REVISION", help: "revision number, increased by every change") {
                _ in .integer(record.revision)
            },
            Field<ListedEntity<Summary>>("deleted_at", "DELETED", help: "time when it was moved to the trash") { _ in
                FieldValue(record.deletedAt)
            },
        ]
        return more.filter { field in !fields.contains { $0.descriptor.name == field.descriptor.name } }
    }

    /// The fields of the entity for a row from which `summary` gets the item. Ids are written in full.
    private func fields<Row: Sendable>(of summary: @escaping @Sendable (Row) -> Summary) -> [Field<Row>] {
        fields.map { field in
            let descriptor = field.descriptor
            return Field(
                descriptor.name, descriptor.title, help: descriptor.help, align: descriptor.alignment,
                column: descriptor.column
            ) { row in
                let item = summary(row)
                return field.value(ListedEntity(item, shortID: item.id))
            }
        }
    }

    /// The fields of the query of all lists.
    private var filters: [Route.Parameter] {
        [.init("q", "words to search for")]
            + (kind.tags == nil ? [] : [.init("tag", "only \(kind.many) with this tag")])
    }

    /// The fields of the query of lists for pages, which show any part.
    private var parameters: [Route.Parameter] {
        filters + [
            .init("offset", "number of \(kind.many) to leave out", .integer(0...1_000_000_000)), .limit(of: kind.many),
        ]
    }

    private func listRoute<Row: Sendable>(
        _ path: String, _ fields: [Field<Row>], id: @escaping @Sendable (Row) -> String,
        _ list: @escaping @Sendable (P, EntityQuery) async throws -> EntityPage<Row>
    ) -> Route {
        Route(
            .get, path, summary: "list \(kind.many)", details: "with `Link` to the next part",
            query: filters + [.cursor, .limit(of: kind.many)], fields: fields, isList: true
        ) { (plugin: P, request) in
            let query = try EntityQuery(request)
            let (offset, found) = try await part(plugin, query, id: id, list)
            let end = offset + found.rows.count
            let next =
                end >= found.total || found.rows.isEmpty
                ? nil : query.next(at: path, after: found.rows.map(id), offset: end)
            return .page(.list(found.rows, fields), next: next)
        }
    }

    /// Reads the part of a list that a query with a cursor means, and its place now: what was added or removed before it since the
    /// part before was read neither repeats an item nor leaves one out.
    private func part<Row: Sendable>(
        _ plugin: P, _ query: EntityQuery, id: (Row) -> String,
        _ list: @Sendable (P, EntityQuery) async throws -> EntityPage<Row>
    ) async throws -> (offset: Int, page: EntityPage<Row>) {
        guard let last = query.anchors.last, query.offset > 0 else {
            return (query.offset, try await list(plugin, query))
        }
        let found = try await list(plugin, query.moved(to: query.offset - 1, limit: query.limit + 1))
        if let first = found.rows.first, id(first) == last {
            return (query.offset, EntityPage(Array(found.rows.dropFirst()), total: found.total))
        }
        let ids = try await list(plugin, query.whole).rows.map(id)
        let place = query.anchors.reversed().lazy.compactMap { anchor in ids.firstIndex(of: anchor) }.first
        let offset = place.map { $0 + 1 } ?? min(query.offset, ids.count)
        return (offset, try await list(plugin, query.moved(to: offset, limit: query.limit)))
    }

    private func rowRoute<Row: Sendable>(
        _ path: String, _ fields: [Field<Row>],
        _ page: @escaping @Sendable (P, EntityQuery) async throws -> EntityPage<Row>
    ) -> Route {
        let pageFields = [
            Field<EntityPage<Row>>("total", "TOTAL", help: "number of all matching \(kind.many)") {
                .integer($0.total)
            },
            Field<EntityPage<Row>>("groups", "GROUPS", help: "headings, each with label and start") { page in
                .list(
                    page.groups.map { .object([.init("label", .text($0.label)), .init("start", .integer($0.start))]) })
            },
            Field<EntityPage<Row>>("rows", "ROWS", help: "\(kind.many) in the order of the list") { page in
                .list(page.rows.map { FieldValue($0, fields) })
            },
        ]
        return Route(
            .get, "\(path)/rows",
            summary: "list \(kind.many) as a page shows them, with their total and the headings of the list",
            query: parameters, fields: pageFields
        ) { (plugin: P, request) in
            .output(.record(try await page(plugin, try EntityQuery(request)), pageFields))
        }
    }

    private func idRoute(
        _ path: String, _ ids: @escaping @Sendable (P, EntityQuery) async throws -> [String]
    ) -> Route {
        let fields = [Field<[String]>("ids", "IDS", help: "ids of the \(kind.many)") { FieldValue($0) }]
        return Route(
            .get, "\(path)/ids", summary: "list the ids of all \(kind.many)", query: parameters, fields: fields
        ) { (plugin: P, request) in
            .output(.record(try await ids(plugin, try EntityQuery(request)), fields))
        }
    }

    private func filterRoute(
        _ path: String, _ filters: @escaping @Sendable (P) async throws -> [FieldValue.Member]
    ) -> Route {
        Route(
            .get, "\(path)/filters",
            summary:
                "list what \(kind.many) can be filtered by, each with its number of \(kind.many), and count the trash"
        ) { (plugin: P, _) in
            let items = entities(plugin)
            let tags = try await items.tags()
            let trashed = try await items.trashCount()
            let members =
                (kind.tags == nil ? [] : [.init("tags", EntityWeb.value(of: tags))]) + (try await filters(plugin))
                + [.init("trashed", .integer(trashed))]
            let fields = members.map { member in
                Field<Int>(member.name, member.name.uppercased(), help: member.name) { _ in member.value }
            }
            return .output(.record(trashed, fields))
        }
    }

    private func itemRoutes(
        _ path: String, _ show: @escaping @Sendable (P, Record, RouteRequest) async throws -> Output
    ) -> [Route] {
        [
            Route(.get, "\(path)/{id}", summary: "show a \(kind.one)", details: "whose id begins with this") {
                (plugin: P, request) in
                .output(try await show(plugin, try await entities(plugin).item(try request.id), request))
            },
            Route(
                .delete, "\(path)/{id}", summary: "move a \(kind.one) to the trash",
                details: "`If-Match` holds its revision"
            ) {
                (plugin: P, request) in
                let items = entities(plugin)
                let revision = request.ifMatch == nil ? nil : try request.revision
                try await items.delete([try request.id], expecting: revision, operation: request.operation)
                return .output(.done(items.trashTerm))
            },
        ]
    }

    private func trashRoutes(_ path: String, _ more: [Field<Record>]) -> [Route] {
        let listed = fields(of: { (record: Record) in record.summary })
        let isNamed = fields.contains { $0.descriptor.name == "name" }
        let fields =
            listed
            + (isNamed
                ? [] : [Field<Record>("name", "NAME", help: "name of the \(kind.one)") { .text($0.summary.name) }])
            + [
                Field<Record>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
                    FieldValue($0.deletedAt)
                }
            ] + more
        return [
            Route(
                .get, "\(path)/trash", summary: "list the \(kind.many) in the trash, last removed first", fields: fields
            ) {
                (plugin: P, _) in .output(.list(try await entities(plugin).trash(), fields))
            },
            Route(
                .post, "\(path)/trash", summary: "move \(kind.many) to the trash", body: #"{"ids": ["…"]}"#,
                required: ["ids"]
            ) {
                (plugin: P, request) in
                let ids = try EntitySelection(request).ids
                return EntityWeb.changed(
                    try await entities(plugin).delete(ids, operation: request.operation).count)
            },
            Route(
                .post, "\(path)/restore", summary: "restore \(kind.many) from the trash", body: #"{"ids": ["…"]}"#,
                required: ["ids"]
            ) {
                (plugin: P, request) in
                let ids = try EntitySelection(request).ids
                return EntityWeb.changed(
                    try await entities(plugin).restore(ids, operation: request.operation).count)
            },
            Route(
                .delete, "\(path)/trash", summary: "delete the \(kind.many) in the trash permanently", isForPages: true
            ) { (plugin: P, request) in
                let items = entities(plugin)
                // What was removed in this very moment goes too.
                let count = try await items.emptyTrash(
                    before: items.clock.now + .milliseconds(1), operation: request.operation)
                if count > 0 { _ = try await items.store.store.database.eraseRemains() }
                return EntityWeb.changed(count)
            },
        ]
    }

    private func tagRoutes(_ path: String) -> [Route] {
        [
            Route(
                .get, "\(path)/tags",
                summary: "list tags with their number of \(kind.many)",
                query: [.init("q", "part of their names")], fields: tagFields
            ) { (plugin: P, request) in
                let typed = kind.tags?.folded(request.query["q"] ?? "") ?? ""
                let found = try await entities(plugin).tags().filter {
                    typed.isEmpty || kind.tags?.folded($0.tag).contains(typed) == true
                }
                return .output(.list(found, tagFields))
            },
            Route(
                .post, "\(path)/tags", summary: "add and remove tags of \(kind.many)",
                body: #"{"ids": ["…"], "add": ["week"], "remove": ["draft"]}"#, required: ["ids"]
            ) {
                (plugin: P, request) in
                let body = try EntitySelection(request)
                let changed = try await entities(plugin).setTags(
                    of: body.ids, adding: body.words("add"), removing: body.words("remove"),
                    operation: request.operation)
                return EntityWeb.changed(changed.count)
            },
        ]
    }

    private func historyRoutes(_ path: String) -> [Route] {
        [
            Route(
                .get, "\(path)/{id}/history", summary: "list the changes of a \(kind.one), newest first",
                fields: Self.historyFields, isOpenToTrash: true
            ) {
                (plugin: P, request) in
                .output(.list(try await entities(plugin).history(of: try request.id), Self.historyFields))
            },
            Route(
                .get, "\(path)/{id}/at/{operation}",
                summary: "show a \(kind.one) as it was after an operation, beside what it is now",
                fields: Self.valueFields
            ) { (plugin: P, request) in
                let items = entities(plugin)
                let wanted = request.captures["operation"] ?? ""
                guard let operation = try await items.store.store.database.history.operations(matching: wanted).first,
                    operation.id == wanted
                else { throw HubError(.notFound, code: "operation-not-found", "no such operation in the history") }
                guard let values = try await items.values(of: try request.id, at: .operation(operation)) else {
                    throw HubError(.notFound, code: "not-there-then", "the \(kind.one) did not exist at that time")
                }
                return .output(.list(values, Self.valueFields))
            },
            Route(
                .post, "\(path)/{id}/restore",
                summary: "restore the version of a \(kind.one) that an operation of its history made",
                body: #"{"operation": "…"}"#, required: ["operation"], fields: fields, isOpenToTrash: true
            ) { (plugin: P, request) in
                let items = entities(plugin)
                let id = try request.id
                let wanted = try request.json(example: #"{"operation": "…"}"#)["operation"]?.string
                guard let change = try await items.history(of: id).first(where: { $0.operation.id == wanted }) else {
                    throw HubError(field: "operation", "must be the id of an operation in the history")
                }
                let restored = try await items.restore(
                    id, at: .operation(change.operation), operation: request.operation)
                return .output(.record(try await items.listed(restored.summary), fields))
            },
        ]
    }
}
