import ContactsDomain
import HubKit

/// A contact as a row of a table.
struct ListedContact: Sendable {
    /// What the row shows.
    let summary: ContactSummary
    /// The beginning of the id that names only it.
    let shortID: String

    /// The columns of every list of contacts.
    static let fields = [
        Field<ListedContact>("id", "ID", help: "the contact's id") { .id($0.summary.id, shown: $0.shortID.count) },
        Field<ListedContact>("name", "NAME", help: "the name", cell: { $0.summary.shownName }) { .text($0.summary.name) },
        Field<ListedContact>("phone", "PHONE", help: "the preferred phone number", column: .ifRoom(2)) {
            .text($0.summary.phone)
        },
        Field<ListedContact>("email", "EMAIL", help: "the preferred e-mail address", column: .ifRoom(1)) {
            .text($0.summary.email)
        },
        Field<ListedContact>(
            "tags", "TAGS", help: "the tags", column: .ifRoom(3), cell: { $0.summary.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.tags) },
    ]
}

extension ContactsPlugin {
    /// The contacts as rows.
    func listed(_ summaries: [ContactSummary]) async throws -> [ListedContact] {
        let short = try await shortenIDs(summaries.map(\.id))
        return summaries.map { ListedContact(summary: $0, shortID: short[$0.id] ?? $0.id) }
    }

    /// A contact as it is named in a sentence: `Łukasz Nowak (7kt)`.
    func named(_ contact: ContactSummary) async throws -> String {
        "\(contact.shownName) (\(try await shortenIDs([contact.id])[contact.id] ?? contact.id))"
    }
}
