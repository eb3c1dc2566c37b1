import HTTPClient
import Testing

struct HTTPRetryPolicyTests {
    private let policy = HTTPRetryPolicy(
        attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(3), longestRetryAfter: .seconds(60))
    /// 1994-11-06 08:49:07 UTC.
    private let now: Int64 = 784_111_747

    private func delay(
        _ status: Int, _ headers: HTTPHeaders = [:], attempt: Int = 1, method: HTTPMethod = .get, random: Double = 0
    ) -> Duration? {
        let response = HTTPResponse(status: status, headers: headers, url: HTTPURL(host: "a"))
        return policy.delay(after: .success(response), attempt: attempt, method: method, now: now, random: random)
    }

    private func delay(_ error: HTTPError, attempt: Int = 1, method: HTTPMethod = .get, random: Double = 0) -> Duration?
    {
        policy.delay(after: .failure(error), attempt: attempt, method: method, now: now, random: random)
    }

    @Test func `waits double up to a limit, with chance in the upper half`() {
        #expect(delay(.timedOut(.idle), random: 0) == .milliseconds(500))
        #expect(delay(.timedOut(.idle), random: 1) == .seconds(1))
        #expect(delay(.timedOut(.idle), attempt: 2, random: 1) == .seconds(2))
        let patient = HTTPRetryPolicy(attempts: 9, firstDelay: .seconds(1), longestDelay: .seconds(3))
        let late = patient.delay(
            after: .failure(.connectionLost("")), attempt: 8, method: .get, now: 0, random: 1)
        #expect(late == .seconds(3))
    }

    @Test func `the last attempt is the last`() {
        #expect(delay(503, attempt: 2) != nil)
        #expect(delay(503, attempt: 3) == nil)
        #expect(
            HTTPRetryPolicy.never.delay(after: .failure(.timedOut(.idle)), attempt: 1, method: .get, now: 0, random: 0)
                == nil)
    }

    @Test func `only what may be repeated is`() {
        #expect(delay(.timedOut(.total), method: .put) == nil)
        #expect(delay(502, method: .post) == nil)
        #expect(delay(503, method: .put) == nil)
        #expect(delay(503, ["Retry-After": "1"], method: .put) != nil)
        #expect(delay(429, method: .put) != nil)
        #expect(delay(500) != nil)
    }

    @Test(arguments: [200, 304, 400, 401, 403, 404, 409, 412, 413, 501, 507])
    func `an answer that would be the same again is final`(status: Int) { #expect(delay(status) == nil) }

    @Test(arguments: [
        HTTPError.tlsRefused(TLSRefusal(.other, at: HTTPURL(host: "a.org"), reason: "x")), .bodyTooLarge(limit: 1),
        .cancelled,
        .closed, .invalidRequest(""), .redirectRefused(.tooMany(5)),
    ])
    func `an error that would be the same again is final`(error: HTTPError) { #expect(delay(error) == nil) }

    @Test func `the server says when`() {
        #expect(delay(503, ["retry-after": "7"]) == .seconds(7))
        #expect(delay(429, ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"]) == .seconds(30))
        #expect(delay(429, ["Retry-After": "Sun, 06 Nov 1994 08:49:00 GMT"]) == .milliseconds(500))
        #expect(delay(429, ["Retry-After": "soon"]) == .milliseconds(500))
        #expect(delay(429, ["Retry-After": "61"]) == nil)
        #expect(delay(429, ["Retry-After": "99999999999999999999"]) == .milliseconds(500))
    }
}
