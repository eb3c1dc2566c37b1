import HubRuntimeTesting
import Testing
import WebServer

@testable import HubRuntime

struct WebGuardTests {
    @Test(arguments: ["127.0.0.1:4820", "localhost:4820", "LOCALHOST:4820", "[::1]:4820"])
    func `the listener's own names are let in`(host: String) async throws {
        let response = try await SiteFixture().ask(.get, "/assets/hub.css", headers: ["Host": host])
        #expect(response.status == 200)
    }

    @Test(arguments: [
        "evil.example:4820", "127.0.0.1", "127.0.0.1:80", "localhost", "localhost:4820.evil.example", "",
        "127.0.0.1:4820@evil.example", "2130706433:4820", "127.1:4820",
    ])
    func `another name is refused, as a rebound one would be`(host: String) async throws {
        let response = try await SiteFixture().ask(.get, "/assets/hub.css", headers: ["Host": host])
        #expect(response.status == 421)
    }

    @Test func `two Host fields are refused`() async throws {
        let fixture = try SiteFixture()
        let target = try #require(RequestTarget("/assets/hub.css"))
        let headers: HTTPHeaders = ["Host": "127.0.0.1:4820", "Host": "evil.example"]
        let response = await fixture.site.respond(to: HTTPRequest(method: .get, target: target, headers: headers))
        #expect(response.status == 421)
    }

    @Test(arguments: [
        ["Origin": "http://127.0.0.1:4820"], ["Origin": "http://localhost:4820", "Sec-Fetch-Site": "same-origin"],
        ["Origin": "", "Sec-Fetch-Site": "same-origin"], ["Origin": "null", "Sec-Fetch-Site": "same-origin"],
    ])
    func `the page itself may change things`(headers: [String: String]) async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(
            .post, "/api/things", cookie: fixture.logIn(), headers: headers, body: "{}")
        #expect(response.status == 200)
        #expect(response.text == "{}")
    }

    @Test(arguments: [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "null", "Sec-Fetch-Site": "cross-site"],
        ["Origin": "http://127.0.0.1:3000"], ["Origin": "http://127.0.0.1:3000", "Sec-Fetch-Site": "same-origin"],
        ["Origin": "https://127.0.0.1:4820"], ["Origin": ""],
        ["Origin": "", "Sec-Fetch-Site": "none"], ["Origin": "", "Sec-Fetch-Site": "same-site"],
        ["Origin": "http://127.0.0.1:4820", "Sec-Fetch-Site": "cross-site"],
        ["Origin": "http://127.0.0.1:4820.evil.example"],
    ])
    func `another page may change nothing`(headers: [String: String]) async throws {
        let fixture = try SiteFixture()
        for method in [HTTPMethod.post, .put, .patch, .delete, HTTPMethod(rawValue: "BREW")] {
            let response = try await fixture.ask(
                method, "/api/things/1", cookie: fixture.logIn(), headers: headers, body: "{}")
            #expect(response.status == 403)
            #expect(response.errorCode == "wrong-origin")
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
    func `what is written to the API is JSON by name`(type: String) async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(
            .post, "/api/things", cookie: fixture.logIn(), headers: ["Content-Type": type], body: "{}")
        #expect(response.status == 415)
    }

    @Test func `over TLS the page's own origin is encrypted too`() throws {
        let guarded = RequestGuard(listeningOn: .loopback(port: 4820), isEncrypted: true)
        func isAllowed(_ origin: String) throws -> Bool {
            let headers: HTTPHeaders = ["Host": "127.0.0.1:4820", "Origin": origin, "Content-Type": "application/json"]
            let request = HTTPRequest(method: .post, target: try #require(RequestTarget("/api/undo")), headers: headers)
            return (try? guarded.check(request)) != nil
        }
        #expect(try isAllowed("https://127.0.0.1:4820"))
        #expect(try !isAllowed("http://127.0.0.1:4820"))
    }

    @Test(arguments: [
        ("box.ts.net", "https://box.ts.net", true), ("BOX.ts.net:443", "https://box.ts.net", true),
        ("box.ts.net", "http://box.ts.net", false), ("box.ts.net", "http://127.0.0.1:4820", false),
        ("box.ts.net", "https://other.ts.net", false), ("other.ts.net", "https://other.ts.net", false),
        ("box.ts.net:4820", "https://box.ts.net:4820", false), ("127.0.0.1:4820", "http://127.0.0.1:4820", true),
        ("127.0.0.1:4820", "https://box.ts.net", false),
    ])
    func `a proxy that encrypts is known by its name alone`(host: String, origin: String, isAllowed: Bool) throws {
        let guarded = RequestGuard(listeningOn: .loopback(port: 4820), names: ["Box.ts.net"])
        let headers: HTTPHeaders = ["Host": host, "Origin": origin, "Content-Type": "application/json"]
        let request = HTTPRequest(method: .post, target: try #require(RequestTarget("/api/undo")), headers: headers)
        #expect(((try? guarded.check(request)) != nil) == isAllowed)
        #expect(guarded.isFromProxy(request) == (host.lowercased().hasPrefix("box.ts.net") && !host.hasSuffix("4820")))
    }

    @Test func `a server that encrypts is called by its names and its port`() throws {
        let guarded = RequestGuard(
            listeningOn: try SocketAddress("192.168.1.20:4820"), names: ["box.local"], isEncrypted: true)
        func isAllowed(_ host: String, _ origin: String) throws -> Bool {
            let headers: HTTPHeaders = ["Host": host, "Origin": origin, "Content-Type": "application/json"]
            let request = HTTPRequest(method: .post, target: try #require(RequestTarget("/api/undo")), headers: headers)
            return (try? guarded.check(request)) != nil
        }
        #expect(try isAllowed("box.local:4820", "https://box.local:4820"))
        #expect(try !isAllowed("box.local", "https://box.local"))
        #expect(try !isAllowed("box.local:4820", "http://box.local:4820"))
    }

    @Test func `a deletion needs no body`() async throws {
        let fixture = try SiteFixture()
        #expect(try await fixture.ask(.delete, "/api/things/1", cookie: fixture.logIn()).status == 204)
    }

    @Test func `a link from elsewhere opens a page but reads no data and loads no part`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        func status(_ path: String, _ site: String, _ mode: String, _ destination: String) async throws -> Int {
            let headers = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination]
            return try await fixture.ask(.get, path, cookie: cookie, headers: headers).status
        }
        #expect(try await status("/things", "cross-site", "navigate", "document") == 200)
        #expect(try await status("/things", "cross-site", "navigate", "iframe") == 403)
        #expect(try await status("/things", "same-site", "no-cors", "script") == 403)
        #expect(try await status("/api/things/1", "cross-site", "navigate", "document") == 403)
        #expect(try await status("/api/things/1", "same-site", "cors", "empty") == 403)
        #expect(try await status("/api/things/1", "same-origin", "cors", "empty") == 200)
    }

    @Test(arguments: ["/things", "/api/broken", "/assets/hub.js", "/nowhere", "/login?code=x"])
    func `every answer says what a browser may do with it`(path: String) async throws {
        let headers = try await SiteFixture().ask(.get, path).headers
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'self'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(headers["Permissions-Policy"]?.contains("microphone=(self)") == true)
        #expect(headers["X-Content-Type-Options"] == "nosniff")
        #expect(headers["Referrer-Policy"] == "no-referrer")
        #expect(headers["Cache-Control"] == (path.hasPrefix("/assets") ? "no-cache" : "no-store"))
    }
}
