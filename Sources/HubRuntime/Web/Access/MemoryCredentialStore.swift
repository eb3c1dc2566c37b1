import Synchronization

/// Credentials that end with the process.
package final class MemoryCredentialStore: WebCredentialStore {
    private let kept = Mutex<Set<WebCredential>>([])

    package init() {}

    package func credentials(_ kind: WebCredential.Kind) -> [WebCredential] {
        kept.withLock { $0.filter { $0.kind == kind } }
    }

    package func add(_ credential: WebCredential) {
        kept.withLock { _ = $0.insert(credential) }
    }

    package func remove(_ credential: WebCredential) -> Bool {
        kept.withLock { $0.remove(credential) != nil }
    }
}
