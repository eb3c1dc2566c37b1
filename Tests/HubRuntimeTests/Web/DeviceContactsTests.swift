import Contacts
import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Contacts on a device, through all parts but the socket.
struct DeviceContactsTests {
    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let user: String

    init() async throws {
        test = try TestHub(ContactsPlugin.self)
        hub = test.hub()
        let store = DeviceStore(try hub.database())
        user = "phone:\(try await store.add("phone", scopes: [.contacts], isReadOnly: false))"
        app = DeviceApp(
            try DeviceListener.collections(hub), books: try DeviceListener.books(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:], as other: String? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: [
                "Host": "127.0.0.1:4843", "Authorization": "Basic " + Base64.encode(Array((other ?? user).utf8)),
                "User-Agent": "App/1.0",
            ], body: Array(body.utf8))
        for field in headers.fields { request.headers[field.name] = field.value }
        return await app.respond(to: request)
    }

    private func read(_ method: String, _ path: String, _ body: String) async throws -> String {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: [
                "Host": "127.0.0.1:4843", "Authorization": "Basic " + Base64.encode(Array(user.utf8)),
                "User-Agent": "App/1.0",
            ], body: Array(body.utf8))
        request.peer = "192.0.2.1"
        return try await app.answer(to: request).text
    }

    private static func card(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "UID:u1", "FN:Ada"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    @Test func `a program without conditions destroys nothing, and one whose condition fails loses nothing`()
        async throws
    {
        let path = "/contacts/all/u1.vcf"
        let made = try await ask(
            "PUT", path, Self.card("TITLE:a", "X-CUSTOM:1"), ["If-None-Match": "*", "User-Agent": "Other/1"])
        let first = try #require(made.headers["ETag"])
        #expect(made.status == 201)
        #expect(try await ask("GET", path).status == 200)
        #expect(await test.run("contacts set Ada note=here").exit == 0)
        // It has not seen the note, and drops what it does not know.
        #expect(try await ask("PUT", path, Self.card("TITLE:b")).status == 204)
        let merged = try await ask("GET", path).text
        #expect(merged.contains("TITLE:b") && merged.contains("NOTE:here") && merged.contains("X-CUSTOM:1"))
        // It names a version that is gone: refused, and merged as far as it goes.
        let refused = try await ask("PUT", path, Self.card("TITLE:c", "TEL:1", "X-CUSTOM:1"), ["If-Match": first])
        #expect(refused.status == 412)
        let last = try await ask("GET", path).text
        #expect(last.contains("TITLE:b") && last.contains("TEL:1") && last.contains("NOTE:here"))
        let list = await test.run("devices refused")
        #expect(list.output.contains("also changed here: title"), "\(list.all)")
        #expect(await test.run("devices refused 1").output.contains("TITLE:c"))
        let history = await test.run("history")
        #expect(history.output.contains("phone (Other): change contacts"), "\(history.all)")
        await hub.close()
    }

    @Test func `a program that reads another version changes nothing but what it changed`() async throws {
        let path = "/contacts/all/u4.vcf"
        let stored = [
            "BEGIN:VCARD", "VERSION:4.0", "UID:u4", "FN:Ada", "N:L;Ada;;;", "ANNIVERSARY:20200214", "GENDER:F",
            "TEL;VALUE=uri;PREF=1:tel:+49-30-1", "RELATED;TYPE=spouse;VALUE=text:Bob", "X-CUSTOM:1", "END:VCARD", "",
        ].joined(separator: "\r\n")
        #expect(try await ask("PUT", path, stored, ["User-Agent": "Other/1"]).status == 201)
        let body = """
            <c:addressbook-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><c:address-data/></d:prop>\
            <d:href>\(path)</d:href></c:addressbook-multiget>
            """
        let given = try await read("REPORT", "/contacts/all/", body)
        let card = try #require(given.firstMatch(of: /address-data>([^<]*)</)).1.replacing("&#13;\n", with: "\r\n")
        #expect(card.contains("VERSION:3.0") && !card.contains("\nANNIVERSARY:") && !card.contains("tel:"), "\(card)")
        // It keeps the lines that it shows, and drops the others.
        let kept = card.split(separator: "\r\n").filter { !$0.contains("X-") || $0.hasPrefix("item") }
        let sent = kept.map { $0 == "END:VCARD" ? "TITLE:Countess\r\nEND:VCARD\r\n" : String($0) }.joined(
            separator: "\r\n")
        #expect(try await ask("PUT", path, sent).status == 204)
        let lines = Set(try await ask("GET", path).text.split(separator: "\r\n").map(String.init))
        #expect(lines.subtracting(stored.split(separator: "\r\n").map(String.init)) == ["TITLE:Countess"], "\(lines)")
        #expect(lines.count == 12, "\(lines)")
        await hub.close()
    }

    @Test func `a device that sees each book edits, moves and makes them, and what it was given counts by book`()
        async throws
    {
        let store = DeviceStore(try hub.database())
        let tablet =
            "tablet:\(try await store.add("tablet", scopes: [.contacts], isReadOnly: false, seesEachBook: true))"
        #expect(await test.run("contacts books new here/Family").exit == 0)
        #expect(try await ask("GET", "/contacts/all/", as: tablet).status == 404)
        #expect(try await ask("GET", "/contacts/family/").status == 404, "the other device sees one book")
        #expect(try await ask("MKCOL", "/contacts/chess/").status == 403)
        #expect(try await ask("MKCOL", "/contacts/chess/", as: tablet).status == 201)
        // The same card in two books; the device is given both, in two states.
        for book in ["family", "chess"] {
            let path = "/contacts/\(book)/u1.vcf"
            let made = try await ask("PUT", path, Self.card("X-CUSTOM:1"), ["User-Agent": "Other/1"], as: tablet)
            #expect(made.status == 201)
            #expect(try await ask("GET", path, as: tablet).status == 200)
        }
        #expect(try await ask("PUT", "/contacts/chess/u1.vcf", Self.card("TITLE:old"), as: tablet).status == 204)
        let list = await test.run("contacts books")
        #expect(list.output.contains("here/Family") && list.output.contains("here/chess"), "\(list.all)")
        // Without a condition, the change counts from what was given in that book: the title goes in one, and was never in the other.
        #expect(try await ask("PUT", "/contacts/family/u1.vcf", Self.card("NOTE:n"), as: tablet).status == 204)
        #expect(try await ask("PUT", "/contacts/chess/u1.vcf", Self.card("NOTE:n"), as: tablet).status == 204)
        for book in ["family", "chess"] {
            let text = try await ask("GET", "/contacts/\(book)/u1.vcf", as: tablet).text
            #expect(text.contains("NOTE:n") && text.contains("X-CUSTOM:1") && !text.contains("TITLE"), "\(text)")
        }
        // A move, and then a change by a program that knows only the card as it was there.
        let moved = try await ask(
            "MOVE", "/contacts/chess/u1.vcf", "", ["Destination": "/contacts/here/c.vcf"], as: tablet)
        #expect(moved.status == 201)
        #expect(try await ask("PUT", "/contacts/here/c.vcf", Self.card("NOTE:m"), as: tablet).status == 204)
        #expect(try await ask("GET", "/contacts/here/c.vcf", as: tablet).text.contains("NOTE:m"))
        #expect(try await ask("DELETE", "/contacts/chess/", as: tablet).status == 204)
        #expect(try await ask("DELETE", "/contacts/family/", as: tablet).status == 403)
        let history = await test.run("history")
        #expect(history.output.contains("tablet (App): change contacts"), "\(history.all)")
        let devices = await test.run("devices list")
        #expect(
            devices.output.contains("contacts (each book)") && !devices.output.contains("each-book"), "\(devices.all)")
        await hub.close()
    }

    @Test func `what was deleted for good is in no copy for a device`() async throws {
        let data = test.home + "/.local/share/hub"
        _ = try await ask("PUT", "/contacts/all/u1.vcf", Self.card("NOTE:zqwnote"))
        _ = try await ask("PUT", "/contacts/all/u1.vcf", Self.card("NOTE:zqwother"), ["If-Match": "\"none\""])
        #expect(Canary.isPresent("zqwnote", in: data))
        #expect(try await ask("DELETE", "/contacts/all/u1.vcf").status == 204)
        await hub.close()
        test.clock.advance(by: .seconds(1))
        #expect(await test.run("trash empty --yes").exit == 0)
        Canary.expectGone(["zqwnote", "zqwother"], from: data)
    }
}
