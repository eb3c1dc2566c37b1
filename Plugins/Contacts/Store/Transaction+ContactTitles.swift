import SQLite
import Storage

extension Transaction {
    /// Returns the id and the name of each contact.
    func contactTitles() throws -> [(id: String, name: String)] {
        try rows("SELECT id, title FROM contacts_entry WHERE title LIKE '% %'") { ($0.text(0), $0.text(1)) }
    }
}
