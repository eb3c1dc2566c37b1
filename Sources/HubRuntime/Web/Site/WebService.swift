import System
package import WebServer

/// Serves the page until it is cancelled.
package struct WebService: Sendable {
    private let address: SocketAddress
    private let limits: ServerLimits
    private let identity: ServerIdentity?
    private let sockets: ListeningSockets
    private let makeSite: @Sendable (SocketAddress) throws -> WebApp

    /// A service that listens on `address`. The site is made when the real port is known. Throws ``HubError`` for an
    /// address that other machines reach without an identity for TLS.
    package init(
        address: SocketAddress, limits: ServerLimits = ServerLimits(), identity: ServerIdentity? = nil,
        sockets: ListeningSockets = ListeningSockets(),
        makeSite: @escaping @Sendable (SocketAddress) throws -> WebApp
    ) throws {
        guard address.isLoopback || identity != nil else {
            throw HubError(
                .config, code: "listen-beyond-loopback", "\(address) would be reachable from other machines",
                details: ["The web page is not encrypted."],
                hint: "hub config set hub.web.listen 127.0.0.1:4820, and reach it through ssh -L")
        }
        self.address = address
        self.limits = limits
        self.identity = identity
        self.sockets = sockets
        self.makeSite = makeSite
    }

    /// The page while it listens; ``run(ready:)`` ends that.
    package struct Listening: Sendable {
        fileprivate let server: HTTPServer

        /// Tells `ready` where, and serves until the task is cancelled; then lets what has begun finish.
        package func run(ready: (SocketAddress) -> Void = { _ in }) async throws {
            ready(server.address)
            let (nothing, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            source.finish()
            await server.stop()
        }
    }

    /// Begins to listen and to answer.
    package func listen() throws -> Listening {
        do {
            let listener = try sockets.socket(on: address)
            let site = try makeSite(listener.address)
            return Listening(
                server: try HTTPServer(listener, limits: limits, identity: identity) { await site.respond(to: $0) })
        } catch let error as WebServerError {
            throw HubError(listening: error)
        }
    }

    /// Listens, calls `ready` with the address, and serves until the task is cancelled; then lets running requests
    /// finish.
    package func run(ready: (SocketAddress) -> Void = { _ in }) async throws { try await listen().run(ready: ready) }
}
