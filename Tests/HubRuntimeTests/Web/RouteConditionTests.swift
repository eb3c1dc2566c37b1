import Contacts
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// The conditions under which programs read, change and remove items: alike for the items of all plugins.
@Suite(.timeLimit(.minutes(20)))
struct RouteConditionTests {
    private let test: TestHub
    private let hub: Hub
    private let tokens: APIAccess
    private let site: WebApp

    init() throws {
        test = try TestHub(ContactsPlugin.self, NotesPlugin.self, MinteePlugin.self, MarketPlugin.self)
        try test.folder.write("[plugins.market]\nproviders = [\"demo\"]\n", to: ".config/hub/config.toml")
        hub = test.hub()
        let (hub, clock) = (hub, test.clock)
        tokens = APIAccess(try hub.database(), bus: hub.bus, clock: clock)
        let routes = hub.descriptors.flatMap { descriptor in
            descriptor.routes.map { WebRoute($0, of: descriptor.id, host: hub, log: hub.log) }
        }
        site = try WebApp(
            listeningOn: .loopback(port: 4820),
            access: WebAccess(store: MemoryCredentialStore(), bus: hub.bus, clock: clock), tokens: tokens,
            shell: try WebShell(), routes: routes, log: hub.log)
    }

    private func ask(
        _ method: HTTPMethod, _ path: String, _ token: String, _ body: String = "", match: String? = nil,
        held: String? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, target: try #require(RequestTarget(path)),
            headers: ["Host": "127.0.0.1:4820", "Authorization": "Bearer \(token)"], body: Array(body.utf8))
        if !body.isEmpty { request.headers["Content-Type"] = "application/json" }
        request.headers["If-Match"] = match
        request.headers["If-None-Match"] = held
        request.peer = "127.0.0.1"
        return await site.respond(to: request)
    }

    /// Makes an item of each kind, and returns the paths of their lists with the items' ids.
    private func items(_ token: String) async throws -> [(path: String, id: String)] {
        for line in [
            "contacts new Ada", "notes new Trip -m fjord", "mintee new Read --on 'daily: x >= 1'",
            "mintee tag read week",
            "mintee analyses new Week --tag week", "market --limit 3", "market alerts new btc '> 100000'",
            "market portfolio buy 0.5 btc --price 30000",
        ] {
            let run = await test.run(line)
            #expect(run.exit == 0, "\(line): \(run.all)")
        }
        var found: [(path: String, id: String)] = []
        for path in hub.descriptors.flatMap({ $0.entities.map(\.path) }) {
            let list = try await ask(.get, path, token)
            let id = try JSONReader.read(Array(list.text.utf8)).array?.first?["id"]?.string
            found.append((path, try #require(id, "\(path): \(list.text)")))
        }
        #expect(found.count >= 6)
        return found
    }

    @Test func `an item of any kind is read, kept, changed and removed by the same conditions`() async throws {
        let token = try await tokens.add("script", scopes: [APIScope("write")].compactMap(\.self), endingAt: nil)
        for (path, id) in try await items(token) {
            let item = "\(path)/\(id)"
            // A program has 120 requests at once, and 60 a second.
            test.clock.advance(by: .seconds(60))
            let first = try await ask(.get, item, token)
            let tag = try #require(first.headers["ETag"], "\(path)")
            #expect(first.status == 200 && tag.wholeMatch(of: #/"\d+-[0-9a-z]+"/#) != nil)
            let revision = String(tag.dropFirst().prefix { $0 != "-" })
            for held in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let kept = try await ask(.get, item, token, held: held)
                #expect(kept.status == 304 && kept.text.isEmpty && kept.headers["ETag"] == tag, "\(path) \(held)")
            }
            #expect(try await ask(.get, item, token, held: "\"other\"").status == 200)
            let bare = try await ask(.delete, item, token)
            #expect(bare.status == 428 && bare.errorCode == "revision-missing", "\(path)")
            for wrong in [
                "W/\(tag)", "junk", "\"\"", "\"999\"", "\"999-\(revision)\"", "W/\"\(revision)\"", "\"x\", \"y\"",
            ] {
                let refused = try await ask(.delete, item, token, match: wrong)
                #expect(refused.status == 412 && refused.errorCode == "edit-conflict", "\(path) \(wrong)")
            }
            #expect(try await ask(.delete, item, token, match: "\"999\", \(tag)").status == 200, "\(path)")
            for method in [HTTPMethod.get, .delete] {
                let gone = try await ask(method, item, token, match: method == .get ? nil : "*")
                #expect(gone.status == 404 && gone.errorCode?.hasSuffix("-in-trash") == true, "\(path): \(gone.text)")
            }
            // A page shows what is in the trash.
            #expect(try await test.request(.get, item).status == 200, "\(path)")
            #expect(try await ask(.post, "\(path)/restore", token, #"{"ids": ["\#(id)"]}"#).status == 200)
            #expect(try await ask(.delete, item, token, match: "*").status == 200, "\(path)")
            #expect(try await ask(.get, "\(path)/0zzzzzzzzzzzzzzzzzzz", token).status == 404)
        }
        await hub.close()
    }

    @Test func `a form is written over what was read, and over nothing newer`() async throws {
        let token = try await tokens.add("script", scopes: [APIScope("write")].compactMap(\.self), endingAt: nil)
        await test.run("contacts new Ada")
        let list = try await ask(.get, "/api/contacts", token)
        let id = try #require(try JSONReader.read(Array(list.text.utf8)).array?.first?["id"]?.string)
        let (item, form) = (
            "/api/contacts/\(id)", #"{"form": [{"field": "name", "kind": "", "value": "Ada Lovelace"}]}"#
        )
        let tag = try #require(try await ask(.get, item, token).headers["ETag"])
        #expect(try await ask(.put, item, token, form).status == 428)
        #expect(try await ask(.put, item, token, form, match: tag).status == 200)
        let late = try await ask(.put, item, token, form, match: tag)
        #expect(late.status == 412 && late.text.contains("Ada Lovelace was changed in the meantime"))
        #expect(try await ask(.put, item, token, form, match: "*").status == 200)
        // A part of an item has the conditions of the item.
        #expect(try await ask(.delete, item + "/photo", token).status == 428)
        #expect(try await ask(.delete, item + "/photo", token, match: tag).status == 412)
        await test.run("contacts rm ada --yes")
        let trashed = try await ask(.put, item, token, form, match: "*")
        #expect(trashed.status == 404 && trashed.errorCode == "contact-in-trash")
        #expect(try await ask(.get, item + "/photo", token).errorCode == "contact-in-trash")
        #expect(try await ask(.get, item + "/history", token).status == 200)
        await hub.close()
    }

    @Test func `the document says which routes have conditions`() throws {
        let document = APIDescription.document(of: hub.descriptors)
        let paths = try #require(document["paths"])
        let item = try #require(paths["/api/notes/{id}"])
        #expect(item["get"]?["responses"]?["304"] != nil && item["get"]?["responses"]?["428"] == nil)
        #expect(item["delete"]?["responses"]?["428"] != nil && item["delete"]?["responses"]?["412"] != nil)
        #expect(item["delete"]?.line.contains("IfMatchRequired") == true)
        #expect(paths["/api/mintee/tasks/order"]?["put"]?.line.contains("IfMatch") == false)
        #expect(paths["/api/mintee/tasks/{id}/days/{date}"]?["post"]?.line.contains("parameters/IfMatch\"") == true)
    }

    @Test(arguments: [
        ("\"3\"", true), ("3", true), ("\"3-abc\"", true), ("*", true), ("\"2\", \"3\"", true), (" \"3\" ", true),
        ("W/\"3\"", false),
        ("\"33\"", false), ("\"3", false), ("\"\"", false), ("", false), ("\"4-3\"", false),
    ])
    func `a field of If-Match names a revision or not`(field: String, isNamed: Bool) {
        #expect(RouteConditions.names("3", in: field) == isNamed)
    }
}
