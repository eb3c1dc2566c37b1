import Commands
import ContactsDomain
import HubKit

/// `hub contacts conflicts`: contacts that were changed differently here and in an account.
enum ConflictsCommands {
    static let group = Command(
        group: "conflicts", aliases: ["conflict"], summary: "show and resolve sync conflicts",
        discussion: ["Both versions are safe until you decide. Other contacts keep syncing."],
        examples: [
            Example("hub contacts conflicts", "list open conflicts"),
            Example("hub contacts conflicts resolve lukasz", "choose between both versions"),
        ], prominence: .more, view: "list", subcommands: [list, show, resolve])

    private static let take = Option<[String]>(
        "take", "VERSION", help: "version to keep: here, there or both; FIELD=VERSION for one field (can be repeated)")

    private static let all = Flag("all", help: "all contacts with a conflict")

    private static let list = Command(
        "list", summary: "list open conflicts",
        examples: [
            Example("hub contacts conflicts list", "oldest first"),
            Example("hub contacts conflicts list --json", "with both values"),
        ], fields: ConflictView.fields
    ) { (contacts: ContactsPlugin, _: Input) in
        .list(
            try await contacts.shown(try await contacts.conflicts()), ConflictView.fields,
            empty: Diagnostic("No conflicts"))
    }

    private static let show = Command(
        "show", summary: "show both versions of a contact",
        examples: [
            Example("hub contacts conflicts show lukasz", "values side by side"),
            Example("hub contacts conflicts show 7kt --json", "for a script"),
        ], parameters: [ContactCommands.one], fields: ConflictView.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let contact = try await contacts.entities.select(input[ContactCommands.one], asking: input)
        let shown = try await conflict(contact, contacts)
        return .record(shown, ConflictView.fields, human: shown.lines(contacts.relativeTime))
    }

