import HubKit
import WebServer

/// `/phone`: how a phone comes to trust the certificate that hub has made, so that the page can be installed there as an app.
///
/// The page and the two files are for everybody: they hold nothing but what the server shows in each handshake, and a phone
/// needs them before it can log in.
struct PhonePage: Sendable {
    private static let certificatePath = "/hub-authority.crt"
    private static let profilePath = "/hub-authority.mobileconfig"

    /// The host and port of the page.
    private let host: String
    /// The certificate of the authority, as PEM, and its fingerprint; nil if phones trust the server anyway, or cannot reach it.
    private let authority: (certificate: String, fingerprint: String)?

    init(_ hub: Hub, at address: SocketAddress, _ certificate: WebCertificate?) throws {
        host = try WebAddress.host(hub, at: address)
        guard certificate?.fingerprint != nil, let text = OwnCertificates(hub).authority,
            let fingerprint = OwnCertificates.fingerprint(of: text)
        else {
            authority = nil
            return
        }
        authority = (text, fingerprint)
    }

    func routes(in shell: WebShell) -> [WebRoute] {
        let layout = HTMLLayout(title: "On a phone", body: body, isForSession: false)
        let page = WebRoute(.get, "/phone", access: .everybody) { _, _ in await shell.page(layout) }
        guard let authority else { return [page] }
        let profile = AppleProfile(host: host, port: 443, authority: authority.certificate)
        return [
            page,
            WebRoute(.get, Self.certificatePath, access: .everybody) { _, _ in
                let bytes = Base64.decode(Array(AppleProfile.base64(authority.certificate).utf8)) ?? []
                return HTTPResponse(
                    headers: [
                        "Content-Type": "application/x-x509-ca-cert",
                        "Content-Disposition": "attachment; filename=\"hub-authority.crt\"",
                    ], body: .bytes(bytes))
            },
            WebRoute(.get, Self.profilePath, access: .everybody) { _, _ in
                HTTPResponse(
                    headers: ["Content-Type": AppleProfile.mediaType],
                    body: .bytes(try profile.authorityContent() ?? []))
            },
        ]
    }

    private var body: String {
        guard let authority else {
            return """
                    <p>This page needs nothing more on your phone: log in, then choose <em>Add to Home Screen</em> or \
                <em>Install app</em> in the menu of the browser.</p>
                    <p class="actions"><a class="button main" href="/">Open hub</a></p>
                """
        }
        return """
                <p>Your phone does not know this certificate authority yet. Once it trusts it, the warning is gone, and \
            the page can be installed as an app that works without the network and shows messages. The authority can only sign for \
            this machine and private networks.</p>
                <p>Compare the fingerprint with the one that <kbd>hub web --qr</kbd> prints:</p>
                <p class="fingerprint"><code>\(HTML.escape(authority.fingerprint.replacing(":", with: " ")))</code></p>
                <h2>iPhone and iPad</h2>
                <ol>
                  <li><a href="\(Self.profilePath)">Download the profile</a> in Safari, and allow it.</li>
                  <li>In <em>Settings</em>, open <em>Profile Downloaded</em> and install it.</li>
                  <li>In <em>Settings › General › About › Certificate Trust Settings</em>, turn on full trust for hub.</li>
                  <li>Open hub in Safari, and choose <em>Share › Add to Home Screen</em>. The app asks for a login code of its \
            own: run <kbd>hub web</kbd>.</li>
                </ol>
                <h2>Android</h2>
                <ol>
                  <li><a href="\(Self.certificatePath)">Download the certificate</a>.</li>
                  <li>In <em>Settings</em>, search for <em>CA certificate</em>, choose <em>Install anyway</em> and the file.</li>
                  <li>Open hub in Chrome, and choose <em>Install app</em> in its menu.</li>
                </ol>
                <p class="actions"><a class="button main" href="/">Open hub</a></p>
            """
    }
}
