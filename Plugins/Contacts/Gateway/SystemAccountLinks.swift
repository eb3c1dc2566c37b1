import ContactsDomain
import HTTPClient
package import HubKit
package import Links
import WebDAV

/// The ways to real accounts: CardDAV servers over one HTTP client, and folders.
package struct SystemAccountLinks: AccountLinks {
    private let clock: any Clock
    private let client = HTTPClient()

    package init(clock: any Clock) { self.clock = clock }

    package func link(to account: Account, password: String?, isBrief: Bool) throws(LinkError) -> any AccountLink {
        switch account.address {
        case .folder(let path): return VdirAccount(path: path, clock: clock)
        case .server(let text), .mail(let text):
            guard let address = AccountAddress(text) else {
                throw .notFound(reason: "\(PrintableText.line(text)) is no address of a server")
            }
            let user = account.user ?? address.user
            let credentials = user.map { HTTPCredentials(user: $0, password: password ?? "") }
            let clock = clock
            let timing = RetryTiming(
                now: { clock.now.milliseconds / 1000 }, sleep: { try await clock.sleep(for: $0) })
            let session = DAVSession(
                client: client, timing: timing, credentials: credentials, scope: address.scope,
                patience: isBrief ? .brief : .sync)
            return CardDAVAccount(address, session: session)
        }
    }
}
