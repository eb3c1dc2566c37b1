import Commands
import HubKit
import QRCode
import WebServer

/// `hub web`: a link that opens the page and logs this browser in, once.
enum WebCommand {
    private static let page = Arguments<String>(
        "REF", .optional, help: "plugin, or an item as plugin:id", completion: ShowCommand.references)

    private static let qr = Flag("qr", help: "show the link as a QR code, for a phone")

    private static let logout = Flag("logout", help: "log out all browsers instead of printing a link")

    static let command = Command(
        "web", summary: "print a one-time login link to the web page",
        discussion: [
            "The link works once, within ten minutes; the browser stays logged in for seven days.",
            "For other devices set hub.web.listen to an address of this machine in your network. The page is encrypted then; "
                + "the first time, compare the fingerprint of its certificate in the browser.",
            "With --qr, it also says how the phone installs the page as an app.",
        ],
        examples: [
            Example("hub web", "print a link to the first page"),
            Example("hub web contacts:7kt", "print a link to one contact"),
            Example("hub web --qr", "show the link as a QR code for a phone"),
            Example("hub web --logout", "log out all browsers, for example after losing a phone"),
        ], prominence: .more, parameters: [page, qr, logout], exclusive: [["qr", "logout"]]
    ) { (hub: Hub, input: Input) in
        let state = try DaemonState.current(hub)
        let address = try state?.page ?? WebAddress.configured(hub)
        if input[logout], input.dryRun { return .done("Would log out all browsers") }
        let path = try await path(input[page].first, hub, input)
        // Where this machine alone listens, a name is that of a proxy, which encrypts.
        let isProxied = try address.isLoopback && !hub.configuration().core[HubKeys.webNames].isEmpty
        if input[qr], address.isLoopback, !isProxied { throw loopbackOnly(address) }
        let certificate = try WebCertificate(hub, for: address)
        let host = input[qr] || !address.isLoopback ? try WebAddress.host(hub, at: address) : "\(address)"
        let isEncrypted = certificate != nil || isProxied && input[qr]
        let scheme = isEncrypted ? "https" : "http"
        if input.dryRun { return .done("Would print a login link to \(scheme)://\(host)\(path)") }
        let access = WebAccess(store: DatabaseCredentialStore(try hub.database()), bus: hub.bus, clock: hub.clock)
        if input[logout] {
            let count = try await access.logOutAll()
            return .done(count == 1 ? "Logged out 1 browser" : "Logged out \(count) browsers")
        }
        let link = WebLogin.link(
            toHost: host, code: try await access.makeCode(), page: path, isEncrypted: isEncrypted)
        var output = Output.text(input[qr] ? try code(of: link) + [link] : [link])
        if let fingerprint = certificate?.fingerprint {
            output = output.noting(Diagnostic("fingerprint of the certificate (SHA-256): \(fingerprint)"))
            if input[qr], let own = OwnCertificates(hub).authority.flatMap(OwnCertificates.fingerprint) {
                output = output.noting(
                    Diagnostic(
                        "to install the page as an app, open https://\(host)/phone on the phone once, and compare"))
                output = output.noting(Diagnostic("fingerprint of the authority (SHA-256): \(own)"))
            }
        }
        if let state, state.page == nil {
            return output.noting(
                .warning(
                    "hub serve does not serve the web page now", code: "not-served", hint: "hub status shows why"))
        }
        if try Daemon.holder(hub) != nil { return output }
        return output.noting(
            .warning(
                "hub serve is not running, so this link does not work yet", code: "not-served", hint: "hub serve"))
    }

    /// The link as a QR code in characters.
    private static func code(of link: String) throws -> [String] {
        do throws(QRCode.Failure) {
            return try QRCode(Array(link.utf8)).halfBlocks
        } catch {
            guard case .length = error else {
                throw HubError(
                    .unavailable, code: "qr-failed", "cannot create a QR code of the link", details: ["\(error)"],
                    hint: "hub doctor names a missing library", cause: error)
            }
            throw HubError(.invalid, code: "link-too-long", "the link is too long for a QR code", cause: error)
        }
    }

    private static func loopbackOnly(_ address: SocketAddress) -> HubError {
        HubError(
            .config, code: "loopback-only", "\(address) can be reached from this machine only",
            details: [
                "If this machine is in a Tailscale network, tailscale serve --bg \(address.port) and "
                    + "hub config set hub.web.names NAME.TAILNET.ts.net work too, without a certificate on the phone."
            ],
            hint: WebAddress.ofThisMachine().map { "hub config set hub.web.listen \($0):\(address.port)" }
                ?? "hub config set hub.web.listen 192.168.1.20:\(address.port), with this machine's address in your network"
        )
    }

    private static func path(_ reference: String?, _ hub: Hub, _ input: Input) async throws -> String {
        guard let reference else { return "/" }
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        let plugin = try hub.descriptor(named: parts[0]).id
        guard parts.count == 2 else { return "/\(PercentEncoding.encode(plugin))" }
        return "/\(plugin)?id=\(try await ReferenceResolver(hub, input).id(parts[1], in: plugin))"
    }
}
