import HTTPClient
import Testing

struct RedirectPolicyTests {
    private static let start = HTTPRequest(
        HTTPMethod(rawValue: "PROPFIND"), HTTPURL(host: "a.org", path: "/x"),
        headers: ["Depth": "0", "Authorization": "Bearer t", "cookie": "c"], body: [1],
        credentials: HTTPCredentials(user: "u", password: "p"))

    private func follow(
        _ location: String, from request: HTTPRequest = start, status: Int = 301,
        policy: RedirectPolicy = RedirectPolicy()
    ) -> HTTPRequest? {
        guard case .follow(let next) = policy.decide(status: status, location: location, request: request, taken: 0)
        else { return nil }
        return next
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `method, body and fields are kept`(status: Int) throws {
        let next = try #require(follow("/y", status: status))
        var expected = RedirectPolicyTests.start
        expected.url = HTTPURL(host: "a.org", path: "/y")
        #expect(next == expected)
    }

    @Test func `a POST that is told to see another page reads it`() throws {
        var request = RedirectPolicyTests.start
        request.method = .post
        let next = try #require(follow("/y", from: request, status: 303))
        #expect(next.method == .get && next.body == nil)
        #expect(try #require(follow("/y", from: request, status: 307)).body == [1])
    }

    @Test(arguments: [
        "https://b.org/", "https://a.org:8443/", "https://a.org.evil.org/", "//b.org/x", "https://dav.a.org/",
        "http://127.0.0.1/",
    ])
    func `a redirect out of the scope is refused, with and without credentials`(location: String) {
        var request = RedirectPolicyTests.start
        for credentials in [request.credentials, nil] {
            request.credentials = credentials
            guard case .refuse = RedirectPolicy().decide(status: 301, location: location, request: request, taken: 0)
            else {
                Issue.record("followed")
                return
            }
        }
    }

    @Test func `the subdomains of a domain are in its scope over https, at the ports that DNS names`() throws {
        let scope = HTTPScope(domain: "B.org")
        let request = HTTPRequest(
            .get, HTTPURL(host: "b.org"), scope: scope, credentials: HTTPCredentials(user: "u", password: "p"))
        #expect(try #require(follow("https://dav.b.org/", from: request)).credentials != nil)
        for location in ["https://xb.org/", "https://c.org/", "https://dav.b.org:8443/", "http://b.org/"] {
            #expect(follow(location, from: request) == nil)
        }
        #expect(scope.allowing(port: 8443).contains(HTTPURL(host: "dav.b.org", port: 8443)))
        let origin = HTTPScope(origin: HTTPURL(host: "b.org"))
        #expect(origin.allowing(port: 8443) == origin)
    }

    @Test func `plain http may become https and never the other way`() throws {
        let credentials = RedirectPolicyTests.start.credentials
        let plain = HTTPRequest(.get, HTTPURL(scheme: .http, host: "a.org"), credentials: credentials)
        let secure = try #require(follow("https://a.org/", from: plain))
        #expect(secure.credentials != nil)
        #expect(follow("http://a.org/", from: secure) == nil)
        #expect(try #require(follow("/z", from: plain)).credentials != nil)
        #expect(follow("http://b.org/", from: plain) == nil)
        #expect(
            RedirectPolicy().decide(
                status: 302, location: "http://a.org/", request: RedirectPolicyTests.start, taken: 0)
                == .refuse(.insecure("http://a.org/")))
        let other = HTTPRequest(.get, HTTPURL(scheme: .http, host: "a.org", port: 8080), credentials: credentials)
        #expect(follow("https://a.org/", from: other) == nil)
    }

    @Test func `five redirects are followed and the sixth is not`() {
        let (policy, start) = (RedirectPolicy(), RedirectPolicyTests.start)
        guard case .follow = policy.decide(status: 302, location: "/", request: start, taken: 4) else {
            Issue.record("the fifth")
            return
        }
        #expect(policy.decide(status: 302, location: "/", request: start, taken: 5) == .refuse(.tooMany(5)))
    }

    @Test func `other answers are handed out`() {
        let (policy, start) = (RedirectPolicy(), RedirectPolicyTests.start)
        #expect(policy.decide(status: 200, location: "/", request: start, taken: 0) == .deliver)
        #expect(policy.decide(status: 304, location: "/", request: start, taken: 0) == .deliver)
        #expect(policy.decide(status: 301, location: nil, request: start, taken: 0) == .deliver)
        #expect(RedirectPolicy(limit: 0).decide(status: 301, location: "/", request: start, taken: 0) == .deliver)
        #expect(
            policy.decide(status: 301, location: "ftp://x", request: start, taken: 0) == .refuse(.unreadable("ftp://x"))
        )
    }
}
