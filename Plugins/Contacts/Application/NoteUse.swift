package import HubKit

/// Remembers that contacts were used, so that `query` can offer the most used first.
///
/// It is a convenience: where it cannot be kept, because the disk is full or the store busy, that is no failure.
package struct NoteUse: Sendable {
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
