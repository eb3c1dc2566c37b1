package import HubKit

/// The keyring as `hub secrets` uses it.
package struct SecretManager: Sendable {
    /// The keyring.
    package let secrets: any Secrets

    package init(secrets: any Secrets) { self.secrets = secrets }
}
