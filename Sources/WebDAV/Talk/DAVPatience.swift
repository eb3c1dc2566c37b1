package import HTTPClient

/// How long a talk with a server may last before it is given up.
package struct DAVPatience: Hashable, Sendable {
    /// The time limits of a single request.
    package var deadlines: HTTPDeadlines
    /// When a call that only reads is made again.
    package var retry: HTTPRetryPolicy
    /// How long all calls together may last, from the first one on.
    package var whole: Duration

    package init(deadlines: HTTPDeadlines, retry: HTTPRetryPolicy, whole: Duration = .seconds(3600)) {
        self.deadlines = deadlines
        self.retry = retry
        self.whole = whole
    }

    private static let reading: Set<HTTPMethod> = [.get, .head, .options, DAVMethod.propfind, DAVMethod.report]

    /// For synchronizing: large books take their time, and a server may be busy for a while.
    package static let sync = DAVPatience(
        deadlines: HTTPDeadlines(connect: .seconds(30), idle: .seconds(120), total: .seconds(900)),
        retry: HTTPRetryPolicy(repeatable: reading))

    /// For a person who waits for an answer.
    package static let brief = DAVPatience(
        deadlines: HTTPDeadlines(connect: .milliseconds(2500), idle: .seconds(10), total: .seconds(20)),
        retry: HTTPRetryPolicy(attempts: 1, repeatable: reading), whole: .seconds(60))
}

/// The methods that WebDAV adds to HTTP.
enum DAVMethod {
    static let propfind = HTTPMethod(rawValue: "PROPFIND")
    static let report = HTTPMethod(rawValue: "REPORT")
    static let makeCollection = HTTPMethod(rawValue: "MKCOL")
    /// Makes a calendar (RFC 4791 §5.3.1).
    static let makeCalendar = HTTPMethod(rawValue: "MKCALENDAR")
}
