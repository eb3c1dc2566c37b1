/// Passwords and tokens, which are kept outside hub's own files.
package protocol Secrets: Sendable {
    /// The secret that `source` stands for. Throws within a few seconds, and names the other ways, when the place does
    /// not answer; `notFound` when it holds nothing.
    func read(_ source: SecretSource) async throws(HubError) -> String

    /// Puts `secret` into the keyring as the entry `account`, in place of what that held.
    func save(_ secret: String, account: String) async throws(HubError)

    /// Takes the entry `account` out of the keyring; whether there was one.
    func remove(account: String) async throws(HubError) -> Bool

    /// The names of hub's entries in the keyring.
    func accounts() async throws(HubError) -> [String]
}
