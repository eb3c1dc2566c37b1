package import HTTPClient

/// The time limits for the exchange with a server.
package struct DAVTimeouts: Hashable, Sendable {
    /// The time limits of a single request.
    package var deadlines: HTTPDeadlines
    /// The retry rule for requests that only read.
    package var retry: HTTPRetryPolicy
    /// The time limit of all requests together, from the first one on.
    package var whole: Duration
    /// The part of `whole` after which a listing ends at its next page, so that there is time for the items that it named.
    package var listing: Duration

    /// Half of `whole` is for listings, unless `listing` says otherwise.
    package init(
        deadlines: HTTPDeadlines, retry: HTTPRetryPolicy, whole: Duration = .seconds(3600), listing: Duration? = nil
    ) {
        self.deadlines = deadlines
        self.retry = retry
        self.whole = whole
        self.listing = listing ?? whole / 2
    }

    private static let reading: Set<HTTPMethod> = [.get, .head, .options, DAVMethod.propfind, DAVMethod.report]

    /// For synchronizing: large books take their time, and a server may be busy for a while.
    package static let sync = DAVTimeouts(
        deadlines: HTTPDeadlines(connect: .seconds(30), idle: .seconds(120), total: .seconds(900)),
        retry: HTTPRetryPolicy(repeatable: reading))

    /// For synchronizing while a user waits: a server that is silent is given up sooner.
    package static let awaitedSync = DAVTimeouts(
        deadlines: HTTPDeadlines(connect: .seconds(15), idle: .seconds(60), total: .seconds(900)),
        retry: HTTPRetryPolicy(attempts: 2, repeatable: reading))

    /// Short limits for interactive use.
    package static let brief = DAVTimeouts(
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
