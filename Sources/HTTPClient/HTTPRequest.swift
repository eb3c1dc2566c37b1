/// A request to a server.
package struct HTTPRequest: Hashable, Sendable {
    /// The request method (RFC 9110 §9).
    package var method: HTTPMethod
    /// The target, which must be within ``scope``.
    package var url: HTTPURL
    /// The header fields; the client adds `Host` and the length of the body.
    package var headers: HTTPHeaders
    /// The request body; nil for none.
    package var body: [UInt8]?
    /// The servers that the request may reach.
    package let scope: HTTPScope
    /// The user and password to authenticate with.
    package var credentials: HTTPCredentials?
    /// The time limits for connecting, for silence and for the whole exchange.
    package var deadlines: HTTPDeadlines
    /// The largest body that is accepted, in bytes after decompression.
    package var maximumBody: Int
    /// The redirects that are followed.
    package var redirects: RedirectPolicy
    /// Whether the request is sent over a new connection. One that is used again may be closed by the server at any time, and
    /// then libcurl repeats the request, which may have been carried out.
    package var usesNewConnection = false
    /// Whether nothing is sent at all: the connection is made, and the answer's body is the server's certificate in PEM.
    var endsAfterHandshake = false

    /// `scope` is the origin of `url` unless it is given.
    package init(
        _ method: HTTPMethod = .get, _ url: HTTPURL, scope: HTTPScope? = nil, headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil, credentials: HTTPCredentials? = nil, deadlines: HTTPDeadlines = HTTPDeadlines(),
        maximumBody: Int = 16 << 20,
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.method = method
        self.url = url
        self.scope = scope ?? HTTPScope(origin: url)
        self.headers = headers
        self.body = body
        self.credentials = credentials
        self.deadlines = deadlines
        self.maximumBody = maximumBody
        self.redirects = redirects
    }
}

/// The time limits of a request.
package struct HTTPDeadlines: Hashable, Sendable {
    /// The time until the connection is established, including name look-up and TLS.
    package var connect: Duration
    /// From then on without a byte of the answer.
    package var idle: Duration
    /// For everything, redirects too.
    package var total: Duration

    package init(
        connect: Duration = .seconds(30), idle: Duration = .seconds(60), total: Duration = .seconds(600)
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
