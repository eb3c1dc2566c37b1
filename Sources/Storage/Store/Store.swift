/// The database as one plugin sees it: its own tables, and its part of the history.
package struct Store: Sendable {
    /// The database of the process.
    package let database: Database
    /// The plugin's id.
    package let owner: String

    /// The revision of the database; see ``Database/revision``.
    package var revision: Int? { database.revision }

    /// Runs `body` on one consistent view of the tables. A change inside it is refused.
    ///
    /// Several lookups belong into one call: an open view makes each of them ten times cheaper.
    package func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        try await database.read { try $0.read(owner, body) }
    }

    /// Runs `body` as one atomic change; it is on the disk when this returns, unless it can be fetched again.
    ///
    /// Writes that wait at the same time share one commit. The changes of an edit are recorded under `operation`;
    /// several writes may belong to one operation. A plan is rolled back, and what it would have returned is returned.
    @discardableResult
    package func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        guard operation.isPlan else {
            return try await database.write(isFinal: operation.kind != .fetched) {
                try $0.write(owner, operation, body)
            }
        }
        do {
            return try await database.write { (store) throws -> WriteResult<T> in
                // What throws is rolled back.
                throw PlannedResult(value: try store.write(owner, operation, body).value)
            }
        } catch let planned as PlannedResult<T> {
            return planned.value
        }
    }

    /// Runs `body` as one atomic change that is a part of something which continues where it was interrupted: it is on the disk with the next
    /// ``write(_:_:)``. A failure of the system may take it before, a killed process cannot.
    @discardableResult
    package func writePart<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await database.write(isFinal: false) { try $0.write(owner, operation, body) }
    }

    private struct PlannedResult<T: Sendable>: Error {
        let value: T
    }
}
