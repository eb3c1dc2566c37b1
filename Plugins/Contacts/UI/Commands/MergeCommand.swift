import Commands
import ContactsDomain
import HubKit

/// `hub contacts merge`: merges contacts into one.
enum MergeCommand {
    private static let keep = Argument<String>(
        "KEEP", help: "contact to keep: id, e-mail, phone number, or words")
    private static let drop = Arguments<String>("DROP", .oneOrMore, help: "contacts to merge into it")
    private static let take = Option<[MergeField]>(
        "take", "FIELD", help: "use the value of the merged contact for this field, such as name, org or birthday")

    static let command = Command(
        "merge", summary: "merge contacts into one",
        discussion: [
            "Adds every number, address, tag, note and unknown property of the other contacts to the first one, without "
                + "repetition, and moves the others to the trash. Fields with a single value, such as the name, keep the value "
                + "of the first contact unless --take names them. If a merged card is imported or synced again, it counts as "
                + "the contact that it was merged into."
        ],
        examples: [
            Example("hub contacts merge 4fk 7kt", "merge 7kt into 4fk"),
            Example("hub contacts merge 4fk 7kt --take name -n", "show the result with the name of 7kt"),
        ], prominence: .more, parameters: [keep, drop, take], fields: MergeSummary.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let kept = try await contacts.entities.select(input[keep], asking: input).id
        let dropped = try await contacts.entities.select(input[drop], asking: input).map(\.id)
        let taking = Set(input[take])
        let result =
            input.dryRun
            ? try await contacts.planMerge(keep: kept, drop: dropped, taking: taking)
            : try await contacts.merge(keep: kept, drop: dropped, taking: taking, operation: Operation(input))
        let summaries = try await contacts.mergeSummaries([result])
        var output = Output.record(
            summaries[0], MergeSummary.fields, human: summaries[0].lines(isPlan: input.dryRun)
        ).asEdit(.first)
        output.isReport = true
        return output
    }
}

extension MergeField: ChoiceArgument {}

/// The result or plan of a merge, as output.
struct MergeSummary: Sendable {
    let result: ContactMerge
    let shortIDs: [String: String]

    static let fields = [
        Field<MergeSummary>("id", "ID", help: "id of the kept contact") {
            .id($0.result.kept.id, shown: $0.shortIDs[$0.result.kept.id]?.count ?? 20)
        },
        Field<MergeSummary>("name", "NAME", help: "name of the kept contact") { .text($0.result.kept.name) },
        Field<MergeSummary>(
            "dropped", "MERGED", help: "contacts that were merged into it",
            cell: { merge in merge.result.dropped.map(merge.named).joined(separator: ", ") }
        ) { merge in
            .list(
                merge.result.dropped.map { .object([.init("id", .text($0.id)), .init("name", .text($0.name))]) })
        },
        Field<MergeSummary>(
            "changes", "CHANGES", help: "new values, each with field, kind and value",
            cell: { $0.result.changes.map(\.description).joined(separator: ", ") }
        ) { merge in
            .list(
                merge.result.changes.map { change in
                    .object([
                        .init("field", .text(change.field)), .init("kind", .text(change.label)),
                        .init("value", change.new.map { .text($0) } ?? .null),
                    ])
                })
        },
        Field<MergeSummary>(
            "conflicts", "CONFLICTS", help: "conflicting values, each with field, kept, dropped and contact",
            cell: { $0.result.conflicts.map(\.values.field.rawValue).joined(separator: ", ") }
        ) { merge in
            .list(
                merge.result.conflicts.map { conflict in
                    .object([
                        .init("field", .text(conflict.values.field.rawValue)),
                        .init("kept", .text(conflict.values.kept)), .init("dropped", .text(conflict.values.dropped)),
                        .init("contact", .text(conflict.contact.id)),
                    ])
                })
        },
    ]

    /// The lines of the human-readable output.
    func lines(isPlan: Bool) -> [String] {
        let others = result.dropped.map(named).joined(separator: ", ")
        let verb = isPlan ? "Would merge" : "Merged"
        let news = result.changes.isEmpty ? "nothing new" : result.changes.map(\.description).joined(separator: ", ")
        let names = result.referrers.map(\.name)
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        let followed = names.isEmpty ? "" : "; updated in \(names.prefix(5).joined(separator: ", "))\(more)"
        return ["\(verb) \(others) into \(named(result.kept)): \(news)\(followed)"]
            + result.conflicts.map { conflict in
                let values = conflict.values
                return "  \(values.field.rawValue) keeps \"\(values.kept)\", not \"\(values.dropped)\" "
                    + "(\(shortIDs[conflict.contact.id] ?? conflict.contact.id)); "
                    + "--take \(values.field.rawValue) uses that"
            }
    }

    private func named(_ contact: ContactSummary) -> String {
        "\(contact.name) (\(shortIDs[contact.id] ?? contact.id))"
    }
}

extension ContactsPlugin {
    /// Returns the results of merges for output.
    func mergeSummaries(_ results: [ContactMerge]) async throws -> [MergeSummary] {
        let short = try await entities.shortIDs(of: results.flatMap { [$0.kept.id] + $0.dropped.map(\.id) })
        return results.map { MergeSummary(result: $0, shortIDs: short) }
    }
}
