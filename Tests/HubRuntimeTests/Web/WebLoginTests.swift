import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

struct WebLoginTests {
    @Test func `a link logs one browser in, once`() async throws {
        let fixture = try SiteFixture()
        let code = try await fixture.access.makeCode()
        let first = try await fixture.ask(.get, "/login?code=\(code)")
        let second = try await fixture.ask(.get, "/login?code=\(code)")
        #expect(first.status == 200)
        #expect(first.headers["Set-Cookie"]?.contains("; HttpOnly; SameSite=Strict") == true)
        #expect(second.status == 403)
        #expect(second.headers["Set-Cookie"] == nil)
    }

    @Test func `of a hundred browsers with the same link one gets in`() async throws {
        let fixture = try SiteFixture()
        let code = try await fixture.access.makeCode()
        let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { try await fixture.access.logIn(code: code) != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(entered == 1)
    }

    @Test func `without a login there is nothing to see`() async throws {
        let fixture = try SiteFixture()
        for path in ["/things", "/api/things/1", "/nowhere"] {
            let response = try await fixture.ask(.get, path)
            #expect(response.status == 403)
            #expect(response.errorCode == "login-needed")
        }
        #expect(try await fixture.ask(.get, "/things", cookie: "hub-4820=").status == 403)
        #expect(try await fixture.ask(.get, "/things", cookie: "hub-4820=0123456789abcdefghjkmnpqrs").status == 403)
    }

    @Test func `a person is told what to type`() async throws {
        let response = try await SiteFixture().ask(.get, "/things", headers: ["Accept": "text/html,*/*;q=0.8"])
        #expect(response.status == 403)
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(response.text.contains("hub web"))
    }

    @Test func `the cookie opens the page until the session ends`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        #expect(try await fixture.ask(.get, "/things", cookie: cookie).status == 200)
        fixture.clock.advance(by: WebAccess.sessionLife)
        #expect(try await fixture.ask(.get, "/things", cookie: cookie).status == 403)
    }

    @Test func `a link that waited too long is refused`() async throws {
        let fixture = try SiteFixture()
        let code = try await fixture.access.makeCode()
        fixture.clock.advance(by: WebAccess.codeLife)
        let response = try await fixture.ask(.get, "/login?code=\(code)")
        #expect(response.errorCode == "login-link-used")
    }

