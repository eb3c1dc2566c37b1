package import HubKit
package import MinteeDomain

/// Checks stored data against the rules, and the derived years against the entries.
package struct CheckRules: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Returns the rule violations, in the order of the rules.
    package func callAsFunction() async throws -> [RuleViolation] { try await store.read { try $0.ruleBreaches() } }

    /// Returns the names of tasks whose derived years do not match their entries.
    package func staleTasks() async throws -> [String] {
        try await store.read { transaction in
            try transaction.tasks(.all).filter { try !transaction.areYearsCurrent($0) }.map(\.draft.name)
        }
    }

    /// Rebuilds all derived years.
    package func fix() async throws {
        let operation = Operation("mintee reindex", who: .service("mintee"), kind: .cache)
        try await store.write(operation) { try $0.reindexTasks($0.taskIDs()) }
    }
}
