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

    @Test(arguments: ["https://b.org/", "https://a.org:8443/", "https://a.org.evil.org/", "//b.org/x"])
    func `another host never gets the credentials`(location: String) throws {
        let next = try #require(follow(location))
        #expect(next.credentials == nil && next.headers["Authorization"] == nil && next.headers["Cookie"] == nil)
        #expect(next.headers["Depth"] == "0" && next.body == [1])
    }

    @Test func `a trusted host and its subdomains get them over https`() throws {
        let policy = RedirectPolicy(trustedHosts: ["B.org"])
        for location in ["https://b.org/", "https://dav.b.org:8443/"] {
            #expect(try #require(follow(location, policy: policy)).credentials != nil)
        }
        for location in ["https://xb.org/", "https://c.org/"] {
            #expect(try #require(follow(location, policy: policy)).credentials == nil)
        }
    }

    @Test func `plain http may become https and never the other way`() throws {
        var plain = RedirectPolicyTests.start
        plain.url = HTTPURL(scheme: .http, host: "a.org")
        #expect(try #require(follow("https://a.org/", from: plain)).credentials != nil)
        #expect(try #require(follow("/z", from: plain)).credentials != nil)
        #expect(follow("http://b.org/", from: plain) == nil)
        #expect(follow("http://a.org/") == nil)
        #expect(
            RedirectPolicy().decide(
                status: 302, location: "http://a.org/", request: RedirectPolicyTests.start, taken: 0)
                == .refuse(.insecure("http://a.org/")))
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
