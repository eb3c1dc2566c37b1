import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Queries
import SQLite
import Storage
import TestSupport
import Testing
import WebServer

/// A shelf of the pantry, the item of these examples.
struct Shelf: EntityRecord, EntitySummary {
    let id: String
    var name: String
    var place: String
    var tags: [String] = []
    var revision = 1
    var deletedAt: Instant?
}

extension Shelf {
    // example
    /// A shelf is found by its place, such as `A3`, before it is found by its name.
    static let selectors: EntitySelectors<Shelf> = EntitySelectors { text, inTrash, transaction in
        let all = try transaction.shelves(inTrash: inTrash)
        let there = all.filter { $0.place == text.uppercased() }
        return there.isEmpty ? all.filter { $0.name == text } : there
    } nearest: { text, inTrash, transaction in
        let all = try transaction.shelves(inTrash: inTrash)
        let name = Suggestion.nearest(to: text, in: all.map(\.name))
        return all.filter { $0.name == name }
    }
    // end

    // example
    /// History tells where a shelf was, and puts it back there.
    static let versions: EntityVersions<Shelf> = EntityVersions { (changes: [RowChange]) in
        changes.compactMap { change in change.after["place"].map { "placed at \($0)" } }
    } read: { rows, _ in
        rows["shelves_shelf"]?.first?["place"]?.description
    } differences: { (before: String?, after: String?) in
        before == after ? [] : [VersionDifference("place", before: before ?? "", after: after ?? "")]
    } restore: { id, place, transaction in
        var shelf = try kind.item(id, in: transaction)
        shelf.place = place
        return try transaction.save(shelf)
    }
    // end

    // example
    /// The timeline tells what else a shelf was: what its versions do not hold.
    static let past = EntityPast { _, rows in
        [("name", rows.text("name", of: "shelves_shelf"))]
    }
    // end

    // example
    static let tagging: EntityTags<Shelf> = EntityTags(\.tags, folded: { $0.lowercased() }) { transaction in
        let used = Dictionary(grouping: try transaction.shelves(inTrash: false).flatMap(\.tags), by: { $0 })
        return used.sorted { $0.key < $1.key }.map { TagUsage($0.key, count: $0.value.count) }
    } tagged: { tags, words, transaction in
        try transaction.shelves(inTrash: false).filter { shelf in
            Set(tags).isSubset(of: shelf.tags) && (words.isEmpty || shelf.name.contains(words))
        }
    } change: { id, transaction, change in
        var shelf = try kind.live(id, in: transaction)
        let before = shelf.tags
        change(&shelf.tags)
        return shelf.tags == before ? nil : try transaction.save(shelf)
    }
    // end

    static let kind: EntityKind<Shelf> = EntityKind(
        one: "shelf", many: "shelves", command: "hub shelves", table: "shelves_shelf",
        topics: EntityTopics(plugin: "shelves", one: "shelf", many: "shelves"), selectors: selectors,
        rules: EntityKind<Shelf>.Rules(destroy: { id, transaction in
            try transaction.run("DELETE FROM shelves_shelf WHERE id = ?", id)
        }), tags: tagging, versions: versions, past: past
    ) { id, transaction in
        try transaction.shelves("WHERE id = ?", [id]).first
    }
}

extension Transaction {
    fileprivate func shelves(inTrash: Bool) throws -> [Shelf] {
        try shelves("WHERE (deleted_at IS NOT NULL) = ? ORDER BY place", [inTrash])
    }

    fileprivate func shelves(_ condition: String, _ arguments: [any Bindable]) throws -> [Shelf] {
        try rows(
            "SELECT id, name, place, tags, revision, deleted_at FROM shelves_shelf \(condition)", arguments: arguments
        ) { row in
            Shelf(
                id: row.text(0), name: row.text(1), place: row.text(2),
                tags: row.text(3).split(separator: " ").map(String.init), revision: row.int(4),
                deletedAt: row.optionalInt(5).map { Instant(milliseconds: Int64($0)) })
        }
    }

