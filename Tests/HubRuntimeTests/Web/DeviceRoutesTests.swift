import Contacts
import DAVServer
import Dictofun
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import Notes
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

extension DeviceApp.Answer {
    /// The body as text, read to its end.
    var text: String {
        get async throws {
            guard case .engine(let response, _) = self else {
                if case .whole(let response) = self { return response.text }
                return ""
            }
            switch response.body {
            case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .stream(let produce):
                var all: [UInt8] = []
                try await produce { all += $0 }
                return String(decoding: all, as: UTF8.self)
            }
        }
    }
}

/// Each route of the server for devices, as everyone who may not use it.
struct DeviceRoutesTests {
    /// A route, the kind that a device needs for it, and whether it changes anything.
    struct Route: Sendable, CustomTestStringConvertible {
        let method, path: String
        var home: DAVCollection.Home?
        var writes = false
        var body = ""
        var headers: HTTPHeaders = [:]
        var testDescription: String { "\(method) \(path)" }
    }

    private static let propfind = "<d:propfind xmlns:d=\"DAV:\"><d:allprop/></d:propfind>"
    private static let patch =
        "<d:propertyupdate xmlns:d=\"DAV:\"><d:set><d:prop><d:displayname>x</d:displayname></d:prop></d:set></d:propertyupdate>"
    private static let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:n\r\nFN:New\r\nEND:VCARD\r\n"
    private static let todo =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:n\r\nSUMMARY:New\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    private static let lock =
        "<d:lockinfo xmlns:d=\"DAV:\"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockinfo>"
    private static func report(_ name: String, _ namespace: String = "DAV:", _ content: String = "") -> String {
        "<x:\(name) xmlns:x=\"\(namespace)\"><d:prop xmlns:d=\"DAV:\"><d:getetag/></d:prop>\(content)</x:\(name)>"
    }
    private static let cardDAV = "urn:ietf:params:xml:ns:carddav"
    private static let calDAV = "urn:ietf:params:xml:ns:caldav"

    /// All of them: each method that the server knows, on each kind of address.
    static let routes: [Route] = {
        var all: [Route] = []
        for path in ["/", "/principals/", "/principals/me/"] {
            all += [
                Route(method: "GET", path: path),
                Route(method: "PROPFIND", path: path, body: propfind, headers: ["Depth": "1"]),
                Route(method: "REPORT", path: path, body: report("expand-property")),
                Route(method: "REPORT", path: path, body: report("principal-property-search")),
            ]
        }
        all.append(Route(method: "OPTIONS", path: "/principals/me/"))
        for (home, book, item, body) in [
            (DAVCollection.Home.contacts, "/contacts/all/", "n.vcf", card), (.tasks, "/tasks/days/", "n.ics", todo),
        ] {
            let namespace = home == .contacts ? cardDAV : calDAV
            let kind = home == .contacts ? "addressbook" : "calendar"
            for path in ["/\(home.rawValue)/", book, book + item] {
                all += ["OPTIONS", "GET", "HEAD"].map { Route(method: $0, path: path, home: home) }
                all.append(Route(method: "PROPFIND", path: path, home: home, body: propfind, headers: ["Depth": "1"]))
            }
            all += [
                Route(method: "REPORT", path: book, home: home, body: report("sync-collection")),
                Route(method: "REPORT", path: book, home: home, body: report("\(kind)-multiget", namespace)),
                Route(method: "REPORT", path: book, home: home, body: report("\(kind)-query", namespace)),
                Route(method: "PROPPATCH", path: book, home: home, writes: true, body: patch),
                Route(method: "POST", path: book + ";add-member", home: home, writes: true, body: body),
                Route(method: "PUT", path: book + item, home: home, writes: true, body: body),
                Route(method: "DELETE", path: book + item, home: home, writes: true),
                Route(method: "MKCOL", path: "/\(home.rawValue)/new/", home: home, writes: true),
            ]
        }
        all += [
            Route(
                method: "REPORT", path: "/tasks/days/", home: .tasks,
                body: report(
                    "free-busy-query", calDAV, "<x:time-range start=\"20261101T000000Z\" end=\"20261201T000000Z\"/>")),
            Route(method: "MKCALENDAR", path: "/tasks/new/", home: .tasks, writes: true),
            Route(method: "DELETE", path: "/tasks/mine/", home: .tasks, writes: true),
        ]
        for (home, file) in [(DAVCollection.Home.notes, "a.md"), (.records, "a.txt"), (.files, "a.bin")] {
            let (top, path) = ("/\(home.rawValue)/", "/\(home.rawValue)/\(file)")
            for place in [top, path] {
                all += ["OPTIONS", "GET", "HEAD"].map { Route(method: $0, path: place, home: home) }
                all.append(Route(method: "PROPFIND", path: place, home: home, body: propfind, headers: ["Depth": "1"]))
            }
            let target: HTTPHeaders = ["Destination": top + "b"]
            all += [
                Route(method: "PUT", path: path, home: home, writes: true, body: "x"),
                Route(method: "PROPPATCH", path: path, home: home, writes: true, body: patch),
                Route(method: "MKCOL", path: top + "folder/", home: home, writes: true),
                Route(method: "COPY", path: path, home: home, writes: true, headers: target),
                Route(method: "MOVE", path: path, home: home, writes: true, headers: target),
                Route(method: "LOCK", path: path, home: home, writes: true, body: lock),
                Route(method: "UNLOCK", path: path, home: home, writes: true, headers: ["Lock-Token": "<urn:uuid:1>"]),
                Route(method: "DELETE", path: path, home: home, writes: true),
            ]
        }
        return all
    }()

    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let store: DeviceStore

