import ContactsDomain
import HubKit

/// `hub contacts history`: what was done to a contact.
enum ContactHistoryCommand {
    private static let fields = [
        Field<GetContactHistory.Version>("at", "WHEN", help: "when") { .instant($0.operation.at) },
        Field<GetContactHistory.Version>("who", "WHO", help: "you, or the service that did it") {
            .text($0.operation.who.text)
        },
        Field<GetContactHistory.Version>("operation", "OPERATION", help: "the operation") {
            .id($0.operation.id, shown: ShortIDs.minimum)
        },
        Field<GetContactHistory.Version>("verb", "WHAT", help: "made, changed, removed, restored or destroyed") {
            .text($0.verb)
        },
        Field<GetContactHistory.Version>(
            "changes", "CHANGES", help: "the fields that it changed",
            cell: { $0.changes.map(\.description).joined(separator: ", ") }
        ) { FieldValue($0.changes.map(\.description)) },
    ]

    static let command = Command(
        "history", summary: "what was done to a contact, newest first",
        examples: [
            Example("hub contacts history lukasz", "every change of it and by whom"),
            Example("hub contacts history 7kt --json=at,changes", "for a script"),
        ], prominence: .more, parameters: [ContactSelection.one], fields: fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let contact = try await ContactSelection(contacts, input).contact(input[ContactSelection.one])
        return .list(
            try await contacts.getHistory(contact.id), fields,
            empty: Note("History does not reach back to the last change of \(contact.name)"))
    }
}