    private static let resolve = Command(
        "resolve", summary: "choose between both versions",
        discussion: ["The choice is a change of the contact: the next sync sends it, and undo reopens the conflict."],
        examples: [
            Example("hub contacts conflicts resolve lukasz", "show both versions and ask field by field"),
            Example("hub contacts conflicts resolve 7kt --take both", "keep both values where possible"),
            Example("hub contacts conflicts resolve --all --take there", "resolve all conflicts alike"),
        ], parameters: [ContactCommands.some, all, take], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let choices = try choices(input[take])
        let chosen = try await chosen(contacts, input)
        let operation = Operation(input)
        if chosen.count == 1 { return try await resolve(chosen[0], choices, contacts, input, operation) }
        var (lines, notes, exit) = ([String](), [Diagnostic](), ExitStatus.done)
        for contact in chosen {
            do {
                let one = try await resolve(contact, choices, contacts, input, operation)
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

    /// Returns the contacts that the arguments select: those named, or with `--all` those with a conflict.
    private static func chosen(_ contacts: ContactsPlugin, _ input: Input) async throws -> [ContactSummary] {
        let words = input[ContactCommands.some]
        guard words.isEmpty == input[all] else {
            throw HubError(
                .usage, code: words.isEmpty ? "missing-argument" : "unexpected-argument",
                "hub contacts conflicts resolve needs either SEL or --all", hint: "hub contacts conflicts lists them")
        }
        guard input[all] else { return try await contacts.entities.select(words, asking: input) }
        let open = try await contacts.conflicts().map(\.contact.summary)
        guard !open.isEmpty else { throw HubError(.notFound, code: "no-conflict", "no contact has a conflict") }
        return open
    }

    private static func resolve(
        _ contact: ContactSummary, _ choices: CardMerge.Choices?, _ contacts: ContactsPlugin, _ input: Input,
        _ operation: Operation
    ) async throws -> Output {
        let shown = try await conflict(contact, contacts)
        if let choices { return try await decide(shown, choices, contacts, input, operation) }
        guard input.console.isInteractive else {
            throw HubError(
                .usage, code: "answer-needed",
                "no version given, and there is no terminal to ask on; nothing was changed",
                hint: "use --take here, there or both")
        }
        await input.console.show(shown.lines(contacts.relativeTime))
        return try await ask(shown, contacts, input, operation)
    }

    /// Parses `--take`; nil if it is not given. Throws a usage error.
    private static func choices(_ words: [String]) throws -> CardMerge.Choices? {
        if words.isEmpty { return nil }
        var all: CardMerge.Choice?
        var byField: [String: CardMerge.Choice] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let last = parts.last, let choice = CardMerge.Choice(rawValue: last) else {
                throw HubError(
                    .usage, code: "invalid-choice", "invalid version \"\(TerminalSanitizer.line(word))\"",
                    hint: "--take here, there or both; for one field: --take note=here")
            }
            if parts.count == 2 { byField[parts[0]] = choice } else { all = choice }
        }
        return CardMerge.Choices(all, byField: byField)
    }

    /// Asks for each conflicting field.
    private static func ask(
        _ shown: ConflictView, _ contacts: ContactsPlugin, _ input: Input, _ operation: Operation
    ) async throws -> Output {
        let values = shown.conflict.values
        var byField: [String: CardMerge.Choice] = [:]
        for value in values {
            let both = value.canKeepBoth ? " [b]oth," : ""
            let field = values.count > 1 ? "\(value.name): keep" : "Keep"
            asking: while true {
                guard let answer = try await input.console.ask("\(field) [1], [2],\(both) [e]dit, [s]kip? ") else {
                    return skipped(shown)
                }
                switch answer.lowercased() {
                case "1": byField[value.name] = .here
                case "2": byField[value.name] = .there
                case "b", "both":
                    guard value.canKeepBoth else {
                        await input.console.show(["This field can have only one value. Type 1, 2, e or s."])
                        continue asking
                    }
                    byField[value.name] = .both
                case "e", "edit": return try await edit(shown, contacts, input, operation)
                case "", "s", "skip": return skipped(shown)
                default:
                    await input.console.show(["Type 1, 2, \(value.canKeepBoth ? "b, " : "")e or s."])
                    continue asking
                }
                break
            }
        }
        return try await decide(shown, CardMerge.Choices(nil, byField: byField), contacts, input, operation)
    }

    private static func skipped(_ shown: ConflictView) -> Output {
        .done("\(shown.name): nothing changed, both versions kept")
    }

    private static func decide(
        _ shown: ConflictView, _ choices: CardMerge.Choices, _ contacts: ContactsPlugin, _ input: Input,
        _ operation: Operation
    ) async throws -> Output {
        if input.dryRun {
            let kept = shown.conflict.values.map { value in
                let choice = choices[value.name]
                return
                    "\(choice == .both ? "both" : choice == .there ? "the version there" : "the version here"): \(value.name)"
            }
            return .done("\(shown.name) would keep \(kept.joined(separator: ", "))")
        }
        let result = try await contacts.resolveConflict(
            shown.conflict.contact.id, taking: choices, operation: operation)
        return try await report(result, choices, contacts)
    }

    private static func edit(
        _ shown: ConflictView, _ contacts: ContactsPlugin, _ input: Input, _ operation: Operation
    ) async throws -> Output {
        let contact = shown.conflict.contact
        let edited = try await ContactEditing(contacts, input).edited(
            contact.details, title: contact.details.displayName, isNew: false)
        guard let edited else { return .cancelled }
        let result = try await contacts.resolveConflict(contact.id, writing: edited, operation: operation)
        return try await report(result, nil, contacts)
    }

    private static func report(
        _ result: ResolvedConflict, _ choices: CardMerge.Choices?, _ contacts: ContactsPlugin
    ) async throws -> Output {
        let row = try await contacts.entities.listed(result.contact.summary)
        let sent = result.isSent ? ", sent with the next sync" : ""
        let name = "\(row.summary.shownName) (\(row.shortID))"
        return .edited("\(name): \(result.words(choices))\(sent)", row, ContactListItem.fields)
    }

    private static func conflict(_ contact: ContactSummary, _ contacts: ContactsPlugin) async throws -> ConflictView {
        do {
            return try await contacts.shown([try await contacts.conflict(of: contact.id)])[0]
        } catch let error as HubError where error.code == "no-conflict" {
            throw HubError(
                .notFound, code: error.code, "\(try await contacts.entities.label(of: contact)) has no conflict",
                hint: error.hint)
        }
    }
}

extension ContactsPlugin {
    /// Formats times relative to now.
    var relativeTime: RelativeTime { RelativeTime(now: clock.now, zone: .system) }
}
