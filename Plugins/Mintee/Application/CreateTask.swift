package import HubKit
package import MinteeDomain

extension MinteePlugin {
    /// Creates a task; `source` identifies the import item or event that it comes from.
    ///
    /// Throws `invalid` with the code of the violated rule.
    package func createTask(
        _ draft: TaskDraft, source: String? = nil, operation: Operation
    ) async throws -> TaskRecord {
        try (draft.breaches + draft.farBreaches()).enforce()
        return try await store.write(operation) { try $0.createTask(draft.trimmed, source: source) }
    }
}

extension Transaction {
    /// Stores a new task whose own rules were already checked.
    func createTask(_ draft: TaskDraft, source: String? = nil) throws -> TaskRecord {
        try requireName(draft.name, of: nil)
        let id = Identifier.make()
        try insertTask(id, draft, source: source)
        let record = try TaskRecord.kind.item(id, in: self)
        try emit(MinteeEvents.taskAdded, record)
        return record
    }
}

extension TaskDraft {
    /// Returns the draft without blanks around the name.
    var trimmed: TaskDraft {
        var draft = self
        draft.name = name.singleSpaced
        return draft
    }
}