    fileprivate func save(_ shelf: Shelf) throws -> Shelf {
        try run(
            """
            INSERT INTO shelves_shelf VALUES (?1, ?2, ?3, ?4, 1, ?5, NULL) ON CONFLICT (id) DO UPDATE
            SET name = ?2, place = ?3, tags = ?4, revision = revision + 1, changed_at = ?5
            """, shelf.id, shelf.name, shelf.place, shelf.tags.joined(separator: " "), now.milliseconds)
        return try Shelf.kind.item(shelf.id, in: self)
    }
}

// example
/// A store in front of the plugin's own: places are written in capitals before anything is read.
struct TidyStore: EntityStore {
    let store: Store

    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        try await store.write(Operation("shelves tidy", kind: .cache)) { transaction in
            _ = try transaction.run("UPDATE shelves_shelf SET place = upper(place) WHERE place <> upper(place)")
        }
        return try await store.read(body)
    }

    func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await store.write(operation, body)
    }
}
// end

// example
extension Shelves: SearchPlugin {
    /// Queries with names, which stand for them as `@name`.
    var savedSearches: SavedSearches {
        SavedSearches(in: context.store, table: "shelves_search", topic: "domain.shelves/shelves-changed")
    }

    static let searchTexts = SavedSearchTexts(
        plugin: "shelves", many: "shelves",
        examples: [("low", "floor door", "used as @low"), ("dry", "@low attic", "with another one in it")])

    func isEmptyQuery(_ query: String, saved: [String: String]) throws(QueryError) -> Bool {
        try SavedSearch.parts(of: query, saved: saved).isEmpty
    }

    static let searches: Command = SavedSearchCommands<Shelves>.group
    static let searchRoutes: [Route] = SavedSearchCommands<Shelves>.routes
}
// end

struct Shelves: Plugin {
    let context: Context
    let shelves: Entities<Shelf>

    init(context: Context) {
        self.context = context
        shelves = Entities(Shelf.kind, in: TidyStore(store: context.store), context: context)
    }

    static let descriptor = PluginDescriptor(
        id: "shelves", title: "Shelves", summary: "shelves", content: "shelves", firstStep: "hub shelves list",
        schema: PluginSchema(
            owner: "shelves",
            migrations: [
                Migration(
                    "0001-shelves",
                    """
                    CREATE TABLE shelves_shelf (
                        id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, tags TEXT NOT NULL,
                        revision INTEGER NOT NULL, changed_at INTEGER NOT NULL, deleted_at INTEGER) STRICT;
                    CREATE TABLE shelves_search (id TEXT PRIMARY KEY, query TEXT NOT NULL) STRICT;
                    """)
            ],
            recorded: [
                RecordedTable("shelves_shelf", subject: "id"), RecordedTable("shelves_search", subject: "id"),
            ],
            announce: { ids, transaction in
                try Shelf.kind.announce(ids.filter { !SavedSearch.isID($0) }, in: transaction)
            }),
        command: Command(group: "shelves", summary: "shelves", view: "list", subcommands: ShelfCommands.all),
        page: PageDeclaration(icon: #"<path d="M4 6h16M4 12h16M4 18h16"/>"#),
        routes: [ShelfCommands.move] + searchRoutes,
        emits: Shelf.kind.topics.declarations(one: "shelf", many: "shelves"),
        entities: [EntityDeclaration(ShelfCommands.shelves, web: ShelfCommands.web)])
}

enum ShelfCommands {
    static let fields: [Field<ListedEntity<Shelf>>] = [
        .id(of: "shelf"), .name("SHELF", of: "shelf"),
        Field("place", "PLACE", help: "place of the shelf") { .text($0.summary.place) },
        Field("tags", "TAGS", help: "tags of the shelf") { FieldValue($0.summary.tags) },
    ]

    static let shelves = EntityCommands(
        Shelf.kind, valueName: "SHELF", oneForm: "id, place, name, or last", manyForms: "ids, places, names, last",
        fields: fields,
        complete: { plugin, _ in try await plugin.shelves.store.read { try $0.shelves(inTrash: false) } }
    ) { (plugin: Shelves) in plugin.shelves }

    static let all =
        [
            shelves.search(examples: [Example("hub shelves search top", "by name")]) { plugin, words in
                try await plugin.shelves.store.read { try $0.shelves(inTrash: false) }
                    .filter { shelf in words.allSatisfy { shelf.name.contains($0) } }
            }
        ] + shelves.common + [Shelves.searches]

