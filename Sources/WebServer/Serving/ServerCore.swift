import CMicroHTTPD
import Glibc
import Synchronization

/// The context of a daemon's callbacks.
final class ServerCore: Sendable {
    let library: MicroHTTPD
    let limits: ServerLimits
    let handler: HTTPServer.Handler
    private let beginsAtOnce: Bool
    let registry: ConnectionRegistry
    let acceptor: Acceptor
    let watch: PeerWatch
    private let kept = KeptAnswers()
    /// The daemon's thread, once a request has begun.
    private let daemonThread = Atomic<UInt>(0)
    /// The WebSockets, once there is one.
    private let webSockets = Mutex<WebSocketLoop?>(nil)
    /// Bytes of all request bodies that are held.
    let bodyBudget = Atomic<Int>(0)

    init(
        library: MicroHTTPD, limits: ServerLimits, beginsAtOnce: Bool, handler: @escaping HTTPServer.Handler
    ) throws(WebServerError) {
        self.beginsAtOnce = beginsAtOnce
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

    /// Starts the thread of the WebSockets at the first of them. Returns false when it cannot be had.
    func startWebSockets() -> Bool {
        webSockets.withLock { loop in
            if loop == nil { loop = try? WebSocketLoop() }
            return loop != nil
        }
    }

    /// Makes a channel of a socket that the library has handed over; nil when the server has stopped.
    func channel(for socket: UpgradedSocket, first: [UInt8], limits: WebSocketLimits) -> WebSocketChannel? {
        webSockets.withLock { $0?.channel(socket, first: first, limits: limits) }
    }

    /// Ends all WebSockets, and gives their sockets back to the library.
    func stopWebSockets() async {
        await webSockets.withLock(\.self)?.stop()
    }

    /// A connection begins; what is returned stays with it until ``connectionEnded(_:)``.
    func connectionBegan(_ pointer: OpaquePointer) -> Connection {
        let socket = microhttpd_socket(library.functions, pointer)
        let connection = registry.add(ConnectionHandle(pointer: pointer), socket: socket)
        watch.add(socket, as: connection.number)
        return connection
    }

    /// A connection is closed, and freed when this returns.
    func connectionEnded(_ connection: Connection) {
        // Waits for a thread that is still giving it back.
        connection.handover.withLock { _ in }
        registry.remove(connection)
        acceptor.connectionEnded(wasClosing: connection.isClosing)
    }

    /// The request that a connection was in is over, and the library closes the connection; it may take its time.
    func connectionCloses(_ connection: Connection) {
        connection.closes()
        acceptor.connectionCloses()
    }

    /// A request line with `target` has arrived on `connection`.
    func requestBegan(_ target: String, on connection: Connection) -> Exchange {
        daemonThread.store(pthread_self(), ordering: .relaxed)
        let exchange = Exchange(target: target, connection: connection, server: self)
        connection.requestBegan(exchange)
        return exchange
    }

    /// The library is about to answer a request by itself.
    ///
    /// libmicrohttpd 0.9.75 sends two heads to a request whose header fields it cannot use: a malformed `Content-Length`,
    /// or cookies that its memory does not hold. That request is the only one whose header fields have all arrived but
    /// were not handed over. It is answered here, and the library cannot send more.
    func libraryRefuses() {
        guard pthread_self() == daemonThread.load(ordering: .relaxed) else { return }
        for exchange in registry.exchanges
        where exchange.head == nil && exchange.keptAnswer == nil && library.hasHead(exchange.connection.handle) {
            let headers = library.headers(of: exchange.connection.handle)
            exchange.setHead(.get, headers)
            let (status, text) =
                if case .refused(let status, let text) = RequestFraming(headers) { (status, text) } else {
                    (431, "The header fields are too large.")
                }
            registry.refuse(exchange.connection, with: HTTPResponse.plain(status, text).lastMessage)
        }
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
            return .reply(.invalidTarget)
        }
        let body = exchange.withBody { $0.take() }
        var request = HTTPRequest(method: head.method, target: target, headers: head.headers, body: body)
        request.bodyFile = exchange.withBody { $0.takeFile() }
        request.peer = exchange.connection.peer
        request.connection = exchange.connection.number
        // Browsers send a request again whose connection ended without an answer.
        guard registry.begin() else { return .cut }
        return exchange.begin(request, atOnce: beginsAtOnce && request.isSmall)
    }

    private func headArrived(_ exchange: Exchange, method: String) -> ExchangeState.Step? {
        let headers = library.headers(of: exchange.connection.handle)
        exchange.setHead(HTTPMethod(rawValue: method), headers)
        exchange.connection.headArrived()
        guard headers.values("Host").count == 1 else {
            return .reply(.plain(400, "A request must have exactly one Host field."))
        }
        if let spool = limits.spool, spool.admits(HTTPMethod(rawValue: method), exchange.target, headers) {
            exchange.withBody { $0.allow(spool) }
        }
        var isWorthReading = true
        switch RequestFraming(headers) {
        case .refused(let status, let text): return .reply(.plain(status, text))
        case .length(let length): isWorthReading = exchange.withBody { $0.announce(length, limits) }
        case .chunked: break
        }
        guard let refusal = exchange.withBody(\.answer), !isWorthReading || headers["Expect"] != nil else { return nil }
        return .reply(refusal)
    }
}

/// Answers that are given again. On the daemon's thread only.
extension ServerCore {
    /// Header fields have arrived: whether they are those of a request whose answer still holds. It is sent when the library
    /// says that the request is over.
    func recalls(_ exchange: Exchange, method: String) -> Bool {
        guard method == "GET", !kept.isEmpty, exchange.head == nil,
            let answer = kept.answer(to: library.head(of: exchange, method: method)), registry.begin()
        else { return false }
        exchange.setKeptAnswer(answer)
        exchange.connection.headArrived()
        if answer.isToKnownClient { exchange.connection.clientIsKnown() }
        return true
    }

    /// Queues an answer that was given before.
    func reply(_ answer: KeptAnswer, to exchange: Exchange) -> MHD_Result {
        exchange.connection.requestArrived()
        return library.queue(answer.response, answer.status, for: exchange)
    }

    /// Queues the answer to a request, and keeps it for as long as it holds.
    func reply(_ response: HTTPResponse, to exchange: Exchange) -> MHD_Result {
        guard let holds = response.holds, response.onEnd == nil, case .bytes(let body) = response.body,
            let head = exchange.head, head.method == .get, head.headers["Content-Length"] == nil,
            head.headers["Transfer-Encoding"] == nil, let made = library.made(response, for: exchange)
        else { return library.reply(response, to: exchange) }
        let answer = KeptAnswer(made.pointer, status: made.status, response, holds: holds, library: library)
        // An invalid header field makes it an error.
        if made.status == response.status {
            kept.keep(answer, for: library.head(of: exchange, method: head.method.rawValue), size: body.count)
        }
        // It may not have been kept.
        return withExtendedLifetime(answer) { library.queue(answer.response, answer.status, for: exchange) }
    }
}
