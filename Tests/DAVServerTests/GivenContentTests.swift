import HTTPTypes
import Sync
import Synchronization
import Testing

@testable import DAVServer

/// A collection whose content has two versions, which differ in the line that names them.
private struct VersionedCollection: ServedCollection {
    let inner: MemoryCollection

    func state() async throws -> ServedState { try await inner.state() }
    func count() async throws -> Int { try await inner.count() }
    func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        try await inner.entries(after: name, limit: limit)
    }
    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        try await inner.changes(after: number, upTo: last, limit: limit)
    }
    func items(named names: [String]) async throws -> [ServedItem] { try await inner.items(named: names) }
    func put(_ put: ServedPut) async throws -> ServedPutResult { try await inner.put(put) }
    func remove(_ name: String, if condition: ServedCondition, by author: ServedAuthor) async throws -> ServedRemoval {
        try await inner.remove(name, if: condition, by: author)
    }
    func renumber(_ name: String) async throws { try await inner.renumber(name) }
    func content(_ content: [UInt8], in version: String) -> [UInt8] {
        Array(String(decoding: content, as: UTF8.self).replacing(/VERSION:[34].0/, with: "VERSION:\(version)").utf8)
    }
}

/// What a device is given, and what of it counts as the version that it has.
struct GivenContentTests {
    private let book = VersionedCollection(
        inner: MemoryCollection([("a.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:a\r\nFN:Ada\r\nEND:VCARD\r\n")]))
    private let device = MemoryDevice()

    private func ask(_ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:]) async throws
        -> DAVResponse
    {
        let names = #"xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav""#
        let collection = DAVCollection(.addressBook, id: "all", title: "Contacts", items: book)
        return try await DAVService([collection], for: device).respond(
            to: DAVRequest(method, path, headers: headers, body: Array(body.replacing("NAMES", with: names).utf8)))
    }

    private static func reports(_ data: String) -> [(String, String, HTTPHeaders)] {
        let prop = "<D:prop><D:getetag/>\(data)</D:prop>"
        return [
            ("REPORT", "<C:addressbook-query NAMES>\(prop)</C:addressbook-query>", [:]),
            (
                "REPORT",
                """
                <C:addressbook-query NAMES>\(prop)<C:filter><C:prop-filter name="FN"><C:text-match>ada</C:text-match>\
                </C:prop-filter></C:filter></C:addressbook-query>
                """, [:]
            ),
            (
                "REPORT",
                "<C:addressbook-multiget NAMES>\(prop)<D:href>/contacts/all/a.vcf</D:href></C:addressbook-multiget>",
                [:]
            ),
            (
                "REPORT",
                "<D:sync-collection NAMES><D:sync-token/><D:sync-level>1</D:sync-level>\(prop)</D:sync-collection>", [:]
            ),
            ("PROPFIND", "<D:propfind NAMES>\(prop)</D:propfind>", ["Depth": "1"]),
        ]
    }

    /// Evolution lists a book by the names of its cards, and changes the one that it has.
    @Test(arguments: [
        "", "<C:address-data><C:prop name=\"VERSION\"/><C:prop name=\"UID\"/></C:address-data>",
    ])
    func `a list of tags or parts of items is no version that a device has`(data: String) async throws {
        for (method, body, headers) in Self.reports(data) {
            let answer = try await ask(method, "/contacts/all/", body, headers)
            #expect(answer.status == 207)
            let text = try await answer.text
            #expect(text.contains("a.vcf") && !text.contains("FN:Ada"), "\(body)")
            #expect(device.served.withLock { $0.isEmpty }, "\(body)")
        }
        #expect(try await ask("HEAD", "/contacts/all/a.vcf").status == 200)
        #expect(device.served.withLock { $0.isEmpty })
    }

    @Test func `a whole item is the version that a device has, in whatever way it was given`() async throws {
        for (method, body, headers) in Self.reports("<C:address-data/>") {
            device.served.withLock { $0 = [:] }
            let text = try await ask(method, "/contacts/all/", body, headers).text
            #expect(text.contains("FN:Ada"), "\(body)")
            #expect(device.served.withLock { Set($0.keys) } == ["a.vcf"], "\(body)")
        }
    }

    @Test func `a card is given in the version asked for`() async throws {
        for (data, version) in [
            ("<C:address-data/>", "3.0"), ("<C:address-data version=\"3.0\"/>", "3.0"),
            ("<C:address-data content-type=\"text/vcard\" version=\"4.0\"/>", "4.0"),
            ("<C:address-data version=\"3.0\"><C:prop name=\"VERSION\"/></C:address-data>", "3.0"),
        ] {
            for (method, body, headers) in Self.reports(data) {
                let text = try await ask(method, "/contacts/all/", body, headers).text
                #expect(text.contains("VERSION:\(version)&#13;"), "\(body)")
            }
        }
        for (accept, version) in [
            (nil, "4.0"), ("*/*", "4.0"), ("text/vcard; version=3.0", "3.0"), ("text/vcard;version=\"3.0\"", "3.0"),
            ("text/html, text/vcard;version=4.0", "4.0"), ("text/vcard; version=2.1", "4.0"),
        ] {
            let headers: HTTPHeaders = accept.map { ["Accept": $0] } ?? [:]
            let answer = try await ask("GET", "/contacts/all/a.vcf", "", headers)
            #expect(try await answer.text.contains("VERSION:\(version)"), "\(accept ?? "")")
            #expect(answer.headers["Vary"] == "Accept")
        }
        let other = try await ask("REPORT", "/contacts/all/", Self.reports("<C:address-data version=\"2.1\"/>")[2].1)
        #expect(other.status == 403)
        #expect(try await other.text.contains("<card:supported-address-data-conversion/>"))
    }

    @Test func `what stands at an address is given in its place`() async throws {
        let body = """
            <D:expand-property NAMES><D:property name="current-user-principal"><D:property name="displayname"/>\
            <D:property name="addressbook-home-set" namespace="urn:ietf:params:xml:ns:carddav">\
            <D:property name="resourcetype"/></D:property></D:property><D:property name="getetag"/></D:expand-property>
            """
        let text = try await ask("REPORT", "/contacts/all/", body).text
        #expect(
            text.contains(
                """
                <d:current-user-principal><d:response><d:href>/principals/me/</d:href><d:propstat><d:prop>\
                <d:displayname>Me</d:displayname><card:addressbook-home-set><d:response><d:href>/contacts/</d:href>\
                <d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop>
                """), "\(text)")
        #expect(text.contains("</d:current-user-principal><d:getetag>"))
        for path in ["/", "/principals/me/", "/contacts/"] {
            #expect(try await ask("REPORT", path, body).status == 207, "\(path)")
        }
        #expect(try await ask("REPORT", "/contacts/all/a.vcf", body).status == 403)
        let deep = (0..<6).reduce("") { inner, _ in "<D:property name=\"owner\">\(inner)</D:property>" }
        #expect(
            try await ask("REPORT", "/principals/me/", "<D:expand-property NAMES>\(deep)</D:expand-property>").status
                == 403)
        for name in ["", "a b", "a><b", "1a"] {
            let odd =
                "<D:expand-property NAMES><D:property name=\"\(name.replacing("<", with: "&lt;"))\"/></D:expand-property>"
            #expect(try await ask("REPORT", "/", odd).status == 400, "\(name)")
        }
    }

    @Test func `the person is the only principal, and found by name`() async throws {
        func search(_ match: String, _ property: String = "<D:displayname/>") async throws -> Bool {
            try await ask(
                "REPORT", "/principals/",
                """
                <D:principal-property-search NAMES><D:property-search><D:prop>\(property)</D:prop><D:match>\(match)</D:match>\
                </D:property-search><D:prop><D:displayname/></D:prop></D:principal-property-search>
                """
            ).text.contains("<d:href>/principals/me/</d:href>")
        }
        #expect(try await search("me"))
        #expect(try await search(""))
        #expect(try await !search("Ada"))
        #expect(try await !search("", "<D:getetag/>"))
        let all = "<D:principal-property-search NAMES><D:prop><D:displayname/></D:prop></D:principal-property-search>"
        for path in ["/", "/principals/", "/principals/me/"] {
            #expect(try await ask("REPORT", path, all).text.contains("<d:displayname>Me</d:displayname>"), "\(path)")
        }
        #expect(try await ask("REPORT", "/contacts/", all).status == 403)
        let match = "<D:principal-match NAMES><D:self/><D:prop><D:displayname/></D:prop></D:principal-match>"
        #expect(try await ask("REPORT", "/principals/", match).text.contains("Me"))
        #expect(
            try await ask("REPORT", "/principals/", "<D:principal-search-property-set NAMES/>").text.contains(
                "<d:principal-search-property><d:prop><d:displayname/></d:prop>"))
    }

    @Test func `a device makes no calendar unless it may use tasks`() async throws {
        let calendars = MemoryCalendars()
        for method in ["MKCALENDAR", "MKCOL"] {
            let answer = try await DAVService([], calendars: calendars, for: device)
                .respond(to: DAVRequest(method, "/tasks/mine/"))
            #expect(answer.status == 403)
            #expect(try await answer.text.contains("<d:need-privileges>"))
        }
        #expect(calendars.names.withLock { $0.isEmpty })
        let other = MemoryDevice(scopes: ["tasks"])
        #expect(
            try await DAVService([], calendars: calendars, for: other)
                .respond(to: DAVRequest("MKCALENDAR", "/tasks/mine/")).status == 201)
        #expect(calendars.names.withLock { $0 } == ["mine"])
    }
}

