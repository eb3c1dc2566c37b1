import ContactsDomain
import HubKit

/// `hub contacts rm`: moves contacts to the trash.
enum RemoveCommand {

    static let command = Command(
        "rm", summary: "move contacts to the trash",
        examples: [
            Example("hub contacts rm lukasz", "one contact"),
            Example("hub contacts rm --tag old-work", "all with a tag"),
        ], parameters: [ContactSelection.some, ContactSelection.tags], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await chosen(contacts, input)
        if chosen.isEmpty { return .list([], ContactListItem.fields, empty: Diagnostic("No contacts match")) }
        if input.dryRun {
            let plan = Diagnostic("Would move \(count(chosen)) to the trash")
            return Output.list(try await contacts.listed(chosen), ContactListItem.fields).noting(plan)
        }
        if needsAsking(input, chosen, contacts.config[HubKeys.confirm]) {
            let names = chosen.map(\.name).sorted().prefix(5).joined(separator: ", ")
            let more = chosen.count > 5 ? " and \(chosen.count - 5) more" : ""
            let question = chosen.count == 1 ? "Remove \(names)?" : "Remove \(count(chosen)): \(names)\(more)?"
            let consequence = "this would move \(count(chosen)) to the trash"
            guard try await input.confirm(question, consequence: consequence) else { return .cancelled }
        }
        try await contacts.delete(chosen.map(\.id), operation: Operation(input))
        let days = contacts.config[HubKeys.trashDays]
        let what = chosen.count == 1 ? "\(chosen[0].name) is" : "\(count(chosen)) are"
        var output = Output.done("\(what) in the trash for \(days) days. Undo: hub undo")
        output.notes += try await contacts.readOnlyNotes(chosen.map(\.id))
        return output
    }

    private static func chosen(_ contacts: ContactsPlugin, _ input: Input) async throws -> [ContactSummary] {
        let words = input[ContactSelection.some]
        let tags = input[ContactSelection.tags]
        if tags.isEmpty {
            guard !words.isEmpty else {
                throw HubError(
                    .usage, code: "missing-argument", "hub contacts rm needs SEL or --tag TAG",
                    hint: "see hub help contacts rm")
            }
            return try await ContactSelection(contacts, input).contacts(words)
        }
        var filter = ContactFilter()
        filter.tags = tags
        filter.words = SearchQuery(words.joined(separator: " "))
        return try await contacts.filter(filter)
    }

    /// Whether to ask: not for full ids, else as the setting `confirm` says.
    private static func needsAsking(
        _ input: Input, _ chosen: [ContactSummary], _ setting: HubKeys.Confirmation
    ) -> Bool {
        let words = input[ContactSelection.some]
        if !words.isEmpty, words.allSatisfy({ word in chosen.contains { $0.id == word } }) { return false }
        switch setting {
        case .always: return true
        case .bulk: return chosen.count >= 3
        case .never: return false
        }
    }

    private static func count(_ chosen: [ContactSummary]) -> String {
        chosen.count == 1 ? "1 contact" : "\(NumberFormat.grouped(chosen.count)) contacts"
    }
}
