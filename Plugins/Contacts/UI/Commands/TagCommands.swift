import ContactsDomain
import HubKit

/// `hub contacts tag`, `untag` and `tags`.
enum TagCommands {
    private static let tagWords = Arguments<String>(
        "TAG", .oneOrMore, help: "tags, separated by spaces",
        completion: ContactSelection.tagCompletion)

    static let tag = change("tag", summary: "add tags to a contact", prominence: .more) {
        contacts, id, tags, operation in
        try await contacts.setLabels([id], adding: tags, operation: operation)
    }

    static let untag = change("untag", summary: "remove tags from a contact", prominence: .more) {
        contacts, id, tags, operation in
        try await contacts.setLabels([id], removing: tags, operation: operation)
    }

    private static let fields = [
        Field<GetTags.Label>("tag", "TAG", help: "name of the tag") { .text($0.tag) },
        Field<GetTags.Label>("count", "CONTACTS", help: "number of contacts with the tag", align: .trailing) {
            .integer($0.count)
        },
    ]

    static let tags = Command(
        "tags", summary: "list tags and the number of contacts with them",
        examples: [
            Example("hub contacts tags", "all tags"),
            Example("hub contacts tags --json=tag", "names only, for a script"),
        ], prominence: .more, fields: fields
    ) { (contacts: ContactsPlugin, _: Input) in
        .list(try await contacts.getLabels(), fields, empty: Diagnostic("No tags"))
    }

    private static func change(
        _ verb: String, summary: String, prominence: Command.Prominence = .main,
        _ act: @escaping @Sendable (ContactsPlugin, String, [String], Operation) async throws -> [ContactSummary]
    ) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub contacts \(verb) lukasz friends chess", "add or remove two tags"),
                Example("hub contacts \(verb) last work", "the newest contact"),
            ], prominence: prominence, parameters: [ContactSelection.one, tagWords], changes: true
        ) { (contacts: ContactsPlugin, input: Input) in
            let contact = try await ContactSelection(contacts, input).contact(input[ContactSelection.one])
            let name = try await contacts.named(contact)
            let tags = input[tagWords]
            if input.dryRun { return .done("Would \(verb) \(name): \(tags.joined(separator: ", "))") }
            let changed = try await act(contacts, contact.id, tags, Operation(input))
            if changed.isEmpty { return .done("Nothing changed") }
            let now = try await contacts.getDetails(contact.id).details.tags
            var output = Output.done(
                "\(name): \(now.isEmpty ? "no tags" : now.joined(separator: ", ")). Undo: hub undo")
            output.notes += try await contacts.readOnlyNotes([contact.id])
            return output
        }
    }
}
