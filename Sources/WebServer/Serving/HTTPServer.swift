import Synchronization

/// An HTTP/1.1 server on one address: it serves from its making until it is stopped.
///
/// Each request is read whole, within ``ServerLimits``, and given to the handler in a task of its own, which is cancelled
/// when the client goes away. Keep-alive, pipelining, `HEAD`, `Expect`, chunked bodies and dates are taken care of.
package final class HTTPServer: Sendable {
    /// Answers one request.
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// The address on which the server listens, with the real port.
    package let address: SocketAddress

    private let core: ServerCore
    private let daemon: Daemon
    private let sweeper: Task<Void, any Error>
    private let stopping = Mutex<Task<Void, Never>?>(nil)

    /// Listens on `address` and serves with `handler`.
    package convenience init(
        on address: SocketAddress, limits: ServerLimits = ServerLimits(), identity: ServerIdentity? = nil,
        beginsAtOnce: Bool = false, handler: @escaping Handler
    ) throws(WebServerError) {
        try self.init(
            ListeningSocket(address), limits: limits, identity: identity, beginsAtOnce: beginsAtOnce,
            handler: handler)
    }

    /// Serves with `handler` on `listener`, over TLS with an identity.
    ///
    /// `beginsAtOnce` runs the handler of a request without a body, or with a small one, on the thread of all connections until it
    /// first waits. That is faster where the response is mostly at hand; the handler must not work long before it waits.
    package init(
        _ listener: consuming ListeningSocket, limits: ServerLimits = ServerLimits(), identity: ServerIdentity? = nil,
        beginsAtOnce: Bool = false, handler: @escaping Handler
    ) throws(WebServerError) {
        address = listener.address
        core = try ServerCore(
            library: .load(), limits: limits, beginsAtOnce: beginsAtOnce, handler: handler)
        let daemon = try Daemon(core, identity)
        self.daemon = daemon
        sweeper = Task { [core] in
            while true {
                try await Task.sleep(for: min(limits.requestTime, limits.headTime) / 8)
                core.registry.cut(
                    waitingSince: .now - limits.requestTime, headlessSince: .now - limits.headTime)
            }
        }
        core.acceptor.start(listener.release(), daemon.add)
    }

    /// Stops: no more connections; endless responses end; requests that have begun are finished within `grace`, then
    /// cancelled, and given up a second later. When this returns the port is free and all connections are closed.
    package func stop(grace: Duration = .seconds(3)) async {
        let task = stopping.withLock { task in
            let running = task ?? Task { await self.shutDown(grace) }
            task = running
            return running
        }
        await task.value
    }

    private func shutDown(_ grace: Duration) async {
        await core.acceptor.close()
        core.registry.stopBeginning()
        core.registry.exchanges.forEach { $0.cancelIfEndless() }
        await core.registry.waitUntilIdle(for: grace)
        core.registry.exchanges.forEach { $0.cancel() }
        await core.registry.waitUntilIdle(for: .seconds(1))
        core.registry.exchanges.forEach { $0.abandon() }
        await core.stopWebSockets()
        // libmicrohttpd 0.9.75 follows a null pointer when it refuses a request, such as one with a malformed length, after
        // it was told to stop. So no connection may read when it is told.
        core.registry.endAll()
        await core.acceptor.waitForSilence(for: .seconds(10))
        await daemon.stop()
        core.watch.cancel()
        sweeper.cancel()
    }
}

/// The limits of a server for its clients.
package struct ServerLimits: Sendable {
    /// Connections at once. For a further one the oldest is dropped whose client is not known; when all are, it waits in the
    /// kernel's queue.
    package var connections = 512
    /// Bytes of one request's line and header fields, and of the connection's buffers; more is answered 431 or 414.
    package var connectionMemory = 32 * 1024
    /// Bytes of one request's body; more is answered 413.
    package var body = 1024 * 1024
    /// Where larger bodies go; nil for nowhere.
    package var spool: BodySpool?
    /// Bytes of all bodies held at once; a request beyond it is answered 503.
    package var allBodies = 64 * 1024 * 1024
    /// The maximum time without progress while the client has to send or receive.
    package var idleTime: Duration = .seconds(30)
    /// The time limit for the header of a connection's first request.
    package var headTime: Duration = .seconds(10)
    /// The time of silence after which an unknown client's connection may be dropped for another one.
    package var strangerTime: Duration = .seconds(1)
    /// The time limit for receiving a whole request, counted from the end of the previous one on its connection.
    package var requestTime: Duration = .seconds(120)

    package init() {}
}

/// The reason why a server cannot start.
package enum WebServerError: Error, Equatable {
    /// The library is missing or too old; the loader's text says which file or function.
    case libraryUnavailable(String)
    /// The text is not a numeric address with a port.
    case malformedAddress(String)
    /// The address cannot be listened on; `errno` is of the call that failed, such as `EADDRINUSE`.
    case cannotListen(SocketAddress, errno: Int32)
    /// A file of the certificate cannot be read.
    case unusableCertificate(path: String, reason: String)
    /// The certificate and the key do not belong together, or the library was built without TLS.
    case refusedCertificate
    /// The daemon's thread or a descriptor cannot be had.
    case outOfResources(errno: Int32)
}
