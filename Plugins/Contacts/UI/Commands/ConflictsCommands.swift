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

    private static let take = Option<[String]>(
        "take", "VERSION", help: "what to keep: here, there or both; FIELD=VERSION for one field; may be given again")

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
        let contact = try await ContactSelection(contacts, input).contact(input[ContactSelection.one])
        let shown = try await conflict(contact, contacts)
        return .record(shown, ShownConflict.fields, human: shown.lines(contacts.relativeTime))
    }

    private static let resolve = Command(
        "resolve", summary: "choose between both versions",
        discussion: ["The choice is one change of the contact: the next sync sends it, and undo asks again."],
        examples: [
            Example("hub contacts conflicts resolve lukasz", "shows both and asks, field by field"),
            Example("hub contacts conflicts resolve 7kt --take both", "keeps both where a card can hold both"),
            Example("hub contacts conflicts resolve - --take there", "all those whose ids come on stdin"),
        ], parameters: [ContactSelection.many, take], fields: ListedContact.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let choices = try choices(input[take])
        let chosen = try await ContactSelection(contacts, input).contacts(input[ContactSelection.many])
        if chosen.count == 1 { return try await resolve(chosen[0], choices, contacts, input) }
        var (lines, notes, exit) = ([String](), [Note](), ExitStatus.done)
        for contact in chosen {
            do {
                let one = try await resolve(contact, choices, contacts, input)
                if case .text(let text) = one.body { lines += text } else { lines += one.human ?? [] }
            } catch let error as HubError where error.code == "no-conflict" || error.code == "field-undecided" {
                notes.append(.warning(error.message, code: error.code, hint: error.hint))
                exit = .partly
            }
        }
        var output = Output(.text(lines))
        (output.isReport, output.notes, output.exit) = (true, notes, exit)
        return output
    }

    private static func resolve(
        _ contact: ContactSummary, _ choices: CardMerge.Choices?, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        let shown = try await conflict(contact, contacts)
        if let choices { return try await decide(shown, choices, contacts, input) }
        guard input.interaction.canAsk else {
            throw HubError(
                .usage, code: "answer-needed", "nothing was done: nobody can be asked which version to keep",
                hint: "give the answer with --take here, there or both")
        }
        await input.interaction.show(shown.lines(contacts.relativeTime))
        return try await ask(shown, contacts, input)
    }

    /// What `--take` says; nil when it says nothing.
    private static func choices(_ words: [String]) throws -> CardMerge.Choices? {
        if words.isEmpty { return nil }
        var all: CardMerge.Choice?
        var byField: [String: CardMerge.Choice] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let last = parts.last, let choice = CardMerge.Choice(rawValue: last) else {
                throw HubError(
                    .usage, code: "invalid-choice", "invalid version \"\(PrintableText.line(word))\"",
                    hint: "--take here, there or both; for one field: --take note=here")
            }
            if parts.count == 2 { byField[parts[0]] = choice } else { all = choice }
        }
        return CardMerge.Choices(all, byField: byField)
    }

    /// Asks for each field that both sides changed.
    private static func ask(
        _ shown: ShownConflict, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        let values = shown.conflict.values
        var byField: [String: CardMerge.Choice] = [:]
        for value in values {
            let both = value.canKeepBoth ? " [b]oth," : ""
            let field = values.count > 1 ? "\(value.name): keep" : "Keep"
            asking: while true {
                guard let answer = try await input.interaction.ask("\(field) [1], [2],\(both) [e]dit, [s]kip? ") else {
                    return skipped(shown)
                }
                switch answer.lowercased() {
                case "1": byField[value.name] = .here
                case "2": byField[value.name] = .there
                case "b", "both":
                    guard value.canKeepBoth else {
                        await input.interaction.show(["A card holds only one of these. Type 1, 2, e or s."])
                        continue asking
                    }
                    byField[value.name] = .both
                case "e", "edit": return try await edit(shown, contacts, input)
                case "", "s", "skip": return skipped(shown)
                default:
                    await input.interaction.show(["Type 1, 2, \(value.canKeepBoth ? "b, " : "")e or s."])
                    continue asking
                }
                break
            }
        }
        return try await decide(shown, CardMerge.Choices(nil, byField: byField), contacts, input)
    }

    private static func skipped(_ shown: ShownConflict) -> Output {
        .done("\(shown.name): nothing changed, both versions stay")
    }

    private static func decide(
        _ shown: ShownConflict, _ choices: CardMerge.Choices, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        if input.dryRun {
            let kept = shown.conflict.values.map { value in
                let choice = choices[value.name]
                return
                    "\(choice == .both ? "both" : choice == .there ? "what is there" : "what is here"): \(value.name)"
            }
            return .done("\(shown.name) would keep \(kept.joined(separator: ", "))")
        }
        let result = try await contacts.resolveConflict(
            shown.conflict.contact.id, taking: choices, operation: Operation(input))
        return try await told(result, choices, contacts)
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
        _ result: ResolveConflict.Result, _ choices: CardMerge.Choices?, _ contacts: ContactsPlugin
    ) async throws -> Output {
        let row = try await contacts.listed([result.contact.summary])[0]
        let sent = result.isSent ? ", sent with the next sync" : ""
        let name = "\(row.summary.shownName) (\(row.shortID))"
        return .changed("\(name): \(result.words(choices))\(sent). Undo: hub undo", row, ListedContact.fields)
    }

    private static func conflict(_ contact: ContactSummary, _ contacts: ContactsPlugin) async throws -> ShownConflict {
        do {
            return try await contacts.shown([try await contacts.getConflicts(of: contact.id)])[0]
        } catch let error as HubError where error.code == "no-conflict" {
            throw HubError(
                .notFound, code: error.code, "\(try await contacts.named(contact)) has no conflict",
                hint: error.hint)
        }
    }
}

extension ContactsPlugin {
    /// Moments as seen from now.
    var relativeTime: RelativeTime { RelativeTime(now: clock.now, zone: .system) }
}
