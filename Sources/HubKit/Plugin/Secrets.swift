/// Passwords and tokens, which are kept outside hub's own files.
package protocol Secrets: Sendable {
    /// The secret that `source` stands for. Throws within a few seconds, and names the other ways, when the place does
    /// not answer; `notFound` when it holds nothing.
    func read(_ source: SecretSource) async throws(HubError) -> String

    /// Returns the secret of a keyring entry; nil when there is none.
    func secret(of entry: KeyringEntry) async throws(HubError) -> String?

    /// Makes the keyring entry hold `secret`, in place of what it held.
    func save(_ secret: String, as entry: KeyringEntry) async throws(HubError)

    /// Removes a keyring entry; whether there was one.
    func remove(_ entry: KeyringEntry) async throws(HubError) -> Bool

    /// Returns the names of the entries that the user named.
    func names() async throws(HubError) -> [String]
}
