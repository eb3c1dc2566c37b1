import Commands
import HubKit
import Storage
import WebServer

/// The web page of this hub as a service of the daemon.
struct PageService: Service {
    private let page: WebService.Listening

    /// The limits of the page, to which people drop files of contacts with pictures.
    private static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.body = 32 << 20
        return limits
    }

    private let ready: @Sendable (SocketAddress) -> Void
    private let certificate: WebCertificate?
    private let clock: any Clock

    /// With `address` nil, the one of the settings is used.
    init(
        _ hub: Hub, at address: SocketAddress? = nil, sockets: ListeningSockets = ListeningSockets(),
        ready: @escaping @Sendable (SocketAddress) -> Void
    ) throws {
        let database = try hub.database()
        let descriptors = try hub.enabledDescriptors()
        self.ready = ready
        let configured = try address ?? WebAddress.configured(hub)
        clock = hub.clock
        certificate = try WebCertificate(hub, for: configured)
        let identity = try certificate?.identity
        let phone = try PhonePage(hub, at: configured, certificate)
        let push = try PushMessages(hub)
        // The certificate that hub makes is one for the names of the machine, too.
        let names =
            try hub.configuration().core[HubKeys.webNames]
            + (certificate?.fingerprint == nil ? [] : OwnCertificates.ownNames)
        let service = try WebService(address: configured, limits: Self.limits, identity: identity, sockets: sockets) {
            address in
            let routes = descriptors.flatMap { descriptor in
                descriptor.routes.map {
                    WebRoute($0, of: descriptor.id, host: hub, log: hub.log.labelled(descriptor.id)) { operation in
                        try await !database.history.operations(matching: operation).isEmpty
                    }
                }
            }
            let shell = try WebShell(descriptors) { await Presentation(hub) }
            let pages = descriptors.compactMap { WebRoute.page(of: $0, in: shell) }
            let access = WebAccess(store: DatabaseCredentialStore(database), bus: hub.bus, clock: hub.clock)
            let own: [WebRoute] = [
                .home(in: shell), .today(hub), .search(hub), .live(hub.bus), .undo(hub), .undoLast(hub), .redo(hub),
                .settingsPage(in: shell), .timelinePage(in: shell), .timeline(hub), .earlier(hub),
                .trashPage(in: shell),
                .apiDescription(hub), .links(hub), .sharePage(descriptors, in: shell), .devicesPage(in: shell),
            ]
            return try WebApp(
                listeningOn: address, access: access, tokens: APIAccess(database, bus: hub.bus, clock: hub.clock),
                shell: shell,
                routes: own + WebRoute.settings(hub) + WebRoute.trash(hub) + WebRoute.devices(hub) + pages + routes
                    + phone.routes(in: shell),
                log: hub.log.labelled("web"), names: names, push: push,
                isEncrypted: identity != nil)
        }
        // A service that is built can be reached, so hub is not ready before.
        page = try service.listen()
    }

    func run() async throws {
        try await WebCertificate.run(certificate, clock) { [page, ready] in try await page.run(ready: ready) }
    }
}