    init() throws {
        test = try TestHub(ContactsPlugin.self, MinteePlugin.self, NotesPlugin.self, DictofunPlugin.self)
        hub = test.hub()
        store = DeviceStore(try hub.database())
        app = DeviceApp(
            try DeviceListener.collections(hub), folders: try DeviceListener.folders(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func add(_ name: String, _ scopes: [DAVCollection.Home], isReadOnly: Bool = false) async throws -> String {
        "\(name):\(try await store.add(name, scopes: scopes, isReadOnly: isReadOnly))"
    }

    private func ask(
        _ route: Route, as user: String?, _ headers: HTTPHeaders = [:], from peer: String = "192.0.2.1"
    ) async throws -> DeviceApp.Answer {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: route.method), target: try #require(RequestTarget(route.path)),
            headers: ["Host": "127.0.0.1:4843", "User-Agent": "App/1"], body: Array(route.body.utf8))
        if let user { request.headers["Authorization"] = "Basic " + Base64.encode(Array(user.utf8)) }
        for field in route.headers.fields + headers.fields { request.headers[field.name] = field.value }
        request.peer = peer
        return await app.answer(to: request)
    }

    @Test func `no route is open to a stranger, a wrong password, a page or another host`() async throws {
        let user = try await add("phone", DAVCollection.Home.allCases)
        for (number, route) in Self.routes.enumerated() {
            let peer = "192.0.2.\(number)"
            let nobody = try await ask(route, as: nil, from: peer)
            #expect(nobody.status == 401 && nobody.headers["WWW-Authenticate"] != nil, "\(route)")
            #expect(try await nobody.text.isEmpty, "\(route)")
            #expect(try await ask(route, as: "phone:wrong", from: peer).status == 401, "\(route)")
            #expect(try await ask(route, as: "other" + user.dropFirst(5), from: peer).status == 401, "\(route)")
            for page: HTTPHeaders in [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"],
            ] {
                #expect(try await ask(route, as: user, page).status == 403, "\(route) \(page)")
            }
            #expect(try await ask(route, as: user, ["Host": "evil.example"]).status == 421, "\(route)")
        }
        try await expectUntouched()
        await hub.close()
    }

    @Test func `a device gets only the kinds that it was given`() async throws {
        for home in DAVCollection.Home.allCases {
            let user = try await add("no-\(home.rawValue)", DAVCollection.Home.allCases.filter { $0 != home })
            let routes = Self.routes.filter { $0.home == home }
            #expect(routes.count > 10)
            for route in routes {
                let answer = try await ask(route, as: user)
                #expect(answer.status == 403, "\(route)")
                if route.method != "HEAD" {
                    #expect(try await answer.text.contains("need-privileges"), "\(route)")
                }
            }
            // Neither does it learn that there is such a kind.
            let root = Route(method: "PROPFIND", path: "/", body: Self.propfind, headers: ["Depth": "1"])
            #expect(try await !ask(root, as: user).text.contains("/\(home.rawValue)/"))
        }
        try await expectUntouched()
        await hub.close()
    }

    @Test func `a device that may only read changes nothing`() async throws {
        let user = try await add("desk", DAVCollection.Home.allCases, isReadOnly: true)
        let writer = try await add("phone", DAVCollection.Home.allCases)
        for route in Self.routes {
            let answer = try await ask(route, as: user)
            if route.writes {
                #expect([403, 404, 405].contains(answer.status), "\(route): \(answer.status)")
            } else {
                #expect([200, 207, 404].contains(answer.status), "\(route): \(answer.status)")
            }
        }
        try await expectUntouched()
        // The same routes change something for a device that may.
        var changed = 0
        for route in Self.routes where route.writes && ["PUT", "POST", "MKCALENDAR", "MKCOL"].contains(route.method) {
            if try await [201, 204].contains(ask(route, as: writer).status) { changed += 1 }
        }
        #expect(changed >= 9, "\(changed)")
        for route in Self.routes where route.writes {
            let status = try await ask(route, as: user).status
            #expect([403, 404, 405].contains(status), "\(route): \(status)")
        }
        await hub.close()
    }

    /// Nothing was stored: no request got as far as that.
    private func expectUntouched() async throws {
        let history = await test.run("history")
        #expect(!history.output.contains("phone") && !history.output.contains("desk"), "\(history.all)")
        #expect(await test.run("contacts list").all.contains("No contacts"))
        #expect(await test.run("notes list").all.contains("No notes"))
    }

    @Test func `hostile documents are refused by every method that reads one`() async throws {
        let user = try await add("phone", DAVCollection.Home.allCases)
        let bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
            + "<d:propfind xmlns:d=\"DAV:\"><d:prop><d:x>&b;</d:x></d:prop></d:propfind>"
        let deep = String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30)
        let attributes =
            "<d:propfind xmlns:d=\"DAV:\" " + (0..<100_001).map { "a\($0)=\"\"" }.joined(separator: " ") + "/>"
        let many =
            "<c:addressbook-multiget xmlns:c=\"\(Self.cardDAV)\" xmlns:d=\"DAV:\">"
            + String(repeating: "<d:href>/contacts/all/a.vcf</d:href>", count: 100_001) + "</c:addressbook-multiget>"
        let outside =
            "<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM \"file:///etc/passwd\"><d:propfind xmlns:d=\"DAV:\"/>"
        let places = [
            ("PROPFIND", "/contacts/all/"), ("REPORT", "/contacts/all/"), ("REPORT", "/tasks/days/"), ("REPORT", "/"),
            ("PROPPATCH", "/tasks/days/"), ("MKCALENDAR", "/tasks/new/"), ("MKCOL", "/tasks/new/"),
            ("PROPFIND", "/files/"), ("PROPPATCH", "/files/"), ("LOCK", "/files/a"), ("MKCOL", "/files/new/"),
        ]
        for (name, body) in [
            ("bomb", bomb), ("deep", deep), ("outside", outside), ("cut", "<d:propfind xmlns:d=\"DAV:\">"),
        ] {
            for (method, path) in places {
                let answer = try await ask(Route(method: method, path: path, body: body), as: user)
                #expect([400, 415].contains(answer.status), "\(name): \(method) \(path): \(answer.status)")
            }
        }
        // The large ones once each, for they take their time.
        for (name, body) in [("attributes", attributes), ("hrefs", many)] {
            let route = Route(method: "REPORT", path: "/contacts/all/", body: body)
            #expect(try await ask(route, as: user).status == 400, "\(name)")
        }
        try await expectUntouched()
        await hub.close()
    }
}
