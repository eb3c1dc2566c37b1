package import HubKit
import MinteeDomain

/// Tells what was done to a task, newest first.
package struct GetTaskHistory: Sendable {
    /// One operation and what it changed.
    package struct Version: Sendable {
        /// The operation.
        package let operation: OperationRecord
        /// The changes, in a few words each.
        package let changes: [String]
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    /// The versions of the task with the whole id `id`, as far back as history goes.
    package func callAsFunction(_ id: String) async throws -> [Version] {
        try await store.database.history.versions(of: id, owner: store.owner).map {
            Version(operation: $0.operation, changes: $0.changes.taskChanges)
        }
    }
}
