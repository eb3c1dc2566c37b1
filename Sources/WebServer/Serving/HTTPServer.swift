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
        handler: @escaping Handler
    ) throws(WebServerError) {
        try self.init(ListeningSocket(address), limits: limits, identity: identity, handler: handler)
    }

    /// Serves with `handler` on `listener`, over TLS with an identity.
    package init(
        _ listener: consuming ListeningSocket, limits: ServerLimits = ServerLimits(), identity: ServerIdentity? = nil,
        handler: @escaping Handler
    ) throws(WebServerError) {
        address = listener.address
        core = try ServerCore(library: .load(), limits: limits, handler: handler)
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
        await daemon.stop()
        core.watch.cancel()
        sweeper.cancel()
    }
}
