import ContactsDomain
import HubKit

/// `hub contacts merge`: one contact takes over others.
enum MergeCommand {
    private static let keep = Argument<String>(
        "KEEP", help: "the contact that stays: id, e-mail, phone number, or words")
    private static let drop = Arguments<String>("DROP", .oneOrMore, help: "the contacts that it takes over")
    private static let take = Option<[MergeField]>(
        "take", "FIELD", help: "the other's value of a field that both have: name, org, birthday, and so on")

    static let command = Command(
        "merge", summary: "merge contacts into one",
        discussion: [
            "The first contact takes over every number, address, tag, note and unknown line of the others, each once; its "
                + "own lines keep their bytes. Of a value that there is once, such as the name, its own stays unless --take "
                + "names it. The others go to the trash. When their cards come again, from a file or a server, they belong "
                + "to the contact that took them over."
        ],
        examples: [
            Example("hub contacts merge 4fk 7kt", "4fk stays"),
            Example("hub contacts merge 4fk 7kt --take name -n", "what would come of it, with the name of 7kt"),
        ], prominence: .more, parameters: [keep, drop, take], fields: MergeTelling.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let selection = ContactSelection(contacts, input)
        let kept = try await selection.contact(input[keep]).id
        let dropped = try await selection.contacts(input[drop]).map(\.id)
        let taking = Set(input[take])
        let result =
            input.dryRun
            ? try await contacts.merge.plan(keep: kept, drop: dropped, taking: taking)
            : try await contacts.merge(keep: kept, drop: dropped, taking: taking, operation: Operation(input))
        let told = try await contacts.told([result])
        var output = Output.record(
            told[0], MergeTelling.fields, human: told[0].lines(isPlan: input.dryRun, asksForUndo: true))
        output.isReport = true
        return output
    }
}

extension MergeField: ChoiceArgument {}

/// What a merge did or would do, for a person and for a program.
struct MergeTelling: Sendable {
    let result: MergeContacts.Result
    let shortIDs: [String: String]

    static let fields = [
        Field<MergeTelling>("id", "ID", help: "the contact that stays") {
            .id($0.result.kept.id, shown: $0.shortIDs[$0.result.kept.id]?.count ?? 20)
        },
        Field<MergeTelling>("name", "NAME", help: "its name") { .text($0.result.kept.name) },
        Field<MergeTelling>(
            "dropped", "TOOK OVER", help: "the contacts that it took over",
            cell: { told in told.result.dropped.map(told.named).joined(separator: ", ") }
        ) { told in
            .list(
                told.result.dropped.map { .object([.init("id", .text($0.id)), .init("name", .text($0.name))]) })
        },
        Field<MergeTelling>("changes", "NEW IN IT", help: "what it took over") {
            FieldValue($0.result.changes.map(\.description))
        },
        Field<MergeTelling>(
            "conflicts", "CHOSEN", help: "values of which one had to be chosen: field, kept, dropped, contact",
            cell: { $0.result.conflicts.map(\.values.field.rawValue).joined(separator: ", ") }
        ) { told in
            .list(
                told.result.conflicts.map { conflict in
                    .object([
                        .init("field", .text(conflict.values.field.rawValue)),
                        .init("kept", .text(conflict.values.kept)), .init("dropped", .text(conflict.values.dropped)),
                        .init("contact", .text(conflict.contact.id)),
                    ])
                })
        },
    ]

    /// The lines for a person.
    func lines(isPlan: Bool, asksForUndo: Bool) -> [String] {
        let others = result.dropped.map(named).joined(separator: ", ")
        let verb = isPlan ? "would take over" : "took over"
        let news = result.changes.isEmpty ? "nothing new" : result.changes.map(\.description).joined(separator: ", ")
        let undo = asksForUndo && !isPlan ? ". Undo: hub undo" : ""
        return ["\(named(result.kept)) \(verb) \(others): \(news)\(undo)"]
            + result.conflicts.map { conflict in
                let values = conflict.values
                return "  \(values.field.rawValue) stays \"\(values.kept)\", not \"\(values.dropped)\" "
                    + "(\(shortIDs[conflict.contact.id] ?? conflict.contact.id)); "
                    + "--take \(values.field.rawValue) takes that"
            }
    }

    private func named(_ contact: ContactSummary) -> String {
        "\(contact.name) (\(shortIDs[contact.id] ?? contact.id))"
    }
}

extension ContactsPlugin {
    /// What merges did, ready to be told.
    func told(_ results: [MergeContacts.Result]) async throws -> [MergeTelling] {
        let short = try await shortenIDs(results.flatMap { [$0.kept.id] + $0.dropped.map(\.id) })
        return results.map { MergeTelling(result: $0, shortIDs: short) }
    }
}