/// Calendars of which the names are kept.
private final class MemoryCalendars: DAVCalendars {
    let names = Mutex<[String]>([])

    func make(
        _ name: String, components: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> Bool {
        names.withLock { $0.append(name) }
        return true
    }
    func remove(_ name: String, by author: ServedAuthor) async throws {}
    func properties(of name: String) async throws -> [String: String] { [:] }
    func setProperties(_ properties: [String: String?], of name: String, by author: ServedAuthor) async throws {}
}

/// A client that does not read on, and one that reads slowly.
struct SlowReaderTests {
    private struct Gone: Error {}

    @Test func `an answer is made no faster than it is read`() async throws {
        let text = String(repeating: "x", count: 1000)
        let book = MemoryCollection(
            (0..<2000).map { ("\($0).vcf", "BEGIN:VCARD\r\nUID:\($0)\r\nNOTE:\(text)\r\nEND:VCARD\r\n") })
        let collection = DAVCollection(.addressBook, id: "all", title: "Contacts", items: book)
        let device = MemoryDevice()
        let body = """
            <C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><C:address-data/></D:prop>\
            </C:addressbook-query>
            """
        let answer = try await DAVService([collection], for: device).respond(
            to: DAVRequest("REPORT", "/contacts/all/", body: Array(body.utf8)))
        guard case .stream(let produce) = answer.body else {
            Issue.record("the answer is whole in memory")
            return
        }
        var pieces = 0
        await #expect(throws: Gone.self) {
            try await produce { piece in
                // Of 2 MB no piece has more than a page of items.
                #expect(piece.count < 200_000)
                pieces += 1
                if pieces == 3 { throw Gone() }
            }
        }
        // What was not read was not looked up either.
        #expect(device.served.withLock { $0.count } == 2 * DAVService.page)
    }
}
