import Commands
import HubKit
import WebServer

/// A listener of a plugin as a service of the daemon.
struct ListenerService: Service {
    private let server: HTTPServer
    private let log: Log

    /// Begins to listen. Throws ``HubError`` for an address that other machines reach when the listener has no accounts or no
    /// certificate.
    init(
        _ declaration: ListenerDeclaration, of plugin: String, _ settings: ListenerSettings, host: any PluginHost,
        log: Log, sockets: ListeningSockets = ListeningSockets()
    ) throws {
        self.log = log
        do {
            let address = try SocketAddress(settings.address)
            let name = "\(plugin)/\(declaration.id)"
            if !address.isLoopback { try Self.checkRemote(declaration, settings, name) }
            var limits = ServerLimits()
            limits.body = settings.bodySize
            limits.connections = settings.connections
            // Many clients stay connected, and the heads of their requests are short.
            limits.connectionMemory = 16 << 10
            let listener = try sockets.socket(on: address)
            let app = try ListenerApp(declaration, settings, listeningOn: listener.address, host: host, log: log)
            let certificate = try settings.certificate.map { try ServerIdentity(chain: $0.chain, key: $0.key) }
            server = try HTTPServer(listener, limits: limits, identity: certificate, beginsAtOnce: true) {
                await app.respond(to: $0)
            }
        } catch let error as WebServerError {
            throw HubError(
                listening: error, otherPort: "hub config list shows the settings of \(plugin), and with them the port")
        }
    }

    /// The address with the real port.
    var address: SocketAddress { server.address }

    func run() async throws {
        log.info("listening on \(server.address)")
        let (nothing, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in nothing {}
        source.finish()
        await server.stop()
    }

    private static func checkRemote(
        _ declaration: ListenerDeclaration, _ settings: ListenerSettings, _ name: String
    ) throws {
        let isReadable = settings.certificate == nil && !settings.allowsPlaintext
        guard declaration.authenticate == nil || isReadable else { return }
        throw HubError(
            .config, code: "listen-beyond-loopback", "\(settings.address) would be reachable from other machines",
            details: [
                declaration.authenticate == nil
                    ? "\(name) has no accounts: anyone could use it."
                    : "\(name) has no certificate: its traffic could be read."
            ], hint: "use an address of this machine such as 127.0.0.1, or a certificate")
    }
}

/// A listener that its settings leave off.
struct ListenerOff: Service {
    func run() async throws {
        let (nothing, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in nothing {}
        source.finish()
    }
}
