import CMicroHTTPD
import Dispatch
import Glibc

/// A running daemon of the library: one thread with its connections.
///
/// Sendable: the pointer is constant, adding connections is allowed from any thread, and ``stop()`` comes once, after the
/// last addition.
struct Daemon: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let core: Unmanaged<ServerCore>
    private let library: MicroHTTPD

    /// Starts the daemon, which keeps `core` until it is stopped.
    init(_ core: ServerCore, _ identity: ServerIdentity?) throws(WebServerError) {
        library = core.library
        self.core = Unmanaged.passRetained(core)
        var callbacks = microhttpd_callbacks(
            connection: connectionCallback, request: requestCallback, content: contentCallback,
            completed: completedCallback, refusal: refusalCallback)
        let limits = core.limits
        let (functions, context) = (core.library.functions, self.core.toOpaque())
        func start(_ chain: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
            microhttpd_start(
                // The daemon reports a connection's end before it stops counting it, hence the one more.
                functions, &callbacks, context, UInt32(limits.connections) + 1,
                limits.connectionMemory, UInt32(max(1, limits.idleTime.components.seconds)), chain, key)
        }
        // The library reads both while it starts.
        let started =
            identity.map { identity in
                identity.chain.withCString { chain in identity.key.withCString { start(chain, $0) } }
            } ?? start(nil, nil)
        guard let pointer = started ?? nil else {
            let code = errno
            self.core.release()
            throw identity == nil ? .outOfResources(errno: code) : .refusedCertificate
        }
        self.pointer = pointer
    }

    /// Hands a connected socket over to the daemon. Returns false when it refused and closed it.
    func add(_ socket: Int32, _ peer: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        library.functions.pointee.MHD_add_connection(pointer, socket, peer, length) == .YES
    }

    /// Closes all connections and ends the thread. No connection may be suspended.
    func stop() async {
        await withCheckedContinuation { done in
            // It joins the thread, which must not hold up the cooperative pool.
            DispatchQueue(label: "hub.web.stop").async {
                library.functions.pointee.MHD_stop_daemon(pointer)
                core.release()
                done.resume()
            }
        }
    }
}

// The daemon calls these on its own thread. They are functions at file scope, so that no actor's isolation is inferred
// for them.

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore {
    // The daemon passes on what it was started with, and `Daemon` keeps that alive until it has stopped.
    Unmanaged<ServerCore>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
}

private func connectionCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let connection, let own else { return }
    switch code {
    case .CONNECTION_NOTIFY_STARTED:
        own.pointee = Unmanaged.passRetained(core(context).connectionBegan(connection)).toOpaque()
    case .CONNECTION_NOTIFY_CLOSED:
        guard let kept = own.pointee else { return }
        core(context).connectionEnded(Unmanaged<Connection>.fromOpaque(kept).takeRetainedValue())
        own.pointee = nil
    }
}

private func requestCallback(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    let core = core(context)
    guard let kept = microhttpd_context(core.library.functions, connection) else { return nil }
    let connection = Unmanaged<Connection>.fromOpaque(kept).takeUnretainedValue()
    let exchange = core.requestBegan(target.map { String(cString: $0) } ?? "", on: connection)
    return Unmanaged.passRetained(exchange).toOpaque()
}

private func contentCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let kept = own?.pointee, let size, let method = method.map({ String(cString: $0) }) else { return .NO }
    let core = core(context)
    let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
    if let answer = exchange.keptAnswer { return core.reply(answer, to: exchange) }
    if core.recalls(exchange, method: method) { return .YES }
    let step = core.contentArrived(exchange, method: method, piece: piece)
    size.pointee = 0
    return switch step {
    case nil, .wait: .YES
    case .reply(let response): core.reply(response, to: exchange)
    case .cut: .NO
    }
}

private func completedCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let kept = own?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeRetainedValue()
    if code != .REQUEST_TERMINATED_COMPLETED_OK { core(context).connectionCloses(exchange.connection) }
    exchange.connectionEnded()
    own?.pointee = nil
}

private func refusalCallback(_ context: UnsafeMutableRawPointer?) { core(context).libraryRefuses() }
