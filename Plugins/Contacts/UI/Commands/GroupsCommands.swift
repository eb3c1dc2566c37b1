import Commands
import ContactsDomain
import HubKit

/// `hub contacts groups`: groups of contacts that are cards themselves, as phones show them.
enum GroupsCommands {
    private static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.groups().map {
            CompletionWord($0.group.name, NumberFormat.counted($0.members.count, "member"))
        }
    }
    private static let group = Argument<String>("GROUP", help: "group: its name or id", completion: completion)
    private static let name = Argument<String>("NAME", help: "name of the group")
    private static let book = Option<String>(
        "book", "BOOK", help: "book for the group, or here (default: that of its members)",
        completion: BookSelection.completion)

    /// Only the members of a group.
    static let filter = Option<String>(
        "group", "GROUP", help: "only members of this group", completion: completion)

    /// Returns the id of the group that `word` names; none without a word.
    static func ids(_ word: String?, _ contacts: ContactsPlugin, _ input: Input) async throws -> [String] {
        guard let word else { return [] }
        let named = try await contacts.groups(named: word)
        if named.count == 1 { return [named[0].id] }
        let chosen = try await contacts.entities.select(word, asking: input)
        guard chosen.isGroup else {
            throw HubError(
                .invalid, code: "no-group", "\(chosen.shownName) is not a group",
                hint: "hub contacts groups lists the groups")
        }
        return [chosen.id]
    }

    static let command = Command(
        group: "groups", aliases: ["group"], summary: "manage groups of contacts", prominence: .more, view: "list",
        subcommands: [list, new, add, remove, rename])

    private static let fields = [
        Field<Row>("id", "ID", help: "id of the group") { .id($0.group.group.id, shown: $0.shortID.count) },
        Field<Row>("name", "GROUP", help: "name of the group", cell: { $0.group.group.shownName }) {
            .text($0.group.group.name)
        },
        Field<Row>("count", "MEMBERS", help: "number of members", align: .trailing) {
            .integer($0.group.members.count + $0.group.unknownCount)
        },
        Field<Row>(
            "members", "NAMES", help: "names of the members that are contacts here", column: .ifRoom(1),
            cell: { row in
                let names = row.group.members.map(\.shownName)
                return names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
            }
        ) { FieldValue($0.group.members.map(\.shownName)) },
    ]

    private struct Row: Sendable {
        let group: ContactGroup
        let shortID: String
    }

    private static let list = Command(
        "list", summary: "list groups with their members",
        examples: [
            Example("hub contacts groups", "all groups"),
            Example("hub contacts show choir", "all members of one"),
            Example("hub contacts email choir", "the addresses of its members"),
        ], fields: fields
    ) { (contacts: ContactsPlugin, _: Input) in
        var rows: [Row] = []
        for group in try await contacts.groups() {
            rows.append(Row(group: group, shortID: try await contacts.entities.shortID(of: group.group.id)))
        }
        return .list(
            rows, fields,
            empty: Diagnostic(
                "No groups",
                suggestions: [Example("hub contacts groups new NAME SEL…", "create one with these members")]))
    }

    private static let new = Command(
        "new", summary: "create a group",
        discussion: [
            "A group is a card of its own, which phones and other programs show as a group or list. Where a server has tags "
                + "but no groups, use hub contacts tag; --tag makes a group of all contacts with a tag."
        ],
        examples: [
            Example("hub contacts groups new Choir lukasz", "with a member"),
            Example("hub contacts groups new Chess --tag chess", "all contacts with a tag"),
        ], parameters: [name, ContactCommands.some, ContactCommands.tags, book], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        var chosen = try await contacts.entities.select(input[ContactCommands.some], asking: input)
        let tags = input[ContactCommands.tags]
        if !tags.isEmpty {
            var filter = ContactFilter()
            filter.tags = tags
            let known = Set(chosen.map(\.id))
            chosen += try await contacts.filter(filter).filter { !known.contains($0.id) }
        }
        let place = try await contacts.bookForGroup(input[book], of: chosen.map(\.id))
        let result = try await contacts.createGroup(
            input[name], of: chosen.map(\.id), book: place?.id, operation: Operation(plannable: input))
        let inBook = place.map { " in \($0.fullName)" } ?? ""
        let members = NumberFormat.counted(result.group.members.count, "member")
        let label = try await contacts.entities.label(of: result.group.group)
        return try await edited(
            input.dryRun
                ? "Would create the group \(result.group.group.shownName)\(inBook) with \(members)"
                : "The group \(label) is new\(inBook), with \(members)",
            result, contacts)
    }

    private static let add = change(
        "add", "add members to a group",
        [
            Example("hub contacts groups add choir lukasz", "one member"),
            Example("hub contacts list --plain=id --tag chess | hub contacts groups add Chess -", "all with a tag"),
        ], "added to", "would be added to"
    ) { contacts, ids, group, operation in
        try await contacts.addMembers(ids, to: group, operation: operation)
    }

    private static let remove = change(
        "remove", "remove members from a group; the contacts stay",
        [
            Example("hub contacts groups remove choir lukasz", "one member"),
            Example("hub contacts rm choir", "delete the group itself; its members stay"),
        ], "removed from", "would be removed from"
    ) { contacts, ids, group, operation in
        try await contacts.removeMembers(ids, from: group, operation: operation)
    }

    private static let rename = Command(
        "rename", summary: "rename a group",
        examples: [
            Example("hub contacts groups rename choir \"Chamber choir\"", "by name"),
            Example("hub contacts groups rename 7kt Chess", "by id"),
        ], parameters: [group, name], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await selected(contacts, input)
        let result = try await contacts.renameGroup(chosen.id, to: input[name], operation: Operation(plannable: input))
        if result.changes.isEmpty { return .done("\(chosen.shownName): nothing changed") }
        let row = try await contacts.entities.listed(result.contact.summary)
        var output = Output.edited(
            input.dryRun
                ? "Would rename \(chosen.shownName) to \(input[name])" : "Renamed \(chosen.shownName) to \(row.label)",
            row, ContactListItem.fields)
        output.notes += try await contacts.readOnlyNotes([chosen.id])
        return output
    }

    private static func change(
        _ verb: String, _ summary: String, _ examples: [Example], _ done: String, _ planned: String,
        _ act: @escaping @Sendable (ContactsPlugin, [String], String, Operation) async throws -> MembershipChange
    ) -> Command {
        Command(
            verb, summary: summary, examples: examples, parameters: [group, ContactCommands.many], fields: fields,
            changes: true
        ) { (contacts: ContactsPlugin, input: Input) in
            let chosen = try await selected(contacts, input)
            let members = try await contacts.entities.select(input[ContactCommands.many], asking: input)
            let result = try await act(contacts, members.map(\.id), chosen.id, Operation(plannable: input))
            guard !result.changed.isEmpty else { return .done("\(chosen.shownName): nothing changed") }
            let names = result.changed.map(\.shownName)
            let who = names.count > 3 ? NumberFormat.counted(names.count, "contact") : names.joined(separator: ", ")
            return try await edited("\(who) \(input.dryRun ? planned : done) \(chosen.shownName)", result, contacts)
        }
    }

    /// The group that is meant: the one of this name, else the selected contact, which must be a group.
    private static func selected(_ contacts: ContactsPlugin, _ input: Input) async throws -> ContactSummary {
        let named = try await contacts.groups(named: input[group])
        return named.count == 1 ? named[0] : try await contacts.entities.select(input[group], asking: input)
    }

    private static func edited(
        _ message: String, _ result: MembershipChange, _ contacts: ContactsPlugin
    ) async throws -> Output {
        let row = Row(group: result.group, shortID: try await contacts.entities.shortID(of: result.group.group.id))
        var output = Output.edited(message, row, fields)
        if let first = result.elsewhere.first {
            let more = result.elsewhere.count > 1 ? " and \(result.elsewhere.count - 1) more" : ""
            output = output.noting(
                .warning(
                    "\(first.shownName)\(more): in another address book than the group, so other devices may not show them in it",
                    code: "member-elsewhere"))
        }
        output.notes += try await contacts.readOnlyNotes([result.group.group.id])
        return output
    }
}

extension ContactsPlugin {
    /// Returns the book for a group: the one named `word`, else that of all its members, else the default; nil for none.
    func bookForGroup(_ word: String?, of members: [String]) async throws -> Book? {
        if word != nil || members.isEmpty { return try await bookForNew(word) }
        let places = try await contacts.read { transaction in
            Set(try members.map { try transaction.contact($0)?.book })
        }
        guard places.count == 1, let place = places.first else { return try await bookForNew(nil) }
        guard let place else { return nil }
        return try await contacts.read { try $0.book(place) }
    }
}
