import Commands
import HubKit
import WebServer
import WebSocket

/// Answers the requests of a listener that a plugin declares: it checks the host, the origin and the client, and calls the
/// plugin's routes and endpoints.
struct ListenerApp: Sendable {
    private let declaration: ListenerDeclaration
    private let host: any PluginHost
    private let names: Set<String>
    private let scheme: String
    private let messageSize: Int
    private let routes: Router<ListenerRoute>
    private let sockets: Router<WebSocketEndpoint>
    /// The port, when every address of the machine is listened on.
    private let anyPort: UInt16?
    private let log: Log

    /// Throws ``HubError`` when two routes are at one address.
    init(
        _ declaration: ListenerDeclaration, _ settings: ListenerSettings, listeningOn address: SocketAddress,
        host: any PluginHost, log: Log
    ) throws {
        self.declaration = declaration
        self.host = host
        self.log = log
        scheme = settings.certificate == nil ? "http://" : "https://"
        messageSize = settings.messageSize
        anyPort = address.isAny ? address.port : nil
        var hosts = [address.isIPv6 ? "[\(address.host)]" : address.host] + settings.names
        if address.isLoopback { hosts += ["localhost", "127.0.0.1", "[::1]"] }
        let ports = ["80", "443"].contains("\(address.port)") ? ["", ":\(address.port)"] : [":\(address.port)"]
        // A proxy is on the port of the scheme, which is not said.
        names = Set(hosts.flatMap { host in ports.map { host.lowercased() + $0 } })
            .union(settings.names.map { $0.lowercased() })
        routes = try Self.router(declaration.routes.map { (HTTPMethod(rawValue: $0.method), $0.pattern, $0) })
        sockets = try Self.router(declaration.sockets.map { (.get, $0.pattern, $0) })
    }

    private static func router<Endpoint>(
        _ targets: [(method: HTTPMethod, pattern: String, Endpoint)]
    ) throws -> Router<Endpoint> {
        var router = Router<Endpoint>()
        for (method, pattern, target) in targets {
            do {
                try router.add(method, pattern, target)
            } catch {
                throw HubError(
                    .internal, code: "bad-route", "the route \(method.rawValue) \(pattern) cannot be added",
                    cause: error)
            }
        }
        return router
    }

