import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import Tea

/// The routes of the toy plugin, and its background services.
struct TeaRouteTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(TeaPlugin.self) }

    private func json(_ response: HTTPResponse) throws -> JSONValue { try JSONReader.read(Array(response.text.utf8)) }

    @Test func `a tea is added, read, changed, brewed and removed over HTTP`() async throws {
        let added = try await hub.request(.post, "/api/tea", #"{"name": "Sencha", "grams": 100}"#)
        #expect(added.status == 201)
        let place = try #require(added.headers["Location"])
        #expect(try json(added)["name"]?.string == "Sencha")
        let brewed = try await hub.request(.post, place + "/brew")
        #expect(try json(brewed)["grams"]?.integer == 95)
        let revision = try #require(try json(brewed)["revision"]?.integer)
        let body = #"{"name": "Gyokuro", "grams": 20}"#
        let changed = try await hub.request(.put, place, body, headers: ["If-Match": "\"\(revision)\""])
        #expect(try json(changed)["name"]?.string == "Gyokuro")
        let late = await #expect(throws: HubError.self) {
            try await hub.request(.put, place, body, headers: ["If-Match": "\(revision)"])
        }
        #expect(late?.code == "edit-conflict")
        let list = try json(try await hub.request(.get, "/api/tea?q=gyo&limit=5"))
        #expect(list.array?.compactMap { $0["grams"]?.integer } == [20])
        let removed = try await hub.request(.delete, place)
        #expect(try json(try await hub.request(.get, "/api/tea")).array?.isEmpty == true)
        let operation = try #require(removed.headers["Hub-Operation"])
        let undone = try await hub.request(.post, "/api/undo", #"{"operation": "\#(operation)"}"#)
        #expect(undone.status == 200)
        #expect(try json(try await hub.request(.get, place))["name"]?.string == "Gyokuro")
    }

    private func ids(_ names: String...) async throws -> [String] {
        var ids: [String] = []
        for name in names {
            let added = try await hub.request(.post, "/api/tea", #"{"name": "\#(name)", "grams": \#(10 + ids.count)}"#)
            ids.append(try #require(try json(added)["id"]?.string))
        }
        return ids
    }

    private func names(_ path: String) async throws -> [String?] {
        try json(try await hub.request(.get, path)).array?.map { $0["name"]?.string } ?? []
    }

    @Test func `a cursor neither repeats an item nor leaves one out when the list changes between two parts`()
        async throws
    {
        _ = try await ids("Assam", "Bancha", "Ceylon", "Dooars", "Earl Grey")
        func next(_ response: HTTPResponse) throws -> String {
            String(try #require(response.headers["Link"]?.dropFirst().prefix { $0 != ">" }))
        }
        let first = try await hub.request(.get, "/api/tea?limit=3")
        let names = try json(first).array?.compactMap { $0["name"]?.string } ?? []
        #expect(names == ["Earl Grey", "Dooars", "Ceylon"])
        let cursor = try next(first)
        // It stands before the others by each order of the list.
        _ = try await hub.request(.post, "/api/tea", #"{"name": "Fujian", "grams": 99}"#)
        #expect(try await self.names(cursor) == ["Bancha", "Assam"], "one was added before")
        let gone = try json(first).array?.compactMap { $0["id"]?.string } ?? []
        _ = try await hub.request(.delete, "/api/tea/\(gone[2])")
        #expect(try await self.names(cursor) == ["Bancha", "Assam"], "the last one before is gone")
        _ = try await hub.request(.delete, "/api/tea/\(gone[0])")
        #expect(try await self.names(cursor) == ["Bancha", "Assam"])
        for wrong in ["x", "2", "-1.a", "1.a.b.c.d"] {
            await #expect(throws: HubError.self) { try await hub.request(.get, "/api/tea?cursor=\(wrong)") }
        }
    }

    @Test func `the routes of an entity list its items in parts, with the fields of the command`() async throws {
        let ids = try await ids("Assam", "Sencha", "Gyokuro")
        let first = try await hub.request(.get, "/api/tea?limit=2")
        // A cursor holds the ids of the last items before it.
        let next = "/api/tea?cursor=2.\(ids[2]).\(ids[1])&limit=2"
        #expect(first.headers["Link"] == "<\(next)>; rel=\"next\"")
        #expect(try json(first).array?.compactMap { $0["name"]?.string } == ["Gyokuro", "Sencha"])
        let last = try await hub.request(.get, next)
        #expect(last.headers["Link"] == nil)
        #expect(try json(last).array?.compactMap { $0["name"]?.string } == ["Assam"])
        let command = try JSONReader.read(Array(await hub.run("tea list --sort grams --reverse --json").output.utf8))
        #expect(try json(last).array?[0] == command.array?[2])
        let rows = try json(try await hub.request(.get, "/api/tea/rows?offset=1&limit=1&q=a"))
        #expect(rows["total"]?.integer == 1 && rows["rows"]?.array?.isEmpty == true)
        #expect(rows["groups"]?.array?.isEmpty == true)
        let all = try json(try await hub.request(.get, "/api/tea/ids"))
        #expect(all["ids"]?.array?.compactMap(\.string) == ids.reversed())
        let one = try json(try await hub.request(.get, "/api/tea/\(ids[0].prefix(6))"))
        #expect(one["id"]?.string == ids[0] && one["revision"]?.integer == 1 && one["deleted_at"] == .null)
    }

    @Test func `the routes of an entity tag, filter, remove, restore and delete for good`() async throws {
        let ids = try await ids("Assam", "Sencha", "Gyokuro")
        let two = #""ids": ["\#(ids[1])", "\#(ids[2])"]"#
        func changed(_ method: HTTPMethod, _ path: String, _ body: String = "") async throws -> Int? {
            try json(try await hub.request(method, path, body))["count"]?.integer
        }
        #expect(try await changed(.post, "/api/tea/tags", #"{\#(two), "add": ["Green", "new"], "remove": ["x"]}"#) == 2)
        #expect(try await names("/api/tea?tag=Green") == ["Gyokuro", "Sencha"])
        let tags = try json(try await hub.request(.get, "/api/tea/tags?q=REE"))
        #expect(tags.array?.map { [$0["tag"]?.string, $0["count"].map { "\($0.integer ?? 0)" }] } == [["Green", "2"]])
        let removed = try await hub.request(.post, "/api/tea/trash", "{\(two)}")
        #expect(try json(removed)["count"]?.integer == 2)
        #expect(try await Set(names("/api/tea/trash")) == ["Sencha", "Gyokuro"])
        let filters = try json(try await hub.request(.get, "/api/tea/filters"))
        #expect(filters["trashed"]?.integer == 2 && filters["tags"]?.array?.isEmpty == true)
        #expect(try await changed(.post, "/api/tea/restore", #"{"ids": ["\#(ids[1])"]}"#) == 1)
        #expect(try await changed(.delete, "/api/tea/trash") == 1)
        #expect(try await names("/api/tea/trash") == [])
        #expect(try await names("/api/tea") == ["Sencha", "Assam"])
        #expect(await hub.run("history tea:\(ids[2])").exit != 0)
    }

    @Test func `the history of an item leads back to each of its versions`() async throws {
        let id = try #require(try await ids("Assam").first)
        let body = #"{"name": "Darjeeling", "grams": 1}"#
        _ = try await hub.request(.put, "/api/tea/\(id)", body, headers: ["If-Match": "1"])
        let changes = try json(try await hub.request(.get, "/api/tea/\(id)/history"))
        #expect(changes.array?.compactMap { $0["verb"]?.string } == ["changed", "created"])
        let first = try #require(changes.array?[1]["operation"]?.string)
        let restored = try await hub.request(.post, "/api/tea/\(id)/restore", #"{"operation": "\#(first)"}"#)
        #expect(try json(restored)["name"]?.string == "Assam" && json(restored)["grams"]?.integer == 10)
        let error = await #expect(throws: HubError.self) {
            try await hub.request(.post, "/api/tea/\(id)/restore", #"{"operation": "x"}"#)
        }
        #expect(error?.code == "field-invalid")
    }

    @Test func `a page without HTML of its plugin is that of its first entity`() async throws {
        let shell = try WebShell([TeaPlugin.descriptor])
        let route = try #require(WebRoute.page(of: TeaPlugin.descriptor, in: shell))
        let request = HTTPRequest(method: .get, target: try #require(RequestTarget("/tea")), headers: [:])
        let page = try await route.handler(request, [:]).text
        #expect(page.contains("<section class=\"split-list\" aria-label=\"List of teas\">"))
        #expect(page.contains("data-entities=\"[{&quot;path&quot;:&quot;/api/tea&quot;"))
    }

    @Test(arguments: [
        (HTTPMethod.post, "/api/tea/trash", #"{"ids": []}"#, "field-invalid"),
        (.post, "/api/tea/restore", #"{"ids": ["7kt"]}"#, "tea-not-in-trash"),
        (.post, "/api/tea/tags", #"{"ids": [1]}"#, "field-invalid"),
        (.get, "/api/tea?offset=-1", "", "field-invalid"), (.delete, "/api/tea/7kt", "", "tea-not-found"),
        (.post, "/api/tea", "x", "json-invalid"), (.post, "/api/tea", "[]", "json-invalid"),
        (.post, "/api/tea", #"{"name": " ", "grams": 1}"#, "field-invalid"),
        (.post, "/api/tea", #"{"name": "A", "grams": "1"}"#, "field-invalid"),
        (.put, "/api/tea/7kt", #"{"name": "A", "grams": 1}"#, "revision-missing"),
        (.get, "/api/tea?limit=0", "", "field-invalid"), (.get, "/api/tea/7kt", "", "tea-not-found"),
    ])
    func `an invalid request is refused`(method: HTTPMethod, path: String, body: String, code: String) async throws {
        let error = await #expect(throws: HubError.self) { try await hub.request(method, path, body) }
        #expect(error?.code == code)
    }

    @Test func `the service reminds of low teas at start and after each interval, once a day`() async throws {
        let clock = ManualClock(now: FixedClock.noon)
        let database = Database(at: .memory, plugins: [TeaPlugin.descriptor.schema], clock: clock, executors: .queues)
        let plugin = TeaPlugin(context: .testing(database.store(for: "tea"), clock: clock))
        func reminders() async throws -> [String] {
            let events = try await database.store(for: "core").read {
                try $0.recentEvents(matching: ["app.tea/leaves-low"], since: nil, limit: 10)
            }
            return try events.compactMap { EventNotification(try $0.event.fields())?.title }
        }
        let operation = Operation("tea new")
        _ = try await plugin.add("Assam", grams: 12, operation: operation)
        struct Host: PluginHost {
            let plugin: TeaPlugin
            func plugin<P: Sendable>(_ type: P.Type) throws -> P { try #require(plugin as? P) }
        }
        let declaration = try #require(TeaPlugin.descriptor.services.first { $0.id == "leaves" })
        let service = try declaration.make(Host(plugin: plugin))
        let running = Task { try await service.run() }
        await clock.sleepers(atLeast: 1)
        #expect(try await reminders() == ["Assam is running out"])
        _ = try await plugin.add("Sencha", grams: 5, operation: operation)
        clock.advance(by: .seconds(900))
        await clock.sleepers(atLeast: 1)
        #expect(try await Set(reminders()) == ["Assam is running out", "Sencha is running out"])
        #expect(try await reminders().count == 2)
        clock.advance(by: .seconds(86_400))
        await clock.sleepers(atLeast: 1)
        #expect(try await reminders().count == 4)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test func `each change publishes an event that the plugin declares`() async throws {
        await hub.run("tea new Assam --grams 12")
        await hub.run("tea brew assam")
        await hub.run("tea rm assam --yes")
        let declared = Set(TeaPlugin.descriptor.emits.map(\.topic.text))
        let published = await hub.run("events list --plain=topic").output.split(separator: "\n").map(String.init)
        #expect(
            Set(published).isSuperset(of: ["domain.tea/tea-added", "domain.tea/tea-changed", "domain.tea/tea-removed"]))
        #expect(Set(published).subtracting(declared).filter { $0.contains("tea") } == [])
    }
}
