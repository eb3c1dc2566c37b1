package import HubRuntime
import Synchronization

/// Credentials that end with the process.
package final class MemoryCredentialStore: WebCredentialStore {
    private let kept = Mutex<Set<WebCredential>>([])

    package init() {}

    /// Returns the stored credentials of a kind.
    package func credentials(_ kind: WebCredential.Kind) -> [WebCredential] {
        kept.withLock { $0.filter { $0.kind == kind } }
    }

    /// Stores a credential.
    package func add(_ credential: WebCredential) {
        kept.withLock { _ = $0.insert(credential) }
    }

    /// Deletes a credential; returns whether it existed.
    package func remove(_ credential: WebCredential) -> Bool {
        kept.withLock { $0.remove(credential) != nil }
    }
}
