import DAVTestSupport
import DNS
import HTTPClient
import NetworkTestSupport
import Sync
import Testing

@testable import WebDAV

@Suite(.timeLimit(.minutes(20)))
struct DAVDiscoveryTests {
    private static let book = "<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>"

    private static func answer(_ request: ScriptedRequest) -> FaultServer.Answer {
        switch request.target {
        case "/.well-known/carddav": .status(301, headers: ["Location: /dav/"])
        case "/dav/":
            .multistatus(
                FaultServer.item(
                    "/dav/", "<D:current-user-principal><D:href>/p/ann/</D:href></D:current-user-principal>"))
        case "/p/ann/":
            .multistatus(
                FaultServer.item(
                    "/p/ann/",
                    "<C:addressbook-home-set><D:href>/h/1/</D:href><D:href>/h/2/</D:href></C:addressbook-home-set>"))
        case "/h/1/":
            .multistatus(
                FaultServer.item("/h/1/", "<D:resourcetype><D:collection/></D:resourcetype>")
                    + FaultServer.item(
                        "/h/1/a/",
                        """
                        \(book)<D:displayname>Friends</D:displayname><C:max-resource-size>1000</C:max-resource-size>\
                        <C:supported-address-data><C:address-data-type content-type="text/vcard" version="3.0"/>\
                        <C:address-data-type content-type="text/vcard" version="4.0"/></C:supported-address-data>
                        """))
        case "/h/2/":
            .multistatus(
                FaultServer.item(
                    "/h/2/my%20b",
                    """
                    \(book)<D:current-user-privilege-set><D:privilege><D:read/></D:privilege>\
                    </D:current-user-privilege-set>
                    """))
        default: .status(404)
        }
    }