    @Test func `a session's secret is no code, and a code is no session`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        let secret = cookie.drop { $0 != "=" }.dropFirst()
        #expect(try await fixture.ask(.get, "/login?code=\(secret)").status == 403)
        let code = try await fixture.access.makeCode()
        #expect(try await fixture.ask(.get, "/things", cookie: "hub-4820=\(code)").status == 403)
    }

    @Test func `logging out ends the session everywhere`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        #expect(try await fixture.ask(.post, "/logout", cookie: cookie).status == 403, "the key is missing")
        let body = "key=\(fixture.key(of: cookie))"
        let response = try await fixture.ask(.post, "/logout", cookie: cookie, body: body)
        #expect(response.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try await fixture.ask(.get, "/things", cookie: cookie).status == 403)
    }

    @Test func `a cookie that another port was sent reads and changes nothing`() async throws {
        let fixture = try SiteFixture()
        let (cookie, other) = (try await fixture.logIn(), try await fixture.logIn())
        #expect(try await fixture.ask(.get, "/api/things/1", cookie: cookie).status == 200)
        for key in ["", "guess", fixture.key(of: other)] {
            let headers = ["Hub-Key": key]
            let read = try await fixture.ask(.get, "/api/things/1", cookie: cookie, headers: headers)
            let written = try await fixture.ask(.delete, "/api/things/1", cookie: cookie, headers: headers)
            let followed = try await fixture.ask(.get, "/api/live", cookie: cookie, headers: headers)
            #expect([read, written, followed].map(\.errorCode) == ["login-needed", "login-needed", "login-needed"])
        }
    }

    @Test func `a ticket opens one path to one session, for reading, until it logs out`() async throws {
        let fixture = try SiteFixture()
        let (cookie, other) = (try await fixture.logIn(), try await fixture.logIn())
        let body = #"{"path": "/api/things/1"}"#
        let made = try await fixture.ask(.post, "/api/tickets", cookie: cookie, body: body)
        let ticket = try #require(try JSONReader.read(Array(made.text.utf8))["ticket"]?.string)
        func ask(
            _ path: String, _ cookie: String, by method: HTTPMethod = .get, key: String = ""
        ) async throws -> Int {
            try await fixture.ask(method, path + ticket, cookie: cookie, headers: ["Hub-Key": key]).status
        }
        #expect(try await ask("/api/things/1?ticket=", cookie) == 200)
        #expect(try await ask("/api/things/1?ticket=", other) == 403, "another browser")
        #expect(try await ask("/api/things/2?ticket=", cookie) == 403, "another path")
        #expect(try await ask("/api/things/1?ticket=x", cookie) == 403, "another ticket")
        #expect(try await ask("/api/things/1?ticket=", cookie, by: .delete) == 403, "a change")
        #expect(try await ask("/api/things/1?ticket=", cookie, key: "wrong") == 403, "a wrong key")
        let headers = ["Hub-Key": ""]
        #expect(
            try await fixture.ask(.post, "/api/tickets", cookie: cookie, headers: headers, body: body).status == 403)
        for path in ["/things", "/api/things/1?q=1"] {
            let asked = #"{"path": "\#(path)"}"#
            #expect(
                try await fixture.ask(.post, "/api/tickets", cookie: cookie, body: asked).errorCode == "path-missing")
        }
        _ = try await fixture.ask(.post, "/logout", cookie: cookie, body: "key=\(fixture.key(of: cookie))")
        #expect(try await ask("/api/things/1?ticket=", cookie) == 403, "logged out")
    }

    @Test func `only so many tickets are kept`() throws {
        let tickets = MediaTickets()
        let made = try (0...MediaTickets.maximumCount).map { _ in try tickets.make(for: "/api/a", cookie: "c") }
        #expect(try !tickets.opens("/api/a", made[0], cookie: "c"))
        #expect(try tickets.opens("/api/a", made[1], cookie: "c"))
        #expect(try tickets.opens("/api/a", made[made.count - 1], cookie: "c"))
    }

    @Test func `all sessions and links end at once`() async throws {
        let fixture = try SiteFixture()
        let cookies = [try await fixture.logIn(), try await fixture.logIn()]
        let code = try await fixture.access.makeCode()
        let body = "key=\(fixture.key(of: cookies[0]))&everywhere=yes"
        #expect(try await fixture.ask(.post, "/logout", cookie: cookies[0], body: body).status == 200)
        for cookie in cookies { #expect(try await fixture.ask(.get, "/api/things/1", cookie: cookie).status == 403) }
        #expect(try await fixture.ask(.get, "/login?code=\(code)").status == 403)
        _ = try await fixture.logIn()
        #expect(try await fixture.access.logOutAll() == 1)
    }

    @Test func `who is logged in and opens an old link goes on to the page`() async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(.get, "/login?code=old&to=/things", cookie: fixture.logIn())
        #expect(response.status == 303)
        #expect(response.headers["Location"] == "/things")
    }

    @Test(arguments: [
        ("/things?id=1", "/things?id=1"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil", "/"),
        ("/a\u{9}b", "/"), ("", "/"), ("/\"><script>", "/&quot;&gt;&lt;script&gt;"),
    ])
    func `a link leads to a page of this site only`(wanted: String, taken: String) async throws {
        let fixture = try SiteFixture()
        let link = try await WebLogin.link(to: .loopback(port: 4820), code: fixture.access.makeCode(), page: wanted)
        let path = link.dropFirst("http://127.0.0.1:4820".count)
        let response = try await fixture.ask(.get, String(path))
        #expect(response.text.contains("<a class=\"next button main\" href=\"\(taken)\">"))
    }

    @Test func `a secret is kept as its hash only, and there are only so many`() async throws {
        let store = MemoryCredentialStore()
        let clock = FixedClock()
        let access = WebAccess(store: store, bus: EventBus(), clock: clock)
        var codes: [String] = []
        for _ in 0..<200 {
            clock.advance(by: .milliseconds(1))
            codes.append(try await access.makeCode())
        }
        #expect(Set(codes).count == 200)
        #expect(store.credentials(.loginCode).count == WebAccess.most)
        #expect(try await access.logIn(code: codes[0]) == nil)
        #expect(try await access.logIn(code: codes[199]) != nil)
        #expect(!store.credentials(.loginCode).contains { $0.hash == Array(codes[198].utf8) })
    }
}

/// The page with a field for the code.
struct WebLoginFormTests {
    private func login(_ fixture: SiteFixture, _ typed: String, to page: String = "/") async throws -> HTTPResponse {
        try await fixture.ask(
            .get, "/login?code=\(PercentEncoding.encode(typed))&to=\(PercentEncoding.encode(page))",
            headers: ["Accept": "text/html"])
    }

    @Test func `the code, the code with blanks and the whole link log in`() async throws {
        let fixture = try SiteFixture()
        let code = try await fixture.access.makeCode()
        #expect(
            try await login(fixture, " \(code.uppercased()) ", to: "/things?id=1").text.contains(
                "href=\"/things?id=1\""))
        let link = WebLogin.link(to: .loopback(port: 4820), code: try await fixture.access.makeCode(), page: "/a")
        let response = try await login(fixture, link)
        #expect(response.status == 200)
        #expect(response.headers["Set-Cookie"] != nil)
    }

    @Test func `a used code asks again, and keeps the page that was wanted`() async throws {
        let response = try await login(try SiteFixture(), "wrong", to: "/things?id=1")
        #expect(response.status == 403)
        #expect(response.text.contains("This link has expired"))
        #expect(response.text.contains("value=\"/things?id=1\""))
    }

    @Test func `the login page asks for the code, and leads on who is logged in`() async throws {
        let fixture = try SiteFixture()
        #expect(try await fixture.ask(.get, "/login").text.contains("name=\"code\""))
        let on = try await fixture.ask(.get, "/login?to=/things", cookie: fixture.logIn())
        #expect(on.headers["Location"] == "/things")
    }

    @Test func `logging out offers to log in again`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        let response = try await fixture.ask(.post, "/logout", cookie: cookie, body: "key=\(fixture.key(of: cookie))")
        #expect(response.text.contains("name=\"code\""))
    }
}
