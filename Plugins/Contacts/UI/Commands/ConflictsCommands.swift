import ContactsDomain
import HubKit

/// `hub contacts conflicts`: what both sides of a sync changed in different ways.
enum ConflictsCommands {
    static let group = Command(
        group: "conflicts", aliases: ["conflict"], summary: "what you and a server both changed",
        discussion: ["Both versions are safe until you decide. A conflict never keeps other contacts from syncing."],
        examples: [
            Example("hub contacts conflicts", "those there are"),
            Example("hub contacts conflicts resolve lukasz", "choose between both versions"),
        ], prominence: .more, view: "list", subcommands: [list, show, resolve])

    private static let take = Option<Choice>(
        "take", "VERSION", help: "what is kept: here, there or both")

    private static let list = Command(
        "list", summary: "list open conflicts",
        examples: [
            Example("hub contacts conflicts list", "the oldest first"),
            Example("hub contacts conflicts list --json", "with both values"),
        ], fields: ShownConflict.fields
    ) { (contacts: ContactsPlugin, _: Input) in
        .list(
            try await contacts.shown(try await contacts.getConflicts()), ShownConflict.fields,
            empty: Note("No conflicts"))
    }

    private static let show = Command(
        "show", summary: "show both versions of a contact",
        examples: [
            Example("hub contacts conflicts show lukasz", "both values side by side"),
            Example("hub contacts conflicts show 7kt --json", "for a script"),
        ], parameters: [ContactSelection.one], fields: ShownConflict.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let shown = try await conflict(contacts, input)
        return .record(shown, ShownConflict.fields, human: shown.lines(contacts.relativeTime))
    }

    private static let resolve = Command(
        "resolve", summary: "choose between both versions",
        discussion: ["The choice is one change of the contact: the next sync sends it, and undo asks again."],
        examples: [
            Example("hub contacts conflicts resolve lukasz", "shows both and asks"),
            Example("hub contacts conflicts resolve 7kt --take both", "keeps both where a card can hold both"),
        ], parameters: [ContactSelection.one, take], fields: ListedContact.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let shown = try await conflict(contacts, input)
        if let choice = input[take] { return try await decide(shown, choice.merge, contacts, input) }
        guard input.interaction.canAsk else {
            throw HubError(
                .usage, code: "answer-needed", "nothing was done: nobody can be asked which version to keep",
                hint: "give the answer with --take here, there or both")
        }
        await input.interaction.show(shown.lines(contacts.relativeTime))
        return try await ask(shown, contacts, input)
    }

    private static func ask(
        _ shown: ShownConflict, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        let both = shown.canKeepBoth ? " [b]oth," : ""
        while let answer = try await input.interaction.ask("Keep [1], [2],\(both) [e]dit, [s]kip? ") {
            switch answer.lowercased() {
            case "1": return try await decide(shown, .here, contacts, input)
            case "2": return try await decide(shown, .there, contacts, input)
            case "b", "both":
                if shown.canKeepBoth { return try await decide(shown, .both, contacts, input) }
                await input.interaction.show(["A card holds only one of these. Type 1, 2, e or s."])
            case "e", "edit": return try await edit(shown, contacts, input)
            case "", "s", "skip": return skipped(shown)
            default: await input.interaction.show(["Type 1, 2, \(shown.canKeepBoth ? "b, " : "")e or s."])
            }
        }
        return skipped(shown)
    }

    private static func skipped(_ shown: ShownConflict) -> Output {
        .done("\(shown.name): nothing changed, both versions stay")
    }

    private static func decide(
        _ shown: ShownConflict, _ choice: CardMerge.Choice, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        if input.dryRun {
            let names = shown.conflict.fields.joined(separator: ", ")
            return .done(
                "\(shown.name) would keep \(choice == .both ? "both" : "what is \(choice.rawValue)"): \(names)")
        }
        let result = try await contacts.resolveConflict(
            shown.conflict.contact.id, taking: choice, operation: Operation(input))
        return try await told(result, choice, contacts)
    }

    private static func edit(
        _ shown: ShownConflict, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        let contact = shown.conflict.contact
        let edited = try await ContactEditing(contacts, input).edited(
            contact.details, title: contact.details.displayName, isNew: false)
        guard let edited else { return .cancelled }
        let result = try await contacts.resolveConflict(contact.id, writing: edited, operation: Operation(input))
        return try await told(result, nil, contacts)
    }

    private static func told(
        _ result: ResolveConflict.Result, _ choice: CardMerge.Choice?, _ contacts: ContactsPlugin
    ) async throws -> Output {
        let row = try await contacts.listed([result.contact.summary])[0]
        let sent = result.isSent ? ", sent with the next sync" : ""
        let name = "\(row.summary.shownName) (\(row.shortID))"
        return .changed("\(name): \(result.words(choice))\(sent). Undo: hub undo", row, ListedContact.fields)
    }

    private static func conflict(_ contacts: ContactsPlugin, _ input: Input) async throws -> ShownConflict {
        let contact = try await ContactSelection(contacts, input).contact(input[ContactSelection.one])
        do {
            return try await contacts.shown([try await contacts.getConflicts(of: contact.id)])[0]
        } catch let error as HubError where error.code == "no-conflict" {
            throw HubError(
                .notFound, code: error.code, "\(try await contacts.named(contact)) has no conflict",
                hint: error.hint)
        }
    }

    /// The words of `--take`.
    enum Choice: String, ChoiceArgument, CaseIterable {
        case here, there, both

        var merge: CardMerge.Choice {
            switch self {
            case .here: .here
            case .there: .there
            case .both: .both
            }
        }
    }
}

extension ContactsPlugin {
    /// Moments as seen from now.
    var relativeTime: RelativeTime { RelativeTime(now: clock.now, zone: .system) }
}
