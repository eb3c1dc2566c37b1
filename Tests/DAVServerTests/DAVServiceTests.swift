import HTTPTypes
import Sync
import Synchronization
import Testing

@testable import DAVServer

/// The answers of the server, byte for byte where clients compare them.
struct DAVServiceTests {
    private static let head = """
        <?xml version="1.0" encoding="utf-8"?>
        <d:multistatus xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav" \
        xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/">
        """

    private let book = MemoryCollection([
        ("7kt.vcf", card("Ada")), ("3mx.vcf", card("Bob")), ("é b@c.vcf", card("Cleo")),
    ])
    private let device = MemoryDevice()

    private static func card(_ name: String, _ more: String = "") -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:\(name)\r\n\(more)END:VCARD\r\n"
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:],
        as other: MemoryDevice? = nil
    ) async throws -> DAVResponse {
        let collection = DAVCollection(.addressBook, id: "all", title: "Contacts", items: book)
        return try await DAVService([collection], for: other ?? device).respond(
            to: DAVRequest(method, path, headers: headers, body: Array(body.utf8)))
    }

    private static func propfind(_ properties: String) -> String {
        """
        <?xml version="1.0"?><A:propfind xmlns:A="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav" \
        xmlns:S="http://calendarserver.org/ns/"><A:prop>\(properties)</A:prop></A:propfind>
        """
    }

    private static func sync(_ token: String, _ more: String = "") -> String {
        """
        <D:sync-collection xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:sync-token>\(token)</D:sync-token>\
        <D:sync-level>1</D:sync-level>\(more)<D:prop><D:getetag/></D:prop></D:sync-collection>
        """
    }

    @Test func `a home lists its books, byte for byte`() async throws {
        let names = [
            "A:resourcetype", "A:displayname", "A:current-user-privilege-set", "A:supported-report-set", "A:sync-token",
            "S:getctag", "S:pushkey",
        ]
        let response = try await ask(
            "PROPFIND", "/contacts/", Self.propfind(names.map { "<\($0)/>" }.joined()), ["Depth": "1", "Brief": "t"])
        #expect(response.status == 207)
        #expect(response.headers["Content-Type"] == "application/xml; charset=utf-8")
        let book = """
            <d:response><d:href>/contacts/all/</d:href><d:propstat><d:prop>\
            <d:resourcetype><d:collection/><card:addressbook/></d:resourcetype><d:displayname>Contacts</d:displayname>\
            <d:current-user-privilege-set><d:privilege><d:read/></d:privilege><d:privilege><d:write/></d:privilege>\
            <d:privilege><d:write-content/></d:privilege><d:privilege><d:bind/></d:privilege>\
            <d:privilege><d:unbind/></d:privilege></d:current-user-privilege-set>\
            <d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report>\
            <d:supported-report><d:report><card:addressbook-multiget/></d:report></d:supported-report>\
            <d:supported-report><d:report><card:addressbook-query/></d:report></d:supported-report>\
            <d:supported-report><d:report><d:expand-property/></d:report></d:supported-report>\
            </d:supported-report-set><d:sync-token>data:,k3f9x2m7q1w8r5t0-3</d:sync-token>\
            <cs:getctag>data:,k3f9x2m7q1w8r5t0-3</cs:getctag>\
            </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
            """
        let text = try await response.text
        #expect(text.hasPrefix(Self.head) && text.hasSuffix(book), "\(text)")
    }

    @Test func `clients find the book from any address`() async throws {
        #expect(DAVService.open(DAVRequest("PROPFIND", "/.well-known/carddav"))?.headers["Location"] == "/")
        for path in ["/", "/principals/", "/contacts/", "/contacts/all/", "/contacts/all"] {
            let response = try await ask("PROPFIND", path, Self.propfind("<A:current-user-principal/>"), ["Depth": "0"])
            #expect(
                try await response.text.contains(
                    "<d:current-user-principal><d:href>/principals/me/</d:href></d:current-user-principal>"), "\(path)")
        }
        let home = try await ask(
            "PROPFIND", "/principals/me/", Self.propfind("<C:addressbook-home-set/><A:foo/>"), ["Depth": "0"])
        let text = try await home.text
        #expect(text.contains("<card:addressbook-home-set><d:href>/contacts/</d:href></card:addressbook-home-set>"))
        #expect(
            text.contains(
                "<d:propstat><d:prop><d:foo/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"))
        let options = try await ask("OPTIONS", "/principals/me/")
        #expect(
            options.headers["DAV"] == "1, 3, addressbook" && options.headers["Allow"] == "OPTIONS, GET, HEAD, PROPFIND")
    }

    @Test func `items have encoded names, and types that are empty and there`() async throws {
        let response = try await ask(
            "PROPFIND", "/contacts/all/", Self.propfind("<A:resourcetype/><A:getcontenttype/><A:displayname/>"),
            ["Depth": "1", "Prefer": "return=minimal, depth-noroot"])
        #expect(response.headers["Preference-Applied"] == "return=minimal")
        let text = try await response.text
        #expect(text.components(of: "<d:response>") == 3)
        #expect(
            text.contains(
                "<d:href>/contacts/all/%C3%A9%20b@c.vcf</d:href><d:propstat><d:prop><d:resourcetype/>"
                    + "<d:getcontenttype>text/vcard; charset=utf-8</d:getcontenttype></d:prop>"))
        #expect(!text.contains("404"))
    }

    @Test func `changes since a token, to the limit`() async throws {
        book.removeNow("3mx.vcf")
        _ = try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("Ada"))
        let etag = MemoryCollection.etag(Array(Self.card("Ada").utf8))
        let token = "data:,k3f9x2m7q1w8r5t0-"
        let rest = try await ask("REPORT", "/contacts/all/", Self.sync(token + "3"))
        #expect(
            try await rest.text == Self.head
                + "<d:response><d:href>/contacts/all/3mx.vcf</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
                + "<d:response><d:href>/contacts/all/7kt.vcf</d:href><d:propstat><d:prop><d:getetag>\"\(etag)\"</d:getetag>"
                + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
                + "<d:sync-token>\(token)5</d:sync-token></d:multistatus>")
        let limited = try await ask(
            "REPORT", "/contacts/all/", Self.sync(token + "3", "<D:limit><D:nresults>1</D:nresults></D:limit>"))
        #expect(
            try await limited.text == Self.head
                + "<d:response><d:href>/contacts/all/3mx.vcf</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
                + "<d:response><d:href>/contacts/all/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status>"
                + "<d:error><d:number-of-matches-within-limits/></d:error></d:response>"
                + "<d:sync-token>\(token)4</d:sync-token></d:multistatus>")
        let unchanged = try await ask("REPORT", "/contacts/all/", Self.sync(token + "5"))
        #expect(try await unchanged.text == Self.head + "<d:sync-token>\(token)5</d:sync-token></d:multistatus>")
        let first = try await ask("REPORT", "/contacts/all/", Self.sync(""))
        #expect(try await first.text.components(of: "<d:response>") == 2)
    }

    @Test(arguments: [
        "data:,other-3", "data:,k3f9x2m7q1w8r5t0-4", "data:,k3f9x2m7q1w8r5t0-03", "x", "data:,k3f9x2m7q1w8r5t0--1",
    ])
    func `an unknown token is refused as each client needs it`(token: String) async throws {
        let error = """
            <?xml version="1.0" encoding="utf-8"?>
            <d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>
            """
        let refused = try await ask("REPORT", "/contacts/all/", Self.sync(token))
        #expect(refused.status == 403)
        #expect(try await refused.text == error)
        let bird = try await ask(
            "REPORT", "/contacts/all/", Self.sync(token), ["User-Agent": "Mozilla/5.0 Thunderbird/153.7"])
        #expect(bird.status == 400)
    }

    @Test func `a multiget answers paths as they were written`() async throws {
        let hrefs = [
            "/contacts/all/%c3%a9%20b%40c.vcf", "/contacts/all/none.vcf", "/other", "/contacts/all/7kt.vcf", "/other",
        ]
        let response = try await ask(
            "REPORT", "/contacts/all/",
            """
            <C:addressbook-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/>\
            <C:address-data Content-Type="text/vcard"><C:prop name="VERSION"/><C:prop name="UID"/></C:address-data></D:prop>\
            \(hrefs.map { "<D:href>\($0)</D:href>" }.joined())</C:addressbook-multiget>
            """)
        let text = try await response.text
        #expect(text.contains("<d:response><d:href>/contacts/all/%c3%a9%20b%40c.vcf</d:href><d:propstat>"))
        #expect(
            text.contains(
                "<card:address-data>BEGIN:VCARD&#13;\nVERSION:3.0&#13;\nUID:Cleo&#13;\nEND:VCARD&#13;\n</card:address-data>"
            ))
        #expect(text.components(of: "HTTP/1.1 404 Not Found") == 2)
        #expect(device.served.withLock { $0.isEmpty }, "names alone are no version that the device has")
    }

    @Test func `queries filter by text, parameter and absence`() async throws {
        _ = try await ask(
            "PUT", "/contacts/all/q.vcf",
            Self.card(
                "Élan",
                "item1.TEL;TYPE=HOME,VOICE:+49 1\r\nN:Müller;Jo\\,e;;;\r\nNOTE:a\r\n b\r\nti\r\n tle;X=1:Dr.\r\n"))
        func count(_ filter: String, limit: String = "") async throws -> Int {
            let body = """
                <C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/></D:prop>\
                \(filter)\(limit)</C:addressbook-query>
                """
            return try await ask("REPORT", "/contacts/all/", body).text.components(of: "<d:getetag>")
        }
        func property(_ name: String, _ content: String, test: String = "") -> String {
            "<C:filter><C:prop-filter name=\"\(name)\"\(test)>\(content)</C:prop-filter></C:filter>"
        }
        #expect(try await count("") == 4)
        #expect(try await count("", limit: "<C:limit><C:nresults>2</C:nresults></C:limit>") == 2)
        #expect(try await count(property("fn", "<C:text-match>éLAN</C:text-match>")) == 1)
        #expect(try await count(property("FN", "<C:text-match>elan</C:text-match>")) == 0)
        #expect(try await count(property("FN", "<C:text-match collation=\"i;octet\">élan</C:text-match>")) == 0)
        #expect(try await count(property("N", "<C:text-match match-type=\"equals\">jo,e</C:text-match>")) == 1)
        #expect(try await count(property("NOTE", "<C:text-match match-type=\"equals\">ab</C:text-match>")) == 1)
        #expect(try await count(property("TEL", "<C:is-not-defined/>")) == 3)
        #expect(try await count(property("ITEM1.TEL", "")) == 1)
        #expect(try await count(property("ITEM2.TEL", "")) == 0)
        #expect(try await count(property("TITLE", "<C:text-match>dr</C:text-match>")) == 1)
        #expect(try await count(property("ITLE", "")) == 0)
        #expect(
            try await count(
                property("TEL", "<C:param-filter name=\"type\"><C:text-match>home</C:text-match></C:param-filter>"))
                == 1)
        #expect(try await count(property("FN", "<C:text-match negate-condition=\"yes\">a</C:text-match>")) == 2)
        let refused = try await ask(
            "REPORT", "/contacts/all/",
            """
            <C:addressbook-query xmlns:C="urn:ietf:params:xml:ns:carddav"><C:filter><C:prop-filter name="FN">\
            <C:text-match collation="i;klingon">a</C:text-match></C:prop-filter></C:filter></C:addressbook-query>
            """)
        #expect(refused.status == 403)
        #expect(try await refused.text.contains("<card:supported-collation/>"))
    }

    @Test func `markup is escaped, and what XML cannot hold is left out`() {
        #expect(DAVMarkup.escaped("é\u{10FFFF}\u{FFFD} \u{7F}") == "é\u{10FFFF}\u{FFFD} \u{7F}")
        #expect(
            DAVMarkup.escaped("a\u{FFFE}<\u{FFFF}\u{0}&\u{1F}\t\r\n>\"\u{FFBF}\u{FEFF}")
                == "a&lt;&amp;\t&#13;\n&gt;\"\u{FFBF}\u{FEFF}")
        #expect(DAVMarkup.escaped("\"'", inAttribute: true) == "&quot;'")
    }

    @Test func `an item is stored, and its tag told only if it is as sent`() async throws {
        let created = try await ask("PUT", "/contacts/all/new.vcf", Self.card("New"), ["Content-Type": "text/vcard"])
        #expect(created.status == 201 && created.headers["ETag"] != nil)
        var report = ServedPutReport(
            ServedEntry(name: "new.vcf", id: "1", etag: "e", length: 1, changedAt: 0), content: [1])
        report.conflicts = ["phone"]
        book.state.withLock { $0.results = [.stored(report), .stored(report)] }
        let merged = try await ask("PUT", "/contacts/all/new.vcf", Self.card("New"))
        #expect(merged.status == 204 && merged.headers["ETag"] == nil)
        #expect(try await merged.text.isEmpty)
        let whole = try await ask("PUT", "/contacts/all/new.vcf", Self.card("New"), ["Prefer": "return=representation"])
        #expect(whole.status == 200 && whole.headers["ETag"] == "\"e\"")
        #expect(device.refused.withLock(\.count) == 2)
        let added = try await ask("POST", "/contacts/all/;add-member", Self.card("Z"))
        #expect(added.status == 201 && added.headers["Location"] == "/contacts/all/made.vcf")
    }

    @Test func `a refused item is merged as a change of its own, and kept if it conflicts`() async throws {
        var report = ServedPutReport(
            ServedEntry(name: "7kt.vcf", id: "1", etag: "e", length: 1, changedAt: 0), content: [1])
        book.state.withLock { $0.results = [.refused(nil), .stored(report)] }
        let headers: HTTPHeaders = ["If-Match": "\"old\", \"older\""]
        #expect(try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("A"), headers).status == 412)
        #expect(device.refused.withLock { $0.isEmpty } == true)
        let puts = book.state.withLock(\.puts)
        #expect(puts.map(\.condition) == [.matches(["old", "older"]), .always] && puts[1].keepsStored)
        report.conflicts = ["phone home"]
        book.state.withLock { $0.results = [.refused(nil), .stored(report), .refused(nil)] }
        #expect(try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("A"), headers).status == 412)
        #expect(device.refused.withLock(\.self) == ["/contacts/all/7kt.vcf: also changed here: phone home"])
        #expect(try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("A"), ["If-None-Match": "*"]).status == 412)
        #expect(book.state.withLock(\.puts).count == 5)
        _ = try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("A"), ["If-None-Match": "JoplinIgnore-1"])
        #expect(book.state.withLock { $0.puts.last?.condition } == .always)
    }

    @Test func `what may not be stored is refused with the element that says why`() async throws {
        func refusal(_ result: ServedPutResult) async throws -> (Int, String) {
            book.state.withLock { $0.results = [result] }
            let response = try await ask("PUT", "/contacts/all/a.vcf", "x")
            return (response.status, try await response.text)
        }
        #expect(
            try await refusal(.sameUID("7kt.vcf")) == (
                409,
                """
                <?xml version="1.0" encoding="utf-8"?>
                <d:error xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><card:no-uid-conflict>\
                <d:href>/contacts/all/7kt.vcf</d:href></card:no-uid-conflict></d:error>
                """
            ))
        #expect(try await refusal(.otherUID).0 == 403)
        #expect(try await refusal(.wrongType).0 == 415)
        #expect(try await refusal(.invalid("")).1.contains("<card:valid-address-data/>"))
        #expect(try await ask("PUT", "/contacts/all/a.vcf", "x", ["Content-Type": "text/calendar"]).status == 415)
        #expect(try await ask("PUT", "/contacts/all/a.vcf", "x", ["Content-Range": "bytes 0-0/2"]).status == 400)
        #expect(try await ask("PUT", "/contacts/all/", "x").status == 405)
        let large = try await ask(
            "PUT", "/contacts/all/a.vcf", String(repeating: "x", count: DAVService.maximumSize + 1))
        #expect(large.status == 403)
        #expect(try await large.text.contains("<card:max-resource-size/>"))
    }

    @Test func `a device may do what it was given, and no more`() async throws {
        let reader = MemoryDevice(isReadOnly: true)
        let put = try await ask("PUT", "/contacts/all/7kt.vcf", Self.card("A"), as: reader)
        #expect(put.status == 403)
        #expect(
            try await put.text == """
                <?xml version="1.0" encoding="utf-8"?>
                <d:error xmlns:d="DAV:"><d:need-privileges><d:resource><d:href>/contacts/all/7kt.vcf</d:href>\
                <d:privilege><d:write-content/></d:privilege></d:resource></d:need-privileges></d:error>
                """)
        #expect(try await ask("DELETE", "/contacts/all/7kt.vcf", as: reader).status == 403)
        #expect(try await ask("POST", "/contacts/all/;add-member", Self.card("A"), as: reader).status == 403)
        #expect(try await ask("GET", "/contacts/all/7kt.vcf", as: reader).status == 200)
        #expect(
            try await ask("OPTIONS", "/contacts/all/7kt.vcf", as: reader).headers["Allow"]
                == "OPTIONS, GET, HEAD, PROPFIND")
        let other = MemoryDevice(scopes: [])
        for path in ["/contacts/", "/contacts/all/", "/contacts/all/7kt.vcf"] {
            #expect(try await ask("GET", path, as: other).status == 403)
        }
        let root = try await ask("PROPFIND", "/", Self.propfind("<C:addressbook-home-set/>"), ["Depth": "0"], as: other)
        #expect(try await !root.text.contains("/contacts/"))
    }

    @Test func `many removals at once are refused, and the items come back`() async throws {
        for number in 0..<12 { _ = try await ask("PUT", "/contacts/all/n\(number).vcf", Self.card("N\(number)")) }
        for number in 0..<10 {
            #expect(try await ask("DELETE", "/contacts/all/n\(number).vcf").status == 204)
        }
        let before = try await book.state().number
        let refused = try await ask("DELETE", "/contacts/all/n10.vcf")
        #expect(refused.status == 403)
        #expect(try await refused.text.contains("<d:need-privileges>"))
        let changes = try await book.changes(after: before, upTo: .max, limit: 10)
        #expect(changes.map(\.name) == ["n10.vcf"])
        #expect(try await ask("DELETE", "/contacts/all/").status == 403)
    }

    @Test func `other methods and places`() async throws {
        for method in ["LOCK", "UNLOCK", "COPY", "MOVE", "MKCALENDAR", "PATCH", "POST"] {
            let response = try await ask(method, "/contacts/all/7kt.vcf")
            #expect(response.status == 405)
            #expect(response.headers["Allow"] == "OPTIONS, GET, HEAD, PROPFIND, PUT, DELETE")
        }
        #expect(try await ask("MKCOL", "/contacts/all/").status == 405)
        #expect(try await ask("MKCOL", "/contacts/new/").status == 403)
        #expect(try await ask("GET", "/notes/").status == 404)
        #expect(try await ask("GET", "/contacts/all/a/b").status == 404)
        #expect(try await ask("GET", "/contacts/all/../all/").status == 400)
        #expect(try await ask("GET", "/contacts/all/%00").status == 400)
        #expect(try await ask("PROPFIND", "/contacts/all/").status == 403)
        #expect(try await ask("REPORT", "/contacts/", Self.sync("")).status == 403)
        let item = try await ask("GET", "/contacts/all/7kt.vcf")
        #expect(item.headers["Last-Modified"] == "Fri, 27 Nov 2026 23:59:59 GMT")
        let same = try await ask("GET", "/contacts/all/7kt.vcf", "", ["If-None-Match": item.headers["ETag"] ?? ""])
        #expect(same.status == 304)
        #expect(try await ask("GET", "/contacts/all/").text.components(of: "BEGIN:VCARD") == 3)
    }

    @Test func `the own card of the person is kept, all else is protected`() async throws {
        func patch(_ properties: String) async throws -> String {
            try await ask(
                "PROPPATCH", "/contacts/",
                """
                <D:propertyupdate xmlns:D="DAV:" xmlns:S="http://calendarserver.org/ns/"><D:set><D:prop>\(properties)</D:prop>\
                </D:set></D:propertyupdate>
                """
            ).text
        }
        let own = "<S:me-card><D:href>/contacts/all/7kt.vcf</D:href></S:me-card>"
        let both = try await patch(own + "<D:displayname>x</D:displayname>")
        #expect(both.contains("<cs:me-card/></d:prop><d:status>HTTP/1.1 424 Failed Dependency</d:status>"))
        #expect(both.contains("403 Forbidden</d:status><d:error><d:cannot-modify-protected-property/></d:error>"))
        #expect(device.card.withLock(\.self) == nil)
        #expect(try await patch(own).contains("200 OK"))
        #expect(device.card.withLock(\.self) == "/contacts/all/7kt.vcf")
    }

    @Test func `hostile bodies are refused`() async throws {
        let bomb =
            "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><D:propfind xmlns:D=\"DAV:\"><D:prop>&c;</D:prop></D:propfind>"
        let deep = String(repeating: "<a>", count: 30) + String(repeating: "</a>", count: 30)
        let many =
            "<C:addressbook-multiget xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:carddav\">"
            + String(repeating: "<D:href>/x</D:href>", count: 100_001) + "</C:addressbook-multiget>"
        for body in [bomb, deep, "<a", "<D:propfind/>", "<x:propfind xmlns=\"DAV:\"/>", "<propfind/>", "\u{0}"] {
            #expect(try await ask("PROPFIND", "/", body, ["Depth": "0"]).status == 400, "\(body.prefix(40))")
        }
        #expect(try await ask("REPORT", "/contacts/all/", many).status == 400)
    }
}

extension String {
    /// The number of times that `text` occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
