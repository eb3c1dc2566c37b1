package import HubKit

/// Records the use of contacts, so that `query` can list the most used first.
///
/// Errors, such as a full disk or a busy store, are ignored, since this is only a convenience.
package struct RecordUsage: Sendable {
    let contacts: ContactStore
    let log: Log

    package init(_ contacts: ContactStore, log: Log) {
        self.contacts = contacts
        self.log = log
    }

    /// Counts one use of the contact `id`.
    package func callAsFunction(of id: String) async {
        do {
            let operation = Operation("contacts use", who: .service("contacts"), kind: .cache)
            try await contacts.write(operation) { try $0.noteUse(of: id) }
        } catch {
            log.debug("could not record the use of a contact: \(error)")
        }
    }
}
