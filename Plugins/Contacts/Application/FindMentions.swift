import ContactsDomain
package import HubKit
import Storage

extension ContactsPlugin {
    /// Returns the names by which a text can mention a contact; none for a name of a single word, which could be another's.
    package func namesInTexts(of id: String) async throws -> [String] {
        guard let contact = try await contacts.read({ try $0.contact(id) }), contact.deletedAt == nil else { return [] }
        let name = contact.details.displayName
        return SearchText.words(name).count >= 2 ? [name] : []
    }

    /// Returns the contacts whose names are in a text, in its order.
    package func mentions(in text: String) async throws -> [Mention] {
        let all = try await contacts.read { try $0.contactTitles() }
        // Thousands of names are folded and compared.
        return try await BackgroundThread.run {
            let names = NamesInText(text)
            return all.compactMap { contact in names.place(of: contact.name).map { (contact, $0) } }
                .sorted { $0.1 < $1.1 }.map { Mention(id: $0.0.id, name: $0.0.name) }
        }
    }
}
