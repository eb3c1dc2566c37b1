package import WebServer

/// Logging in by a link, staying so by a cookie, and logging out.
package struct WebLogin: Sendable {
    private let access: WebAccess
    private let cookieName: String

    /// Cookies do not distinguish ports, so the port is part of the cookie's name.
    init(access: WebAccess, port: UInt16) {
        self.access = access
        cookieName = "hub-\(port)"
    }

    /// The link that logs a browser in once and opens `page`, a path of this site.
    package static func link(to address: SocketAddress, code: String, page: String = "/") -> String {
        let link = "http://\(address)/login?code=\(PercentEncoding.encode(code))"
        return page == "/" ? link : link + "&to=\(PercentEncoding.encode(page))"
    }

    /// The header field with the key of the session.
    static let keyField = "Hub-Key"

    /// The buttons that end the session, or all of them, as HTML; login.js adds the key.
    static let logoutForm = """
        <form class="logout" method="post" action="/logout"><button>Log out</button>
        <button name="everywhere" value="yes">Log out all browsers</button></form>
        """

    /// Whether the request carries the cookie of a session, and for the API its key as well.
    ///
    /// Pages are part of the program and hold nothing personal, so a link, a bookmark and a reload need no key.
    func isLoggedIn(_ request: HTTPRequest) async throws -> Bool {
        guard let cookie = request.cookie(cookieName) else { return false }
        guard request.isForAPI else { return try await access.isSession(cookie) }
        return try await access.isSession(.init(cookie: cookie, key: request.headers[Self.keyField] ?? ""))
    }

    /// `GET /login` and `POST /logout`.
    var routes: [WebRoute] {
        [
            WebRoute(.get, "/login", access: .everybody) { request, _ in try await logIn(request) },
            WebRoute(.post, "/logout") { request, _ in try await logOut(request) },
        ]
    }

    /// A browser that follows a link from elsewhere sends no `SameSite=Strict` cookie along a redirect. So the answer
    /// is a page whose script keeps the key and opens the next one.
    private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = request.query("to").flatMap(WebLogin.ownPage) ?? "/"
        guard let code = request.query("code"), let session = try await access.logIn(code: code) else {
            if try await isLoggedIn(request) { return .redirect(to: page) }
            throw WebError.staleLink
        }
        var response = HTTPResponse.page(
            HTMLLayout(
                title: "Welcome", key: session.key,
                body: "<p><a class=\"next\" href=\"\(HTML.escape(page))\">Continue</a></p>"))
        let life = Int(WebAccess.sessionLife.components.seconds)
        response.headers.append("Set-Cookie", SetCookie(name: cookieName, value: session.cookie, maxAge: life).field)
        return response
    }

    private func logOut(_ request: HTTPRequest) async throws -> HTTPResponse {
        let fields = String(decoding: request.body.prefix(1000), as: UTF8.self).split(separator: "&")
        let key = fields.first { $0.hasPrefix("key=") }?.dropFirst(4) ?? ""
        let session = WebAccess.Session(cookie: request.cookie(cookieName) ?? "", key: String(key))
        guard try await access.isSession(session) else { throw WebError.loginNeeded }
        if fields.contains("everywhere=yes") {
            _ = try await access.logOutAll()
        } else {
            try await access.logOut(session)
        }
        var response = HTTPResponse.page(
            HTMLLayout(
                title: "Logged out", key: "", body: "<p>To log in again, run <kbd>hub web</kbd> in a terminal.</p>")
        )
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
