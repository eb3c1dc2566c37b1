package import WebServer

/// Refuses what a browser may send on behalf of strangers.
///
/// - A page that got its name to point at this machine (DNS rebinding) sends its own name as `Host`.
/// - A page that posts to this one (CSRF) sends its own `Origin`. `SameSite` cookies alone do not help against what
///   another program serves on the same machine: to a browser, another port is the same site.
package struct RequestGuard: Sendable {
    private let hosts: Set<String>
    private let scheme: String
    /// The hosts of a proxy before the listener, which encrypts.
    private let proxyHosts: Set<String>

    /// Lets in requests for the listener's own names: its address, `localhost` when it is a loopback one, and `names`. Without
    /// encryption, a name is that of a proxy which encrypts.
    package init(listeningOn address: SocketAddress, names others: [String] = [], isEncrypted: Bool = false) {
        scheme = isEncrypted ? "https://" : "http://"
        let others = others.map { $0.lowercased() }
        proxyHosts = isEncrypted ? [] : Set(others.flatMap { [$0, "\($0):443"] })
        var names = [address.isIPv6 ? "[\(address.host)]" : address.host]
        if address.isLoopback { names += ["localhost", "127.0.0.1", "[::1]"] }
        if isEncrypted { names += others }
        let withPort = names.map { "\($0):\(address.port)" }
        hosts = Set(address.port == (isEncrypted ? 443 : 80) ? names + withPort : withPort)
    }

    /// Throws ``WebError`` when the request does not come from hub's own page or a user's click.
    func check(_ request: HTTPRequest) throws(WebError) {
        let host = request.headers.values("Host")
        guard host.count == 1, hosts.contains(host[0].lowercased()) || isFromProxy(request) else {
            throw .wrongHost
        }
        if APIAccess.isMeant(by: request) {
            try checkProgram(request)
        } else if request.asksForWebSocket {
            try checkWebSocket(request)
        } else if request.method.isSafe {
            try checkReading(request)
        } else {
            try checkWriting(request)
        }
    }

    /// Returns whether the request came through the proxy that the settings name.
    func isFromProxy(_ request: HTTPRequest) -> Bool {
        proxyHosts.contains((request.headers["Host"] ?? "").lowercased())
    }

    /// Other pages may lead here by a link; they may not read data, frame a page or load its parts.
    private func checkReading(_ request: HTTPRequest) throws(WebError) {
        let isOwn = request.headers["Sec-Fetch-Site"].map { $0 == "same-origin" || $0 == "none" } ?? true
        let isLink = request.headers["Sec-Fetch-Mode"] == "navigate" && request.headers["Sec-Fetch-Dest"] == "document"
        guard isOwn || isLink && !request.isForAPI else { throw .wrongOrigin }
    }

    /// A program with a token names no origin, as browsers do with every request that a page makes.
    private func checkProgram(_ request: HTTPRequest) throws(WebError) {
        let isOfBrowser = request.headers["Origin"] != nil || request.headers["Sec-Fetch-Site"] != nil
        guard !isOfBrowser, !request.asksForWebSocket else { throw .wrongOrigin }
        if !request.method.isSafe, !request.body.isEmpty { try checkType(request) }
    }

    /// A WebSocket can change something, and a browser lets every page open one: it must name its origin (RFC 6455 §10.2).
    private func checkWebSocket(_ request: HTTPRequest) throws(WebError) {
        let origins = request.headers.values("Origin")
        let site = request.headers["Sec-Fetch-Site"]
        guard origins.count == 1, isOwnOrigin(origins[0], of: request), site == nil || site == "same-origin" else {
            throw .wrongOrigin
        }
    }

    /// A request that changes something names its origin; every browser of this decade does.
    ///
    /// A form's `Origin` is `null` under the policy that no referrer is sent (Fetch §3.1), so for it, as when there is
    /// none, `Sec-Fetch-Site` decides alone.
    private func checkWriting(_ request: HTTPRequest) throws(WebError) {
        let origins = request.headers.values("Origin").filter { $0 != "null" }
        let site = request.headers["Sec-Fetch-Site"]
        guard site == "same-origin" || site == nil && !origins.isEmpty,
            origins.allSatisfy({ isOwnOrigin($0, of: request) })
        else {
            throw .wrongOrigin
        }
        if request.isForAPI { try checkType(request) }
    }

    /// Neither type can be sent by a form or without a preflight of CORS; bytes are those of files.
    private func checkType(_ request: HTTPRequest) throws(WebError) {
        guard !request.body.isEmpty || request.method != .delete else { return }
        guard ["application/json", "application/octet-stream"].contains(request.mediaType) else { throw .notJSON }
    }

    private func isOwnOrigin(_ origin: String, of request: HTTPRequest) -> Bool {
        if isFromProxy(request) {
            return origin.hasPrefix("https://") && proxyHosts.contains(origin.dropFirst(8).lowercased())
        }
        guard origin.hasPrefix(scheme) else { return false }
        return hosts.contains(origin.dropFirst(scheme.count).lowercased())
    }
}

extension HTTPRequest {
    /// Whether the client is a program: the response is JSON in every case.
    var isForAPI: Bool { target.segments.first == "api" }
}
