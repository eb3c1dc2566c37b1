package import HubKit
import MinteeDomain

/// Returns the changes of a task, newest first.
package struct GetTaskHistory: Sendable {
    /// One operation with its changes.
    package struct Version: Sendable {
        /// The operation.
        package let operation: OperationRecord
        /// The changes, in a few words each.
        package let changes: [String]
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Returns the versions of the task with the full id `id`, as far back as history goes.
    package func callAsFunction(_ id: String) async throws -> [Version] {
        try await store.database.history.versions(of: id, owner: store.owner).map {
            Version(operation: $0.operation, changes: $0.changes.taskChanges)
        }
    }
}
