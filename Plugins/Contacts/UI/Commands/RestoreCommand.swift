import ContactsDomain
import HubKit

/// `hub contacts restore`: brings contacts back from the trash, or an earlier version of one.
enum RestoreCommand {
    private static let at = Option<DateExpression>("at", "WHEN", help: "as it was then: 2026-11-20, 09:12, 3d")

    static let command = Command(
        "restore", summary: "bring contacts back from the trash",
        examples: [
            Example("hub contacts restore lukasz", "one contact"), Example("hub contacts restore last", "the last"),
        ],
        parameters: [ContactSelection.many], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await ContactSelection(contacts, input)
            .contacts(input[ContactSelection.many], inTrash: true)
        let names = chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would bring back \(names)") }
        _ = try await contacts.restore(chosen.map(\.id), operation: Operation(input))
        return .done("Back: \(names). Undo: hub undo")
    }

    private static func restore(_ contacts: ContactsPlugin, _ input: Input, at moment: Instant) async throws -> Output {
        let chosen = try await ContactSelection(contacts, input).contacts(input[ContactSelection.many])
        let names = chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would bring back what was: \(names)") }
        let operation = Operation(input)
        for contact in chosen {
            _ = try await contacts.restoreVersion(contact.id, at: moment, operation: operation)
        }
        return .done("As it was: \(names). Undo: hub undo")
    }
}
