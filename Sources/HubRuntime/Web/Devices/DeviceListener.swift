import Commands
import DAVServer
import HubKit
import Storage
import Sync
import WebServer

/// The server for devices as a service of the daemon.
struct DeviceListener: Service {
    private let server: HTTPServer
    private let certificate: WebCertificate?
    private let credentials: KnownCredentials
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

    /// The address books of the enabled plugins, for devices that see each by itself.
    static func books(_ hub: Hub) throws -> (any ServedBooks)? {
        try hub.enabledDescriptors().flatMap(\.collections).lazy.compactMap(\.books).first.map { try $0(hub) }
    }

    /// The trees of files: those of the enabled plugins, and that of other programs.
    static func folders(_ hub: Hub) throws -> [DAVFolder] {
        let limit = try hub.configuration().core[HubKeys.devicesFilesLimit] * 1_000_000
        let database = try hub.database()
        guard let blobs = database.blobs else { return [] }
        let plugins = try hub.enabledDescriptors().flatMap(\.folders).map { declaration in
            let rest = KeptFiles(database, blobs: blobs, limit: limit, top: declaration.kind.rawValue)
            return DAVFolder(
                DAVCollection.Home(declaration.kind),
                files: DocumentFolder(try declaration.open(hub), beside: rest))
        }
        return plugins + [DAVFolder(.files, files: KeptFiles(database, blobs: blobs, limit: limit))]
    }

    /// Begins to listen on `address`.
    init(_ hub: Hub, at address: SocketAddress, sockets: ListeningSockets = ListeningSockets()) throws {
        log = hub.log.labelled("devices")
        clock = hub.clock
        let certificate = try WebCertificate(hub, for: address, .devices)
        self.certificate = certificate
        let store = DeviceStore(try hub.database())
        let collections = try Self.collections(hub)
        let folders = try Self.folders(hub)
        let names = try hub.configuration().core[HubKeys.devicesNames]
        var limits = ServerLimits()
        // A card may have 10 MiB; what is larger gets an answer that says so, up to here.
        limits.body = 32 << 20
        // A large file on a slow line takes its time; one that does not go on is cut all the same.
        limits.requestTime = .seconds(3600)
        let credentials = KnownCredentials(store)
        self.credentials = credentials
        try Directory.make(hub.directories.cache)
        limits.spool = BodySpool(folder: hub.directories.cache, limit: 4 << 30) { method, target, headers in
            let isFile = ["/files/", "/notes/", "/records/"].contains { target.utf8.starts(with: $0.utf8) }
            return method == .put && isFile && credentials.contain(headers["Authorization"])
        }
        do {
            let listener = try sockets.socket(on: address)
            let address = listener.address
            // The certificate that hub makes is one for the names of the machine, too.
            let own = certificate?.fingerprint == nil ? [] : OwnCertificates.ownNames
            let app = DeviceApp(
                collections, books: try Self.books(hub), folders: folders, store: store,
                names: DeviceApp.hosts(of: address, names: names + own, isEncrypted: certificate != nil),
                isEncrypted: certificate != nil, credentials: credentials,
                profile: try AppleProfile(hub, at: address, certificate),
                machines: MachineGate(
                    MachineHome(try hub.database()) {
                        try await MachineExchanges(hub).counts(for: nil).map { ($0.exchange.noun.many, $0.all) }
                    },
                    authority: certificate?.fingerprint == nil ? nil : OwnCertificates(hub).authority,
                    exchanges: try MachineExchanges(hub).servers),
                clock: hub.clock, requests: DeviceLog(hub),
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
        try await credentials.refresh(at: clock.now)
        log.info("listening on \(server.address)")
        try await WebCertificate.run(certificate, clock) { [server] in
            let (nothing, source) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            source.finish()
            await server.stop()
        }
    }
}

extension DAVCollection.Home {
    /// The home of a tree that a plugin declares.
    fileprivate init(_ kind: FolderDeclaration.Kind) {
        self =
            switch kind {
            case .notes: .notes
            case .records: .records
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
