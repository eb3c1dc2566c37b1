import Commands
import ContactsDomain
import HubKit

/// `hub contacts duplicates`: finds contacts that may be the same person.
enum DuplicatesCommand {
    private static let all = Flag("all", help: "also contacts that only have similar names")
    private static let autoSafe = Flag("auto-safe", help: "merge duplicates that need no decision")
    private static let apart = Flag("apart", help: "mark the given contacts as different people")

    static let command = Command(
        "duplicates", summary: "find and merge duplicate contacts",
        discussion: [
            "Shows how likely the contacts of each group are duplicates and why. The first contact of a group was changed "
                + "last and is kept by a merge. On a terminal you can review the groups one by one: skip, merge, or mark as "
                + "different people, which are not reported again.",
            "--auto-safe merges certain duplicates (cards with the same content), and very likely ones if no value is "
                + "lost. It leaves all others to you.",
        ],
        examples: [
            Example("hub contacts duplicates", "list or review duplicates"),
            Example("hub contacts duplicates --auto-safe -n", "show what would be merged"),
            Example("hub contacts duplicates --apart 4fk 7kt", "mark as different people"),
        ], prominence: .more, parameters: [ContactCommands.some, all, autoSafe, apart],
        exclusive: [["all", "auto-safe", "apart"]],
        fields: DuplicateGroupView.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        if input[apart] { return try await keepApart(contacts, input) }
        guard input[ContactCommands.some].isEmpty else {
            throw HubError(
                .usage, code: "unexpected-argument", "hub contacts duplicates takes no contacts without --apart",
                hint: "to merge contacts: hub contacts merge KEEP DROP")
        }
        if input[autoSafe] { return try await mergeSafe(contacts, input) }
        input.console.report(Progress("looking for duplicates", completed: 0, unit: "contacts"))
        let groups = try await contacts.findDuplicates(upTo: input[all] ? .weak : .medium)
        input.console.report(nil)
        if !groups.isEmpty, canWalk(input) {
            let walk = DuplicateReview(contacts, input)
            if let output = try await walk.run(groups) { return output }
        }
        let none =
            input[all] ? "No duplicates" : "No duplicates; --all also shows contacts that only have similar names"
        return .list(
            try await contacts.listed(groups), DuplicateGroupView.fields, count: count(groups), empty: Diagnostic(none))
    }

    private static func count(_ groups: [DuplicateGroup]) -> String {
        let sum = NumberFormat.grouped(groups.count)
        return groups.count == 1
            ? "1 group. Merge it: hub contacts merge KEEP DROP"
            : "\(sum) groups. Merge one: hub contacts merge KEEP DROP"
    }

    /// Whether the output goes to a terminal where prompts are possible.
    private static func canWalk(_ input: Input) -> Bool {
        guard input.console.isInteractive, !input.yes, !input.quiet, !input.dryRun else { return false }
        return [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format, GlobalOptions.output]
            .allSatisfy { input[$0] == nil }
    }

    private static func keepApart(_ contacts: ContactsPlugin, _ input: Input) async throws -> Output {
        let chosen = try await contacts.entities.select(input[ContactCommands.some], asking: input)
        guard chosen.count > 1 else {
            throw HubError(
                .usage, code: "missing-argument", "--apart needs two contacts or more",
                hint: "hub contacts duplicates --apart 4fk 7kt")
        }
        let names = chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would mark as different people: \(names)") }
        let count = try await contacts.markDistinct(chosen.map(\.id), operation: Operation(input))
        if count == 0 { return .done("Already marked as different people") }
        return .edited("Marked as different people: \(names)")
    }

    private static func mergeSafe(_ contacts: ContactsPlugin, _ input: Input) async throws -> Output {
        let merged = try await contacts.mergeSafeDuplicates(operation: Operation(input), isDryRun: input.dryRun)
        let rows = try await contacts.mergeSummaries(merged)
        let dropped = merged.reduce(0) { $0 + $1.dropped.count }
        let took = NumberFormat.counted(dropped, "contact")
        let into = merged.count == 1 ? "another" : "\(NumberFormat.grouped(merged.count)) others"
        let summary =
            merged.isEmpty
            ? "No duplicates that can be merged without a decision"
            : input.dryRun ? "\(took) would be merged into \(into)" : "\(took) merged into \(into)"
        var output = Output.report(rows, MergeSummary.fields, summary: [summary])
        output.human = rows.flatMap { $0.lines(isPlan: input.dryRun) } + [summary]
        output.summary = []
        return merged.isEmpty ? output : output.asEdit(.last)
    }
}

/// A group of duplicates as a table row.
struct DuplicateGroupView: Sendable {
    let group: DuplicateGroup
    /// The members with their short ids.
    let members: [ContactListItem]

    /// The maximum number of members shown in a table cell; machine-readable output has all.
    private static let shownMembers = 8

    static let fields = [
        Field<DuplicateGroupView>("tier", "SURE", help: "likelihood: certain, very likely, likely or perhaps") {
            .text($0.group.tier.words)
        },
        Field<DuplicateGroupView>(
            "contacts", "CONTACTS", help: "contacts of the group; a merge keeps the first",
            cell: { listed in
                let shown = listed.members.prefix(DuplicateGroupView.shownMembers)
                    .map { "\($0.summary.shownName) (\($0.shortID))" }.joined(separator: ", ")
                let more = listed.members.count - DuplicateGroupView.shownMembers
                return more > 0 ? "\(shown) and \(more) more" : shown
            }
        ) { listed in
            .list(
                listed.members.map { member in
                    .object([
                        .init("id", .text(member.summary.id)), .init("name", .text(member.summary.name)),
                        .init("phone", .text(member.summary.phone)), .init("email", .text(member.summary.email)),
                        .init("photo", FieldValue(listed.group.photos[member.summary.id])),
                    ])
                })
        },
        Field<DuplicateGroupView>(
            "evidence", "WHY", help: "matching fields", cell: { $0.group.evidence.joined(separator: ", ") }
        ) { FieldValue($0.group.evidence) },
    ]
}

extension ContactsPlugin {
    /// The groups as rows.
    func listed(_ groups: [DuplicateGroup]) async throws -> [DuplicateGroupView] {
        let short = try await entities.shortIDs(of: groups.flatMap { $0.members.map(\.id) })
        return groups.map { group in
            DuplicateGroupView(
                group: group,
                members: group.members.map { ContactListItem($0, shortID: short[$0.id] ?? $0.id) })
        }
    }
}
