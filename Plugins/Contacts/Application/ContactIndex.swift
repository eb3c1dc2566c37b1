import HubKit

extension ContactsPlugin {
    /// Checks the index rows against the cards and returns the problems, one sentence each; empty if there are none.
    package func indexProblems() async throws -> [String] {
        let operation = Operation("contacts check", who: .service("contacts"), kind: .cache)
        return try await contacts.store.write(operation) { try $0.contactIndexProblems() }
    }

    /// Rebuilds the index from the cards, whatever its state.
    package func rebuildIndex() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        try await contacts.store.write(operation) { try $0.clearContactIndex() }
        try await contacts.refreshIndex()
    }

    /// Counts one use of the contact `id`, so that `query` can list the most used first.
    ///
    /// Errors, such as a full disk or a busy store, are ignored, since this is only a convenience.
    package func recordUsage(of id: String) async {
        do {
            let operation = Operation("contacts use", who: .service("contacts"), kind: .cache)
            try await contacts.write(operation) { try $0.noteUse(of: id) }
        } catch {
            log.debug("could not record the use of a contact: \(error)")
        }
    }
}
