import SQLite
package import Storage

/// What `hub export` reads of contacts besides their rows.
extension Transaction {
    /// Returns the card of a contact as it is stored, and the id of its book.
    package func exportedCard(_ id: String) throws -> (card: [UInt8], book: String?) {
        guard
            let found = try row(
                "SELECT card, book FROM contacts_contact WHERE id = ?", id,
                body: { (card: $0.blob(0), book: $0.optionalText(1)) })
        else { throw HubError(.internal, code: "contact-gone", "the contact \(id) is gone") }
        return found
    }
}