    // example
    /// Rows are grouped by the letter of their place. `EntityQuery` says which part of the list a page shows.
    static let web: EntityWeb = shelves.web(at: "/api/shelves", summary: { $0 }) { (plugin, query: EntityQuery) in
        let all = try await plugin.shelves.store.read { try $0.shelves(inTrash: false) }.filter { shelf in
            query.words.isEmpty || shelf.name.contains(query.words)
        }
        var groups: [EntityPage<Shelf>.Group] = []
        for (start, shelf) in all.enumerated() where groups.last?.label != String(shelf.place.prefix(1)) {
            groups.append(.init(String(shelf.place.prefix(1)), start: start))
        }
        let part = EntityPage(query, of: all)
        return EntityPage(part.rows, total: part.total, groups: groups)
    }

    /// A request about several items.
    static let move = Route(.post, "/api/shelves/move", summary: "put shelves somewhere else") {
        (plugin: Shelves, request: RouteRequest) in
        let selection = try EntitySelection(request)
        guard let place = selection.word("place") else { throw HubError(field: "place", "is missing") }
        try await plugin.shelves.store.write(request.operation) { transaction in
            for id in selection.ids {
                var shelf = try Shelf.kind.live(id, in: transaction)
                shelf.place = place
                _ = try transaction.save(shelf)
            }
        }
        return EntityWeb.changed(selection.ids.count)
    }
    // end
}

/// What an entity may do in its own way: selectors, tags, history, a store in front, its page.
struct EntityExamples {
    private let hub: TestHub

    init() throws { hub = try TestHub(Shelves.self) }

    private func add(_ name: String, at place: String) async throws -> String {
        let host = hub.hub()
        let store = try host.plugin(Shelves.self).shelves.store
        let id = Identifier.make()
        try await store.write(Operation("shelves new")) { transaction in
            _ = try transaction.save(Shelf(id: id, name: name, place: place))
        }
        await host.openedDatabase?.close()
        return id
    }

    @Test func `items are found by selectors of their own`() async throws {
        _ = try await add("top", at: "a3")
        #expect(await hub.run("shelves tag a3 dry").exit == 0)
        #expect(await hub.run("shelves tags --plain=tag,count").output == "dry\t1\n")
        #expect(await hub.run("shelves rm tap").messages.contains("did you mean top"))
    }

    @Test func `history is told in the words of the plugin`() async throws {
        let id = try await add("top", at: "A3")
        hub.clock.advance(by: .seconds(60))
        let body = #"{"ids": ["\#(id)"], "place": "B1"}"#
        #expect(try await hub.request(.post, "/api/shelves/move", body).text.contains("1"))
        let history = await hub.run("shelves history top").output
        #expect(history.contains("placed at B1"), "\(history)")
        let differences = await hub.run("shelves diff top --since 1min --plain").output
        #expect(differences.contains("A3") && differences.contains("B1"), "\(differences)")
    }

    @Test func `a search is saved under a name by the terminal and by the page`() async throws {
        #expect(await hub.run("shelves searches save low floor").exit == 0)
        let body = ##"{"name": "both", "query": "@low door"}"##
        #expect(try await hub.request(.post, "/api/shelves/searches", body).text.contains("both"))
        #expect(await hub.run("shelves searches --plain=name,query").output == "both\t@low door\nlow\tfloor\n")
        #expect(try await hub.request(.put, "/api/shelves/searches/low", #"{"name": "deep"}"#).text.contains("floor"))
        #expect(await hub.run("shelves searches --plain=query").output == "@deep door\nfloor\n")
        #expect(await hub.run("shelves searches rm deep").exit != 0)
    }

    @Test func `a page shows a part of a list with its headings`() async throws {
        for (name, place) in [("top", "A3"), ("low", "A1"), ("door", "B1")] { _ = try await add(name, at: place) }
        let rows = try await hub.request(.get, "/api/shelves/rows?offset=1&limit=1").text
        #expect(rows.contains("top") && !rows.contains("door") && rows.contains("\"B\""), "\(rows)")
    }
}
