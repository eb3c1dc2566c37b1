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

    @Test(arguments: [
        (HTTPMethod.post, "/api/tea", "x", "json-invalid"), (.post, "/api/tea", "[]", "json-invalid"),
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
