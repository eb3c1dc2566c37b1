import Commands
import ContactsDomain
import HubKit

/// Reviews groups of duplicates interactively. All decisions of a review are undone together.
struct DuplicateReview: Sendable {
    private let contacts: ContactsPlugin
    private let input: Input
    private let operation: Operation

    init(_ contacts: ContactsPlugin, _ input: Input) {
        self.contacts = contacts
        self.input = input
        operation = Operation(input)
    }

    /// Offers the review; returns nil if the user chooses the list.
    func run(_ groups: [DuplicateGroup]) async throws -> Output? {
        let what = NumberFormat.counted(groups.count, "group")
        let question = "Found \(what) of possible duplicates. Go through them, or list them?"
        guard try await ask(question, "lg") == "g" else { return nil }
        var (merged, apart, skipped) = (0, 0, 0)
        for (place, row) in try await contacts.listed(groups).enumerated() {
            await input.console.show(lines(row, "\(place + 1) of \(groups.count)"))
            switch try await ask("Skip, merge, not duplicates, or quit?", "smnq") {
            case "m":
                try await merge(row)
                merged += 1
            case "n":
                try await contacts.markDistinct(row.group.members.map(\.id), operation: operation)
                apart += 1
            case "q":
                return report(merged, apart, groups.count - merged - apart)
            default: skipped += 1
            }
        }
        return report(merged, apart, skipped)
    }

    private func ask(_ question: String, _ letters: String) async throws -> Character {
        try await input.choose(question, letters: Array(letters), option: "hub contacts merge KEEP DROP")
    }

    private func merge(_ row: DuplicateGroupView) async throws {
        let (keep, drop) = (row.group.keep.id, row.group.drop.map(\.id))
        var taking: Set<MergeField> = []
        var asked: Set<MergeField> = []
        for conflict in try await contacts.planMerge(keep: keep, drop: drop).conflicts
        where asked.insert(conflict.values.field).inserted {
            let values = conflict.values
            await input.console.show([
                "  \(values.field.rawValue):", "    1  \(values.kept)", "    2  \(values.dropped)",
            ])
            if try await ask("Which one to keep?", "12") == "2" { taking.insert(values.field) }
        }
        let result = try await contacts.merge(keep: keep, drop: drop, taking: taking, operation: operation)
        await input.console.show(
            try await contacts.mergeSummaries([result]).flatMap { $0.lines(isPlan: false) })
    }

    /// The lines that show a group.
    private func lines(_ row: DuplicateGroupView, _ place: String) -> [String] {
        ["\(place)  \(row.group.tier.words): \(row.group.evidence.joined(separator: ", "))"]
            + row.members.enumerated().map { number, member in
                let contact = member.summary
                let parts = [contact.name, contact.phone, contact.email, contact.tags.joined(separator: ", ")]
                let text = parts.filter { !$0.isEmpty }.joined(separator: "  ")
                return "  \(member.shortID)  \(text)\(number == 0 ? "  (kept)" : "")"
            }
    }

    private func report(_ merged: Int, _ apart: Int, _ skipped: Int) -> Output {
        let text = "\(merged) merged, \(apart) not duplicates, \(skipped) left"
        return merged + apart > 0 ? .edited(text) : .done(text)
    }
}
