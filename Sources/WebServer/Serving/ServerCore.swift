import CMicroHTTPD
import Synchronization

/// The context of a daemon's callbacks.
final class ServerCore: Sendable {
    let library: MicroHTTPD
    let limits: ServerLimits
    let handler: HTTPServer.Handler
    let registry: ConnectionRegistry
    let acceptor: Acceptor
    let watch: PeerWatch
    /// Bytes of all request bodies that are held.
    let bodyBudget = Atomic<Int>(0)

    init(library: MicroHTTPD, limits: ServerLimits, handler: @escaping HTTPServer.Handler) throws(WebServerError) {
        self.library = library
        self.limits = limits
        self.handler = handler
        let registry = ConnectionRegistry()
        self.registry = registry
        acceptor = Acceptor(limit: limits.connections) {
            registry.dropOldestStranger(waitingSince: .now - limits.strangerTime)
        }
        watch = try PeerWatch { number in registry.exchange(on: number)?.cancel() }
    }

    /// A connection begins; what is returned stays with it until ``connectionEnded(_:)``.
    func connectionBegan(_ pointer: OpaquePointer) -> Connection {
        let socket = microhttpd_socket(library.functions, pointer)
        let connection = registry.add(ConnectionHandle(pointer: pointer), socket: socket)
        watch.add(socket, as: connection.number)
        return connection
    }

    /// A connection is closed.
    func connectionEnded(_ connection: Connection) {
        registry.remove(connection)
        acceptor.connectionEnded()
    }

    /// A request line with `target` has arrived on `connection`.
    func requestBegan(_ target: String, on connection: Connection) -> Exchange {
        let exchange = Exchange(target: target, connection: connection, server: self)
        connection.requestBegan(exchange)
        return exchange
    }

    /// Header fields, a piece of the body or its end have arrived, or the connection was resumed. Returns what to do; `nil`
    /// to read on.
    func contentArrived(
        _ exchange: Exchange, method: String, piece: UnsafeRawBufferPointer
    ) -> ExchangeState.Step? {
        guard let head = exchange.head else { return headArrived(exchange, method: method) }
        guard piece.isEmpty else {
            let isWorthReading = exchange.withBody { $0.append(piece, limits, bodyBudget) }
            return isWorthReading ? nil : .cut
        }
        guard !exchange.hasBegun else { return exchange.next() }
        exchange.connection.requestArrived()
        if let refusal = exchange.withBody(\.answer) { return .reply(refusal) }
        guard let target = RequestTarget(exchange.target) else {
            return .reply(.plain(400, "Invalid request target."))
        }
        let body = exchange.withBody { $0.take() }
        let request = HTTPRequest(method: head.method, target: target, headers: head.headers, body: body)
        guard registry.begin({ exchange.begin(request) }) else {
            return .reply(.plain(503, "The server is stopping."))
        }
        return nil
    }

    private func headArrived(_ exchange: Exchange, method: String) -> ExchangeState.Step? {
        let headers = library.headers(of: exchange.connection.handle)
        exchange.setHead(HTTPMethod(rawValue: method), headers)
        exchange.connection.headArrived()
        guard headers.values("Host").count == 1 else {
            return .reply(.plain(400, "A request must have exactly one Host field."))
        }
        let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
        let isWorthReading = exchange.withBody { $0.announce(length, limits) }
        guard let refusal = exchange.withBody(\.answer), !isWorthReading || headers["Expect"] != nil else { return nil }
        return .reply(refusal)
    }
}
