import SQLite

/// Work that is too long for one transaction: many short ones under one operation, so that others get their turn.
///
/// It is atomic: an error, or the end of the process, rolls back what was done so far. Other readers see its partial
/// results meanwhile.
package struct BulkWrite: Sendable {
    private let store: Store
    /// The operation of the changes.
    package let operation: Operation

    /// The maximum working time of one chunk, so that its commit takes about twenty milliseconds.
    private static let chunkLimit = Duration.milliseconds(12)

    init(_ store: Store, _ operation: Operation) {
        self.store = store
        self.operation = operation
    }

    /// Runs `body` as one short transaction, which should take twenty milliseconds at most.
    @discardableResult
    package func chunk<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        try await store.database.requireRoom()
        let (owner, operation) = (store.owner, operation)
        return try await store.database.write(isFinal: false) { try $0.write(owner, operation, isOpen: true, body) }
    }

    /// Runs `body` for every item, in as many short transactions as that takes.
    package func forEach<Items: RandomAccessCollection & Sendable>(
        in items: Items, _ body: @escaping @Sendable (Transaction, Items.Element) throws -> Void
    ) async throws where Items.Index: Sendable {
        var start = items.startIndex
        while start < items.endIndex {
            let first = start
            start = try await chunk { transaction in
                let began = ContinuousClock.now
                var index = first
                repeat {
                    try body(transaction, items[index])
                    items.formIndex(after: &index)
                } while index < items.endIndex && ContinuousClock.now - began < Self.chunkLimit
                return index
            }
        }
    }
}

extension Store {
    /// Does long work in short transactions under one new operation, which history and undo treat as one.
    ///
    /// When `body` throws, or the process ends, all chunks of an edit are rolled back, except for entities that have
    /// been changed by others since.
    @discardableResult
    package func bulk<T>(_ operation: Operation, _ body: (BulkWrite) async throws -> T) async throws -> T {
        let lock = try await BulkLock(operation, in: database)
        defer { lock.end() }
        database.noteBulk()
        do {
            let value = try await body(BulkWrite(self, operation))
            try await database.write { store in
                let count = try store.connection.run(
                    "UPDATE core_operation SET state = 'done' WHERE id = ? AND state = 'open'", operation.id)
                return WriteResult(value: (), topics: [], edit: count > 0 ? operation : nil)
            }
            return value
        } catch {
            // Should this fail too, the next process to open the store does it.
            try? await database.rollBack(operation.id)
            throw error
        }
    }
}

/// Tells other processes that an operation is in progress and not left over from a process that died.
package final class BulkLock: Sendable {
    private let locks: FileLocks?
    private let name: String
    private let lock: FileLock?

    init(_ operation: Operation, in database: Database) async throws {
        try await database.prepare()
        name = Self.name(operation.id)
        locks = database.locks
        lock = try await database.locks?.tryAcquire(name)
    }

    /// The lock of the operation with this id.
    package static func name(_ operation: String) -> String { "operation/\(operation)" }

    /// Gives the lock back and removes its file.
    func end() {
        withExtendedLifetime(lock) { locks?.forget(name) }
    }
}

extension Database {
    /// Takes back, chunk by chunk, what an operation that did not come to its end has done.
    fileprivate func rollBack(_ operation: String) async throws {
        try await writer.use { store in try withStoreErrors { try store.makeRoomForRollback() } }
        var last: Int?
        repeat {
            let before = last
            last = try await write { store in
                try BulkRollback(store, operation: operation).rollBackChunk(before: before)
            }
        } while last != nil
        try await writer.use { store in try withStoreErrors { try store.endRollback() } }
    }

    /// Throws when the disk has so little room that bulk work could not be taken back any more.
    fileprivate func requireRoom() async throws {
        try await writer.use { [freeSpace] store in try store.requireRoom(freeSpace) }
    }
}

extension StoreConnection {
    /// The free space that bulk work leaves besides the size of the log, which moves into the database file before it
    /// is rolled back.
    private static let reservedSpace = 4 << 20

    /// Throws `disk-full` when the file system has too little room for the next part of bulk work.
    func requireRoom(_ freeSpace: (String) -> Int?) throws {
        guard let files, !hasRoom(files, freeSpace) else { return }
        // Much of the log may need no extra space in the file.
        _ = try? connection.checkpoint()
        guard hasRoom(files, freeSpace) else { throw HubError(diskFullBecauseOf: nil) }
    }

    private func hasRoom(_ files: DataDirectory, _ freeSpace: (String) -> Int?) -> Bool {
        guard let free = freeSpace(files.path) else { return true }
        return free >= files.logSize + Self.reservedSpace
    }
}
