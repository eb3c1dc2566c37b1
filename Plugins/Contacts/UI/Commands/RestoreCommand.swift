import ContactsDomain
import HubKit

/// `hub contacts restore`: restores contacts from the trash, or an earlier version.
enum RestoreCommand {
    private static let at = Option<DateExpression>(
        "at", "WHEN", help: "restore the version of this time: 2026-11-20, 09:12, 3d")

    static let command = Command(
        "restore", summary: "restore contacts from the trash, or an earlier version",
        examples: [
            Example("hub contacts restore lukasz", "one contact"),
            Example("hub contacts restore last", "the last one removed"),
        ],
        prominence: .more, parameters: [ContactSelection.many, at], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        if let moment = input[at] {
            return try await restore(contacts, input, at: moment.instant(now: contacts.clock.now, in: .system))
        }
        let chosen = try await ContactSelection(contacts, input)
            .contacts(input[ContactSelection.many], inTrash: true)
        let names = chosen.map(\.name).joined(separator: ", ")
        let merged = try await explanations(of: chosen, contacts)
        if input.dryRun { return .text(["Would restore \(names)"] + merged) }
        _ = try await contacts.restore(chosen.map(\.id), operation: Operation(input))
        var output = Output.done("Restored: \(names). Undo: hub undo")
        output.body = .text(["Restored: \(names). Undo: hub undo"] + merged)
        return output
    }

    /// Returns a line for each contact that was merged into another.
    private static func explanations(of chosen: [ContactSummary], _ contacts: ContactsPlugin) async throws -> [String] {
        var lines: [String] = []
        for contact in chosen {
            guard let survivor = try await contacts.getDetails(contact.id).mergedInto else { continue }
            let names = try await contacts.nameContacts([survivor])
            let short = try await contacts.shortenIDs([survivor])[survivor] ?? survivor
            lines.append(
                names[survivor].map {
                    "  \(contact.name) was merged into \($0) (\(short)), which keeps the merged values"
                }
                    ?? "  \(contact.name) was merged into \(short), which no longer exists")
        }
        return lines
    }

    private static func restore(_ contacts: ContactsPlugin, _ input: Input, at moment: Instant) async throws -> Output {
        let chosen = try await ContactSelection(contacts, input).contacts(input[ContactSelection.many])
        let names = chosen.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would restore the earlier version of \(names)") }
        let operation = Operation(input)
        for contact in chosen {
            _ = try await contacts.restoreVersion(contact.id, at: moment, operation: operation)
        }
        return .done("Restored earlier version: \(names). Undo: hub undo")
    }
}