    @Test func `from the host to the principal, its homes and their books`() async throws {
        let server = try FaultServer(DAVDiscoveryTests.answer)
        let books = try await DAVFixture.account(server.origin).collections()
        #expect(
            books == [
                DiscoveredCollection(
                    href: "\(server.origin)/h/1/a/", name: "Friends", supported: ["3.0", "4.0"], maximumItemSize: 1000),
                DiscoveredCollection(href: "\(server.origin)/h/2/my%20b/", name: "my b", isReadOnly: true),
            ])
        #expect(server.requests.map(\.target) == ["/", "/.well-known/carddav", "/dav/", "/p/ann/", "/h/1/", "/h/2/"])
        #expect(server.requests.allSatisfy { $0.method == "PROPFIND" && !$0.body.isEmpty })
    }

    @Test func `a server that names no principal is asked where it was found`() async throws {
        let server = try FaultServer { request in
            guard request.target == "/carddav/" else { return .status(404) }
            return .multistatus(
                FaultServer.item("/carddav/", "<D:resourcetype><D:collection/></D:resourcetype>")
                    + (request.headers["depth"] == "1"
                        ? FaultServer.item("/carddav/a/", DAVDiscoveryTests.book) : ""))
        }
        #expect(try await DAVFixture.account("\(server.origin)/carddav/").collections().map(\.name) == ["a"])
    }

    @Test func `the address of one book is enough`() async throws {
        let server = try FaultServer { request in
            request.target == "/x/a/"
                ? .multistatus(FaultServer.item("/x/a/", DAVDiscoveryTests.book)) : .status(404)
        }
        #expect(
            try await DAVFixture.account("\(server.origin)/x/a/").collections().map(\.href) == ["\(server.origin)/x/a/"]
        )
    }

    @Test func `an account without books is one, a server without CardDAV is none`() async throws {
        let empty = try FaultServer { request in
            .multistatus(
                FaultServer.item(
                    request.target, "<C:addressbook-home-set><D:href>/h/</D:href></C:addressbook-home-set>"))
        }
        #expect(try await DAVFixture.account(empty.origin).collections() == [])
        for status in [200, 404, 405] {
            let other = try FaultServer { _ in .status(status, body: "<html/>") }
            await #expect(throws: RemoteError.self) { try await DAVFixture.account(other.origin).collections() }
        }
    }

    @Test func `a wrong password and a missing one are said apart`() async throws {
        let server = try FaultServer { _ in .status(401, headers: ["WWW-Authenticate: Basic realm=\"x\""]) }
        await #expect(throws: RemoteError.denied(reason: "127.0.0.1 rejected this user name and password")) {
            try await DAVFixture.account(server.origin).collections()
        }
        await #expect(throws: RemoteError.denied(reason: "127.0.0.1 requires a user name and a password")) {
            try await DAVFixture.account(server.origin, user: nil).collections()
        }
    }

    @Test func `a server that only knows digest gets it`() async throws {
        let server = try FaultServer { request in
            request.headers["authorization"]?.hasPrefix("Digest ") == true
                ? DAVDiscoveryTests.answer(request)
                : .status(401, headers: [#"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#])
        }
        #expect(try await DAVFixture.account(server.origin).collections().count == 2)
    }

    @Test(arguments: [
        "ann@gmail.com", "https://www.googleapis.com/carddav/v1/principals/ann", "google.com", "ann@googlemail.com",
    ])
    func `Google is known before a password is sent`(address: String) async throws {
        await #expect(throws: RemoteError.needsOAuth(service: "Google")) {
            try await DAVFixture.account(address).collections()
        }
    }

    @Test func `a server that takes bearer tokens alone needs OAuth`() async throws {
        let server = try FaultServer { _ in .status(401, headers: ["WWW-Authenticate: Bearer realm=\"x\""]) }
        await #expect(throws: RemoteError.needsOAuth(service: "127.0.0.1")) {
            try await DAVFixture.account(server.origin).collections()
        }
    }

    @Test func `a password does not follow to another server`() async throws {
        let other = try FaultServer { _ in .status(401) }
        let server = try FaultServer { request in
            .multistatus(
                FaultServer.item(
                    request.target,
                    "<D:current-user-principal><D:href>\(other.origin)/p/</D:href></D:current-user-principal>"))
        }
        let error = await #expect(throws: RemoteError.self) {
            try await DAVFixture.account(server.origin).collections()
        }
        guard case .refused(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("to send your password there") && other.requests.isEmpty)
    }

    @Test(arguments: [
        ("https://ann@dav.example.org/x", "url", "ann"), ("ann@example.org", "domain", "ann@example.org"),
        ("example.org", "domain", nil), ("example.org:8443", "url", nil), ("http://127.0.0.1:5232", "url", nil),
        ("https://a%40b@c.org/", "url", "a@b"),
    ])
    func `an address is read`(text: String, kind: String, user: String?) throws {
        let address = try #require(AccountAddress(text))
        #expect(address.user == user)
        switch address.kind {
        case .url: #expect(kind == "url")
        case .domain: #expect(kind == "domain")
        }
    }

    @Test(arguments: [
        "", "ann", "https://ann:secret@a.org/", "ftp://a.org", "a@b@c.org", "@a.org", "a b.org", "/folder",
    ])
    func `what is no address is refused`(text: String) { #expect(AccountAddress(text) == nil) }

    @Test func `a book is made under a free name, and removed`() async throws {
        let server = try FaultServer { request in
            switch (request.method, request.target) {
            case ("MKCOL", "/h/1/meine-freunde/"): .status(405)
            case ("MKCOL", _): .status(201)
            case ("PROPFIND", "/h/1/meine-freunde-2/"):
                .multistatus(
                    FaultServer.item(
                        request.target, DAVDiscoveryTests.book + "<D:displayname>Meine Freunde</D:displayname>"))
            case ("DELETE", _): .status(204)
            default: DAVDiscoveryTests.answer(request)
            }
        }
        let account = try DAVFixture.account(server.origin)
        let book = try await account.create("Meine Freunde")
        #expect(book == DiscoveredCollection(href: "\(server.origin)/h/1/meine-freunde-2/", name: "Meine Freunde"))
        try await account.remove(book.href)
        #expect(server.requests.last?.target == "/h/1/meine-freunde-2/")
    }

    @Test func `a domain's name server leads to Google, or to a host that must be named first`() async throws {
        func books(of target: String) async throws -> [DiscoveredCollection] {
            let names = try NameServer { NameServer.answer($0, records: [(33, NameServer.service(target))]) }
            let resolver = DNSResolver(server: DNSResolver.Server(address: "127.0.0.1", port: names.port))
            let address = try #require(AccountAddress("ann@example.org"))
            return try await DAVAccount(
                address, kind: .cards, session: DAVFixture.session(address.scope), resolver: resolver
            )
            .collections()
        }
        await #expect(throws: RemoteError.needsOAuth(service: "Google")) {
            try await books(of: "google.com")
        }
        await #expect(
            throws: RemoteError.refused(
                reason: "the address books of example.org are at carddav.fastmail.com; to send your password there, "
                    + "use this address: https://carddav.fastmail.com/.well-known/carddav")
        ) { try await books(of: "carddav.fastmail.com") }
    }

    @Test func `plain hrefs of a server behind TLS are its own`() throws {
        let url = HTTPURL(host: "a.org", port: 8443, path: "/b/")
        #expect(url.meaning(of: "http://a.org/b/c") == HTTPURL(host: "a.org", port: 8443, path: "/b/c"))
        #expect(url.meaning(of: "http://a.org:8443/c") == HTTPURL(host: "a.org", port: 8443, path: "/c"))
        #expect(url.meaning(of: "http://b.org/c")?.scheme == .http)
    }

    @Test func `a page at the start with other users does not hide the books behind it`() async throws {
        let server = try FaultServer { request in
            request.target == "/"
                ? .status(401, headers: ["WWW-Authenticate: Basic"]) : DAVDiscoveryTests.answer(request)
        }
        #expect(try await DAVFixture.account(server.origin).collections().count == 2)
    }
}
