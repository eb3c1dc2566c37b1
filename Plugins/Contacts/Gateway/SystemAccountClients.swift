import ContactsDomain
import HTTPClient
package import HubKit
package import Sync
import WebDAV

/// Connects to real accounts: CardDAV servers and folders.
package struct SystemAccountClients: AccountClients {
    private let clock: any Clock
    private let connector: DAVConnector

    /// Creates the connections; `clock` drives the timeouts.
    package init(clock: any Clock) {
        self.clock = clock
        connector = DAVConnector(
            timing: RetryTiming(
                now: { clock.now.milliseconds / 1000 }, sleep: { try await clock.sleep(for: $0) }))
    }

    /// Returns a connection to a server or folder. Throws if the address is not valid.
    package func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient {
        if case .folder(let path) = account.address { return VdirAccount(path: path, clock: clock) }
        return CardDAVAccount(try connector.account(account, password: password, kind: .cards, isBrief: isBrief))
    }
}
