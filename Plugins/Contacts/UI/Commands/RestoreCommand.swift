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
        prominence: .more, parameters: [ContactSelection.many, at], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        if let moment = input[at] {
            return try await restore(contacts, input, at: moment.instant(now: contacts.clock.now, in: .system))
        }
        let chosen = try await ContactSelection(contacts, input)
            .contacts(input[ContactSelection.many], inTrash: true)
        let names = chosen.map(\.name).joined(separator: ", ")
        let merged = try await explanations(of: chosen, contacts)
        if input.dryRun { return .text(["Would bring back \(names)"] + merged) }
        _ = try await contacts.restore(chosen.map(\.id), operation: Operation(input))
        var output = Output.done("Back: \(names). Undo: hub undo")
        output.body = .text(["Back: \(names). Undo: hub undo"] + merged)
        return output
    }

    /// Says of contacts that were merged where their values are now, too.
    private static func explanations(of chosen: [ContactSummary], _ contacts: ContactsPlugin) async throws -> [String] {
        var lines: [String] = []
        for contact in chosen {
            guard let survivor = try await contacts.getDetails(contact.id).mergedInto else { continue }
            let names = try await contacts.nameContacts([survivor])
            let short = try await contacts.shortenIDs([survivor])[survivor] ?? survivor
            lines.append(
                names[survivor].map {
                    "  \(contact.name) was merged into \($0) (\(short)), which keeps what it took over"
                }
                    ?? "  \(contact.name) was merged into \(short), which is gone")
        }
        return lines
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
