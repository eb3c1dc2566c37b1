/// The store through which an entity is read and written.
///
/// A plugin whose derived rows must be up to date before they are used puts a type of its own in front of `Store`.
package protocol EntityStore: Sendable {
    /// The plugin's tables.
    var store: Store { get }

    /// Runs `body` on a consistent snapshot.
    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T

    /// Runs `body` as one change, which is durable when this returns.
    @discardableResult
    func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T
}

extension Store: EntityStore {
    /// The store itself.
    package var store: Store { self }
}
