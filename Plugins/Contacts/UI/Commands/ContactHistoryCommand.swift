import ContactsDomain
import HubKit

/// `hub contacts history`: lists the changes of a contact.
enum ContactHistoryCommand {
    private static let fields = [
        Field<GetContactHistory.Version>("at", "WHEN", help: "time of the change") { .instant($0.operation.at) },
        Field<GetContactHistory.Version>("who", "WHO", help: "user or service that made the change") {
            .text($0.operation.who.text)
        },
        Field<GetContactHistory.Version>("operation", "OPERATION", help: "id of the operation") {
            .id($0.operation.id, shown: ShortIDs.minimum)
        },
        Field<GetContactHistory.Version>(
            "verb", "WHAT", help: "kind of change: made, changed, removed, restored or destroyed"
        ) {
            .text($0.verb)
        },
        Field<GetContactHistory.Version>(
            "changes", "CHANGES", help: "changed fields",
            cell: { $0.changes.map(\.description).joined(separator: ", ") }
        ) { FieldValue($0.changes.map(\.description)) },
    ]

    static let command = Command(
        "history", summary: "show the changes of a contact, newest first",
        examples: [
            Example("hub contacts history lukasz", "every change and who made it"),
            Example("hub contacts history 7kt --json=at,changes", "for a script"),
        ], prominence: .more, parameters: [ContactSelection.one], fields: fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let contact = try await ContactSelection(contacts, input).contact(input[ContactSelection.one])
        return .list(
            try await contacts.getHistory(contact.id), fields,
            empty: Diagnostic("No history of \(contact.name)"))
    }
}
