package import Commands
package import WebSocket

/// A listener of its own that a plugin offers to other machines and programs, apart from the web app: a server for notes, a hook
/// for a device. It is off until its settings say where it listens. HubRuntime binds and guards it.
package struct ListenerDeclaration: Sendable {
    /// The listener's word, unique within the plugin.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// Returns where the listener listens; nil when it is not needed.
    package let settings: @Sendable (any PluginHost) throws -> ListenerSettings?
    /// Whether `hub serve` opens the listener.
    package let isOn: @Sendable (any PluginHost) throws -> Bool
    /// The HTTP routes.
    package let routes: [ListenerRoute]
    /// The WebSocket endpoints.
    package let sockets: [WebSocketEndpoint]
    /// Returns the name of the client that sent a request; nil when it is not known. Without it there are no accounts, and the
    /// listener serves this machine only.
    package let authenticate: (@Sendable (any PluginHost, ListenerRequest) async throws -> String?)?
    /// Sends the clients away before the process ends, within a limited time; nil where there is nothing to send away.
    package let drain: (@Sendable (any PluginHost) async -> Void)?

    /// Creates the declaration of a listener of the plugin `P`.
    package init<P: Plugin>(
        _ id: String, summary: String, routes: [ListenerRoute] = [], sockets: [WebSocketEndpoint] = [],
        authenticate: (@Sendable (P, ListenerRequest) async throws -> String?)? = nil,
        isOn: @escaping @Sendable (P) throws -> Bool = { _ in true },
        drain: (@Sendable (P) async -> Void)? = nil,
        settings: @escaping @Sendable (P) throws -> ListenerSettings?
    ) {
        if let drain {
            self.drain = { host in
                guard let plugin = try? host.plugin(P.self) else { return }
                await drain(plugin)
            }
        } else {
            self.drain = nil
        }
        self.id = id
        self.summary = summary
        self.routes = routes
        self.sockets = sockets
        self.settings = { host in try settings(host.plugin(P.self)) }
        self.isOn = { host in try isOn(host.plugin(P.self)) }
        guard let authenticate else {
            self.authenticate = nil
            return
        }
        self.authenticate = { host, request in try await authenticate(host.plugin(P.self), request) }
    }
}

/// Where and how a listener listens.
package struct ListenerSettings: Sendable {
    /// The address and port: `127.0.0.1:3000`, `0.0.0.0:3000`.
    package var address: String
    /// The names by which clients call the listener, besides the address: `notes.example.org`.
    package var names: [String] = []
    /// The paths of the certificate with its chain and of its key, both PEM; nil for no encryption.
    package var certificate: (chain: String, key: String)?
    /// The largest body of a request, in bytes.
    package var bodySize = 1 << 20
    /// The largest message of a WebSocket, in bytes.
    package var messageSize = 1 << 20
    /// The most connections at once.
    package var connections = 256
    /// Whether other machines may be served without encryption, such as behind a proxy that has the certificate.
    package var allowsPlaintext = false

    package init(address: String) { self.address = address }
}

/// The clients that may use a route or an endpoint of a listener.
package enum ListenerAccess: Sendable {
    /// Clients that the listener's ``ListenerDeclaration/authenticate`` knows.
    case client
    /// Every client.
    case everybody
}

/// A request to a listener.
package struct ListenerRequest: Sendable {
    /// The request method (RFC 9110).
    package let method: String
    /// The path as it was sent, without the query.
    package let path: String
    /// The captures of the pattern, percent-decoded.
    package let captures: [String: String]
    /// The query's fields, percent-decoded; the last of several with one name.
    package let query: [String: String]
    /// The header fields by their names in lower case; of several equal ones the values joined with commas.
    package let headers: [String: String]
    /// The body.
    package let body: [UInt8]
    /// The name of the client; nil when it is not known.
    package var client: String?
    /// The numeric IP address of the client; empty when it is not known.
    package var peer = ""
    /// The number of the connection, which no other one of this process has; nil when it is not known.
    package var connection: UInt64?
    /// The subprotocol that was agreed on; nil without one, and for requests that open no WebSocket.
    package var subprotocol: String?

    package init(
        method: String, path: String, captures: [String: String] = [:], query: [String: String] = [:],
        headers: [String: String] = [:], body: [UInt8] = [], client: String? = nil
    ) {
        self.method = method
        self.path = path
        self.captures = captures
        self.query = query
        self.headers = headers
        self.body = body
        self.client = client
    }

    /// The token of `Authorization: Bearer …` (RFC 6750); nil without one.
    package var bearerToken: String? {
        guard let field = headers["authorization"], field.utf8.count > 7, field.prefix(7).lowercased() == "bearer "
        else {
            return nil
        }
        return String(field.dropFirst(7))
    }
}

