import ContactsDomain
import HubKit

/// A contact as a table row.
struct ContactListItem: Sendable {
    /// The contact of the row.
    let summary: ContactSummary
    /// The shortest unique prefix of the id.
    let shortID: String

    /// The columns of every list of contacts.
    static let fields = [
        Field<ContactListItem>("id", "ID", help: "id of the contact") { .id($0.summary.id, shown: $0.shortID.count) },
        Field<ContactListItem>("name", "NAME", help: "name of the contact", cell: { $0.summary.shownName }) {
            .text($0.summary.name)
        },
        Field<ContactListItem>("phone", "PHONE", help: "preferred phone number", column: .ifRoom(2)) {
            .text($0.summary.phone)
        },
        Field<ContactListItem>("email", "EMAIL", help: "preferred e-mail address", column: .ifRoom(1)) {
            .text($0.summary.email)
        },
        Field<ContactListItem>(
            "tags", "TAGS", help: "tags of the contact", column: .ifRoom(3),
            cell: { $0.summary.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.tags) },
    ]
}

extension ContactsPlugin {
    /// Returns the contacts as rows.
    func listed(_ summaries: [ContactSummary]) async throws -> [ContactListItem] {
        let short = try await shortenIDs(summaries.map(\.id))
        return summaries.map { ContactListItem(summary: $0, shortID: short[$0.id] ?? $0.id) }
    }

    /// Returns the name and short id for a message: `Łukasz Nowak (7kt)`.
    func named(_ contact: ContactSummary) async throws -> String {
        "\(contact.shownName) (\(try await shortenIDs([contact.id])[contact.id] ?? contact.id))"
    }
}
