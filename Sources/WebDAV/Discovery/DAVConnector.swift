package import HTTPClient
package import Sync
import Synchronization

/// Opens the ways to accounts on servers. Accounts that trust servers in different ways share no connection.
package final class DAVConnector: Sendable {
    private struct Clients {
        var byTrust: [HTTPConfiguration.Trust: HTTPClient] = [:]
        var pinned: [CertificateFingerprint: PinnedServer] = [:]
    }

    private let timing: RetryTiming
    private let clients = Mutex(Clients())

    package init(timing: RetryTiming) { self.timing = timing }

    /// Returns the client for the collections of `kind` in an account, without sending anything. `isBrief` uses short
    /// time limits for interactive use.
    package func account(
        _ account: Account, password: String?, kind: DAVResourceType, isBrief: Bool
    ) throws(RemoteError) -> DAVAccount {
        guard let address = AccountAddress(account.place) else {
            throw .notFound(reason: "“\(account.place.prefix(200))” is not the address of a server")
        }
        let user = account.user ?? address.user
        let (client, pinned) = client(account.trust)
        if let grant = password.flatMap({ OAuthGrant(secret: $0) }) {
            // Google's cards are not at the domain of the mail address.
            let isGoogle = kind.service == "carddav" && OAuthService(host: address.host) == .google
            let place = isGoogle ? AccountAddress(DAVConnector.googleCards) ?? address : address
            // The certificate that an account trusts is that of its server, not of the one for tokens.
            let tokens = OAuthTokens(grant, over: self.client(.system).0)
            let session = DAVSession(
                client: client, pinned: pinned, timing: timing, credentials: nil, tokens: tokens, scope: place.scope,
                patience: isBrief ? .brief : .sync)
            return DAVAccount(place, kind: kind, session: session)
        }
        let session = DAVSession(
            client: client, pinned: pinned, timing: timing,
            credentials: user.map { HTTPCredentials(user: $0, password: password ?? "") }, scope: address.scope,
            patience: isBrief ? .brief : .sync)
        return DAVAccount(address, kind: kind, session: session)
    }

    /// Where the discovery of Google's address books begins (developers.google.com/people/carddav).
    private static let googleCards = "https://www.googleapis.com/.well-known/carddav"

    private func client(_ trust: Account.Trust) -> (HTTPClient, PinnedServer?) {
        clients.withLock { clients in
            func client(_ trust: HTTPConfiguration.Trust) -> HTTPClient {
                let client = clients.byTrust[trust] ?? HTTPClient(HTTPConfiguration(trust: trust))
                clients.byTrust[trust] = client
                return client
            }
            switch trust {
            case .system: return (client(.system), nil)
            case .authorities(let file): return (client(.authorities(file: file)), nil)
            case .certificate(let fingerprint):
                let server =
                    clients.pinned[fingerprint]
                    ?? PinnedServer(sha256: fingerprint.bytes, configuration: HTTPConfiguration())
                clients.pinned[fingerprint] = server
                return (client(.system), server)
            }
        }
    }
}
