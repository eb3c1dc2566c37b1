import Commands
package import Storage

extension Entities {
    /// The number of items that are destroyed in one transaction. History stores imports in chunks of about a thousand
    /// items and rewrites each chunk that loses one, so large batches are much cheaper.
    private static var destroyed: Int { 500 }

    /// Moves all of `ids` to the trash, or none. Throws `not-found` if one does not exist or is already in the trash,
    /// and `conflict` if it is no longer at `revision`, if given.
    @discardableResult
    package func delete(
        _ ids: [String], expecting revision: Int? = nil, operation: Operation
    ) async throws -> [Summary] {
        try await store.write(operation) { transaction in
            let removed = try ids.map { id in
                let record = try kind.live(id, expecting: revision, in: transaction)
                try kind.rules.willDelete(record, transaction)
                try kind.setDeleted(id, at: transaction.now, in: transaction)
                return record.summary
            }
            try kind.rules.reindex(ids, transaction)
            try transaction.emit(kind.topics.removed, removed, of: kind.topics)
            return removed
        }
    }

    /// Restores all of `ids` from the trash, or none. Throws `not-found` if one is not there, and what the entity's
    /// rule for restoring throws.
    @discardableResult
    package func restore(_ ids: [String], operation: Operation) async throws -> [Summary] {
        try await store.write(operation) { transaction in
            let restored = try ids.map { id in
                guard let record = try kind.find(id, transaction), record.deletedAt != nil else {
                    throw HubError(
                        .notFound, code: "\(kind.one)-not-in-trash", "no \(kind.one) in the trash with the id \(id)",
                        hint: "hub trash list lists the trash")
                }
                try kind.rules.willRestore(record, transaction)
                try kind.setDeleted(id, at: nil, in: transaction)
                return record.summary
            }
            try kind.rules.reindex(ids, transaction)
            try transaction.emit(kind.topics.added, restored, of: kind.topics)
            return restored
        }
    }

    /// Returns the items in the trash, last removed first.
    package func trash() async throws -> [Record] {
        try await store.store.read { transaction in
            try kind.rows.trashed(in: transaction).compactMap { try kind.find($0, transaction) }
        }
    }

    /// Returns the number of items in the trash.
    package func trashCount() async throws -> Int {
        try await store.store.read { try kind.rows.trashed(in: $0).count }
    }

    /// Permanently deletes the items that were moved to the trash before `moment`, with all their history, and returns
    /// their number.
    package func emptyTrash(before moment: Instant, operation: Operation) async throws -> Int {
        // The deletion is not recorded, since recorded rows could be restored.
        let unrecorded = Operation(
            id: operation.id, operation.name, who: operation.who, commandLine: operation.commandLine, kind: .cache)
        var count = 0
        while true {
            let destroyed = try await store.write(unrecorded) { transaction in
                let ids = try kind.rows.trashed(before: moment, limit: Self.destroyed, in: transaction)
                if ids.isEmpty { return 0 }
                try transaction.forgetHistory(of: ids)
                for id in ids { try kind.rules.destroy(id, transaction) }
                return ids.count
            }
            if destroyed == 0 { return count }
            count += destroyed
        }
    }

    /// The place of removed items, for messages: `in the trash for 30 days`.
    package var trashTerm: String {
        let days = config[HubKeys.trashDays]
        return "in the trash for \(NumberFormat.counted(days, "day"))"
    }
}

extension EntityKind {
    /// Moves the item `id` to the trash, or with nil out of it.
    package func setDeleted(_ id: String, at moment: Instant?, in transaction: Transaction) throws {
        try rows.setDeleted(id, at: moment, in: transaction)
    }
}
