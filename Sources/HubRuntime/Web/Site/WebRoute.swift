package import WebServer

/// One address of the page, as the runtime knows it; a plugin's declared routes are made into these.
package struct WebRoute: Sendable {
    /// Answers a request; `captures` are the parts of the path that the pattern names.
    package typealias Handler =
        @Sendable (_ request: HTTPRequest, _ captures: [String: String]) async throws -> HTTPResponse

    /// The clients that may use a route.
    package enum Access: Sendable {
        /// Browsers that have logged in.
        case session
        /// Every client of the listener: the route has no personal data.
        case everybody
    }

    /// What a program with a token needs to be answered by a route.
    enum Use: Sendable {
        /// Only pages use the route.
        case pages
        /// Programs whose token has the scope.
        case scope(APIScope)
        /// Every program with a token: the route looks at ``APIClient/current`` itself.
        case programs
    }

    /// The request method; a route for `GET` answers `HEAD` too.
    package let method: HTTPMethod
    /// The path, such as `/api/contacts/{id}`.
    package let pattern: String
    /// The clients that may use it.
    package let access: Access
    /// What a program with a token needs.
    let use: Use
    /// The handler of requests.
    package let handler: Handler

    /// Creates a route that only pages use.
    package init(
        _ method: HTTPMethod, _ pattern: String, access: Access = .session, handler: @escaping Handler
    ) {
        self.init(method, pattern, access: access, use: .pages, handler: handler)
    }

    init(
        _ method: HTTPMethod, _ pattern: String, access: Access = .session, use: Use, handler: @escaping Handler
    ) {
        self.use = use
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
    }
}
