package import HubKit
package import MinteeDomain

extension MinteePlugin {
    /// Creates a task; `source` identifies the import item or event that it comes from.
    ///
    /// Throws `invalid` with the code of the violated rule.
    package func create(
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
        guard let record = try task(id) else { throw HubError.taskNotFound(id) }
        try emit(MinteeEvents.taskAdded, id, name: draft.name)
        return record
    }

    /// Throws if another live task has this name.
    func requireName(_ name: String, of id: String?) throws {
        guard let other = try taskID(named: name), other != id else { return }
        throw HubError.breaking(
            "TASK-5", name, "is already the name of another task",
            hint: "rename that one: hub mintee edit \"\(name)\" --name NAME, or take another name")
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