/// A response of a listener.
package struct ListenerResponse: Sendable {
    /// The status code (RFC 9110 §15).
    package var status: Int
    /// The header fields.
    package var headers: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// Whether the response still holds: while it does, a GET that is the same to the last byte, from the same machine, may get
    /// it without its route. It must not wait. Nil for a response that is sent once.
    package var holds: (@Sendable () -> Bool)?
    /// Called once the response has been sent, or cannot be sent.
    package var onEnd: (@Sendable () -> Void)?

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a JSON text.
    package static func json(_ text: String, status: Int = 200) -> ListenerResponse {
        ListenerResponse(status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
    }
}

/// An HTTP route of a listener.
package struct ListenerRoute: Sendable {
    /// The request method (RFC 9110).
    package let method: String
    /// The path, with captures in braces: `/items/{id}`, and `{name...}` for the rest of any path.
    package let pattern: String
    /// The clients that may use it.
    package let access: ListenerAccess
    /// Answers one request.
    package let answer: @Sendable (any PluginHost, ListenerRequest) async throws -> ListenerResponse

    /// Creates a route of the plugin `P`.
    package init<P: Plugin>(
        _ method: String, _ pattern: String, access: ListenerAccess = .client,
        answer: @escaping @Sendable (P, ListenerRequest) async throws -> ListenerResponse
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.answer = { host, request in try await answer(host.plugin(P.self), request) }
    }
}

/// An address at which clients open WebSockets (RFC 6455).
package struct WebSocketEndpoint: Sendable {
    /// The path, with captures in braces.
    package let pattern: String
    /// The subprotocols that the endpoint speaks; the first of the client's that is among them is chosen.
    package let subprotocols: [String]
    /// Whether a handshake that names none of the subprotocols is an ordinary request to the routes.
    package let needsSubprotocol: Bool
    /// The clients that may use it.
    package let access: ListenerAccess
    /// Serves one WebSocket; when it returns, the WebSocket is closed. It is cancelled when the client goes away.
    package typealias Service = @Sendable (any WebSocketPeer) async throws -> Void

    /// Returns what serves the WebSocket of a handshake, which is answered afterwards.
    package let open: @Sendable (any PluginHost, ListenerRequest) async throws -> Service

    /// Creates an endpoint of the plugin `P`.
    package init<P: Plugin>(
        _ pattern: String, subprotocols: [String] = [], needsSubprotocol: Bool = false,
        access: ListenerAccess = .client,
        serve: @escaping @Sendable (P, ListenerRequest, any WebSocketPeer) async throws -> Void
    ) {
        self.pattern = pattern
        self.subprotocols = subprotocols
        self.needsSubprotocol = needsSubprotocol
        self.access = access
        open = { host, request in { try await serve(host.plugin(P.self), request, $0) } }
    }

    /// Creates an endpoint of the plugin `P` that notes something before a client knows that it is connected, such as from where on it
    /// has to hear of what happens.
    package init<P: Plugin>(
        _ pattern: String, subprotocols: [String] = [], needsSubprotocol: Bool = false,
        access: ListenerAccess = .client,
        open: @escaping @Sendable (P, ListenerRequest) async throws -> Service
    ) {
        self.pattern = pattern
        self.subprotocols = subprotocols
        self.needsSubprotocol = needsSubprotocol
        self.access = access
        self.open = { host, request in try await open(host.plugin(P.self), request) }
    }
}

/// The other end of an open WebSocket.
package protocol WebSocketPeer: Sendable {
    /// Returns the next message; nil when the WebSocket is over. One task receives.
    func receive() async -> WebSocketConnection.Message?

    /// Sends messages without waiting. Returns false when they cannot arrive any more; a client that does not take in what is
    /// sent to it is dropped.
    @discardableResult
    func send(_ messages: [WebSocketConnection.Message]) -> Bool

    /// Sends messages that others get as well, in the same way.
    @discardableResult
    func send(_ broadcast: WebSocketConnection.Broadcast) -> Bool

    /// Returns when the system has taken everything that was sent, or the WebSocket is over. One task waits.
    func flushed() async

    /// Begins to close the WebSocket; what was sent before still arrives.
    func close(_ code: WebSocketCloseCode, reason: String)
}

extension WebSocketPeer {
    /// Sends a message without waiting; see ``send(_:)-([WebSocketConnection.Message])``.
    @discardableResult
    package func send(_ message: WebSocketConnection.Message) -> Bool { send([message]) }

    /// Sends messages that others get as well, one by one.
    @discardableResult
    package func send(_ broadcast: WebSocketConnection.Broadcast) -> Bool { send(broadcast.messages) }
}
