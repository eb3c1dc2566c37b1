import Commands
import Contacts
import Hashing
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Notes
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// Programs that use the HTTP API with a token, at the routes of real plugins.
@Suite(.timeLimit(.minutes(20)))
struct APITokenTests {
    private let test: TestHub
    private let hub: Hub
    private let tokens: APIAccess
    private let site: WebApp

    init() throws {
        test = try TestHub(ContactsPlugin.self, NotesPlugin.self)
        hub = test.hub()
        let (hub, clock) = (hub, test.clock)
        tokens = APIAccess(try hub.database(), bus: hub.bus, clock: clock)
        let routes = hub.descriptors.flatMap { descriptor in
            descriptor.routes.map { WebRoute($0, of: descriptor.id, host: hub, log: hub.log) }
        }
        site = try WebApp(
            listeningOn: .loopback(port: 4820),
            access: WebAccess(store: MemoryCredentialStore(), bus: hub.bus, clock: clock), tokens: tokens,
            shell: try WebShell(),
            routes: routes + WebRoute.settings(hub) + WebRoute.trash(hub)
                + [.undo(hub), .undoLast(hub), .search(hub), .live(hub.bus), .today(hub), .apiDescription(hub)],
            log: hub.log)
    }

    private func token(_ scopes: String..., name: String = "script", endingAt end: Instant? = nil) async throws
        -> String
    {
        try await tokens.add(name, scopes: scopes.compactMap { APIScope($0) }, endingAt: end)
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, _ token: String?, _ body: String = "", _ headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, target: try #require(RequestTarget(path)), headers: ["Host": "127.0.0.1:4820"],
            body: Array(body.utf8))
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        if !body.isEmpty { request.headers["Content-Type"] = "application/json" }
        for field in headers.fields { request.headers[field.name] = field.value }
        request.peer = "127.0.0.1"
        return await site.respond(to: request)
    }

    private let shopping = #"{"title":"Shopping","content":"- bread"}"#

    @Test func `a token does what its scopes allow, under its name, and undoes its own changes`() async throws {
        let writer = try await token("notes:write", "contacts:read")
        #expect(writer.utf8.count == 36 && writer.hasPrefix("hub_"))
        let created = try await ask(.post, "/api/notes", writer, shopping)
        #expect(created.status == 201)
        let operation = try #require(created.headers["Hub-Operation"])
        let record = try #require(try await hub.database().history.operations(matching: operation).first)
        #expect(record.who == .api("script") && record.commandLine == "api: create a note, once for each key")
        #expect(try await ask(.get, "/api/notes", writer).text.contains("Shopping"))
        #expect(try await ask(.get, "/api/contacts", writer).status == 200)
        let refused = try await ask(.post, "/api/contacts", writer, #"{"form":[{"field":"name","value":"Ada"}]}"#)
        #expect(refused.status == 403 && refused.errorCode == "scope-missing")
        #expect(
            refused.headers["WWW-Authenticate"]
                == #"Bearer realm="hub", error="insufficient_scope", scope="contacts:write""#)
        // What the person has done is not the program's to undo.
        await test.run("notes new Diary -m milk")
        let own = try #require(try await hub.database().history.operations(limit: 1).first)
        let denied = try await ask(.post, "/api/undo", writer, #"{"operation":"\#(own.id)"}"#)
        #expect(denied.status == 403 && denied.errorCode == "not-own")
        #expect(try await ask(.post, "/api/undo", writer, #"{"operation":"\#(operation)"}"#).status == 200)
        #expect(try await !ask(.get, "/api/notes", writer).text.contains("Shopping"))
        #expect(try await tokens.tokens().map(\.seenAt) == [test.clock.now])
        await hub.close()
    }

    @Test func `what deletes for good, shares, or is in the settings is closed to every token`() async throws {
        let all = try await token("write")
        let paths: [(HTTPMethod, String, String)] = [
            (.delete, "/api/notes/trash", ""), (.delete, "/api/contacts/trash", ""), (.delete, "/api/trash", ""),
            (.post, "/api/notes/x/share", "{}"), (.post, "/api/notes/x/publish", "{}"), (.get, "/api/settings", ""),
            (.put, "/api/settings", "{}"), (.get, "/api/sessions", ""), (.post, "/api/tickets", "{}"),
            (.post, "/api/undo/last", "{}"), (.get, "/api/notes/live", ""),
        ]
        for (method, path, body) in paths {
            let response = try await ask(method, path, all, body)
            #expect(response.status == 403 && response.errorCode == "for-pages", "\(method.rawValue) \(path)")
        }
        #expect(try await ask(.get, "/api/openapi.json", all).status == 200)
        #expect(try await ask(.get, "/api/today", all).status == 200)
        await hub.close()
    }

    @Test func `without a token, with a wrong one, or from a page nothing is answered`() async throws {
        let right = try await token("read")
        for (method, body) in [(HTTPMethod.get, ""), (.post, shopping)] {
            let bare = try await ask(method, "/api/notes", nil, body)
            #expect(bare.status == 401 && bare.errorCode == "token-needed")
            #expect(bare.headers["WWW-Authenticate"] == #"Bearer realm="hub""#)
        }
        for browser in [["Cookie": "a=b"], ["Sec-Fetch-Site": "same-origin"], ["Hub-Key": "x"]] as [HTTPHeaders] {
            #expect(try await ask(.get, "/api/notes", nil, "", browser).errorCode == "login-needed")
        }
        let letters = Array(right)
        let typing = String(letters.dropLast()) + (letters.last == "0" ? "1" : "0")
        for wrong in [typing, "", "x", APIToken.make(), right + "0", String(right.dropLast())] {
            let response = try await ask(.get, "/api/notes", wrong)
            #expect(response.status == 401 && response.errorCode == "unknown-token", "\(wrong)")
        }
        for origin in ["http://127.0.0.1:4820", "https://example.org", "null"] {
            #expect(try await ask(.get, "/api/notes", right, "", ["Origin": origin]).errorCode == "wrong-origin")
        }
        for site in ["same-origin", "none", "cross-site"] {
            #expect(try await ask(.get, "/api/notes", right, "", ["Sec-Fetch-Site": site]).errorCode == "wrong-origin")
        }
        #expect(try await ask(.get, "/api/notes", right, "", ["Host": "example.org:4820"]).status == 421)
        let form = try await ask(
            .post, "/api/notes", right, "a=b", ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(form.status == 415)
        // A token opens no page, and none in the address counts.
        #expect(try await ask(.get, "/login?token=\(right)", nil).status == 200)
        #expect(try await ask(.get, "/api/notes?token=\(right)&access_token=\(right)", nil).status == 401)
        #expect(try await ask(.get, "/api/notes", right).status == 200)
        await hub.close()
    }

    @Test func `ten wrong tokens make an address wait a minute, and many requests a second`() async throws {
        let right = try await token("read")
        for _ in 0..<10 { #expect(try await ask(.get, "/api/notes", "x").status == 401) }
        let waiting = try await ask(.get, "/api/notes", "x")
        #expect(waiting.status == 429 && waiting.headers["Retry-After"] == "60")
        // All programs of a machine have one address, and none locks out the others.
        #expect(try await ask(.get, "/api/notes", right).status == 200)
        test.clock.advance(by: .seconds(61))
        for _ in 0..<120 {
            #expect(try await ask(.get, "/api/openapi.json", right).status == 200)
        }
        let busy = try await ask(.get, "/api/openapi.json", right)
        #expect(busy.status == 429 && busy.headers["Retry-After"] == "1")
        test.clock.advance(by: .seconds(1))
        #expect(try await ask(.get, "/api/openapi.json", right).status == 200)
        await hub.close()
    }

    @Test func `a token that was removed, or has ended, opens nothing, and its stream ends`() async throws {
        let removed = try await token("contacts:read")
        let ending = try await token("read", name: "trial", endingAt: test.clock.now + .seconds(60))
        let stream = try await ask(.get, "/api/live?topics=domain.contacts/*", removed)
        #expect(stream.status == 200)
        for topics in ["*", "domain.notes/*", "domain.*/*", "domain.contacts*"] {
            #expect(
                try await ask(.get, "/api/live?topics=\(topics)", removed).errorCode == "scope-missing", "\(topics)")
        }
        let end = try #require(stream.untilRevoked)
        let watch = Task { await end() }
        let elsewhere = APIAccess(try hub.database(), bus: hub.bus, clock: test.clock)
        #expect(try await elsewhere.remove("script"))
        await watch.value
        #expect(try await ask(.get, "/api/contacts", removed).status == 401)
        #expect(try await ask(.get, "/api/contacts", ending).status == 200)
        test.clock.advance(by: .seconds(60))
        #expect(try await ask(.get, "/api/contacts", ending).status == 401)
        await hub.close()
    }

    @Test func `search shows a program only what it may read`() async throws {
        await test.run("notes new Oslo -m fjord")
        let both = try await token("read")
        let contacts = try await token("contacts:read", name: "other")
        #expect(try await ask(.get, "/api/search?q=oslo", both).text.contains("Oslo"))
        #expect(try await !ask(.get, "/api/search?q=oslo", contacts).text.contains("Oslo"))
        await hub.close()
    }

    @Test func `the commands add, list and remove tokens, and show one once`() async throws {
        let added = await test.run("api tokens add script --scope notes:write --scope contacts:read --days 7 --json")
        #expect(added.exit == 0, "\(added.all)")
        let token = try #require(try JSONReader.read(Array(added.output.utf8))["token"]?.string)
        #expect(try await ask(.get, "/api/contacts", token).status == 200)
        let listed = await test.run("api tokens --json")
        #expect(listed.output.contains(#""scopes":["notes:write","contacts:read"]"#), "\(listed.all)")
        #expect(!listed.output.contains(token.dropFirst(4)))
        #expect(await test.run("api tokens add script").exit == 1)
        #expect(await test.run("api tokens add other --scope cellar:read").messages.contains("invalid scope"))
        #expect(await test.run("api tokens add Other").exit == 64)
        #expect(await test.run("api tokens rm script -n").output.contains("Would remove"))
        #expect(try await ask(.get, "/api/contacts", token).status == 200)
        #expect(await test.run("api tokens rm script --yes").exit == 0)
        #expect(try await ask(.get, "/api/contacts", token).status == 401)
        #expect(await test.run("api tokens rm script --yes").exit == 1)
        // The store has the hash alone.
        #expect(await !test.run("history --limit 50").all.contains(token.dropFirst(4)))
        await hub.close()
    }
}
