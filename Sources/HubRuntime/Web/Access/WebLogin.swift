package import WebServer

/// Logging in by a link or its code, staying so by a cookie, and logging out.
package struct WebLogin: Sendable {
    private let access: WebAccess
    private let shell: WebShell
    private let cookieName: String
    private let isSecure: @Sendable (HTTPRequest) -> Bool
    private let tickets = MediaTickets()

    /// Cookies do not distinguish ports, so the port is part of the cookie's name.
    /// `isSecure` returns whether a browser encrypts a request.
    init(access: WebAccess, shell: WebShell, port: UInt16, isSecure: @escaping @Sendable (HTTPRequest) -> Bool) {
        self.access = access
        self.shell = shell
        cookieName = "hub-\(port)"
        self.isSecure = isSecure
    }

    /// The link that logs a browser in once and opens `page`, a path of this site.
    package static func link(
        to address: SocketAddress, code: String, page: String = "/", isEncrypted: Bool = false
    ) -> String { link(toHost: "\(address)", code: code, page: page, isEncrypted: isEncrypted) }

    /// The same for a host, by its name and perhaps its port.
    static func link(toHost host: String, code: String, page: String, isEncrypted: Bool) -> String {
        let link = "\(isEncrypted ? "https" : "http")://\(host)/login?code=\(PercentEncoding.encode(code))"
        return page == "/" ? link : link + "&to=\(PercentEncoding.encode(page))"
    }

    /// The header field with the key of the session.
    static let keyField = "Hub-Key"
    /// The beginning of the subprotocol of a WebSocket that carries the key of the session.
    static let keySubprotocol = "hub-key."

    /// Returns the session whose cookie the request carries, and for the API its key as well; nil when it may not be answered.
    ///
    /// Pages are part of the program and hold nothing personal, so a link, a bookmark and a reload need no key. A player of sound
    /// cannot send one, and reads with a ticket.
    func session(of request: HTTPRequest) async throws -> WebCredential? {
        guard let cookie = request.cookie(cookieName) else { return nil }
        guard request.isForAPI else { return try await access.credential(of: cookie) }
        if request.method.isSafe, let ticket = request.query("ticket"), request.headers[Self.keyField] == nil {
            guard try tickets.opens(request.path, ticket, cookie: cookie) else { return nil }
            return try await access.credential(of: cookie)
        }
        return try await access.credential(of: .init(cookie: cookie, key: Self.key(in: request)))
    }

    /// Whether the request comes from a browser that is logged in.
    func isLoggedIn(_ request: HTTPRequest) async throws -> Bool { try await session(of: request) != nil }

    /// Ends what is still being sent to `session` when the session ends: a WebSocket, events, a download.
    func limit(_ response: inout HTTPResponse, to session: WebCredential) {
        if case .bytes = response.body { return }
        response.untilRevoked = { [access] in await access.waitForEnd(of: session) }
    }

    /// The key that a request carries. A page cannot add header fields to the handshake of a WebSocket, so there it is one of
    /// the subprotocols.
    private static func key(in request: HTTPRequest) -> String {
        guard request.asksForWebSocket else { return request.headers[keyField] ?? "" }
        return request.subprotocols.first { $0.hasPrefix(keySubprotocol) }.map {
            String($0.dropFirst(keySubprotocol.count))
        }
            ?? ""
    }

    /// `GET /login`, `POST /logout`, `POST /api/tickets`, and the routes for the browsers that are logged in.
    var routes: [WebRoute] {
        WebRoute.sessions(access) { [cookieName] request in request.cookie(cookieName) ?? "" } + [
            WebRoute(.get, "/login", access: .everybody) { request, _ in try await logIn(request) },
            WebRoute(.post, "/logout") { request, _ in try await logOut(request) },
            .tickets(tickets) { [cookieName] request in request.cookie(cookieName) ?? "" },
        ]
    }

    /// The page with a field for the code, which returns to the page that `request` asked for.
    func form(for request: HTTPRequest, _ title: String, _ message: String) -> HTMLLayout {
        let isLogin = request.path == "/login"
        let page = isLogin ? request.query("to") : request.target.text
        let wanted = page.flatMap(Self.ownPage) ?? "/"
        return form(title, message, to: wanted == "/logout" ? "/" : wanted)
    }

    private func form(_ title: String, _ message: String, to page: String) -> HTMLLayout {
        HTMLLayout(
            title: title,
            body: """
                    <p>\(HTML.escape(message))</p>
                    <form class="login" action="/login">
                      <label for="code">Login link or code</label>
                      <input id="code" name="code" required autocomplete="off" autocapitalize="none" spellcheck="false" \
                aria-describedby="code-hint">
                      <p class="hint" id="code-hint">Run <kbd>hub web</kbd> in a terminal. Open the link that it prints, or \
                paste it here.</p>
                      <input type="hidden" name="to" value="\(HTML.escape(page))">
                      <button class="main">Log in</button>
                    </form>
                """, isForSession: false)
    }

    /// A browser that follows a link from elsewhere sends no `SameSite=Strict` cookie along a redirect. So the answer
    /// is a page whose script keeps the key and opens the next one.
    private func logIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = request.query("to").flatMap(WebLogin.ownPage) ?? "/"
        guard let typed = request.query("code") else {
            if try await isLoggedIn(request) { return .redirect(to: page) }
            return await shell.page(form("Log in", "This page is private.", to: page))
        }
        guard
            let session = try await access.logIn(
                code: Self.code(in: typed), browser: BrowserName.of(request.headers["User-Agent"]))
        else {
            if try await isLoggedIn(request) { return .redirect(to: page) }
            throw WebError.staleLink
        }
        var response = await shell.page(
            HTMLLayout(
                title: "Welcome", key: session.key,
                body: "    <p><a class=\"next button main\" href=\"\(HTML.escape(page))\">Continue</a></p>",
                isForSession: false))
        let life = Int(WebAccess.sessionLife.components.seconds)
        response.headers.append(
            "Set-Cookie",
            SetCookie(name: cookieName, value: session.cookie, maxAge: life, isSecure: isSecure(request)).field)
        return response
    }

    /// The code in what was typed, which may be the whole link.
    private static func code(in typed: String) -> String {
        let text = typed.filter { !$0.isWhitespace }.lowercased()
        guard let start = text.firstRange(of: "code=")?.upperBound else { return text }
        return String(text[start...].prefix { $0 != "&" })
    }

    private func logOut(_ request: HTTPRequest) async throws -> HTTPResponse {
        let fields = String(decoding: request.body.prefix(1000), as: UTF8.self).split(separator: "&")
        let key = fields.first { $0.hasPrefix("key=") }?.dropFirst(4) ?? ""
        let session = WebAccess.Session(cookie: request.cookie(cookieName) ?? "", key: String(key))
        guard try await access.credential(of: session) != nil else { throw WebError.loginNeeded }
        if fields.contains("everywhere=yes") {
            _ = try await access.logOutAll()
        } else {
            try await access.logOut(session)
        }
        var layout = form("Logged out", "You are logged out of this browser.", to: "/")
        layout.key = ""
        var response = await shell.page(layout)
        response.headers.append(
            "Set-Cookie", SetCookie(name: cookieName, value: "", maxAge: 0, isSecure: isSecure(request)).field)
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