    /// Answers one request.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await answer(request)
        } catch {
            response = ErrorResponse.json(failure(error, request))
        }
        response.headers["X-Content-Type-Options"] = "nosniff"
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        return response
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try checkOrigin(request)
        if request.asksForWebSocket,
            case .found(let endpoint, let captures) = sockets.match(request.method, request.target)
        {
            let subprotocol = request.subprotocols.first { endpoint.subprotocols.contains($0) }
            if subprotocol != nil || !endpoint.needsSubprotocol {
                return try await open(endpoint, request, captures, subprotocol)
            }
        }
        switch routes.match(request.method, request.target) {
        case .found(let route, let captures):
            let asked = try await known(ListenerRequest(request, captures: captures), route.access)
            let answer = try await route.answer(host, asked)
            var response = HTTPResponse(status: answer.status, body: .bytes(answer.body))
            for (name, value) in answer.headers { response.headers.append(name, value) }
            response.isToKnownClient = asked.client != nil
            response.holds = answer.holds
            response.onEnd = answer.onEnd
            return response
        case .methodNotAllowed(let allowed): throw WebError.wrongMethod(allowed: allowed)
        case .notFound:
            // An ordinary request to the address of a WebSocket gets 426.
            guard case .found(let endpoint, let captures) = sockets.match(request.method, request.target) else {
                throw WebError.noPage
            }
            return try await open(endpoint, request, captures, nil)
        }
    }

    /// Returns the request with the name of its client; credentials that are not known are refused everywhere. Without accounts the
    /// listener is for this machine only, and everybody on it is a client.
    private func known(_ request: ListenerRequest, _ access: ListenerAccess) async throws -> ListenerRequest {
        var request = request
        request.client = try await declaration.authenticate?(host, request)
        let needsClient = access == .client || request.headers["authorization"] != nil
        if needsClient, declaration.authenticate != nil, request.client == nil { throw WebError.unknownClient }
        return request
    }

    private func open(
        _ endpoint: WebSocketEndpoint, _ request: HTTPRequest, _ captures: [String: String], _ subprotocol: String?
    ) async throws -> HTTPResponse {
        var asked = try await known(ListenerRequest(request, captures: captures), endpoint.access)
        asked.subprotocol = subprotocol
        let serve = request.asksForWebSocket ? try await endpoint.open(host, asked) : nil
        var response = HTTPResponse.webSocket(
            for: request, subprotocols: endpoint.subprotocols, messageSize: messageSize, log: log
        ) { try await serve?($0) }
        response.isToKnownClient = asked.client != nil
        return response
    }

    /// A page of a browser may use the listener only if the listener serves that page itself (RFC 6455 §10.2); programs send no
    /// origin.
    private func checkOrigin(_ request: HTTPRequest) throws(WebError) {
        let hosts = request.headers.values("Host")
        guard hosts.count == 1, isOwn(hosts[0]) else { throw .wrongHost }
        let origins = request.headers.values("Origin")
        let areOwn = origins.allSatisfy { origin in
            origin.hasPrefix(scheme) && isOwn(origin.dropFirst(scheme.count))
        }
        guard areOwn else { throw .wrongOrigin }
    }

    /// Whether a host is the listener's. Where every address of the machine is listened on, each numeric one is: a page that
    /// pretends to be of this machine has a name (DNS rebinding).
    private func isOwn(_ host: some StringProtocol) -> Bool {
        if names.contains(host.lowercased()) { return true }
        guard let anyPort, let address = try? SocketAddress(String(host)) else { return false }
        return address.port == anyPort
    }

    private func failure(_ error: any Error, _ request: HTTPRequest) -> WebError {
        if let failure = error as? WebError { return failure }
        if let error = error as? HubError, error.kind != .internal {
            return WebError(status: error.kind.httpStatus, error: error)
        }
        if !(error is CancellationError) { log.error("\(request.method.rawValue) \(request.path): \(error)") }
        return WebError(status: 500, error: HubError(.internal, code: "internal", "internal error"))
    }
}

extension WebSocketChannel: WebSocketPeer {}

extension HTTPRequest {
    /// The subprotocols that the client offers for a WebSocket, in its order (RFC 6455 §11.3.4).
    var subprotocols: [String] {
        headers.values("Sec-WebSocket-Protocol").flatMap { field in
            field.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
    }
}

extension HTTPResponse {
    /// The response that opens a WebSocket of a plugin and serves it; what `serve` throws is logged.
    static func webSocket(
        for request: HTTPRequest, subprotocols: [String], messageSize: Int, log: Log,
        serve: @escaping @Sendable (any WebSocketPeer) async throws -> Void
    ) -> HTTPResponse {
        var limits = WebSocketLimits()
        limits.message = WebSocketConnection.Limits(messageSize: messageSize)
        limits.waitingBytes = max(limits.waitingBytes, 2 * messageSize)
        return webSocket(for: request, subprotocols: subprotocols, limits: limits) { channel in
            do {
                try await serve(channel)
            } catch is CancellationError {
                channel.close(.goingAway, reason: "")
            } catch {
                log.error("WebSocket \(request.path): \(error)")
                channel.close(.internalError, reason: "")
            }
        }
    }
}

extension ListenerRequest {
    fileprivate init(_ request: HTTPRequest, captures: [String: String]) {
        self.init(
            method: request.method.rawValue, path: request.path, captures: captures,
            query: Dictionary(request.target.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
            headers: Dictionary(
                request.headers.fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + "," + $1 }),
            body: request.body)
        peer = request.peer
        connection = request.connection
    }
}
