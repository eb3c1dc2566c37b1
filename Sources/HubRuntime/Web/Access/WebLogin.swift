package import WebServer

/// Logging in by a link, staying so by a cookie, and logging out.
package struct WebLogin: Sendable {
    private let access: WebAccess
    private let cookieName: String

    /// Cookies do not tell ports apart, so the port is part of the cookie's name.
    init(access: WebAccess, port: UInt16) {
        self.access = access
        cookieName = "hub-\(port)"
    }

    /// The link that logs a browser in once and opens `page`, a path of this site.
    package static func link(to address: SocketAddress, code: String, page: String = "/") -> String {
        let link = "http://\(address)/login?code=\(PercentEncoding.encode(code))"
        return page == "/" ? link : link + "&to=\(PercentEncoding.encode(page))"
    }

    /// The button that ends the session, as HTML.
    static let logoutForm = #"<form class="logout" method="post" action="/logout"><button>Log out</button></form>"#

    /// Whether the request carries the cookie of a session.
    func isLoggedIn(_ request: HTTPRequest) async throws -> Bool {
        guard let secret = request.cookie(cookieName) else { return false }
        return try await access.isSession(secret)
    }

    /// `GET /login` and `POST /logout`.
    var routes: [WebRoute] {
        [
            WebRoute(.get, "/login", access: .everybody) { request, _ in try await logIn(request) },
            WebRoute(.post, "/logout") { request, _ in try await logOut(request) },
        ]
    }

    /// A browser that follows a link from elsewhere sends no `SameSite=Strict` cookie along a redirect. So the answer is
    /// a page that opens the next one by itself.
    private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = request.query("to").flatMap(WebLogin.ownPage) ?? "/"
        guard let code = request.query("code"), let secret = try await access.logIn(code: code) else {
            if try await isLoggedIn(request) { return .redirect(to: page) }
            throw WebFailure.staleLink
        }
        var response = HTTPResponse.page(
            PageFrame(title: "Welcome", refresh: page, body: "<p><a href=\"\(HTML.escape(page))\">Go on</a></p>"))
        let life = Int(WebAccess.sessionLife.components.seconds)
        response.headers.append("Set-Cookie", SetCookie(name: cookieName, value: secret, maxAge: life).field)
        return response
    }

    private func logOut(_ request: HTTPRequest) async throws -> HTTPResponse {
        if let secret = request.cookie(cookieName) { try await access.logOut(secret) }
        var response = HTTPResponse.page(
            PageFrame(title: "Logged out", body: "<p>To come back, type <kbd>hub web</kbd> in a terminal.</p>"))
        response.headers.append("Set-Cookie", SetCookie(name: cookieName, value: "", maxAge: 0).field)
        return response
    }

    /// `path` when it stays on this site and holds nothing but printable ASCII; `//host` and `/\host` would lead away.
    static func ownPage(_ path: String) -> String? {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count < 2000, bytes.allSatisfy({ (0x21...0x7e).contains($0) }),
            !bytes.contains(UInt8(ascii: "\\")), bytes.count == 1 || bytes[1] != UInt8(ascii: "/")
        else { return nil }
        return path
    }
}
