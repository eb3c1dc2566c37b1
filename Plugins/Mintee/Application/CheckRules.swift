package import MinteeDomain
import Storage

extension MinteePlugin {
    /// Returns the rule violations of the stored data, in the order of the rules.
    package func ruleViolations() async throws -> [RuleViolation] { try await store.read { try $0.ruleViolations() } }

    /// Returns the names of tasks whose derived years do not match their entries.
    package func tasksWithStaleYears() async throws -> [String] {
        try await store.read { transaction in
            try transaction.tasks(.all).filter { try !transaction.areYearsCurrent($0) }.map(\.draft.name)
        }
    }

    /// Rebuilds the derived years of all tasks.
    package func rebuildYears() async throws {
        let operation = Operation("mintee reindex", who: .service("mintee"), kind: .cache)
        try await store.write(operation) { try $0.reindexTasks($0.taskIDs()) }
    }
}
