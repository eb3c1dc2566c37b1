import HubKit
package import MinteeDomain
package import Storage

extension MinteePlugin {
    /// Returns all tasks in their manual order, regardless of sections.
    package func orderedTasks() async throws -> [TaskRecord] { try await store.read { try $0.orderedTasks() } }

    /// Puts tasks into a new order: they take the places that they have among all tasks. No ids remove the manual order.
    ///
    /// Throws `not-found`, and `invalid` (I-12) if a task is given twice.
    package func orderTasks(_ ids: [String], operation: Operation) async throws {
        if Set(ids).count < ids.count { throw HubError.breaking("I-12", "order", "lists a task twice") }
        try await store.write(operation) { transaction in
            let all = try transaction.orderedTasks().map(\.id)
            let known = Set(all)
            for id in ids where !known.contains(id) { throw TaskRecord.kind.notFound(id) }
            let order = TaskOrder.reordered(all, placing: ids)
            let before = try transaction.places()
            let positions = order.enumerated().map { (id: $1, position: ids.isEmpty ? nil : $0) }
            try transaction.setPositions(positions)
            for (id, position) in positions where before[id]?.position != position {
                try transaction.emit(MinteeEvents.taskChanged, try transaction.liveTask(id))
            }
        }
    }
}

extension Transaction {
    fileprivate func orderedTasks() throws -> [TaskRecord] {
        TaskOrder.sorted(try tasks(), section: { _ in nil }, position: \.position)
    }
}
