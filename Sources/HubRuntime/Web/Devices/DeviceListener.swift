import Commands
import DAVServer
import HubKit
import WebServer

/// The server for devices as a service of the daemon.
struct DeviceListener: Service {
    private let server: HTTPServer
    private let certificate: WebCertificate?
    private let clock: any Clock
    private let log: Log

    /// The address of the config file; nil when the server is off.
    static func configured(_ hub: Hub) throws -> SocketAddress? {
        guard let text = try hub.configuration().core[HubKeys.devicesAddress] else { return nil }
        do {
            return try SocketAddress(text)
        } catch {
            throw HubError(listening: error)
        }
    }

    /// The collections of the enabled plugins.
    static func collections(_ hub: Hub) throws -> [DAVCollection] {
        try hub.enabledDescriptors().flatMap(\.collections).map { declaration in
            DAVCollection(
                DAVCollection.Kind(declaration.kind), id: declaration.id, title: declaration.title,
                isReadOnly: declaration.isReadOnly, items: try declaration.open(hub))
        }.sorted { !$0.isReadOnly && $1.isReadOnly }
    }

    /// Begins to listen on `address`.
    init(_ hub: Hub, at address: SocketAddress, sockets: ListeningSockets = ListeningSockets()) throws {
        log = hub.log.labelled("devices")
        clock = hub.clock
        let certificate = try WebCertificate(hub, for: address, .devices)
        self.certificate = certificate
        let store = DeviceStore(try hub.database())
        let collections = try Self.collections(hub)
        let names = try hub.configuration().core[HubKeys.devicesNames]
        var limits = ServerLimits()
        // A card may have 10 MiB; what is larger gets an answer that says so, up to here.
        limits.body = 32 << 20
        do {
            let listener = try sockets.socket(on: address)
            let address = listener.address
            // The certificate that hub makes is one for the names of the machine, too.
            let own = certificate?.fingerprint == nil ? [] : OwnCertificates.ownNames
            let app = DeviceApp(
                collections, store: store,
                names: DeviceApp.hosts(of: address, names: names + own, isEncrypted: certificate != nil),
                profile: try AppleProfile(hub, at: address, certificate), clock: hub.clock, requests: DeviceLog(hub),
                log: log)
            server = try HTTPServer(listener, limits: limits, identity: certificate?.identity) {
                await app.respond(to: $0)
            }
        } catch let error as WebServerError {
            throw HubError(
                listening: error, otherPort: "to use another port: hub config set hub.dav.listen 192.168.1.20:4844")
        }
    }

    /// The address with the real port.
    var address: SocketAddress { server.address }

    func run() async throws {
        log.info("listening on \(server.address)")
        try await WebCertificate.run(certificate, clock) { [server] in
            let (nothing, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            source.finish()
            await server.stop()
        }
    }
}

extension DAVCollection.Kind {
    /// The kind of what a plugin declares.
    fileprivate init(_ kind: CollectionDeclaration.Kind) {
        self =
            switch kind {
            case .addressBook: .addressBook
            case .tasks: .tasks
            case .events: .events
            }
    }
}
