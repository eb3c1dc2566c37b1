import ContactsDomain
import HubKit

/// `hub contacts duplicates`: who may be one person, and what to do about it.
enum DuplicatesCommand {
    private static let all = Flag("all", help: "also those of whom only the names are alike")
    private static let autoSafe = Flag("auto-safe", help: "merge those that need no decision, in one step of undo")
    private static let apart = Flag("apart", help: "remember that the contacts named are different people")

    static let command = Command(
        "duplicates", summary: "find contacts that may be one person",
        discussion: [
            "Tells of each group how sure it is and why; the contact named first was changed last and would stay. On a "
                + "terminal you may go through the groups and merge, skip, or say that they are different people, who are "
                + "then never named together again.",
            "--auto-safe merges what is certain (the cards say the same), and what is very likely when no value is lost "
                + "by it. All else is yours to decide.",
        ],
        examples: [
            Example("hub contacts duplicates", "list them, or go through them"),
            Example("hub contacts duplicates --auto-safe -n", "what would be merged without asking"),
            Example("hub contacts duplicates --apart 4fk 7kt", "they are two people"),
        ], prominence: .more, parameters: [ContactSelection.some, all, autoSafe, apart],
        exclusive: [["all", "auto-safe", "apart"]],
        fields: ListedGroup.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        if input[apart] { return try await keepApart(contacts, input) }
        guard input[ContactSelection.some].isEmpty else {
            throw HubError(
                .usage, code: "unexpected-argument", "hub contacts duplicates looks at all contacts",
                hint: "--apart takes contacts; hub contacts merge KEEP DROP merges them")
        }
        if input[autoSafe] { return try await mergeSafe(contacts, input) }
        input.interaction.report(Progress("looking for duplicates", completed: 0, unit: "contacts"))
        let groups = try await contacts.findDuplicates(upTo: input[all] ? .weak : .medium)
        input.interaction.report(nil)
        if !groups.isEmpty, canWalk(input) {
            let walk = DuplicatesWalk(contacts, input)
            if let told = try await walk.run(groups) { return told }
        }
        let none = input[all] ? "No duplicates" : "No duplicates; --all also shows contacts whose names alone are alike"
        return .list(
            try await contacts.listed(groups), ListedGroup.fields, count: count(groups), empty: Note(none))
    }

    private static func count(_ groups: [DuplicateGroup]) -> String {
        let sum = Numerals.grouped(groups.count)
        return groups.count == 1
            ? "1 group. Merge it: hub contacts merge KEEP DROP"
            : "\(sum) groups. Merge one: hub contacts merge KEEP DROP"
    }

    /// Whether a person looks at the answer and can be asked.
    private static func canWalk(_ input: Input) -> Bool {
        guard input.interaction.canAsk, !input.yes, !input.quiet, !input.dryRun else { return false }
        return [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format, GlobalOptions.output]
            .allSatisfy { input[$0] == nil }
    }

    private static func keepApart(_ contacts: ContactsPlugin, _ input: Input) async throws -> Output {
        let chosen = try await ContactSelection(contacts, input).contacts(input[ContactSelection.some])
        guard chosen.count > 1 else {
            throw HubError(
                .usage, code: "missing-argument", "--apart needs two contacts or more",
                hint: "hub contacts duplicates --apart 4fk 7kt")
        }
        let names = chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would remember that these are different people: \(names)") }
        let count = try await contacts.keepApart(chosen.map(\.id), operation: Operation(input))
        return .done(count == 0 ? "That is known already" : "Different people: \(names). Undo: hub undo")
    }

    private static func mergeSafe(_ contacts: ContactsPlugin, _ input: Input) async throws -> Output {
        let merged = try await contacts.mergeSafeDuplicates(operation: Operation(input), isDryRun: input.dryRun)
        let rows = try await contacts.told(merged)
        let dropped = merged.reduce(0) { $0 + $1.dropped.count }
        let took = dropped == 1 ? "1 contact" : "\(Numerals.grouped(dropped)) contacts"
        let into = merged.count == 1 ? "another one" : "\(Numerals.grouped(merged.count)) others"
        let summary =
            merged.isEmpty
            ? "No duplicates that can be merged without a decision"
            : input.dryRun ? "\(took) would be merged into \(into)" : "\(took) merged into \(into). Undo: hub undo"
        var output = Output.report(rows, MergeTelling.fields, summary: [summary])
        output.human = rows.flatMap { $0.lines(isPlan: input.dryRun, asksForUndo: false) } + [summary]
        output.summary = []
        return output
    }
}

/// A group of duplicates as a row of a table.
struct ListedGroup: Sendable {
    let group: DuplicateGroup
    /// The members with their short ids.
    let members: [ListedContact]

    /// How many members a table names; a program gets all.
    private static let shownMembers = 8

    static let fields = [
        Field<ListedGroup>("tier", "SURE", help: "certain, very likely, likely or perhaps") {
            .text($0.group.tier.words)
        },
        Field<ListedGroup>(
            "contacts", "CONTACTS", help: "the contacts; the first one was changed last and would stay",
            cell: { listed in
                let shown = listed.members.prefix(ListedGroup.shownMembers)
                    .map { "\($0.summary.name) (\($0.shortID))" }.joined(separator: ", ")
                let more = listed.members.count - ListedGroup.shownMembers
                return more > 0 ? "\(shown) and \(more) more" : shown
            }
        ) { listed in
            .list(
                listed.members.map { member in
                    .object([
                        .init("id", .text(member.summary.id)), .init("name", .text(member.summary.name)),
                        .init("phone", .text(member.summary.phone)), .init("email", .text(member.summary.email)),
                    ])
                })
        },
        Field<ListedGroup>(
            "evidence", "WHY", help: "what speaks for it", cell: { $0.group.evidence.joined(separator: ", ") }
        ) { FieldValue($0.group.evidence) },
    ]
}

extension ContactsPlugin {
    /// The groups as rows.
    func listed(_ groups: [DuplicateGroup]) async throws -> [ListedGroup] {
        let short = try await shortenIDs(groups.flatMap { $0.members.map(\.id) })
        return groups.map { group in
            ListedGroup(
                group: group,
                members: group.members.map { ListedContact(summary: $0, shortID: short[$0.id] ?? $0.id) })
        }
    }
}
