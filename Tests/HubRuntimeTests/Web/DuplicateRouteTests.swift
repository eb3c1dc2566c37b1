import Commands
import Contacts
import HubKit
import HubRuntimeTesting
import Storage
import Testing

@testable import HubRuntime

/// Duplicates over HTTP: the same use cases as the commands.
struct DuplicateRouteTests {
    private func call(
        _ hub: TestHub, _ method: Route.Method, _ pattern: String, _ body: String = "", query: [String: String] = [:]
    ) async throws -> Output {
        let route = try #require(
            ContactsPlugin.descriptor.routes.first { $0.method == method && $0.pattern == pattern })
        let host = hub.hub()
        let request = RouteRequest(
            captures: [:], query: query, ifMatch: nil, body: Array(body.utf8), operation: Operation("contacts page"))
        do {
            let answer = try await route.answer(host, request)
            await host.openedDatabase?.close()
            guard case .output(let output) = answer else { throw HubError(.internal, code: "no-output", "no output") }
            return output
        } catch {
            await host.openedDatabase?.close()
            throw error
        }
    }

    @Test func `a page finds duplicates, plans a merge, merges, and keeps people apart`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        for title in ["one", "two"] { _ = await hub.run("contacts new Ada Lovelace email=ada@x.org title=\(title)") }
        let ids = await hub.run("contacts list --plain=id").output.split(separator: "\n").map(String.init)
        try #require(ids.count == 2)
        let found = try await call(hub, .get, "/api/contacts/duplicates")
        guard case .rows(let rows) = found.body else { throw HubError(.internal, code: "no-rows", "no rows") }
        #expect(rows.count == 1)
        #expect(rows.value(0, 0) == .text("very likely"))
        let body = #"{"keep": "\#(ids[0])", "drop": ["\#(ids[1])"], "dry_run": true}"#
        _ = try await call(hub, .post, "/api/contacts/merge", body)
        #expect(await hub.run("contacts list --plain=id").output.split(separator: "\n").count == 2)

        let apart = #"{"ids": ["\#(ids[0])", "\#(ids[1])"]}"#
        _ = try await call(hub, .post, "/api/contacts/duplicates/apart", apart)
        guard case .rows(let none) = try await call(hub, .get, "/api/contacts/duplicates", query: ["all": "1"]).body
        else { throw HubError(.internal, code: "no-rows", "no rows") }
        #expect(none.count == 0)
        _ = try await call(
            hub, .post, "/api/contacts/merge", #"{"keep": "\#(ids[0])", "drop": ["\#(ids[1])"], "take": ["title"]}"#)
        #expect(await hub.run("contacts list --plain=id").output == ids[0] + "\n")
    }

    @Test func `a page makes a group, and adds and removes members`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        var ids: [String] = []
        for name in ["Ada", "Bea", "Cora"] {
            _ = await hub.run("contacts new \(name)")
            ids.append(await hub.run("contacts search \(name) --plain=id").output.filter { $0 != "\n" })
        }
        func members() async -> [String] {
            await hub.run("contacts groups --plain=members").output.split(whereSeparator: \.isNewline).map(String.init)
        }
        _ = try await call(hub, .post, "/api/contacts/groups/add", #"{"ids": ["\#(ids[0])"], "name": "Choir"}"#)
        let group = await hub.run("contacts groups --plain=id").output.filter { $0 != "\n" }
        #expect(await members().joined().contains("Ada"))
        let more = #"{"ids": ["\#(ids[1])", "\#(ids[2])"], "group": "\#(group)"}"#
        _ = try await call(hub, .post, "/api/contacts/groups/add", more)
        _ = try await call(
            hub, .post, "/api/contacts/groups/remove", #"{"ids": ["\#(ids[0])"], "group": "\#(group)"}"#)
        let left = await members().joined()
        #expect(left.contains("Bea") && left.contains("Cora") && !left.contains("Ada"), "\(left)")
        for body in [#"{"ids": ["\#(ids[0])"]}"#, #"{"ids": ["\#(ids[0])"], "group": "\#(ids[1])"}"#, "{}"] {
            for path in ["add", "remove"] {
                await #expect(throws: HubError.self, "\(path) \(body)") {
                    _ = try await call(hub, .post, "/api/contacts/groups/\(path)", body)
                }
            }
        }
    }

    @Test func `a contact that says little is not the one that is kept`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        _ = await hub.run("contacts new Ada Lovelace email=ada@x.org phone=+44201 title=Countess")
        _ = await hub.run("contacts new A. Lovelace email=ada@x.org")
        let found = await hub.run("contacts duplicates --json=contacts").output
        #expect(found.contains(#""contacts":[{"id":"#), "\(found)")
        let (full, sparse) = (found.firstRange(of: "Ada Lovelace"), found.firstRange(of: "A. Lovelace"))
        #expect(try #require(full).lowerBound < (try #require(sparse)).lowerBound, "\(found)")
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keep": 1, "drop": ["a"]}"#, #"{"keep": "a", "drop": []}"#,
        #"{"keep": "a", "drop": [1]}"#, #"{"keep": "a", "drop": ["b"], "take": ["nonsense"]}"#,
    ])
    func `a request that makes no sense is refused`(body: String) async throws {
        let hub = try TestHub(ContactsPlugin.self)
        await #expect(throws: HubError.self) { _ = try await call(hub, .post, "/api/contacts/merge", body) }
    }
}
