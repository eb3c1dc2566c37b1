import ContactsDomain
package import Sync

/// Connects to accounts; tests use a scripted one.
package protocol AccountClients: Sendable {
    /// Returns a connection to `account`; no request is sent yet. `password` is nil if the account has none. `isBrief`
    /// uses short timeouts for interactive commands.
    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient
}
