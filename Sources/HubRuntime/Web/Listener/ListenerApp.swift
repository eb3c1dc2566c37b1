import HubKit
import WebServer
import WebSocket

/// Answers the requests of a listener that a plugin declares: it checks the host, the origin and the client, and calls the
/// plugin's routes and endpoints.
struct ListenerApp: Sendable {
    /// What a matched address leads to.
    private enum Target: Sendable {
        case route(ListenerRoute)
        case socket(WebSocketEndpoint)

        var access: ListenerAccess {
            switch self {
            case .route(let route): route.access
            case .socket(let endpoint): endpoint.access
            }
        }
    }

    private let declaration: ListenerDeclaration
    private let host: any PluginHost
    private let names: Set<String>
    private let scheme: String
    private let limits: WebSocketLimits
    private let router: Router<Target>
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
        var limits = WebSocketLimits()
        limits.message = WebSocketConnection.Limits(messageSize: settings.messageSize)
        limits.waitingBytes = max(limits.waitingBytes, 2 * settings.messageSize)
        self.limits = limits
        var hosts = [address.isIPv6 ? "[\(address.host)]" : address.host] + settings.names
        if address.isLoopback { hosts += ["localhost", "127.0.0.1", "[::1]"] }
        let ports = ["80", "443"].contains("\(address.port)") ? ["", ":\(address.port)"] : [":\(address.port)"]
        names = Set(hosts.flatMap { host in ports.map { host.lowercased() + $0 } })
        let targets =
            declaration.routes.map { (HTTPMethod(rawValue: $0.method), $0.pattern, Target.route($0)) }
            + declaration.sockets.map { (HTTPMethod.get, $0.pattern, Target.socket($0)) }
        var router = Router<Target>()
        for (method, pattern, target) in targets {
            do {
                try router.add(method, pattern, target)
            } catch {
                throw HubError(
                    .internal, code: "bad-route", "the route \(method.rawValue) \(pattern) cannot be added",
                    cause: error)
            }
        }
        self.router = router
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
        let (target, captures): (Target, [String: String])
        switch router.match(request.method, request.target) {
        case .found(let found, let parts): (target, captures) = (found, parts)
        case .methodNotAllowed(let allowed): throw WebError.wrongMethod(allowed: allowed)
        case .notFound: throw WebError.noPage
        }
        var asked = ListenerRequest(request, captures: captures)
        asked.client = try await declaration.authenticate?(host, asked)
        // Without accounts the listener is for this machine only, and everybody on it is a client.
        if target.access == .client, declaration.authenticate != nil, asked.client == nil {
            throw WebError.unknownClient
        }
        switch target {
        case .route(let route):
            let answer = try await route.answer(host, asked)
            var response = HTTPResponse(status: answer.status, body: .bytes(answer.body))
            for (name, value) in answer.headers { response.headers.append(name, value) }
            response.isToKnownClient = asked.client != nil
            return response
        case .socket(let endpoint): return open(endpoint, request, asked)
        }
    }

    private func open(_ endpoint: WebSocketEndpoint, _ request: HTTPRequest, _ asked: ListenerRequest) -> HTTPResponse {
        var response = HTTPResponse.webSocket(for: request, subprotocols: endpoint.subprotocols, limits: limits) {
            [host, log] channel in
            do {
                try await endpoint.serve(host, asked, channel)
            } catch is CancellationError {
                channel.close(.goingAway, reason: "")
            } catch {
                log.error("WebSocket \(asked.path): \(error)")
                channel.close(.internalError, reason: "")
            }
        }
        response.isToKnownClient = asked.client != nil
        return response
    }

    /// A page of a browser may use the listener only if the listener serves that page itself (RFC 6455 §10.2); programs send no
    /// origin.
    private func checkOrigin(_ request: HTTPRequest) throws(WebError) {
        let hosts = request.headers.values("Host")
        guard hosts.count == 1, names.contains(hosts[0].lowercased()) else { throw .wrongHost }
        let origins = request.headers.values("Origin")
        let areOwn = origins.allSatisfy { origin in
            origin.hasPrefix(scheme) && names.contains(origin.dropFirst(scheme.count).lowercased())
        }
        guard areOwn else { throw .wrongOrigin }
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

extension ListenerRequest {
    fileprivate init(_ request: HTTPRequest, captures: [String: String]) {
        self.init(
            method: request.method.rawValue, path: request.path, captures: captures,
            query: Dictionary(request.target.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
            headers: Dictionary(
                request.headers.fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + "," + $1 }),
            body: request.body)
    }
}
